import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EpisodeReport } from '../../src/findings/report.ts';
import { noesis, SAMPLES } from '../support/cli.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { outputIn } from '../support/json.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const secret = 'a secret of these tests, of 32 bytes and more';
const shape = { ...GOOD, signature: { alg: 'HS256', kid: 'ops-1', secret } } as const;
const KEY = ['--key', `ops-1=${join(writeTree({ key: secret }), 'key')}`];

const SEALED = 'not signed; someone could rewrite the log and the manifest together';
const UNCHECKED = 'signature not checked; someone could rewrite the log and the manifest together';
const SIGNED = 'not anchored; someone with the key could rewrite the run (see noesis help checkpoint)';
const OPEN_END =
  'not sealed; verify cannot tell if contents were changed or the end is missing (see noesis help checkpoint)';
const UNLINKED =
  'not sealed and without links between records; verify cannot find changed contents or most missing records (see noesis help checkpoint)';
const BROKEN_SEAL = 'the seal is not valid, so files may have been changed';
const CONTRADICTION = 'the records of the run, its files or their names contradict each other';
const MISSING = 'records are missing that others name or count';
const UNANSWERED = 'a call has no result, although the run continues as if it had one';
const UNKNOWN = 'the dialect is not known, so the records were not compared with each other';
const DAMAGED = 'not every record could be read';

const replaced = (file: string, from: string | RegExp, to: string) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));

const sealed = () => episodeIn(tempDir(), GOOD);
const signed = () => episodeIn(tempDir(), shape);
/** The log of a sealed episode, without its folder. */
const alone = () => join(writeTree({ 'alone.jsonl': readFileSync(sealed().log, 'utf8') }), 'alone.jsonl');

const COPILOT = 'copilot/session-state/6450a846-75cb-4923-8463-392f5c935b8a/events.jsonl';
const CODEX =
  'codex/sessions/2026/11/22/rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl';

/** A copy of a sample with other lines. */
function withLines(sample: string, change: (lines: readonly string[]) => readonly string[]): string {
  const lines = readFileSync(join(SAMPLES, sample), 'utf8').split('\n');
  return join(writeTree({ 'copy.jsonl': change(lines).join('\n') }), 'copy.jsonl');
}

/** Lines count from 1. */
const without = (sample: string, line: number) => withLines(sample, (lines) => lines.toSpliced(line - 1, 1));

/** The targets, the options, and the level of the verdict. */
const CASES: readonly (readonly [string, () => string, readonly string[], string, string])[] = [
  ['a sealed episode', () => sealed().dir, [], 'sealed', SEALED],
  ['a signed one without its key', () => signed().dir, [], 'sealed', UNCHECKED],
  ['a signed one with its key', () => signed().dir, KEY, 'signed', SIGNED],
  ['a log alone', alone, [], 'consistent', OPEN_END],
  ['the log of a sealed episode', () => sealed().log, [], 'sealed', SEALED],
  [
    'a ledger, whose format has no seal',
    () => join(SAMPLES, 'fishbowl/ledger-10-runs.scrubbed.jsonl'),
    [],
    'consistent',
    UNLINKED,
  ],
  [
    'a session without a record that is the parent of another',
    () => without(COPILOT, 20),
    [],
    'readable',
    MISSING,
  ],
  ['a session without a result that its model got', () => without(CODEX, 24), [], 'readable', UNANSWERED],
  [
    'a session with two versions of a result',
    () => withLines(CODEX, (lines) => lines.map((line) => line.replace('with code 3', 'with code 0'))),
    [],
    'readable',
    CONTRADICTION,
  ],
  [
    'a session whose program was killed in the middle of a call',
    () => join(SAMPLES, 'opencode/export/killed-resumed-1.18.33.json'),
    [],
    'consistent',
    UNLINKED,
  ],
  [
    'a session without parents',
    () => join(SAMPLES, 'gemini/resumed-0.61.0.jsonl'),
    [],
    'consistent',
    UNLINKED,
  ],
  [
    'a session of an older version, whose records have no ids',
    () => join(SAMPLES, 'pi/v1-interrupt-compaction-0.13.2.jsonl'),
    [],
    'consistent',
    UNLINKED,
  ],
  [
    'a rollout without ordinals',
    () =>
      join(
        SAMPLES,
        'codex/sessions/2026/11/22/rollout-2026-11-22T08-35-41-01a20265-94b7-76a3-be39-f4c28319c6fc.jsonl',
      ),
    [],
    'consistent',
    UNLINKED,
  ],
  [
    'a rollout with ordinals',
    () =>
      join(
        SAMPLES,
        'codex/sessions/2026/11/22/rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl',
      ),
    [],
    'consistent',
    OPEN_END,
  ],
  [
    'a session whose records name their parents',
    () => join(SAMPLES, 'pi/v3-plain-resumed-0.87.1.jsonl'),
    [],
    'consistent',
    OPEN_END,
  ],
  [
    'a log of unknown format',
    () => join(writeTree({ 'one.jsonl': '{"type":"start"}\n' }), 'one.jsonl'),
    [],
    'readable',
    UNKNOWN,
  ],
  [
    'a log of unknown format with named fields',
    () => join(writeTree({ 'one.jsonl': '{"a":1}\n' }), 'one.jsonl'),
    ['--map', 'id=a'],
    'consistent',
    UNLINKED,
  ],
  [
    'a log of unknown format with named parents',
    () => join(writeTree({ 'one.jsonl': '{"a":1}\n' }), 'one.jsonl'),
    ['--map', 'id=a,parent=b'],
    'consistent',
    OPEN_END,
  ],
  [
    'an episode whose manifest names another hash',
    () => {
      const { dir } = sealed();
      replaced(join(dir, 'manifest.json'), /sha256:[0-9a-f]{8}/, 'sha256:00000000');
      return dir;
    },
    [],
    'consistent',
    BROKEN_SEAL,
  ],
  [
    'a state that contradicts the log',
    () => {
      const { dir } = sealed();
      replaced(join(dir, 'state.json'), /"task": ?"[^"]*"/, '"task":"another"');
      return dir;
    },
    [],
    'readable',
    CONTRADICTION,
  ],
  [
    'a damaged log',
    () => {
      const { dir, log } = sealed();
      appendFileSync(log, '{"torn');
      return dir;
    },
    [],
    'none',
    DAMAGED,
  ],
];

/** Text in which lines were broken, or characters written as entities. */
const plain = (text: string) =>
  text
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ');

describe('the level of a verdict', () => {
  test.each(CASES)(
    '%s',
    async (_, make, options, level, open) => {
      const target = make();
      const verified = async (format: string) =>
        (await noesis(['verify', target, ...options, '-f', format])).stdout;
      const { episodes, summary } = outputIn(await verified('json')) as {
        episodes: EpisodeReport[];
        summary: { level: string };
      };
      expect([episodes[0]?.level, episodes[0]?.notProven, summary.level]).toEqual([level, open, level]);
      const inEveryFormat = open === SEALED || open === DAMAGED;
      const shown = level === 'none' ? 'nothing proven' : level;
      const long = `${shown}: ${open}`;
      expect(plain(await verified('pretty'))).toContain(long);
      if (!inEveryFormat) return;
      const [run] = (JSON.parse(await verified('sarif')) as { runs: { properties: object }[] }).runs;
      expect(run?.properties).toMatchObject({ level, episodes: [{ level, not_proven: open }] });
      for (const format of ['markdown', 'github', 'gitlab'])
        expect(plain(await verified(format))).toContain(long);
      const junit = plain(await verified('junit'));
      expect(junit).toContain(`name="level" value="${level}"`);
      expect(junit).toContain(`name="not_proven" value="${open}"`);
      expect(await verified('ndjson')).toContain(`"not_proven":${JSON.stringify(open)}`);
    },
    60_000,
  );

  test('is a word in a list, and the lowest one is in the summary', async () => {
    const { stdout } = await noesis(['verify', sealed().dir, signed().dir, ...KEY]);
    expect(stdout).toMatch(/events, sealed$/m);
    expect(stdout).toMatch(/events, signed$/m);
    expect(stdout).toContain('2 runs: 2 ok; lowest level sealed');
    expect(stdout).toContain(`1 run: ${SEALED}`);
  });

  test('is in the lines of a quiet report', async () => {
    const log = alone();
    appendFileSync(log, '{"torn');
    const { stdout } = await noesis(['verify', log, '-q']);
    expect(stdout).toContain('1 error, nothing proven');
  });

  test('is kept by merge', async () => {
    const [one, two] = [sealed(), signed()];
    const cwd = tempDir();
    for (const [index, { dir }] of [one, two].entries())
      await noesis(['verify', dir, ...KEY, '-j', '-o', `${index}.json`], { cwd });
    const { stdout } = await noesis(['merge', '0.json', '1.json', '-j'], { cwd });
    const report = JSON.parse(stdout) as { episodes: EpisodeReport[]; summary: { level: string } };
    expect([report.episodes.map(({ level }) => level), report.summary.level]).toEqual([
      ['sealed', 'signed'],
      'sealed',
    ]);
  });
});

describe('--require-level', () => {
  const LEVELS = ['readable', 'consistent', 'sealed', 'signed'];

  test.each([
    ['a log alone', alone, 'consistent'],
    ['the log of a signed episode', () => signed().log, 'signed'],
    ['a sealed episode', () => sealed().dir, 'sealed'],
    ['a signed one', () => signed().dir, 'signed'],
  ])(
    'is a gate: %s passes up to its level',
    async (_, make, reached) => {
      for (const [index, level] of LEVELS.entries()) {
        const { code } = await noesis(['verify', make(), ...KEY, '--require-level', level]);
        expect([level, code]).toEqual([level, index <= LEVELS.indexOf(reached) ? 0 : 1]);
      }
    },
    60_000,
  );

  test('cannot be satisfied by a rule that lowers a finding', async () => {
    const { dir } = sealed();
    replaced(join(dir, 'state.json'), /"task": ?"[^"]*"/, '"task":"another"');
    const rules = ['--rule', 'consistency/*=off', '--rule', 'manifest/hash-mismatch=off'];
    const { code, stdout } = await noesis(['verify', dir, ...rules, '--require-level', 'consistent']);
    expect([code, plain(stdout)]).toEqual([1, expect.stringContaining(`the level consistent is required`)]);
  });

  test('can be set in noesis.toml, and anchored needs an attestation', async () => {
    const { dir } = sealed();
    const cwd = writeTree({ 'noesis.toml': '[verify]\nrequire_level = "signed"\n' });
    expect((await noesis(['verify', dir], { cwd })).code).toBe(1);
    const { code, stderr } = await noesis(['verify', dir, '--require-level', 'anchored']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('only --attestation reaches the level anchored'),
    ]);
  });

  test('anchored needs a matching attestation', async () => {
    const { dir } = sealed();
    const cwd = tempDir();
    await noesis(['keygen', 'k'], { cwd });
    await noesis(['verify', dir, '--attest', 'v.json', '--attest-key', 'k.key'], { cwd });
    const args = [
      'verify',
      dir,
      '--attestation',
      'v.json',
      '--trust',
      'k.pub',
      '--require-level',
      'anchored',
    ];
    const { code, stdout } = await noesis(args, { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining('level anchored\n  attested: verdict ok')]);
    expect(JSON.parse((await noesis([...args, '-j'], { cwd })).stdout)).toMatchObject({ level: 'anchored' });
  });

  test('files that were passed over are named, and prevent anchored', async () => {
    const cwd = tempDir();
    episodeIn(cwd, GOOD);
    const keys = tempDir();
    await noesis(['keygen', 'k'], { cwd: keys });
    await noesis(['verify', cwd, '--attest', 'v.json', '--attest-key', 'k.key'], { cwd: keys });
    writeFileSync(join(cwd, 'y.tar'), 'no tar');
    const args = ['verify', cwd, '--attestation', 'v.json', '--trust', 'k.pub'];
    const { code, stdout } = await noesis(args, { cwd: keys });
    expect([code, stdout]).toEqual([0, expect.stringContaining('y.tar is not a run, and was not verified')]);
    expect(stdout).not.toContain('anchored');
    const { stdout: json } = await noesis([...args, '-j'], { cwd: keys });
    expect(JSON.parse(json)).toMatchObject({ level: 'none', not_verified: ['y.tar'] });
    expect((await noesis([...args, '--require-level', 'anchored'], { cwd: keys })).code).toBe(1);
    const warned = writeTree({ 'noesis.toml': '[verify.rules]\n"verify/not-verified" = "warn"\n' });
    const strict = [...args, '--strict', '--config', join(warned, 'noesis.toml')];
    await noesis(['verify', cwd, '--strict', '--attest', 'v.json', '--attest-key', 'k.key'], { cwd: keys });
    expect((await noesis(strict, { cwd: keys })).code).toBe(1);
  });

  test('fails a folder with files that were not verified', async () => {
    const cwd = tempDir();
    episodeIn(cwd, GOOD);
    writeFileSync(join(cwd, 'y.tar'), 'no tar');
    expect((await noesis(['verify', cwd])).code).toBe(0);
    const { code, stdout } = await noesis(['verify', cwd, '--require-level', 'readable']);
    expect([code, stdout]).toEqual([1, expect.stringContaining('verify/level')]);
  });
});
