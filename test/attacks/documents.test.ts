import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/json/value.ts';
import { DIALECTS } from '../../src/dialects/registry.ts';
import { makeZip } from '../support/archives.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const SPAN = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  name: 'call',
  startTimeUnixNano: '1767254400000000001',
  endTimeUnixNano: '1767254401000000000',
};
const STEP = { step_id: 1, source: 'user', message: 'go' };
const SAID = { id: 'm1', timestamp: '2026-11-23T09:30:00.000Z', type: 'user', content: 'go' };
const EVENT = { event: 'tool', uuid: 'a1' };

/** Documents with several records. Each appends elements to one of its lists. */
const DOCUMENTS: Readonly<Record<string, (added: readonly JsonValue[]) => JsonObject>> = {
  'steps of a trajectory': (added) => ({
    schema_version: 'ATIF-v1.5',
    session_id: 's',
    agent: { name: 'a', version: '1' },
    steps: [STEP, ...added],
  }),
  'messages of a session': (added) => ({
    sessionId: 's',
    projectHash: 'f',
    startTime: '2026-11-23T09:30:00.000Z',
    messages: [SAID, ...added],
  }),
  'resources of a request': (added) => ({
    resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }, ...added],
  }),
  'scopes of a request': (added) => ({
    resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }, ...added] }],
  }),
  'spans of a request': (added) => ({ resourceSpans: [{ scopeSpans: [{ spans: [SPAN, ...added] }] }] }),
  'scopes by their older name': (added) => ({
    resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }], instrumentationLibrarySpans: [...added] }],
  }),
  'samples of an evaluation': (added) => ({
    eval: {},
    samples: [{ id: 1, epoch: 1, events: [EVENT] }, ...added],
  }),
  'events of a sample': (added) => ({
    eval: {},
    samples: [{ id: 1, epoch: 1, events: [EVENT, ...added], messages: [{ role: 'user' }] }],
  }),
  'messages of a sample': (added) => ({
    eval: {},
    samples: [{ id: 1, epoch: 1, messages: [{ role: 'user' }, ...added] }],
  }),
  'spans of an object': (added) => ({
    resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }, { spans: added.length > 0 ? { x: 1 } : [] }] }],
  }),
};

/** Writes a document in each way in which files contain one. */
async function writtenIn(dir: string, document: JsonObject): Promise<string[]> {
  const samples = Array.isArray(document['samples']) ? document['samples'] : undefined;
  const line = `${JSON.stringify(document)}\n`;
  const files: Readonly<Record<string, string | Buffer>> = {
    'one.json': JSON.stringify(document, null, 2),
    ...(samples === undefined && { 'lines.jsonl': line.repeat(2) }),
    ...(samples && {
      'log.eval': await makeZip(
        samples.map((sample, at) => ({
          name: `samples/${at}_epoch_1.json`,
          content: Buffer.from(JSON.stringify(sample)),
        })),
      ),
    }),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(dir, name), content);
  return Object.keys(files);
}

const codes = async (cwd: string, names: readonly string[]) => {
  const entries = names.map(async (name) => [name, (await runHere(['verify', name], { cwd })).code] as const);
  return Object.fromEntries(await Promise.all(entries));
};

test.each(Object.entries(DOCUMENTS))('nothing among the %s is skipped silently', async (_, make) => {
  for (const added of [null, 'x', [STEP], 7, { x: 1 }]) {
    const cwd = tempDir();
    const isObject = typeof added === 'object' && added !== null && !Array.isArray(added);
    const names = await writtenIn(cwd, make([added]));
    for (const [name, code] of Object.entries(await codes(cwd, names))) {
      // An object may be a record, or a part without one.
      const bad = isObject ? [0, 1, 2, 3, 4] : [1, 2, 3, 4];
      expect(bad, `${name} with ${JSON.stringify(added)}`).toContain(code);
    }
  }
  const whole = tempDir();
  const all = await codes(whole, await writtenIn(whole, make([])));
  // A record that is on two lines is a finding.
  for (const [name, code] of Object.entries(all))
    if (name !== 'lines.jsonl') expect([name, code]).toEqual([name, 0]);
});

test('state refuses a file that is not a state in every format, and does not fail itself', async () => {
  const cwd = tempDir();
  writeFileSync(join(cwd, 'x.json'), '{"a":1}');
  for (const { name, stateFile } of DIALECTS) {
    const { code, stderr } = await runHere(['state', 'x.json', '--dialect', name], { cwd });
    expect([name, code], stderr).not.toContain(70);
    if (stateFile('x.json') === undefined)
      expect([name, code, stderr]).toEqual([name, 3, expect.stringContaining('has no stored state')]);
  }
});

test('a trajectory whose version has no text is verified', async () => {
  const cwd = tempDir();
  const record = { schema_version: { toString: 0 }, session_id: 's' };
  writeFileSync(join(cwd, 'a.jsonl'), `${JSON.stringify(record)}\n`);
  const { code, stdout } = await runHere(['verify', 'a.jsonl', '--dialect', 'atif', '-j'], { cwd });
  expect(code).toBe(1);
  expect(stdout).not.toContain('verify/internal');
});

test('a record that is not a span is reported in a log of spans', async () => {
  const verified = async (...records: readonly object[]) => {
    const cwd = tempDir();
    writeFileSync(join(cwd, 'a.jsonl'), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const { stdout } = await runHere(['verify', 'a.jsonl', '-j'], { cwd });
    const report = JSON.parse(stdout) as { episodes: { findings: { code: string; message: string }[] }[] };
    return report.episodes.flatMap(({ findings }) => findings.map(({ message }) => message));
  };
  for (const key of ['traceId', 'spanId', 'startTimeUnixNano']) {
    const { [key as 'traceId']: _, ...rest } = SPAN;
    const message = `the record is not a span, because its ${key} is missing or not a string`;
    expect(await verified(SPAN, rest)).toEqual([message]);
  }
  expect(await verified(SPAN, { resourceLogs: [] }, { resourceMetrics: [] }, { resourceSpans: [] })).toEqual(
    [],
  );
});
