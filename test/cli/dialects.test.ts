import { cpSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, noesis, SAMPLES } from '../support/cli.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

const OTHER = join(EXAMPLES, 'other-dialects');
const STREAM = join(OTHER, 'exarchos/checkout.events.jsonl');
const LEDGER = join(OTHER, 'fishbowl/ledger.jsonl');
const PLAN = join(OTHER, 'coordinator/.claude/bonfire/search-index');
const PLAIN = join(OTHER, 'plain/steps.jsonl');

const storedLines = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

async function selected(...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await noesis(['events', ...args, '-j']);
  // Where nothing is found, it says so.
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: stdout === '' ? expect.stringMatching(/^no event/) : '',
  });
  return stdout === '' ? [] : stdout.trimEnd().split('\n');
}

const fieldsOf = (lines: readonly string[], name: string) =>
  lines.map((line) => (JSON.parse(line) as Record<string, unknown>)[name]);

describe('a table of events', () => {
  test.each([
    ['exarchos', STREAM, ['SEQ', 'TYPE', 'DETAIL']],
    ['fishbowl', LEDGER, ['TURN', 'KIND', 'ACTOR', 'TEXT']],
    ['coordinator', PLAN, ['TYPE', 'TASK', 'DETAILS']],
    ['none', PLAIN, ['TYPE', 'EVENT']],
  ])('has the columns of its dialect (%s) and keeps to the terminal', async (_name, target, titles) => {
    for (const width of [80, 100, 160]) {
      const { code, stdout } = await noesis(['events', target], { env: { COLUMNS: String(width) } });
      expect(code).toBe(0);
      const lines = stdout.trimEnd().split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
      expect(lines[0]?.split(/\s+/)).toEqual(expect.arrayContaining(titles));
    }
  });
});

test('a table of a ledger names the run of each event, unless all are of one run', async () => {
  const table = async (...args: string[]) => (await noesis(['events', ...args])).stdout;
  const whole = (await table(LEDGER)).split('\n');
  expect(whole[0]).toMatch(/ RUN +TURN /);
  expect(whole[1]).toContain(' debate-0001 ');
  expect(whole[4]).toContain(' heist-0002 ');
  for (const one of [[`${LEDGER}#heist-0002`], [LEDGER, '--run', 'debate-0001']])
    expect(await table(...one)).not.toMatch(/ RUN | heist-0002 | debate-0001 /);
});

/** An event of a type, as each dialect writes it. */
const EVENT_OF: Readonly<Record<string, (type: string, at: number) => object>> = {
  exarchos: (type, at) => ({ streamId: 's', sequence: at, timestamp: TIME, type, schemaVersion: '1.0' }),
  fishbowl: (kind, at) => ({
    id: `e${at}`,
    run_id: 'r',
    turn: 0,
    kind,
    actor: 'a',
    payload: {},
    created_at: TIME,
  }),
  coordinator: (type, at) => ({
    timestamp: TIME,
    sequence: at,
    session_id: 's',
    event_type: type,
    details: {},
  }),
};
const TIME = '2026-03-05T10:00:00.000Z';

describe.each(Object.entries(EVENT_OF))('a pipe finds every type of %s by its name', (dialect, eventOf) => {
  test.each([
    ['of one log', ['one']],
    ['of two', ['one', 'two']],
  ])('in the table %s', async (_, names) => {
    const types = (await noesis(['schema', 'types', '-q', '--dialect', dialect])).stdout
      .trimEnd()
      .split('\n');
    const log = types.map((type, at) => `${JSON.stringify(eventOf(type, at + 1))}\n`).join('');
    const cwd = writeTree(Object.fromEntries(names.map((name) => [`${name}.events.jsonl`, log])));
    const logs = names.map((name) => `${name}.events.jsonl`);
    const { stdout } = await noesis(['events', ...logs, '--dialect', dialect], {
      cwd,
      env: { COLUMNS: undefined },
    });
    const words = new Set(stdout.split(/\s+/));
    expect(types.length).toBeGreaterThan(9);
    expect(types.filter((type) => !words.has(type))).toEqual([]);
  });
});

describe('filters', () => {
  test('--type takes globs whose * crosses dots, unlike the store of exarchos', async () => {
    const types = async (...globs: string[]) =>
      fieldsOf(await selected(STREAM, ...globs.flatMap((glob) => ['-t', glob])), 'type');
    expect(new Set(await types('workflow.*'))).toEqual(
      new Set(['workflow.started', 'workflow.guard-failed', 'workflow.transition', 'workflow.fix-cycle']),
    );
    expect(await types('team.*')).toEqual(['team.spawned', 'team.task.completed', 'team.disbanded']);
    expect(await types('task.completed')).toEqual(['task.completed']);
    expect(await types('*.completed')).toEqual(['task.completed', 'team.task.completed', 'review.completed']);
    expect(await types('team.task.*,task.failed')).toEqual(['team.task.completed', 'task.failed']);
    expect(await types('Task.*')).toEqual([]);
    expect(fieldsOf(await selected(LEDGER, '-t', 'agent.*'), 'kind')).toHaveLength(4);
    expect(fieldsOf(await selected(PLAN, '-t', 'critic_*'), 'event_type')).toHaveLength(6);
  });

  test('--limit, --last, --agent and --since count after the type', async () => {
    expect(await selected(STREAM, '-t', 'task.*', '--limit', '2')).toHaveLength(2);
    expect(fieldsOf(await selected(STREAM, '-t', 'task.*', '--last', '1'), 'type')).toEqual(['task.failed']);
    expect(fieldsOf(await selected(PLAN, '--agent', 'crit-*'), 'agent_id')).toHaveLength(6);
    expect(fieldsOf(await selected(LEDGER, '--agent', 'otto'), 'turn')).toEqual([1]);
    expect(await selected(LEDGER, '--since', '2026-03-04T18:30:03Z')).toHaveLength(4);
  });

  test('--stream, --correlation, --run and --session select only what they name', async () => {
    const all = storedLines(STREAM);
    expect(await selected(STREAM, '--stream', 'checkout')).toEqual(all);
    expect(await selected(STREAM, '--stream', 'other')).toEqual([]);
    expect(await selected(STREAM, '--correlation', 'checkout')).toEqual(
      all.filter((line) => line.includes('"correlationId":"checkout"')),
    );
    const runs = storedLines(LEDGER);
    expect(await selected(LEDGER, '--run', 'heist-0002')).toEqual(
      runs.filter((line) => line.includes('"run_id":"heist-0002"')),
    );
    expect(await selected(LEDGER, '--run', 'heist-0002,debate-0001')).toEqual(runs);
    expect(await selected(LEDGER, '--session', 'sess-demo-7')).toEqual(runs);
    const log = storedLines(join(PLAN, 'event-log.jsonl'));
    const [first, last] = [log[0], log.at(-1)].map((line) => fieldsOf([line ?? ''], 'session_id')[0]);
    expect(await selected(PLAN, '--session', String(first))).toEqual(log.slice(0, 12));
    expect(await selected(PLAN, '--session', String(last))).toEqual(log.slice(12));
  });

  test.each([
    ['--session', STREAM],
    ['--run', STREAM],
    ['--stream', LEDGER],
    ['--correlation', PLAN],
    ['--run', PLAN],
  ])('%s is a usage error if the dialect does not have it', async (option, target) => {
    const { code, stdout, stderr } = await noesis(['events', target, option, 'x']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(option);
  });
});

describe('WF-034: a stream', () => {
  const cwd = writeTree({
    'state/checkout.events.jsonl': readFileSync(STREAM),
    'state/other.events.jsonl': readFileSync(STREAM, 'utf8').replaceAll('"checkout"', '"other"'),
  });
  const lines = async (args: string[], env = {}, from = cwd) => {
    const { code, stdout } = await noesis(['events', ...args, '-j'], { cwd: from, env });
    return { code, events: stdout.trimEnd().split('\n').length };
  };
  const whole = { code: 0, events: 21 };

  test('is found by its id, in the folder, in that of --root, and where the program keeps its streams', async () => {
    expect(await lines(['other'], {}, join(cwd, 'state'))).toEqual(whole);
    expect(await lines(['other', '--root', 'state'])).toEqual(whole);
    expect(await lines(['other'], { WORKFLOW_STATE_DIR: join(cwd, 'state') })).toEqual(whole);
    expect((await lines(['another'], { WORKFLOW_STATE_DIR: join(cwd, 'state') })).code).toBe(3);
  });

  test('is selected by --stream in a folder with several', async () => {
    expect(await lines(['state', '--stream', 'checkout'])).toEqual(whole);
    expect(await lines(['state'])).toEqual({ code: 0, events: 42 });
    expect((await noesis(['state', 'state'], { cwd })).code).toBe(3);
    const { stdout } = await noesis(['tail', 'state', '--stream', 'other', '-n', '1', '-j'], { cwd });
    expect(stdout).toContain('"streamId":"other"');
  });

  test('is named if a folder does not have it, with the streams that it has', async () => {
    const { code, stderr } = await noesis(['events', 'state', '--stream', 'chekout'], { cwd });
    expect(code).toBe(3);
    expect(stderr).toContain('state has no chekout.events.jsonl');
    expect(stderr).toContain('such as state/checkout.events.jsonl');
  });
});

describe('lineage along causationId', () => {
  test('begins at a place in the stream or at an idempotency key', async () => {
    const chain = [13, 12, 11, 9, 8];
    for (const id of ['checkout:13', '13', 'checkout:task.completed:t1', 'checkout:task.comp']) {
      expect(fieldsOf(await selected(STREAM, '--chain', id), 'sequence')).toEqual(chain);
    }
    expect(fieldsOf(await selected(STREAM, '--descendants', 'checkout:9'), 'sequence')).toEqual([
      9, 11, 12, 13, 14,
    ]);
  });

  test('follows causes that are keys, and reports a missing one', async () => {
    const event = (sequence: number, causationId?: string, idempotencyKey?: string) =>
      `${JSON.stringify({
        streamId: 's',
        sequence,
        timestamp: '2026-01-01T00:00:00Z',
        type: 'a.b',
        causationId,
        schemaVersion: '1.0',
        idempotencyKey,
      })}\n`;
    const log = tempFile(event(1, 's:99', 'key-one') + event(2, 'key-one') + event(3, '2'), 's.events.jsonl');
    const { code, stdout, stderr } = await noesis(['events', log, '--chain', 's:3', '-j']);
    expect(fieldsOf(stdout.trimEnd().split('\n'), 'sequence')).toEqual([3, 2, 1]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('s:99') });
  });

  test('exits with 3 for an unknown event, and the hint names those of this log', async () => {
    const unknown = async (log: string) => {
      const { code, stderr } = await noesis(['events', log, '--chain', 'checkout:99']);
      expect(code).toBe(3);
      return stderr;
    };
    expect(await unknown(STREAM)).toContain('--ids shows the ids');
    expect(await unknown(LEDGER)).toContain('--ids shows the ids');
    expect(await unknown(PLAN)).toMatch(/have no ids/);
  });
});

describe('an event of an older form', () => {
  test('is found by its present name and its original one', async () => {
    const log = join(SAMPLES, 'coordinator/old-names-2026-01-11.jsonl');
    const old = await selected(log, '--type', 'auditor_pass');
    expect(old).toHaveLength(1);
    expect(await selected(log, '--type', 'task_complete')).toEqual(old);
  });
});

describe('a time that is a number', () => {
  test('is a time for filters and tables', async () => {
    const event = (id: string, time: number) =>
      `${JSON.stringify({ id, run_id: 'r', turn: 0, kind: 'agent.spoke', actor: 'a', payload: {}, created_at: time, schema_version: 1 })}\n`;
    const log = tempFile(event('a', 1_772_649_000) + event('b', 1_772_649_060.5), 'l.jsonl');
    expect(fieldsOf(await selected(log, '--since', '2026-03-04T18:30:30Z'), 'id')).toEqual(['b']);
    const { stdout } = await noesis(['events', log, '--utc']);
    expect(stdout).toContain('18:30:00.000   +0.000s');
    expect(stdout).toContain('18:31:00.500   +1m00s');
  });
});

describe('the offset of a run', () => {
  test('counts from its own first event', async () => {
    const offsets = (text: string) => [...text.matchAll(/\+\S+s\b/g)].map(([offset]) => offset);
    const env = { COLUMNS: '120' };
    const whole = (await noesis(['events', LEDGER, '--run', 'heist-0002'], { env })).stdout;
    expect(offsets(whole)[0]).toBe('+0.000s');
    expect((await noesis(['events', `${LEDGER}#heist-0002`], { env })).stdout).toBe(whole);
  });
});

describe('one run of a ledger, <file>#<run_id>', () => {
  const one = `${LEDGER}#heist-0002`;

  test('is read by every command', async () => {
    const stored = storedLines(LEDGER).filter((line) => line.includes('"run_id":"heist-0002"'));
    expect(await selected(one)).toEqual(stored);
    expect((await noesis(['tail', one, '-n', '2', '-j'])).stdout).toBe(`${stored.slice(-2).join('\n')}\n`);
    const verified = JSON.parse((await noesis(['verify', one, '-j'])).stdout) as {
      episodes: { episode: string; events: number }[];
    };
    expect(verified.episodes).toMatchObject([{ episode: 'ledger.jsonl#heist-0002', events: 4 }]);
    const projected = JSON.parse((await noesis(['project', one, '-j'])).stdout) as {
      runs: { run_id: string }[];
      stage: object;
    };
    expect(projected.runs.map(({ run_id: id }) => id)).toEqual(['heist-0002']);
    expect(Object.keys(projected.stage)).toEqual(['heist-0002']);
  });

  test('can be named by the beginning of its id', async () => {
    expect(await selected(`${LEDGER}#heist`)).toEqual(await selected(one));
    const { stdout } = await noesis(['verify', `${LEDGER}#heist`, '-j']);
    expect(stdout).toContain('"episode": "ledger.jsonl#heist-0002"');
  });

  test.each(['events', 'tail', 'verify', 'project'])(
    '%s: an unknown run is exit 3, with the runs there are',
    async (command) => {
      const { code, stdout, stderr } = await noesis([command, `${LEDGER}#nope`]);
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toContain('debate-0001, heist-0002');
    },
  );

  test.each(['events', 'verify', 'project'])('%s: a log without runs has none to choose', async (command) => {
    const { code, stdout } = await noesis([command, `${STREAM}#r`]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('is not meant by the name of a file with a #', async () => {
    const dir = tempDir();
    cpSync(LEDGER, join(dir, 'ledger.jsonl'));
    cpSync(STREAM, join(dir, 'ledger.jsonl#heist-0002'));
    const { stdout } = await noesis(['verify', join(dir, 'ledger.jsonl#heist-0002'), '-j']);
    expect(stdout).toContain('"dialect": "exarchos"');
    renameSync(join(dir, 'ledger.jsonl'), join(dir, 'a#b.jsonl'));
    expect(await selected(join(dir, 'a#b.jsonl#heist-0002'))).toHaveLength(4);
  });
});

describe('a log of an unknown dialect', () => {
  const note = 'JSON Lines of an unknown dialect';

  test('is read with a note on standard error, and its bytes are checked', async () => {
    for (const command of ['events', 'tail']) {
      const { code, stdout, stderr } = await noesis([command, PLAIN, '-j']);
      expect({ code, stdout }).toEqual({ code: 0, stdout: readFileSync(PLAIN, 'utf8') });
      expect(stderr).toContain(note);
      expect((await noesis([command, PLAIN, '-q'])).stderr).toBe('');
    }
    const input = readFileSync(PLAIN);
    expect((await noesis(['events', '-', '-j'], { input })).stderr).toContain(note);
    const streamed = await noesis(['events', '-', '-j', '--partial'], { input });
    expect(streamed).toMatchObject({
      code: 0,
      stdout: input.toString(),
      stderr: expect.stringContaining(note),
    });

    const damaged = tempFile(Buffer.concat([input, Buffer.from('{"a":')]), 'x.jsonl');
    const { code, stdout } = await noesis(['verify', damaged, '-j']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      episodes: [
        {
          dialect: 'generic',
          findings: [{ code: 'log/truncated' }],
          stages: expect.arrayContaining([
            { name: 'events', status: 'skipped', reason: expect.stringContaining('--map') },
          ]),
        },
      ],
    });
  });

  test('has no state to rebuild or to show', async () => {
    expect((await noesis(['project', PLAIN])).code).toBe(2);
    expect((await noesis(['state', PLAIN])).code).toBe(3);
  });

  test('may be an empty file', async () => {
    const empty = tempFile('', 'x.jsonl');
    expect((await noesis(['events', empty, '-j'])).stdout).toBe('');
    const { code, stderr } = await noesis(['verify', empty]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('nothing was checked') });
  });
});

test('--dialect overrides the detection', async () => {
  const { stdout } = await noesis(['verify', LEDGER, '--dialect', 'coordinator', '-j']);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'fail', episodes: [{ dialect: 'coordinator' }] });
  expect((await noesis(['events', LEDGER, '--dialect', 'fishbone'])).code).toBe(2);
});

test('--dialect means the same for every command that takes a folder', async () => {
  const folder = join(OTHER, 'exarchos');
  const as = ['--dialect', 'codex', '-j'];
  for (const command of ['list', 'verify']) {
    const { stdout } = await noesis([command, folder, ...as]);
    expect([command, ...new Set(stdout.match(/"dialect": ?"[^"]*"/g))]).toEqual([
      command,
      expect.stringContaining('codex'),
    ]);
  }
});

test('standard input may have any dialect', async () => {
  for (const [path, dialect] of [
    [STREAM, 'exarchos'],
    [LEDGER, 'fishbowl'],
    [join(PLAN, 'event-log.jsonl'), 'coordinator'],
  ] as const) {
    const { code, stdout } = await noesis(['verify', '-', '-j'], { input: readFileSync(path) });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ episodes: [{ path: '-', dialect }] });
  }
});

test('a SQLite ledger is refused with the command that exports it, alone and among others', async () => {
  const dir = writeTree({ 'ledger.jsonl': 'SQLite format 3\0 CREATE TABLE events (run_id)' });
  for (const command of ['events', 'verify', 'tail', 'project']) {
    const { code, stdout, stderr } = await noesis([command, join(dir, 'ledger.jsonl')]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/SQLite database[\s\S]*sqlite3 -readonly .*ledger\.jsonl/);
  }
  writeFileSync(join(dir, 'ledger-2.jsonl'), readFileSync(LEDGER));
  const { code, stdout } = await noesis(['verify', dir]);
  expect(code).toBe(1);
  expect(stdout).toContain('SQLite database');
});

test('types of a project are registered in noesis.toml, for one log and for workers', async () => {
  const event = (sequence: number, type: string) =>
    `${JSON.stringify({ streamId: 's', sequence, timestamp: '2026-04-01T10:00:00.000Z', type, schemaVersion: '1.0' })}\n`;
  const log = event(1, 'deploy.started') + event(2, 'deploy.planned');
  const streams = Array.from({ length: 40 }, (_, index) => [`state/s${index}/s.events.jsonl`, log]);
  const cwd = writeTree({
    ...Object.fromEntries(streams),
    'noesis.toml': '[exarchos]\ncustom_types = ["deploy.started"]\n',
  });
  for (const args of [['state/s0/s.events.jsonl'], ['state', '--jobs', '2']]) {
    const { stdout } = await noesis(['verify', '-j', ...args], { cwd });
    const report = JSON.parse(stdout) as { episodes: { findings: { code: string; actual?: string }[] }[] };
    for (const { findings } of report.episodes) {
      const unknown = findings.filter(({ code }) => code === 'event/unknown-type');
      expect(unknown.map(({ actual }) => actual)).toEqual(['deploy.planned']);
    }
  }
  writeFileSync(join(cwd, 'noesis.toml'), '[exarchos]\ncustom_types = ["workflow.started"]\n');
  const { code, stderr } = await noesis(['verify', 'state'], { cwd });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/is a\s+built-in type/) as unknown,
  });
});

test('logs of other dialects under a root are listed with their sizes', async () => {
  const root = writeTree({
    'episodes/own/checkout.events.jsonl': readFileSync(STREAM),
    'episodes/several/ledger.jsonl': readFileSync(LEDGER),
    'episodes/several/ledger-2.jsonl': readFileSync(LEDGER),
  });
  const { stdout } = await noesis(['list', '--root', root, '-j']);
  const rows = JSON.parse(stdout) as { episode: string; log_bytes: number }[];
  expect(rows.map(({ episode }) => episode)).toEqual([
    'ledger.jsonl#heist-0002',
    'ledger-2.jsonl#heist-0002',
    'ledger.jsonl#debate-0001',
    'ledger-2.jsonl#debate-0001',
    'own',
  ]);
  const sizeOf = (name: string) =>
    rows
      .filter(({ episode }) => episode.startsWith(name))
      .reduce((sum, { log_bytes: size }) => sum + size, 0);
  expect(sizeOf('ledger.jsonl#')).toBe(statSync(LEDGER).size);
  expect(sizeOf('own')).toBe(statSync(STREAM).size);
});
