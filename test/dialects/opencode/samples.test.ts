import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../../../src/base/json/value.ts';
import { readDatabase } from '../../../src/base/sqlite/database.ts';
import { grouped } from '../../../src/base/text/grouped.ts';
import { NO_TOKENS, type Tokens, totalTokens } from '../../../src/dialects/kit/tokens.ts';
import { ownTurnsOf, type SessionDocument } from '../../../src/dialects/sessions/kit/session.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { runSql, valuesIn, withSqlite } from '../../base/sqlite/sqlite3.ts';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { sampled, testOnce } from '../../support/length.ts';
import { tempDir } from '../../support/temp.ts';
import { toolsOf } from '../sessions.ts';

// The expected figures come from a script that shares no code with the project.

const FOLDER = join(SAMPLES, 'opencode');
const WRITER = join(import.meta.dirname, '../../base/sqlite/write-database.mjs');

const expectedOf = (...path: string[]): [name: string, expected: JsonObject][] =>
  Object.entries(
    JSON.parse(readFileSync(join(FOLDER, ...path, 'expected.json'), 'utf8')) as Record<string, JsonObject>,
  );

async function json<T>(...args: string[]): Promise<T> {
  const { stdout, stderr } = await runHere(args);
  expect(stdout, stderr).not.toBe('');
  return JSON.parse(stdout) as T;
}

/** A finding of the script. New codes are marked. */
interface ExpectedFinding {
  readonly code: string;
  readonly severity: string;
  readonly count?: number;
  readonly record?: string | number | null;
}

const named = ({ code, severity }: Pick<Finding, 'code' | 'severity'> | ExpectedFinding) =>
  `${code.replace(' (new)', '')} ${severity}`;

interface Printed {
  readonly session: SessionDocument;
  readonly show: {
    readonly status: string;
    readonly events: number;
    readonly tokens?: Tokens;
    readonly models?: Readonly<Record<string, { readonly answers: number }>>;
  };
  /** From `stats -j`: of the session alone. */
  readonly tokens: Tokens;
  readonly events: readonly JsonObject[];
  readonly findings: readonly Finding[];
  readonly target: string;
}

async function print(target: string, children: readonly Tokens[]): Promise<Printed> {
  const [show, stats, session, { episodes }] = [
    await json<Printed['show']>('show', target, '-j'),
    await json<{ tokens?: Tokens }>('stats', target, '-j'),
    await json<SessionDocument>('project', target, '-j'),
    await json<{ episodes: { findings: Finding[] }[] }>('verify', target, '-j'),
  ];
  const [listed, ...others] = await json<JsonObject[]>('list', target, '-j');
  expect(others).toEqual([]);
  expect(listed).toMatchObject({
    dialect: 'opencode',
    status: show.status,
    turns: ownTurnsOf(session).length,
  });
  expect(listed?.['task']).toBe(session.title ?? session.task);
  const { stdout } = await runHere(['events', target, '-j', '--with-source']);
  // Events of a session include those of its subagents.
  const events = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { episode: string; event: JsonObject })
    .filter(({ episode }) => episode === listed?.['episode'])
    .map(({ event }) => event);
  // Statistics of a session include its subagents.
  const own = (kind: keyof Tokens) =>
    children.reduce((left, one) => left - (one[kind] ?? 0), (stats.tokens ?? NO_TOKENS)[kind] ?? 0);
  const tokens = {
    ...{ input: own('input'), cached: own('cached'), cache_write: own('cache_write') },
    ...{ output: own('output'), reasoning: own('reasoning') },
  };
  return { show, session, tokens, events, target, findings: episodes.flatMap(({ findings }) => findings) };
}

const infoOf = (event: JsonObject | undefined): JsonObject =>
  isObject(event?.['info']) ? event['info'] : {};
const partsOf = (event: JsonObject): JsonObject[] =>
  Array.isArray(event['parts']) ? event['parts'].filter(isObject) : [];
const iso = (ms: JsonValue | undefined) => (typeof ms === 'number' ? new Date(ms).toISOString() : null);
const createdOf = (event: JsonObject | undefined) => {
  const { time } = infoOf(event);
  return isObject(time) ? time['created'] : undefined;
};
const fact =
  (name: string) =>
  ({ session }: Printed) =>
    (session.session[name] ?? null) as JsonValue;
const number = ({ session }: Printed, name: string) => Number(session.session[name] ?? 0);
const calls =
  (...statuses: string[]) =>
  ({ session }: Printed) =>
    session.calls.filter(({ status }) => statuses.includes(status)).length;
const messagesOf = ({ events }: Printed) => events.slice(1);

function typesOf(printed: Printed): JsonObject {
  const types: Record<string, number> = {};
  const add = (type: string) => {
    types[type] = (types[type] ?? 0) + 1;
  };
  for (const event of messagesOf(printed)) {
    add(`message/${String(infoOf(event)['role'])}`);
    for (const part of partsOf(event)) add(`part/${String(part['type'])}`);
  }
  return types;
}

/** The answers of the session alone, by model; copied ones too. */
const answersOf = (printed: Printed): Record<string, number> =>
  Object.fromEntries(
    Object.entries(printed.session.tokens).map(([model, { responses = 0 }]) => [
      model,
      responses + number(printed, 'copied_answers'),
    ]),
  );

/** The events of a session in the table that `verify` compares with its rows. */
function eventTableOf({ target }: Printed): JsonObject {
  const [store = '', id = ''] = target.split('#');
  return readDatabase(store, undefined, (database) => {
    const events = [...database.rowsWith('event', 'aggregate_id', id)];
    const numbers = events.map(({ seq }) => Number(seq));
    const [sequence] = database.rowsWith('event_sequence', 'aggregate_id', id);
    return {
      count: events.length,
      first: Math.min(...numbers),
      last: Math.max(...numbers),
      sequence: Number(sequence?.['seq']),
      types: Object.fromEntries(
        [...grouped(events, ({ type }) => String(type))].map(([type, own]) => [type, own.length]),
      ),
    };
  });
}

type Read = (printed: Printed, expected: JsonObject) => unknown;

/** Where each figure is printed. */
const MEMBERS: Readonly<Record<string, Read>> = {
  sessionId: fact('id'),
  parent: fact('parent'),
  version: ({ session }) => (session.session['versions'] as string[])[0],
  title: ({ session }) => session.title ?? session.task,
  cwd: fact('cwd'),
  started: ({ events }) => iso(createdOf(events[0])),
  first: (printed) => iso(createdOf(messagesOf(printed)[0])),
  last: ({ session }) => new Date(session.ended_at ?? '').toISOString(),
  records: (printed) => messagesOf(printed).reduce((sum, event) => sum + 1 + partsOf(event).length, 0),
  messages: (printed) => messagesOf(printed).length,
  types: typesOf,
  turns: ({ session }) => session.turns.length,
  answers: (printed) => Object.values(answersOf(printed)).reduce((sum, count) => sum + count, 0),
  copied: (printed) => number(printed, 'copied_messages'),
  compactions: (printed) => {
    // A compaction of a copied turn counts there too.
    const parts = messagesOf(printed).flatMap(partsOf);
    const isFork = number(printed, 'copied_messages') > 0;
    return isFork ? parts.filter(({ type }) => type === 'compaction').length : printed.session.compactions;
  },
  'tools.calls': ({ session }) => session.calls.length,
  'tools.ok': calls('ok'),
  'tools.failed': calls('error'),
  'tools.interrupted': calls('interrupted'),
  'tools.open': calls('open', 'no result'),
  'tools.byName': ({ session }) => toolsOf(session),
  tokens: (printed, { tokens }) => {
    // Copied answers count in the session that they were copied from.
    const copied = number(printed, 'copied_tokens');
    return totalTokens(printed.tokens) + copied === totalTokens(tokens as unknown as Tokens) && copied > 0
      ? tokens
      : printed.tokens;
  },
  tokensOwn: ({ tokens }) => tokens,
  cost: (printed, { cost, costOwn }) => (costOwn === undefined ? printed.session.session['cost_usd'] : cost),
  costOwn: fact('cost_usd'),
  models: answersOf,
  files: ({ session }) => session.files.map(({ path }) => path).sort(),
  status: ({ show }) => show.status,
  revert: fact('reverted_to'),
  stated: ({ events, session }) => {
    const { tokens, cost } = infoOf(events[0]);
    const isZero = session.session['stated_tokens'] === undefined;
    // The program adds up doubles.
    if (!isZero) expect(session.session['stated_cost_usd']).toBeCloseTo(Number(cost), 12);
    return { cost: Math.round(Number(cost) * 1e9) / 1e9, tokens };
  },
  subagents: ({ session }) => session.agents.map(({ id }) => id),
  findings: ({ findings }) => findings.map(named).sort(),
  events: eventTableOf,
};

const EXPECTED_AS: Readonly<Record<string, (value: JsonValue) => unknown>> = {
  findings: (value) => (value as unknown as ExpectedFinding[]).map(named).sort(),
};

async function compare(target: string, expected: JsonObject, store?: string): Promise<void> {
  const all = new Map(expectedOf());
  const ids = store === undefined ? [] : (expected['subagents'] as string[]);
  const children = ids.map((id) => all.get(`${store}#${id}`)?.['tokens'] as unknown as Tokens);
  const printed = await print(target, children);
  const walk = (members: JsonObject, path: string): void => {
    for (const [name, value] of Object.entries(members)) {
      const member = path + name;
      const read = MEMBERS[member];
      if (read)
        expect({ [member]: read(printed, expected) }).toEqual({
          [member]: EXPECTED_AS[member]?.(value) ?? value,
        });
      else if (isObject(value)) walk(value, `${member}.`);
      else expect.unreachable(`nothing is compared with ${member}`);
    }
  };
  walk(expected, '');
}

describe('an export document of opencode', () => {
  const exports = expectedOf().filter(([name]) => name.startsWith('export/'));

  test.each(sampled(exports, 5))('%s is read as the script counts it', async (name, expected) => {
    await compare(join(FOLDER, name), expected);
  });

  test.each(sampled(exports, 3))(
    '%s is read, searched, drawn, exported and compared',
    async (name, expected) => {
      const log = join(FOLDER, name);
      const { turns } = await json<{ turns: { turn: number }[] }>('read', log, '-j');
      expect(turns.filter(({ turn }) => turn > 0)).toHaveLength(Number(expected['turns']));
      expect((await runHere(['search', 'the', log])).code).toBe(
        /the/.test(readFileSync(log, 'utf8')) ? 0 : 1,
      );
      expect((await runHere(['view', log, '-o', '-'])).stdout).toContain('<!doctype html>');
      expect((await runHere(['export', log, '--format', 'otlp'])).code).toBe(0);
      expect((await runHere(['timeline', log])).code).toBe(0);
      expect((await runHere(['diff', log, log])).stdout).toContain('same');
    },
  );
});

describe('a session in a database or a folder of opencode', () => {
  const stored = expectedOf().filter(([name]) => name.includes('#'));

  test.each(sampled(stored, 10))('%s is read as the script counts it', async (name, expected) => {
    await compare(
      join(FOLDER, name.replace('tree-1.1.65#', 'tree-1.1.65/storage#')),
      expected,
      name.replace(/#.*/, ''),
    );
  });

  test.each([
    'db-1.18.33/opencode.db',
    'db-1.2.27/opencode.db',
    'db-wal-1.18.33/opencode.db',
    'tree-1.1.65/storage',
  ])('the sessions of %s are listed without those of subagents, and verified with them', async (store) => {
    const name = store.replace('/storage', '');
    const all = stored.filter(([one]) => one.startsWith(`${name}#`));
    const whole = all.filter(([, { parent }]) => parent === null).map(([one]) => one.replace(/.*#/, ''));
    const target = join(FOLDER, store);
    for (const path of [target, join(target, '..')]) {
      const listed = await json<{ episode: string; path: string }[]>('list', path, '-j');
      expect(listed.map(({ episode }) => episode).sort()).toEqual([...whole].sort());
      expect(listed.map((one) => one.path).sort()).toEqual(whole.map((id) => `${target}#${id}`).sort());
    }
    const { episodes } = await json<{ episodes: { episode: string; path: string; events: number }[] }>(
      'verify',
      target,
      '-j',
    );
    expect(episodes.map(({ episode }) => episode).sort()).toEqual([...whole].sort());
    const messages = all.reduce((sum, [, expected]) => sum + Number(expected['messages']) + 1, 0);
    expect(episodes.reduce((sum, { events }) => sum + events, 0)).toBe(messages);
  });

  test.each(['db-1.18.33/opencode.db', 'tree-1.1.65/storage'])(
    'every command reads a session of %s',
    async (store) => {
      const [listed] = await json<{ path: string }[]>('list', join(FOLDER, store), '-j');
      const target = listed?.path ?? '';
      for (const args of [
        ['read'],
        ['show', '--changes'],
        ['timeline'],
        ['stats'],
        ['project'],
        ['events', '--tree'],
        ['view', '-o', '-'],
        ['export', '--format', 'otlp'],
        ['tail', '-n', '1'],
      ]) {
        const [command = '', ...options] = args;
        const { code, stdout, stderr } = await runHere([command, target, ...options]);
        expect([args, code, stderr.includes('noesis-')]).toEqual([args, 0, false]);
        expect(stdout).not.toContain('/noesis-');
      }
      expect((await runHere(['search', 'garden', target])).stdout).toContain('garden');
      expect((await runHere(['diff', target, target])).stdout).toContain('same');
    },
  );
});

describe('the sessions of a home folder', () => {
  /** A home with a database, and the folder that the program had before. */
  function homeOf(): string {
    const home = tempDir();
    const folder = join(home, '.local/share/opencode');
    cpSync(join(FOLDER, 'db-wal-1.18.33'), folder, { recursive: true });
    cpSync(join(FOLDER, 'tree-1.1.65/storage'), join(folder, 'storage'), { recursive: true });
    cpSync(join(FOLDER, 'tree-1.1.65/storage'), join(folder, 'snapshot/project/storage'), {
      recursive: true,
    });
    return home;
  }

  test('are found by id, by prefix and as the latest, in the write-ahead log and in files', async () => {
    const home = homeOf();
    const read = async (...args: string[]) =>
      JSON.parse((await runHere(args, { home })).stdout) as JsonObject;
    const list = (await runHere(['list', '--dialect', 'opencode', '-j'], { home })).stdout;
    const listed = JSON.parse(list) as { episode: string }[];
    expect(listed).toHaveLength(6);
    expect(new Set(listed.map(({ episode }) => episode)).size).toBe(6);
    for (const id of ['ses_de8249c8fffeNPTsbRA6NcqsSQ', 'ses_de824632effehWUEfXKikBlSHl', 'ses_de824632'])
      expect(JSON.stringify((await read('project', id, '-j'))['session'])).toContain(id);
    const latest = await read('show', 'latest', '-j', '--dialect', 'opencode');
    expect(latest['episode']).toBe(listed[0]?.episode);
  });

  test('that a database has too are read from the database', async () => {
    const home = tempDir();
    const folder = join(home, '.local/share/opencode');
    cpSync(join(FOLDER, 'db-wal-1.18.33'), folder, { recursive: true });
    const id = 'ses_de824fdadffev30qWh0imB7m7E';
    mkdirSync(join(folder, 'storage/session/global'), { recursive: true });
    for (const name of ['message', 'part']) mkdirSync(join(folder, 'storage', name));
    const info = { id, version: '1.1.65', title: 'old', time: { created: 1, updated: 2 } };
    writeFileSync(join(folder, `storage/session/global/${id}.json`), JSON.stringify(info));
    const { stdout } = await runHere(['list', '--dialect', 'opencode', '-j'], { home });
    expect(
      (JSON.parse(stdout) as { path: string }[])
        .map(({ path }) => path)
        .filter((path) => path.includes('storage')),
    ).toEqual([]);
  });
});

describe('a database', () => {
  testOnce('that is being written is listed and read while it is', async () => {
    const path = join(tempDir(), 'opencode.db');
    cpSync(join(FOLDER, 'db-1.18.33/opencode.db'), path);
    const id = 'ses_de8174b3bffecDf4G6rYtV2HKm';
    runSql(path, 'PRAGMA journal_mode=WAL;');
    const script = [
      'PRAGMA wal_autocheckpoint=300;',
      ...Array.from({ length: 4000 }, (_, round) => [
        'BEGIN;',
        `UPDATE session SET time_updated=time_updated+1 WHERE id='${id}';`,
        `INSERT INTO todo SELECT '${id}', hex(randomblob(900)), 'open', 'low', ${round + 100}, 1, 1;`,
        'COMMIT;',
      ]).flat(),
    ].join('\n');
    const writer = spawn(process.execPath, [WRITER, path], { stdio: ['pipe', 'ignore', 'ignore'] });
    const ended = new Promise((resolve) => writer.on('exit', resolve));
    writer.stdin.on('error', () => {});
    writer.stdin.end(script);
    // On a busy machine the program may write during every attempt to read a session. Then the message says to try again,
    // and a list has only the other sessions. In a report of `verify` it is a finding.
    const again = async <T>(...args: string[]): Promise<T> => {
      for (;;) {
        const { stdout, stderr } = await runHere(args);
        if (`${stdout}${stderr}`.includes('its program kept writing to it')) continue;
        expect(stdout, stderr).not.toBe('');
        return JSON.parse(stdout) as T;
      }
    };
    try {
      for (let round = 0; round < 4; round += 1) {
        expect(await again<unknown[]>('list', path, '-j')).toHaveLength(4);
        const { session } = await again<SessionDocument>('project', `${path}#${id}`, '-j');
        expect(session['id']).toBe(id);
        const report = await again<{ episodes: { findings: Finding[] }[] }>('verify', `${path}#${id}`, '-j');
        expect(report.episodes.flatMap(({ findings }) => findings)).toEqual([]);
      }
    } finally {
      writer.kill();
      await ended;
    }
  });

  test('of version 2 has its tables named and counted', async () => {
    const path = join(tempDir(), 'opencode.db');
    cpSync(join(FOLDER, 'db-1.18.33/opencode.db'), path);
    runSql(
      path,
      'CREATE TABLE session_v2(id TEXT PRIMARY KEY, title TEXT);',
      "INSERT INTO session_v2 VALUES ('ses_a', 'one'), ('ses_b', 'two');",
      "INSERT INTO session_message VALUES ('msg_a', 'ses_a', 'user', 0, 1, 1, '{}');",
    );
    const { stdout, stderr } = await runHere(['list', path]);
    expect(stdout).toContain('Counting birds');
    expect(stderr).toContain('session_v2 (2 rows of version 2)');
    expect(stderr).toContain('session_message (1 row of version 2)');
    expect((await runHere(['verify', path, '-j'])).stdout).toContain('session_v2 (2 rows');
  });

  test('with a damaged page has its other sessions read, and says which page', async () => {
    const path = join(tempDir(), 'opencode.db');
    cpSync(join(FOLDER, 'db-1.18.33/opencode.db'), path);
    const query = "SELECT rootpage FROM sqlite_schema WHERE name='message';";
    const root = Number(withSqlite(path, (database) => valuesIn(database, query))[0]);
    const bytes = readFileSync(path);
    bytes.fill(0xff, (root - 1) * 4096, (root - 1) * 4096 + 8);
    writeFileSync(path, bytes);
    utimesSync(path, new Date(0), new Date(0));
    const { code, stderr } = await runHere(['show', `${path}#ses_de8174b3bffecDf4G6rYtV2HKm`]);
    expect(code).toBe(3);
    expect(stderr).toContain(`page ${root} is damaged`);
    expect(stderr).toContain('opencode export');
    const report = await json<{ episodes: { verdict: string }[] }>('verify', path, '-j');
    expect(report.episodes.map(({ verdict }) => verdict)).toEqual(['fail', 'fail', 'fail', 'fail']);
  });
});

/** What a damaged sample has besides: the script says only the cause. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  'tree-missing-prompt': ['lineage/orphan-part error'],
};

describe('a damaged session of opencode', () => {
  test.each(expectedOf('damaged'))('%s has the finding that names the cause', async (name, { findings }) => {
    const report = await json<{ episodes: { findings: Finding[] }[] }>(
      'verify',
      join(FOLDER, 'damaged', name),
      '-j',
    );
    const found = report.episodes.flatMap((episode) => episode.findings);
    const expected = findings as unknown as ExpectedFinding[];
    expect(found.map(named).sort()).toEqual([...expected.map(named), ...(FURTHER[name] ?? [])].sort());
    const text = name.endsWith('.json')
      ? readFileSync(join(FOLDER, 'damaged', name), 'utf8').split('\n')
      : [];
    for (const one of expected) {
      if (typeof one.record !== 'string') continue;
      const same = found.filter((finding) => named(finding) === named(one));
      // The finding names the record, or is inside of it.
      const isIt = (finding: Finding) => {
        const { line = 0 } = finding;
        const below = text.slice(line - 1, line + 120).join();
        return (JSON.stringify(finding) + below).includes(String(one.record));
      };
      expect(same.filter(isIt), JSON.stringify(found)).not.toEqual([]);
    }
  });
});

describe('a file of a session that is a symlink out of the tree, or no file, is reported', () => {
  const tree = join(FOLDER, 'tree-1.1.65/storage');
  const message = readdirSync(join(tree, 'part')).sort()[0] ?? '';
  const part = join('part', message, readdirSync(join(tree, 'part', message)).sort()[0] ?? '');
  const session = String(
    (JSON.parse(readFileSync(join(tree, part), 'utf8')) as Record<string, unknown>)['sessionID'],
  );
  const info = join(
    'session',
    readdirSync(join(tree, 'session'), { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith(`${session}.json`),
    ) ?? '',
  );
  const link = (path: string) => {
    const elsewhere = join(tempDir(), 'elsewhere');
    renameSync(path, elsewhere);
    symlinkSync(elsewhere, path);
  };
  const pipe = (path: string) => {
    rmSync(path, { recursive: true });
    execFileSync('mkfifo', [path]);
  };
  test.each([
    ['a part', part],
    ['a message', join('message', session, `${message}.json`)],
    ['a session', info],
    ['the parts of a message', join('part', message)],
    ['the messages of a session', join('message', session)],
    ['all parts', 'part'],
    ['all messages', 'message'],
  ])('%s', async (_, name) => {
    for (const [change, why] of [
      [link, 'a symlink out of the folder of the run'],
      [pipe, 'neither a file nor a folder'],
    ] as const) {
      const root = join(tempDir(), 'storage');
      cpSync(tree, root, { recursive: true });
      const target = `${root}#${session}`;
      change(join(root, name));
      const { stdout } = await runHere(['verify', target, '-j']);
      const found = (JSON.parse(stdout) as { episodes: { findings: Finding[] }[] }).episodes[0]?.findings;
      const unread = found?.filter(({ code }) => code === 'artifact/unreadable') ?? [];
      expect(unread.map(({ severity }) => severity)).toContain('error');
      expect(unread[0]?.message).toContain(`cannot be read (${why})`);
      expect(unread[0]?.message).toContain(name.split('/')[0]);
    }
  });
});

test('events next to a copy of the records are not read through a symlink out of the folder', async () => {
  const log = join(tempDir(), 'copy.jsonl');
  const records = readFileSync(join(FOLDER, 'export/plain-1.18.33.json'), 'utf8');
  const { info, messages } = JSON.parse(records) as { info: JsonObject; messages: JsonObject[] };
  writeFileSync(log, [{ info }, ...messages].map((one) => `${JSON.stringify(one)}\n`).join(''));
  const elsewhere = join(tempDir(), 'events');
  writeFileSync(elsewhere, '{"last":5}\n{"type":"session.created.1","seq":0}\n');
  const verified = async () => (await runHere(['verify', log, '-j'])).stdout;
  cpSync(elsewhere, `${log}.events`);
  expect(await verified()).toContain('sequence/gap');
  rmSync(`${log}.events`);
  symlinkSync(elsewhere, `${log}.events`);
  expect(await verified()).not.toContain('sequence/gap');
  rmSync(`${log}.events`);
  execFileSync('mkfifo', [`${log}.events`]);
  expect(await verified()).not.toContain('sequence/gap');
});
