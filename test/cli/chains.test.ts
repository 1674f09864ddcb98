import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyEpisode } from '../../src/library/index.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const CHAINS = join(SAMPLES, 'chains');
const at = (...names: string[]) => join(CHAINS, ...names);
const GEF = at('gef', 'intact', 'hn.jsonl');

interface Report {
  readonly verdict: string;
  readonly configuration?: { readonly settings: number };
  readonly episodes: readonly {
    readonly dialect: string;
    readonly level: string;
    readonly chains?: readonly { readonly name: string; readonly head: string; readonly records: number }[];
    readonly findings: readonly { readonly code: string; readonly severity: string }[];
  }[];
}

async function verified(...args: string[]): Promise<Report['episodes'][number] & { code: number | null }> {
  const { stdout, code } = await runHere(['verify', '-j', ...args]);
  const [episode] = (JSON.parse(stdout) as Report).episodes;
  if (episode === undefined) throw new Error('no episode');
  return { ...episode, code };
}

describe('a chained log', () => {
  test('reaches the level signed with a guard and a given key, and not with the key in the log', async () => {
    const bundle = at('gef', 'intact', 'bundle');
    const [first = ''] = readFileSync(join(bundle, 'ledger.gef'), 'utf8').split('\n');
    const dir = tempDir();
    const key = join(dir, 'key');
    writeFileSync(key, (JSON.parse(first) as { signer_public_key: string }).signer_public_key);
    expect((await verified(bundle)).level).toBe('sealed');
    expect((await verified(bundle, '--key', `=${key}`)).level).toBe('signed');
    const required = ['--require-level', 'signed'];
    expect((await verified(bundle, '--key', `=${key}`, ...required)).code).toBe(0);
    expect((await verified(bundle, ...required)).code).toBe(1);
    writeFileSync(key, 'a'.repeat(64));
    const { level, findings } = await verified(bundle, '--key', `=${key}`);
    expect(level).toBe('readable');
    expect(findings.map(({ code }) => code)).toContain('chain/signature');
  });

  test('prints the hash of its last record, which --expect-head compares', async () => {
    const [chain] = (await verified(GEF)).chains ?? [];
    expect(chain).toMatchObject({ name: 'gef', records: 2 });
    const given = ['--expect-head', chain?.head ?? '', '--expect-count', '2'];
    expect(await verified(GEF, ...given)).toMatchObject({ code: 0, level: 'sealed' });
    expect((await verified(GEF, '--expect-count', '3')).code).toBe(1);
    expect((await verified(GEF, '--expect-head', 'abc')).code).toBe(1);
  });

  test('fails if an end was expected and the hashes were removed', async () => {
    const log = join(tempDir(), 'log.jsonl');
    const records = readFileSync(GEF, 'utf8').trimEnd().split('\n');
    const plain = records.map((line) => {
      const { causal_hash: _, signature: __, ...rest } = JSON.parse(line) as Record<string, unknown>;
      return `${JSON.stringify(rest)}\n`;
    });
    writeFileSync(log, plain.join(''));
    expect(await verified(log)).toMatchObject({ code: 0 });
    for (const given of [
      ['--expect-count', '2'],
      ['--expect-head', 'abc'],
    ]) {
      const { code, findings } = await verified(log, ...given);
      expect([code, findings.filter(({ severity }) => severity === 'error').map((one) => one.code)]).toEqual([
        1,
        ['chain/unknown-profile'],
      ]);
    }
  });

  test('has its ends compared by the library too', async () => {
    const [chain] = (await verified(GEF)).chains ?? [];
    const { head: expectHead = '', records: expectCount = 0 } = chain ?? {};
    expect(await verifyEpisode(GEF, { expectHead, expectCount })).toMatchObject({
      verdict: 'ok',
      level: 'sealed',
    });
    for (const wrong of [{ expectHead: 'abc' }, { expectCount: 1 }, { expectHead, expectCount: 3 }]) {
      const { verdict, findings } = await verifyEpisode(GEF, wrong);
      expect(verdict).toBe('fail');
      expect(findings.map(({ code }) => code)).toContain(
        wrong.expectCount === undefined ? 'chain/head' : 'chain/count',
      );
    }
    for (const options of [{ expectCount: -1 }, { expectCount: Number.NaN }, { chain: 'none', expectHead }])
      await expect(verifyEpisode(GEF, options)).rejects.toMatchObject({ code: 'usage' });
  });

  test('is named as no longer valid by redact if a record was replaced; hashes and signatures are not secrets', async () => {
    const cwd = writeTree({ 'log.jsonl': readFileSync(GEF, 'utf8') });
    const redacted = async (...args: string[]) => {
      const { stdout } = await runHere(['redact', 'log.jsonl', '-j', ...args], { cwd });
      return (JSON.parse(stdout) as { no_longer_valid: string[] }).no_longer_valid;
    };
    expect(await redacted('-o', 'kept')).toEqual([]);
    expect(await redacted('-o', 'replaced', '--drop', 'agent_id')).toContain(
      'the chain of the records (gef)',
    );
    expect((await verified(join(cwd, 'kept', 'log.jsonl'))).code).toBe(0);
    expect((await verified(join(cwd, 'replaced', 'log.jsonl'))).code).toBe(1);
  });

  test('is named by list and show', async () => {
    const dir = writeTree({
      'chained.jsonl': readFileSync(GEF, 'utf8'),
      'plain.jsonl':
        '{"type":"user","uuid":"1","sessionId":"s","parentUuid":null,"timestamp":"2026-03-01T10:00:00Z"}\n',
    });
    const both = ['chained.jsonl', 'plain.jsonl'].map((name) => join(dir, name));
    const rows = JSON.parse((await runHere(['list', ...both, '-j'])).stdout) as Record<string, unknown>[];
    expect(rows.map(({ path, chain }) => [basename(String(path)), chain]).sort()).toEqual([
      ['chained.jsonl', 'gef'],
      ['plain.jsonl', undefined],
    ]);
    const wide = (await runHere(['list', ...both, '--wide'])).stdout;
    expect(wide).toMatch(/CHAIN.*\n.*\bgef\b/);
    expect((await runHere(['list', join(dir, 'plain.jsonl'), '--wide'])).stdout).not.toContain('CHAIN');
    const log = join(dir, 'chained.jsonl');
    const shown = JSON.parse((await runHere(['show', log, '-j'])).stdout) as object;
    expect(shown).toMatchObject({ chains: [{ name: 'gef', records: 2 }] });
    expect((await runHere(['show', log])).stdout.replace(/\s+/g, ' ')).toContain('records chained as gef');
  });

  test('is not checked with --chain none, and not as another chain', async () => {
    const damaged = at('gef', 'damaged', 'hn-edited.jsonl');
    expect(await verified(damaged)).toMatchObject({ code: 1 });
    expect(await verified(damaged, '--chain', 'none')).toMatchObject({ code: 0, level: 'readable' });
    const other = await verified(GEF, '--chain', 'kriya');
    expect(other.findings.map(({ code }) => code)).toEqual(['chain/unknown-profile']);
  });

  test.each([
    ['--chain', 'kriyo'],
    ['--chain', 'none', '--expect-count', '2'],
    ['--expect-count', 'x'],
    ['--key', '='],
  ])('refuses %s %s', async (...args) => {
    expect((await runHere(['verify', GEF, ...args])).code).toBe(2);
  });

  test('is found in a folder by its records, also as a document and next to its head', async () => {
    const { stdout } = await runHere(['verify', '-j', CHAINS]);
    const { episodes } = JSON.parse(stdout) as Report;
    const families = new Set(episodes.map(({ dialect }) => dialect));
    expect(families.size).toBe(16);
    expect(episodes.every(({ chains }) => chains !== undefined)).toBe(true);
  });

  test('shows times, types and agents in events, show and timeline', async () => {
    const events = await runHere(['events', at('agt-hooks', 'intact', 'audit.json')]);
    expect(events.stdout).toMatch(/14:03:57\.178 .* deny +tool:Bash rm -rf/);
    const receipts = at('agent-receipts', 'intact', 'terminal.jsonl');
    expect((await runHere(['events', receipts, '--agent', 'did:agent:test', '-q'])).code).toBe(0);
    for (const command of ['show', 'timeline', 'read', 'stats'])
      expect((await runHere([command, receipts])).code).toBe(0);
  });

  test('is never hidden by a baseline or lowered by a rule', async () => {
    const damaged = at('kriya', 'damaged', 'egress_ledger-edited.jsonl');
    const cwd = tempDir();
    const base = ['--baseline', 'base.json'];
    expect((await runHere(['verify', damaged, ...base, '--write-baseline'], { cwd })).code).toBe(1);
    expect((await runHere(['verify', damaged, ...base], { cwd })).code).toBe(1);
    expect((await runHere(['verify', damaged, '--rule', 'chain/signature=warn'])).code).toBe(2);
  });
});

describe('a chain that noesis.toml declares', () => {
  const ROBOT = `[chains.robot]
detect = ["n", "prev", "sum=^[0-9a-f]{64}$"]
link = "prev"
genesis = "start"
hash = "sum"
over = "sorted"
without = ["sum"]
sequence = { member = "n", start = 1 }
map = { time = "at", type = "step", agent = "by" }
`;
  const LOG = `{"n":1,"at":"2026-03-01T10:00:00Z","step":"plan","by":"robot-7","prev":"start","sum":"aae9bf117a86dd0dab7d4b0615ecbfdee51f4b8fcaca27b1e9e1ba75260e3b1f"}
{"n":2,"at":"2026-03-01T10:00:01Z","step":"edit","by":"robot-7","prev":"aae9bf117a86dd0dab7d4b0615ecbfdee51f4b8fcaca27b1e9e1ba75260e3b1f","sum":"0dfefac1f043e25a8af359563f27d1492456302a99c1f4834e7dd395d67420db"}
`;

  test('is checked, and its map is used', async () => {
    const cwd = writeTree({ 'noesis.toml': ROBOT, 'a.jsonl': LOG, 'b.jsonl': LOG.replace('edit', 'view') });
    const { stdout, code } = await runHere(['verify', '-j', '.', '--jobs', '2'], { cwd });
    expect(code).toBe(1);
    const { episodes, configuration } = JSON.parse(stdout) as Report;
    expect(episodes.map(({ dialect, level }) => [dialect, level])).toEqual([
      ['robot', 'consistent'],
      ['robot', 'readable'],
    ]);
    expect(configuration?.settings).toBe(1);
    expect((await runHere(['events', 'a.jsonl', '--agent', 'robot-7'], { cwd })).stdout).toMatch(
      /10:00:01\.000 .* edit/,
    );
    expect((await runHere(['verify', 'b.jsonl', '--chain', 'robot'], { cwd })).code).toBe(1);
  });

  test.each([
    ['an unknown key', ROBOT.replace('link', 'lnik'), 'lnik'],
    ['a pattern that is not supported', ROBOT.replace('^[0-9a-f]{64}$', '^(?=a)'), 'detect'],
    ['a head in another folder', `${ROBOT}head = { file = "../x.json", hash = "h" }\n`, 'head'],
  ])('is refused with %s', async (_, toml, named) => {
    const cwd = writeTree({ 'noesis.toml': toml, 'a.jsonl': LOG });
    const { stderr, code } = await runHere(['verify', 'a.jsonl'], { cwd });
    expect([code, stderr.includes(named)]).toEqual([2, true]);
  });

  test('has a schema', async () => {
    const { stdout } = await runHere(['schema', 'chain']);
    expect(Object.keys((JSON.parse(stdout) as { properties: object }).properties)).toContain('genesis');
  });
});

test('a document that describes the format of a chain is no run of a folder', async () => {
  const members = ['agentId', 'action', 'decision', 'previousHash', 'hash'];
  const profile = { name: 'x', detect: { members: Object.fromEntries(members.map((name) => [name, '*'])) } };
  const dir = tempDir();
  writeFileSync(join(dir, 'profile.json'), JSON.stringify(profile, null, 2));
  expect((await runHere(['verify', dir])).code).toBe(3);
  const audit = readFileSync(at('agt-hooks', 'intact', 'audit.json'), 'utf8');
  for (const [name, text] of [
    ['audit.json', audit],
    ['cut.json', audit.slice(0, -30)],
  ] as const)
    writeFileSync(join(dir, name), text);
  const listed = JSON.parse((await runHere(['list', dir, '-j'])).stdout) as { path: string }[];
  expect(listed.map(({ path }) => basename(path)).sort()).toEqual(['audit.json', 'cut.json']);
});
