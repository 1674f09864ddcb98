import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { exportCommand, fishbowl, runOf, sessionOf } from '../../../src/dialects/fishbowl/index.ts';
import { listRuns } from '../../../src/dialects/fishbowl/ledger.ts';
import { dialectOf } from '../../../src/dialects/kit/sample.ts';
import { isSqlite } from '../../../src/dialects/kit/sqlite.ts';
import { AS_STORED } from '../../../src/log/log-form.ts';
import { readLog } from '../../../src/log/read.ts';
import { isInstalled } from '../../support/tools.ts';
import { ledger, started, won } from './ledgers.ts';
import { readEventLine } from './read-event.ts';

const hasSqlite = isInstalled('sqlite3');

function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'noesis-fishbowl-'));
  return use(folder).finally(() => rmSync(folder, { recursive: true }));
}

const text = (events: readonly JsonObject[]) =>
  ledger(events)
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');

describe('the dialect', () => {
  test('knows its logs by their records', () => {
    const detect = (records: JsonObject[]) => fishbowl.detect({ fileName: 'x.jsonl', records });
    expect(detect(ledger([started('r')]))).toBe(true);
    expect(detect([{ phase: 'plan', payload: {} }])).toBe(false);
    expect(detect([{ event_type: 'session_start', timestamp: '', details: {} }])).toBe(false);
    expect(detect([{ streamId: 's', type: 'task.assigned', sequence: 1, data: {} }])).toBe(false);
    expect(detect([])).toBe(false);
  });

  test('and not by their names: any JSONL may be one', () => {
    const names = ['ledger.jsonl', 'events.jsonl', 'export.ndjson', 'ledger.db'];
    expect(fishbowl.logFiles(names)).toEqual([]);
    expect(fishbowl.candidates?.(names)).toEqual(['ledger.jsonl', 'events.jsonl', 'export.ndjson']);
  });

  test('reads records in its own terms', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'ledger.jsonl');
      writeFileSync(path, text([{ ...started('r'), session_id: 's' }]));
      await readLog(path, AS_STORED, {
        record(record) {
          const { view, columns, eventTime } = fishbowl;
          expect([
            view.id(record),
            view.type(record),
            view.agent(record),
            view.phase?.(record),
            view.cause?.(record),
          ]).toEqual(['e1', 'run.started', 'conductor', undefined, undefined]);
          expect(view.time(record)).toBe('2026-06-01T00:00:00Z');
          expect(eventTime(record.value)).toBe('2026-06-01T00:00:00Z');
          expect([runOf(record), sessionOf(record)]).toEqual(['r', 's']);
          expect(columns.map(({ cell }) => cell(record.value)).slice(0, 4)).toEqual([
            'r',
            '000',
            'run.started',
            'conductor',
          ]);
        },
        corrupt: () => expect.unreachable(),
      });
    });
  });

  test('describes an event in a few words', () => {
    const cell = fishbowl.columns.at(-1)?.cell;
    expect(cell?.({ payload: { text: 'hi' } })).toBe('hi');
    expect(cell?.({ payload: { text: '', summary: 'short' } })).toBe('short');
    expect(cell?.({ payload: { winner: 'ann' } })).toBe('{"winner":"ann"}');
    expect(cell?.({})).toBe('');
  });

  test('loads its projector and its checks', async () => {
    expect((await fishbowl.projector()).result().value).toMatchObject({ runs: [] });
    await inFolder(async (folder) => {
      const log = join(folder, 'ledger.jsonl');
      writeFileSync(log, text([started('r'), won('r')]));
      const report = await fishbowl.verify(
        { name: 'l', log, dir: undefined },
        { ...(await import('../../../src/findings/options.ts')).DEFAULT_VERIFY_OPTIONS },
      );
      expect(report.events).toBe(2);
    });
  });
});

describe('a ledger of many runs', () => {
  test('lists them in the order in which they begin', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'l.jsonl');
      writeFileSync(path, text([started('b'), { run_id: 'a' }, won('b'), { run_id: '__proto__' }]));
      const listed = await listRuns(path, AS_STORED);
      expect(listed.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(statSync(path).size);
      expect(listed.map(({ bytes: _, ...run }) => run)).toEqual([
        {
          id: 'b',
          started_at: '2026-06-01T00:00:00Z',
          written_at: '2026-06-01T00:00:02Z',
          task: 'a lighthouse',
          status: 'verdict',
          result: 'ann won',
          turns: 1,
        },
        {
          id: 'a',
          started_at: '2026-06-01T00:00:01Z',
          written_at: '2026-06-01T00:00:01Z',
          status: 'running',
        },
        {
          id: '__proto__',
          started_at: '2026-06-01T00:00:03Z',
          written_at: '2026-06-01T00:00:03Z',
          status: 'running',
        },
      ]);
    });
  });
});

describe('a database', () => {
  test('is recognised by its header, and refused with the command that exports it', async () => {
    expect(isSqlite(Buffer.from('SQLite format 3\0...'))).toBe(true);
    expect(isSqlite(Buffer.from('{"id":1}'))).toBe(false);
    expect(isSqlite(Buffer.alloc(0))).toBe(false);
    await inFolder(async (folder) => {
      const path = join(folder, "it's.db");
      writeFileSync(path, 'SQLite format 3\0...CREATE TABLE events (id TEXT, run_id TEXT)');
      await expect(dialectOf(path, 'ledger.db')).rejects.toMatchObject({
        code: 'unreadable',
        hint: exportCommand(path),
      });
      writeFileSync(path, '');
      expect((await dialectOf(path, 'notes.jsonl')).name).toBeDefined();
    });
  });

  test.skipIf(!hasSqlite)(
    'is exported as lines that the dialect reads (where sqlite3 is installed)',
    async () => {
      await inFolder(async (folder) => {
        const path = join(folder, "it's.db");
        execFileSync('sqlite3', [
          path,
          `CREATE TABLE events ("offset" INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE, run_id TEXT, turn INTEGER, kind TEXT,
           actor TEXT, payload TEXT, created_at TEXT, schema_version INTEGER DEFAULT 1, session_id TEXT, model_profile TEXT, model_id TEXT);
         INSERT INTO events VALUES (7, 'b', 'r', 1, 'agent.spoke', 'ann', '{"text": "caf\\u00e9"}', '2026-06-01 00:00:01.500000', 1, NULL, NULL, NULL),
           (3, 'a', 'r', 0, 'run.started', 'conductor', '{"seed": "s"}', '2026-06-01T00:00:00+00:00', 1, 's', NULL, NULL);`,
        ]);
        execFileSync('sh', ['-c', exportCommand(path)], { cwd: folder });
        const lines = readFileSync(join(folder, 'ledger.jsonl'), 'utf8').trimEnd().split('\n');
        expect(lines.map((line) => readEventLine(line))).toMatchObject([
          { id: 'a', kind: 'run.started', created_at: '2026-06-01T00:00:00Z', session_id: 's' },
          { id: 'b', payload: { text: 'café' }, created_at: '2026-06-01T00:00:01.500000', model_id: null },
        ]);
      });
    },
  );
});
