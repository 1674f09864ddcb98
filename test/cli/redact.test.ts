import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Redactor } from '../../src/base/text/secrets/redactor.ts';
import { LINE_DIALECTS } from '../dialects/sessions.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const KEY = `sk-ant-${'a1B2c3D4'.repeat(4)}`;
const SHOP = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');

test.each([
  ['private-key', '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----'],
  ['aws-key', 'AKIAIOSFODNN7EXAMPLE'],
  ['github-token', `ghp_${'x'.repeat(36)}`],
  ['anthropic-key', KEY],
  ['openai-key', `sk-proj-${'Ab1'.repeat(10)}`],
  ['google-key', `AIza${'b'.repeat(35)}`],
  ['slack-token', 'xoxb-1234567890-abcdef'],
  ['jwt', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123'],
  ['email', 'ann.lee@example.org'],
  ['random', 'q8Zt3LmN7xVw2RyK5pDsH9bJc4FgT6eUaQ1o'],
])('a %s is replaced, and the text around it stays', (rule, secret) => {
  const redacted = new Redactor().redact(`see ${secret} there`);
  expect(redacted).toBe(`see [redacted:${rule}:1] there`);
});

test('words, hashes, ids and paths are not secrets', () => {
  for (const text of [
    'The quick brown fox jumps over the lazy dog',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    '5e550000-0000-4000-8000-00000000a001',
    'src/dialects/sessions/claude-code/records.ts',
    'export-interface-of-a-very-long-component-name',
  ])
    expect(new Redactor().redact(text)).toBe(text);
});

test('one secret has one placeholder, and only the secret is taken out', () => {
  const redactor = new Redactor();
  const text = redactor.redact(
    'PGPASSWORD=hunter22 psql postgres://ann:hunter22@db; cd /home/ann/x; cd /home/bob',
  );
  expect(text).toBe(
    'PGPASSWORD=[redacted:password:1] psql postgres://ann:[redacted:password-in-url:1]@db; cd /home/[redacted:user-name:1]/x; cd /home/[redacted:user-name:2]',
  );
  expect(redactor.report.find(({ rule }) => rule === 'user-name')).toEqual({
    rule: 'user-name',
    places: 2,
    different: 2,
  });
});

test('the copy of a session verifies like the original, which is unchanged', async () => {
  const before = readFileSync(SHOP, 'utf8');
  const log = before.replaceAll('npm test -- price', `curl -H 'x-api-key: ${KEY}'`);
  const cwd = writeTree({ 'a.jsonl': log });
  const { code, stdout } = await runHere(['redact', 'a.jsonl', '-o', 'out', '-j'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ files: ['a.jsonl'] });
  const copy = readFileSync(join(cwd, 'out/a.jsonl'), 'utf8');
  expect(copy).not.toContain(KEY);
  expect(copy).not.toContain('/home/usr');
  expect(readFileSync(join(cwd, 'a.jsonl'), 'utf8')).toBe(log);
  const findings = async (path: string) =>
    (
      JSON.parse((await runHere(['verify', path, '-j'], { cwd })).stdout) as {
        episodes: { findings: { code: string; line: number }[] }[];
      }
    ).episodes
      .flatMap((episode) => episode.findings)
      .map((finding) => `${finding.code} ${finding.line}`);
  expect(await findings('out/a.jsonl')).toEqual(await findings('a.jsonl'));
});

test.each(LINE_DIALECTS)('the copies of all samples of %s verify as they do', async (program) => {
  const folder = join(SAMPLES, program);
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  const verified = async (path: string) => {
    const { code, stdout } = await runHere(['verify', path, '-j']);
    const { episodes } = JSON.parse(stdout) as {
      episodes: { dialect: string; findings: { code: string; line: number }[] }[];
    };
    // That a session has another size than its program noted is true of a copy without its secrets.
    const said = episodes.map(({ dialect, findings }) => [
      dialect,
      ...findings
        .filter(({ code: what }) => what !== 'session/file-size')
        .map((one) => `${one.code} ${one.line}`),
    ]);
    return { code, said };
  };
  let copied = 0;
  for (const name of logs) {
    const log = join(folder, name);
    const out = join(tempDir(), 'out');
    const { code } = await runHere(['redact', log, '-o', out]);
    const before = await verified(log);
    // There is no copy of a corrupt log.
    if (before.said.flat().some((one) => /^log\/(?!no-final)/.test(one))) {
      expect([name, code]).toEqual([name, 1]);
      continue;
    }
    expect([name, code]).toEqual([name, 0]);
    expect([name, await verified(join(out, basename(log)))]).toEqual([name, before]);
    copied += 1;
  }
  expect(copied).toBeGreaterThan(3);
});

test('paths can be kept and dropped', async () => {
  const cwd = writeTree({ 'a.jsonl': `{"id":"1","a":{"b":"${KEY}"},"c":["${KEY}"],"d":{"e":7}}\n` });
  const { code } = await runHere(['redact', 'a.jsonl', '-o', 'out', '--keep', 'a.b', '--drop', 'd,x.y'], {
    cwd,
  });
  expect(code).toBe(0);
  expect(readFileSync(join(cwd, 'out/a.jsonl'), 'utf8')).toBe(
    `{"id":"1","a":{"b":"${KEY}"},"c":["[redacted:anthropic-key:1]"],"d":"[redacted:dropped]"}\n`,
  );
});

test('refuses a folder with files in it, a missing --output and a corrupt log, and writes nothing', async () => {
  const TORN = '{"id":"1"}\n{"to';
  const cwd = writeTree({
    'a.jsonl': '{"id":"1"}\n',
    'b.jsonl': TORN,
    'b.jsonl.gz': gzipSync(TORN),
    'out/x': '',
  });
  expect((await runHere(['redact', 'a.jsonl', '-o', 'out'], { cwd })).code).toBe(2);
  expect((await runHere(['redact', 'a.jsonl'], { cwd })).code).toBe(2);
  const dir = join(tempDir(), 'new');
  for (const target of ['b.jsonl', 'b.jsonl.gz', '-']) {
    const { code, stderr } = await runHere(['redact', target, '-o', dir], { cwd, input: TORN });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`\n  --> ${target}:2:1 (byte 11)\n`)]);
    const hint =
      target === '-'
        ? 'nothing was written; save the input as a file, and run noesis salvage on it to copy every intact record'
        : `nothing was written; copy every intact record with\n  noesis salvage ${target}\n`;
    expect(stderr).toContain(hint);
  }
  expect(existsSync(dir)).toBe(false);
});

test('a value that is also the name of an agent, a type or an id is redacted if it has the form of a secret', async () => {
  const mail = 'ann.lee@example.org';
  const records = [
    { type: 'note', agent: mail, agent_id: mail, id: KEY, timestamp: '2026-01-02T03:04:05Z' },
    { type: 'note', agent: mail, cause: KEY, password: 'note', id: 'b', said: mail },
  ];
  const cwd = writeTree({ 'a.jsonl': records.map((record) => `${JSON.stringify(record)}\n`).join('') });
  expect((await runHere(['redact', 'a.jsonl', '-o', 'out'], { cwd })).code).toBe(0);
  const copy = readFileSync(join(cwd, 'out/a.jsonl'), 'utf8');
  expect(copy).not.toMatch(/ann\.lee|sk-ant/);
  const [first, second] = copy
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);
  expect(first).toMatchObject({ type: 'note', timestamp: '2026-01-02T03:04:05Z' });
  expect(second).toMatchObject({
    cause: first?.['id'],
    agent: first?.['agent'],
    password: '[redacted:password:1]',
  });
});

test('a value that a repeated key hides is not copied', async () => {
  const cwd = writeTree({ 'a.jsonl': `{"id":"1","a":"${KEY}","a":"x"}\n{"id":"2","b":1.0}\n` });
  expect((await runHere(['redact', 'a.jsonl', '-o', 'out'], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, 'out/a.jsonl'), 'utf8')).toBe('{"id":"1","a":"x"}\n{"id":"2","b":1.0}\n');
});

test('a text of many brackets and an endlessly nested document are texts', async () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  const record = { id: '1', a: deep, b: `${deep.slice(0, 50_000)} password=hunter2` };
  const cwd = writeTree({ 'a.jsonl': `${JSON.stringify(record)}\n` });
  expect((await runHere(['redact', 'a.jsonl', '-o', 'out'], { cwd })).code).toBe(0);
  const copy = readFileSync(join(cwd, 'out/a.jsonl'), 'utf8');
  expect(copy).toContain(deep);
  expect(copy).not.toContain('hunter2');
});

test.each(['redact', 'salvage'])('%s says if a copy has the name of another episode', async (command) => {
  const cwd = tempDir();
  const id = 'ep_01KJPWD6M0GKJVH2GKEFTDNN55';
  const from = join(EXAMPLES, '.noesis/episodes', id);
  const other = await runHere([command, from, '-o', 'ep_other'], { cwd });
  expect(other.stderr).toContain(`to verify this copy, rename its folder to ${id}`);
  expect((await runHere(['verify', 'ep_other'], { cwd })).stdout).toContain('consistency/episode-id');
  for (const name of [id, 'plain']) {
    const same = await runHere([command, from, '-o', name], { cwd });
    expect(same.stderr).not.toContain('rename its folder');
    expect((await runHere(['verify', name], { cwd })).code).toBe(0);
  }
});

test('no file of a copy is named after a user', async () => {
  const log = readFileSync(SHOP, 'utf8');
  const cwd = writeTree({ '-home-alice-proj.jsonl': log });
  const { code, stdout } = await runHere(['redact', './-home-alice-proj.jsonl', '-o', 'out', '-j'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ files: ['-home-[redacted-user-name-1]-proj.jsonl'] });
  expect(readdirSync(join(cwd, 'out'))).toEqual(['-home-[redacted-user-name-1]-proj.jsonl']);
});

// The help names these folders, and a copy that failed its verification would look altered.
test.each([
  ['redact', 'shared'],
  ['salvage', 'copy'],
])('a copy by %s into the folder %s verifies', async (command, folder) => {
  const cwd = tempDir();
  const episode = join(EXAMPLES, '.noesis/episodes/ep_01KJQ38XW0B21102BHVMR95HBJ');
  expect((await runHere([command, episode, '-o', folder], { cwd })).code).toBe(0);
  const { code, stdout } = await runHere(['verify', folder, '-j'], { cwd });
  expect([code, stdout]).toEqual([0, expect.not.stringContaining('consistency/episode-id')]);
});
