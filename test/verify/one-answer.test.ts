import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type EpisodeReport, type VerifyReport, verifyEpisode } from '../../src/library/index.ts';
import { entriesOf, makeTar, makeZip, makeZstd } from '../support/archives.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

// However an episode is named and packed, and whatever it contains next to its log, the answer is one.

/** A log with the files of its program, one of which has a fault. */
interface Case {
  /** Writes the files, and returns the path of the log. */
  make(cwd: string): string;
  /** A code of the fault. */
  readonly code: string;
}

const SAMPLES = 'test/samples';

function edit(path: string, from: RegExp, to: string): void {
  const text = readFileSync(path, 'utf8');
  expect(text).toMatch(from);
  writeFileSync(path, text.replace(from, to));
}

const coordinator = (cwd: string, name: string): string => {
  mkdirSync(join(cwd, 'plan'));
  cpSync(join(SAMPLES, 'coordinator/other-name/plan.jsonl'), join(cwd, 'plan', name));
  cpSync(join(SAMPLES, 'coordinator/other-name/state.json'), join(cwd, 'plan/state.json'));
  return join(cwd, 'plan', name);
};

const CASES: Readonly<Record<string, Case>> = {
  noesis: {
    make(cwd) {
      const { dir, log } = episodeIn(cwd, GOOD);
      edit(join(dir, 'state.json'), /"task": ?"[^"]*"/, '"task": "another"');
      return log;
    },
    code: 'manifest/hash-mismatch',
  },
  exarchos: {
    make(cwd) {
      const folder = join(cwd, 'workflow-state');
      mkdirSync(folder);
      for (const ending of ['events.jsonl', 'state.json', 'seq', 'projections.jsonl'])
        cpSync(join(SAMPLES, `exarchos/demo-feature.${ending}`), join(folder, `demo-feature.${ending}`));
      edit(join(folder, 'demo-feature.state.json'), /"phase": ?"completed"/, '"phase": "plan"');
      writeFileSync(join(folder, 'demo-feature.seq'), '{"sequence":3}');
      return join(folder, 'demo-feature.events.jsonl');
    },
    code: 'sequence/counter',
  },
  coordinator: { make: (cwd) => coordinator(cwd, 'event-log.jsonl'), code: 'projection/state' },
  'a coordinator whose log has another name': {
    make: (cwd) => coordinator(cwd, 'plan.jsonl'),
    code: 'projection/state',
  },
  'claude-code': {
    make(cwd) {
      cpSync(join(SAMPLES, 'parts/claude-code/projects'), join(cwd, 'projects'), { recursive: true });
      const folder = join(cwd, 'projects/-home-usr-shop');
      const log = join(folder, readdirSync(folder).find((name) => name.endsWith('.jsonl')) ?? '');
      const agents = join(log.replace('.jsonl', ''), 'subagents');
      for (const name of readdirSync(agents)) edit(join(agents, name), /\n$/, '\n{"torn');
      return log;
    },
    code: 'log/truncated',
  },
  codex: {
    make(cwd) {
      cpSync(join(SAMPLES, 'parts/codex-child'), join(cwd, 'sessions'), { recursive: true });
      const [parent = '', child = ''] = readdirSync(join(cwd, 'sessions')).sort();
      edit(join(cwd, 'sessions', child), /\n$/, '\n{"torn');
      return join(cwd, 'sessions', parent);
    },
    code: 'log/truncated',
  },
  copilot: {
    make(cwd) {
      const id = '4e847a81-138a-4613-9f96-49673e91c9c3';
      const folder = join(cwd, 'session-state', id);
      cpSync(join(SAMPLES, 'copilot/session-state', id), folder, { recursive: true });
      writeFileSync(join(folder, 'workspace.yaml'), 'id: another\n');
      return join(folder, 'events.jsonl');
    },
    code: 'consistency/session-id',
  },
};

/** What a report says, without paths. */
const answerOf = ({ verdict, level, findings, events, stages }: EpisodeReport) => ({
  verdict,
  level,
  events,
  findings: findings
    .filter(({ code }) => code !== 'archive/compressed-log')
    .map(({ code, severity, message, file, line }) => ({ code, severity, message, file, line })),
  stages: stages.map(({ name, status, reason }) => ({ name, status, reason })),
});

async function reports(cwd: string, args: readonly string[], input?: Buffer): Promise<EpisodeReport[]> {
  const { stdout, stderr } = await runHere(['verify', ...args, '-j'], { cwd, ...(input && { input }) });
  expect(stderr).not.toContain('"error"');
  expect(stdout).not.toMatch(/\/noesis-(?!test-)/);
  return [...(JSON.parse(stdout) as VerifyReport).episodes];
}

const topOf = (at: string): string => at.split('/')[0] ?? '';

function compressed(cwd: string, at: string, ending: string, bytes: Buffer): void {
  writeFileSync(join(cwd, `${at}.${ending}`), bytes);
  rmSync(join(cwd, at));
}

async function tarOf(cwd: string, at: string): Promise<string> {
  const top = topOf(at);
  writeFileSync(join(cwd, 'all.tar'), await makeTar(entriesOf(join(cwd, top), `${top}/`)));
  return 'all.tar';
}

/** Ways to pack a log with its folder, or the log alone. Each returns the target. */
const PACKED: Readonly<Record<string, (cwd: string, at: string) => string | Promise<string>>> = {
  'in a folder': (_, at) => topOf(at),
  'in a tar': tarOf,
  'in a compressed tar': async (cwd, at) => {
    writeFileSync(join(cwd, 'all.tar.gz'), gzipSync(readFileSync(join(cwd, await tarOf(cwd, at)))));
    rmSync(join(cwd, 'all.tar'));
    return 'all.tar.gz';
  },
  'in a zip': (cwd, at) => {
    const top = topOf(at);
    writeFileSync(join(cwd, 'all.zip'), makeZip(entriesOf(join(cwd, top), `${top}/`)));
    return 'all.zip';
  },
  'by its path in a tar': async (cwd, at) => `${await tarOf(cwd, at)}/${at}`,
  'compressed with gzip': (cwd, at) => {
    compressed(cwd, at, 'gz', gzipSync(readFileSync(join(cwd, at))));
    return `${at}.gz`;
  },
  'compressed with zstd, in a folder': async (cwd, at) => {
    compressed(cwd, at, 'zst', await makeZstd(readFileSync(join(cwd, at))));
    return topOf(at);
  },
  'compressed, in a tar': (cwd, at) => {
    compressed(cwd, at, 'gz', gzipSync(readFileSync(join(cwd, at))));
    return tarOf(cwd, at);
  },
};

/** Ways to name and pack a log. `at`: its path from the working directory. */
const WAYS: Readonly<Record<string, (cwd: string, at: string) => Promise<EpisodeReport[]>>> = {
  'by its path': (cwd, at) => reports(cwd, [at]),
  'by its absolute path': (cwd, at) => reports(cwd, [join(cwd, at)]),
  'from its folder': (cwd, at) => reports(join(cwd, dirname(at)), [basename(at)]),
  'in a list': (cwd, at) => reports(cwd, ['--targets', '-'], Buffer.from(at)),
  'with other targets': async (cwd, at) => {
    writeFileSync(
      join(cwd, 'other.jsonl'),
      '{"id":"a","run_id":"r","turn":0,"kind":"run.started","payload":{}}\n',
    );
    return (await reports(cwd, [at, 'other.jsonl'])).filter(({ path }) => !path.endsWith('other.jsonl'));
  },
  'by the library': async (cwd, at) => [await verifyEpisode(join(cwd, at))],
  ...Object.fromEntries(
    Object.entries(PACKED).map(([name, pack]) => [
      name,
      async (cwd: string, at: string) => reports(cwd, [await pack(cwd, at)]),
    ]),
  ),
};

describe.each(Object.entries(CASES))('%s', (_, { make, code }) => {
  test('has a fault in a file next to its log', async () => {
    const cwd = tempDir();
    const [report, ...others] = await reports(cwd, [relative(cwd, make(cwd))]);
    expect(others).toEqual([]);
    expect(report?.findings.map((finding) => finding.code)).toContain(code);
  });

  test.each(Object.entries(WAYS))('has the same answer %s', async (_, way) => {
    const [here, there] = [tempDir(), tempDir()];
    const log = make(here);
    const at = relative(here, log);
    // The same folders, so that ids and times are equal.
    for (const name of readdirSync(here)) cpSync(join(here, name), join(there, name), { recursive: true });
    const expected = await reports(here, [at]);
    expect((await way(there, at)).map(answerOf)).toEqual(expected.map(answerOf));
  });
});

/** Members that have a path or the name of a target. */
const NAMES = /^(?:path|episode|state|file|written_at)$/;

/** What a command prints, with the paths and names of its targets taken out. */
async function printed(cwd: string, args: readonly string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runHere([...args, '-j'], { cwd });
  expect(stdout + stderr).not.toMatch(/\/noesis-(?!test-)/);
  const plain = (text: string): unknown =>
    JSON.parse(text, (key, value) =>
      NAMES.test(key) || (key === 'id' && args[0] === 'list') ? undefined : value,
    );
  const lines = stdout.trim() === '' ? [] : args[0] === 'events' ? stdout.trim().split('\n') : [stdout];
  return { code, printed: lines.map(plain) };
}

const COMMANDS = [
  ['show'],
  ['show', '--changes'],
  ['list'],
  ['events', '--all'],
  ['project', '--diff'],
  ['stats'],
];

describe.each(Object.entries(CASES))('%s', (_, { make }) => {
  test.each(Object.entries(PACKED))('other commands see the same files %s', async (_, pack) => {
    const [here, there] = [tempDir(), tempDir()];
    const at = relative(here, make(here));
    for (const name of readdirSync(here)) cpSync(join(here, name), join(there, name), { recursive: true });
    const target = await pack(there, at);
    for (const command of COMMANDS)
      expect([command, await printed(there, [...command, target])]).toEqual([
        command,
        await printed(here, [...command, at]),
      ]);
  });
});

describe('a state next to a log that is not compared with it', () => {
  const LOGS: Readonly<Record<string, () => string>> = {
    'of two coordinators': () => {
      const cwd = tempDir();
      const log = coordinator(cwd, 'plan.jsonl');
      cpSync(log, log.replace('plan.jsonl', 'other.jsonl'));
      return log;
    },
    'of a coordinator next to another one with the usual name': () => {
      const log = coordinator(tempDir(), 'plan.jsonl');
      cpSync(log, log.replace('plan.jsonl', 'event-log.jsonl'));
      return log;
    },
    'of a stream whose log has another name': () => {
      const cwd = tempDir();
      cpSync(join(SAMPLES, 'exarchos/demo-feature.events.jsonl'), join(cwd, 'copy.jsonl'));
      cpSync(join(SAMPLES, 'exarchos/demo-feature.state.json'), join(cwd, 'state.json'));
      return join(cwd, 'copy.jsonl');
    },
    'of an episode whose log has another name': () => {
      const { dir, log } = episodeIn(tempDir(), GOOD);
      cpSync(log, join(dir, 'copy.jsonl'));
      return join(dir, 'copy.jsonl');
    },
  };

  test.each(Object.entries(LOGS))('keeps the level at readable: %s', async (_, make) => {
    const log = make();
    const [report] = await reports(dirname(log), [basename(log)]);
    expect(report?.level).toBe('readable');
  });

  test('is not compared by project either, if it may belong to another log', async () => {
    const log = LOGS['of two coordinators']?.() ?? '';
    const { code, stderr } = await runHere(['project', log, '--diff'], { cwd: dirname(log) });
    expect([code, stderr]).not.toContain(0);
    expect(stderr).toContain('has no stored state');
  });
});
