import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FileError } from '../../src/base/errors.ts';
import type { JsonObject } from '../../src/base/json/value.ts';
import { dialectOf, dialectOfState, firstRecords, logsIn } from '../../src/dialects/kit/sample.ts';
import { DIALECTS, detectDialect, folderDialect, logFilesAmong } from '../../src/dialects/registry.ts';
import { findEpisodes } from '../../src/find/find.ts';
import { tempFile, writeTree } from '../support/temp.ts';
import { SESSION_DIALECTS } from './sessions.ts';

const SAMPLES = resolve(import.meta.dirname, '../samples');

const named = async (content: string | Uint8Array, name?: string) => {
  const path = tempFile(content, name);
  return (await dialectOf(path, basename(path))).name;
};

test('an empty log belongs to the program whose folder it is in', async () => {
  const session = 'session-state/6450a846-75cb-4923-8463-392f5c935b8a/events.jsonl';
  const dir = writeTree({ [session]: '', 'ep_01/events.jsonl': '', 'events.jsonl': '\n' });
  const at = async (path: string) => (await dialectOf(join(dir, path), basename(path))).name;
  expect(await at(session)).toBe('copilot');
  expect(await at('ep_01/events.jsonl')).toBe('noesis');
  expect(await at('events.jsonl')).toBe('noesis');
});

describe('the samples', () => {
  const cases: readonly [path: string, dialect: string][] = [
    ['noesis/real/.noesis/episodes/ep_adr008_veto/events.jsonl', 'noesis'],
    ['noesis/replay/run_a/ep_01JGFJJZ00CTSPE3DKFP348M8P/events.jsonl', 'noesis'],
    ['noesis/files/meta_success_events.jsonl', 'noesis'],
    ['exarchos/demo-feature.events.jsonl', 'exarchos'],
    ['exarchos/rehydrate-demo.events.jsonl', 'exarchos'],
    ['exarchos/side-demo.before-merge.events.jsonl', 'exarchos'],
    ['exarchos/side-demo.after-merge.events.jsonl', 'exarchos'],
    ['exarchos/side-demo.hook-events.jsonl', 'generic'],
    ['exarchos/demo-feature.projections.jsonl', 'generic'],
    ['fishbowl/ledger-10-runs.scrubbed.jsonl', 'fishbowl'],
    ['fishbowl/envelope-vectors.jsonl', 'generic'],
    ['coordinator/nested-two-sessions.jsonl', 'coordinator'],
    ['coordinator/interrupted-session1.jsonl', 'coordinator'],
    ['coordinator/corrupt-middle.jsonl', 'coordinator'],
    ['coordinator/truncated-tail.jsonl', 'coordinator'],
    ['coordinator/old-names-2026-01-11.jsonl', 'coordinator'],
  ];

  test.each(cases)('%s is %s', async (path, dialect) => {
    const full = join(SAMPLES, path);
    expect((await dialectOf(full, basename(full))).name).toBe(dialect);
    // Its content is enough, unless the events have no envelope.
    const bare = path.includes('rehydrate');
    expect((await dialectOf(full, '-')).name).toBe(bare ? 'generic' : dialect);
    expect((await dialectOf(full, 'events.jsonl')).name).toBe(bare ? 'generic' : dialect);
  });

  test.each(cases)('no two dialects claim %s', (path) => {
    const records = readFileSync(join(SAMPLES, path), 'utf8')
      .split('\n')
      .slice(0, 20)
      .flatMap((line): JsonObject[] => {
        try {
          return [JSON.parse(line) as JsonObject];
        } catch {
          return [];
        }
      });
    const claims = DIALECTS.filter((dialect) => dialect.detect({ fileName: basename(path), records }));
    expect(claims.length).toBeLessThanOrEqual(1);
  });
});

describe('the dialect of a log', () => {
  const noesis = '{"id":"a","phase":"start","event_type":"run.start","timestamp":"t","payload":{}}\n';
  const event = '{"event_type":"session_start","timestamp":"t","session_id":"s","details":{}}\n';
  const exarchos = '{"streamId":"s","sequence":1,"type":"workflow.started","schemaVersion":"1.0"}\n';
  const ledger = '{"run_id":"r","turn":0,"kind":"run.started","payload":{}}\n';

  test('is detected from its records, wherever they are and whatever the name', async () => {
    for (const [text, dialect] of [
      [noesis, 'noesis'],
      [event, 'coordinator'],
      [exarchos, 'exarchos'],
      [ledger, 'fishbowl'],
    ] as const) {
      expect(await named(text)).toBe(dialect);
      expect(await named(text, 'x.log')).toBe(dialect);
      expect(await named(`not json\n\n${text}`, 'x.log')).toBe(dialect);
      expect(await named(text.trimEnd(), 'x.log'), 'without a final newline').toBe(dialect);
    }
  });

  test('is that of its phase, even where events have a type as well', async () => {
    expect(await named(`${noesis}${noesis.replace('run.start', 'session_start')}`, 'event-log.jsonl')).toBe(
      'noesis',
    );
  });

  test('is detected from a first record of any length', async () => {
    const long = 'x'.repeat(300_000);
    expect(await named(ledger.replace('"payload":{}', `"payload":{"text":"${long}"}`), 'x.jsonl')).toBe(
      'fishbowl',
    );
    expect(await named(`${noesis.replace('{}', `{"task":"${long}"}`)}${noesis}`, 'x.jsonl')).toBe('noesis');
  });

  test('is detected from its name if no record shows it', async () => {
    for (const text of ['', '\n\n', 'torn {', '[1]\n', '{"a":1}\n']) {
      // Many programs call their logs so: a record of none of them says that it is another's.
      expect(await named(text, 'events.jsonl')).toBe(text.startsWith('{') ? 'generic' : 'noesis');
      expect(await named(text, 'my-feature.events.jsonl')).toBe('exarchos');
      expect(await named(text, 'event-log.jsonl')).toBe('coordinator');
      // An export is called as somebody liked: its name says nothing.
      expect(await named(text, 'ledger.jsonl')).toBe('generic');
      expect(await named(text, 'trace.jsonl')).toBe('generic');
    }
  });

  test('is not that of its name if it is a known look-alike', async () => {
    const transcript = '{"t":"tool","ts":"2026-01-01T00:00:00Z","sid":"s","tool":"x"}\n';
    expect(await named(transcript, 'abc.events.jsonl')).toBe('generic');
    expect(await named(transcript.repeat(3), 'abc.events.jsonl')).toBe('generic');
    expect(await named(exarchos + transcript, 'abc.events.jsonl')).toBe('exarchos');
  });

  test('is the one that the user names, if it exists', async () => {
    const path = tempFile(noesis);
    expect((await dialectOf(path, 'events.jsonl', 'fishbowl')).name).toBe('fishbowl');
    await expect(dialectOf(path, 'events.jsonl', 'fishbone')).rejects.toMatchObject({ code: 'usage' });
  });

  test('is not detected for a database, which is refused', async () => {
    const refused = async (tables: string, name: string) => {
      const path = tempFile(`SQLite format 3\0${tables}`, name);
      const error = await dialectOf(path, name).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'unreadable', place: { file: path } });
      return String((error as FileError).hint).replace(`'${path}'`, 'DB');
    };
    expect(await refused('', 'events.db')).toBe('sqlite3 -readonly DB .schema shows what is in it');
    expect(await refused('CREATE TABLE events (id, run_id)', 'x.db')).toMatch(/^sqlite3 -readonly .*DB/);
  });

  test.each<[string, Buffer, string, string]>([
    ['a zip', Buffer.from('PK\x03\x04'), 'a ZIP archive', 'unzip -p LOG > records.jsonl'],
    ['gzip', Buffer.from([0x1f, 0x8b]), 'compressed with gzip', 'gzip -dc LOG > records.jsonl'],
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'compressed with zstd', 'zstd -dc LOG > records.jsonl'],
    [
      'tar',
      Buffer.concat([Buffer.alloc(257, 'x'), Buffer.from('ustar')]),
      'a tar archive',
      'noesis verify --tar LOG',
    ],
    [
      'UTF-16',
      Buffer.from('\ufeff{"a":1}', 'utf16le'),
      'written in UTF-16',
      'iconv -f UTF-16 -t UTF-8 LOG > records.jsonl',
    ],
    [
      'UTF-16 of the other order',
      Buffer.from('\ufeff{"a":1}', 'utf16le').swap16(),
      'written in UTF-16',
      'iconv -f UTF-16 -t UTF-8 LOG > records.jsonl',
    ],
    [
      'UTF-16 without a mark',
      Buffer.from('{"a":1}', 'utf16le'),
      'written in UTF-16',
      'iconv -f UTF-16LE -t UTF-8 LOG > records.jsonl',
    ],
    [
      'the same of the other order',
      Buffer.from('{"a":1}', 'utf16le').swap16(),
      'written in UTF-16',
      'iconv -f UTF-16BE -t UTF-8 LOG > records.jsonl',
    ],
  ])('is never asked of %s', async (_, bytes, what, hint) => {
    const path = tempFile(bytes, 'x.jsonl');
    await expect(dialectOf(path, 'x.jsonl')).rejects.toMatchObject({
      message: `${path} is ${what}: a log has one JSON object per line, in UTF-8`,
      hint: hint.replace('LOG', `'${path}'`),
    });
    // Standard input is copied to a file with a meaningless name.
    await expect(dialectOf(path, '-')).rejects.toMatchObject({
      message: `standard input is ${what}: a log has one JSON object per line, in UTF-8`,
      hint: what === 'a ZIP archive' ? 'write it to a file first, and name that' : hint.replace('LOG', '-'),
    });
  });

  test('is checked if only the beginning resembles another form', async () => {
    expect(await named(Buffer.from('{\0', 'latin1'), 'x.jsonl')).toBe('generic');
    expect(await named(Buffer.from('{\0\0\0\0\0', 'latin1'), 'x.jsonl')).toBe('generic');
  });

  test('is unknown for records that only resemble others', () => {
    const fileName = 'x.jsonl';
    for (const record of [
      { type: 'workflow.started' },
      { streamId: 's', type: 'workflow.started' },
      { run_id: 'r', kind: 'agent.spoke', payload: {} },
      { event_type: 'session_start', timestamp: 't' },
      { phase: 'act', payload: 'text' },
      { timestamp: 't', type: 'event_msg', payload: {} },
      {},
    ]) {
      expect(detectDialect({ fileName, records: [record] }).name, JSON.stringify(record)).toBe('generic');
    }
  });
});

describe('the logs of other agents', () => {
  const logs = ['copilot/session-state', 'claude-code/projects', 'codex/sessions'].flatMap((folder) =>
    readdirSync(join(SAMPLES, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.jsonl'))
      .map((path) => join(folder, path)),
  );

  test('are there', () => {
    expect(logs.length).toBeGreaterThan(10);
  });

  test.each(logs)('are not those of an episode, whatever they are called: %s', async (path) => {
    for (const name of [basename(path), 'events.jsonl'])
      expect((await dialectOf(join(SAMPLES, path), name)).name).not.toBe('noesis');
  });
});

describe('the logs in a directory', () => {
  test('of streams are those of exarchos, without what looks like them', () => {
    const names = [
      'a.events.jsonl',
      'b.c-1.events.jsonl',
      'a.hook-events.jsonl',
      'a.hook-events.drain-12-34.jsonl',
      'a.projections.jsonl',
      'a.events.jsonl.repair.tmp',
      'telemetry.events.jsonl.1',
      'a.seq',
      'a.state.json',
      'exarchos.db',
      '.event-store.lock',
      'with space.events.jsonl',
    ];
    expect(logFilesAmong(names)).toEqual(['a.events.jsonl', 'b.c-1.events.jsonl']);
    expect(logFilesAmong(['a.events.jsonl', '.manifest.jsonl'])).toEqual(['a.events.jsonl']);
  });

  test('are found through hidden folders, and below a log that is not an episode', async () => {
    const ledger = `${JSON.stringify({ id: 'a', run_id: 'r', turn: 0, kind: 'run.started', payload: {} })}\n`;
    const dir = writeTree({
      '.claude/event-log.jsonl': '',
      '.claude/bonfire/a/event-log.jsonl': '',
      '.claude/bonfire/a/event-log.jsonl.corrupted.20260101000000': '',
      '.claude/bonfire/b/state.json.tmp': '',
      'runs/ledger.jsonl': '{"account":"cash","amount":3}\n',
      'runs/night.jsonl': `torn\n${ledger}`,
      'runs/notes.jsonl': '{"a":1}\n',
      'state/one.events.jsonl': '',
      'state/sessions/.manifest.jsonl': '',
      'state/sessions/s.events.jsonl': '{"t":"turn","ts":"2026-01-01T00:00:00Z","sid":"s"}\n',
      'sessions/t.events.jsonl': '{"t":"tool","ts":"2026-01-01T00:00:00Z","sid":"s"}\n',
    });
    const found = (await findEpisodes(dir)).map(({ log }) => log?.slice(dir.length + 1));
    expect(found).toEqual([
      '.claude/event-log.jsonl',
      '.claude/bonfire/a/event-log.jsonl',
      'runs/night.jsonl',
      'state/one.events.jsonl',
    ]);
  });

  test('are recognised as databases under the name of a log, unless they are gone', () => {
    const dir = writeTree({
      'ledger.jsonl': 'SQLite format 3\0',
      'notes.ndjson': '{"a":1}\n',
      'rollout-2026-11-22T08-35-11-a.jsonl': 'SQLite format 3\0',
    });
    expect(logsIn({ dir, names: [...readdirSync(dir), 'gone.jsonl'] })).toEqual([
      'ledger.jsonl',
      'rollout-2026-11-22T08-35-11-a.jsonl',
    ]);
  });

  test('next to an artifact are separate episodes, and the episode around them is still checked', async () => {
    const dir = writeTree({ 'ep_1/events.jsonl': '', 'ep_1/final.json': '{"episode_id":"ep_1"}' });
    mkdirSync(join(dir, 'ep_1/attachments'));
    writeFileSync(join(dir, 'ep_1/planted.events.jsonl'), '');
    writeFileSync(join(dir, 'ep_1/attachments/ledger.jsonl'), '');
    expect(await findEpisodes(dir)).toEqual([
      {
        name: 'ep_1',
        dir: join(dir, 'ep_1'),
        log: join(dir, 'ep_1/events.jsonl'),
        owner: 'noesis',
        inner: ['planted.events.jsonl'],
      },
      { name: 'planted.events.jsonl', dir: undefined, log: join(dir, 'ep_1/planted.events.jsonl') },
    ]);
  });
});

test('a session with any file name is found below a folder', async () => {
  for (const dialect of SESSION_DIALECTS) {
    const folder = join(SAMPLES, dialect, 'damaged');
    const found = (await findEpisodes(folder)).map(({ log = '' }) => basename(log));
    const logs = readdirSync(folder).filter((name) => /\.jsonl?$/.test(name) && name !== 'expected.json');
    expect(found.filter((name) => !name.includes('#')).sort(), dialect).toEqual(logs.sort());
  }
});

test('a file that cannot be read has no first records, but a bug is reported', () => {
  const log = tempFile('{"a":1}\n');
  expect(firstRecords(`${log}.missing`, () => true)).toBeUndefined();
  expect(firstRecords(tempFile(Buffer.from('\ufeff{"a":1}\n', 'utf16le')), () => true)).toBeUndefined();
  const bug = () => {
    throw new TypeError('a bug');
  };
  expect(() => firstRecords(log, bug)).toThrow('a bug');
});

describe('the dialect of a stored state', () => {
  const stream = '{"streamId":"a","sequence":1,"type":"workflow.started","schemaVersion":"1.0"}\n';

  test('is that of the log next to it whose state it is, else the one whose episodes have folders', async () => {
    const dir = writeTree({
      'a.events.jsonl': stream,
      'a.state.json': '{}',
      'b.state.json': '{}',
      'c/state.json': '{}',
    });
    const of = async (name: string, wanted?: string) => (await dialectOfState(join(dir, name), wanted)).name;
    expect(await of('a.state.json')).toBe('exarchos');
    expect(await of('b.state.json')).toBe('noesis');
    expect(await of('c/state.json')).toBe('noesis');
    expect(await of('a.state.json', 'coordinator')).toBe('coordinator');
    await expect(of('a.state.json', 'nobody')).rejects.toMatchObject({ code: 'usage' });
  });

  test('needs a dialect whose episodes have folders', () => {
    expect(() => folderDialect('', [])).toThrow('no dialect has folders');
  });
});
