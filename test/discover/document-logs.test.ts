import { appendFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readEvents, verifyEpisode } from '../../src/library/index.ts';
import { makeZip } from '../support/archives.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const step = (id: number) => ({
  step_id: id,
  timestamp: `2026-03-02T09:00:0${id}Z`,
  source: 'agent',
  message: 'on',
});
const STEPS = [step(1), step(2)];
const TRAJECTORY = { schema_version: 'ATIF-v1.4', session_id: 's', agent: { name: 'a', version: '1' } };

const CHAT = {
  sessionId: 's',
  projectHash: 'h',
  startTime: '2026-03-02T09:00:00Z',
  lastUpdated: '2026-03-02T09:00:00Z',
  messages: [{ id: 'm', timestamp: '2026-03-02T09:00:00Z', type: 'user', content: 'Open the shed' }],
};

const span = (id: string) => ({
  traceId: 'a'.repeat(32),
  spanId: id.padStart(16, '0'),
  name: id,
  startTimeUnixNano: '1',
  endTimeUnixNano: '2',
});

/** A folder as a benchmark leaves it: one document per run, and many other files. */
async function folder(): Promise<string> {
  const dir = writeTree({
    'a/agent/trajectory.json': JSON.stringify({ ...TRAJECTORY, steps: STEPS }, null, 2),
    'b/task.traj': JSON.stringify({ environment: 'e', trajectory: STEPS, info: {} }, null, 2),
    'c/trajectory.json': '{"points":[1,2]}',
    'c/map.traj': '{"route":[]}',
    'b/any.json': JSON.stringify({ ...TRAJECTORY, steps: STEPS }, null, 2),
    'b/chats/session.json': JSON.stringify(CHAT, null, 2),
    'c/notes.eval': 'console.log(1)',
    'c/package.json': '{"schema_version":"ATIF-v1.4"}',
  });
  const sample = {
    id: 1,
    epoch: 1,
    events: STEPS.map((one) => ({ event: 'model', uuid: `u${one.step_id}`, ...one })),
  };
  const entries = [{ name: 'samples/1_epoch_1.json', content: Buffer.from(JSON.stringify(sample)) }];
  writeFileSync(join(dir, 'b', 'run.eval'), await makeZip(entries));
  return dir;
}

test('documents whose members are sorted are found, packed or not', async () => {
  const words = 'Open the shed. '.repeat(1000);
  const { agent, ...trajectory } = TRAJECTORY;
  const { lastUpdated, messages, ...chat } = CHAT;
  const sorted = {
    'task.json': { agent: { ...agent, extra: words }, ...trajectory, steps: STEPS },
    'chat.json': { lastUpdated, messages: [{ ...messages[0], content: words }], ...chat },
    'run.traj': { environment: words, info: {}, trajectory: STEPS },
    'other.json': { notes: words, trajectory: [] },
  };
  const dir = tempDir();
  for (const [name, document] of Object.entries(sorted)) {
    writeFileSync(join(dir, name), JSON.stringify(document));
    writeFileSync(join(dir, `${name}.gz`), gzipSync(JSON.stringify(document)));
  }
  const { stdout } = await runHere(['list', '-q', dir]);
  const found = ['chat.json', 'run.traj', 'task.json'].flatMap((name) => [name, `${name}.gz`]);
  expect(stdout.split('\n').filter(Boolean).sort()).toEqual(found.map((name) => join(dir, name)));
});

test('documents with a run are found below a folder, by their content', async () => {
  const dir = await folder();
  symlinkSync('nowhere', join(dir, 'b/gone.traj'));
  const listed = await runHere(['list', '-q', dir]);
  expect(listed.stdout.split('\n').filter(Boolean).sort()).toEqual([
    join(dir, 'a/agent/trajectory.json'),
    join(dir, 'b/any.json'),
    join(dir, 'b/chats/session.json'),
    join(dir, 'b/run.eval'),
    join(dir, 'b/task.traj'),
  ]);
  const verified = await runHere(['verify', '-j', dir]);
  const { episodes } = JSON.parse(verified.stdout) as {
    episodes: { path: string; events: number; verdict: string }[];
  };
  expect(verified.code).toBe(0);
  expect(episodes.map(({ path, events }) => [path.slice(dir.length + 1), events])).toEqual([
    // The trajectory without its steps is a record too.
    ['a/agent/trajectory.json', 3],
    ['b/any.json', 3],
    ['b/run.eval', 2],
    ['b/task.traj', 2],
    ['b/chats/session.json', 2],
  ]);
});

test('a folder whose documents are not recognised says how to read them', async () => {
  const dir = writeTree({ 'a.json': '[{"id":1}]', 'b.json': '{}' });
  const { code, stderr } = await runHere(['list', dir]);
  expect(code).toBe(3);
  expect(stderr).toContain('give one of its 2 .json files to read it; none was recognised as a run');
});

test('the library reads documents and lines with several records as the command line does', async () => {
  const dir = await folder();
  const batch = {
    resourceSpans: [{ scopeSpans: [{ spans: [span('1'), span('2')] }] }],
  };
  writeFileSync(join(dir, 'spans.jsonl'), `${JSON.stringify(batch)}\n`);
  // A file that is not a document has one record per line.
  writeFileSync(join(dir, 'one.txt'), '{"id":"a","type":"b"}\n');
  expect(await readEvents(join(dir, 'one.txt'))).toEqual([{ id: 'a', type: 'b' }]);
  for (const name of ['b/task.traj', 'b/run.eval', 'spans.jsonl']) {
    const path = join(dir, name);
    expect(await readEvents(path), name).toHaveLength(2);
    const report = await verifyEpisode(path);
    expect(
      [report.path, report.events, report.findings.filter(({ severity }) => severity !== 'info')],
      name,
    ).toEqual([path, 2, []]);
  }
});

test('the numbers of a document stay as they are stored, whatever its size', async () => {
  const keys = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`k${at}`, at]));
  const record = `{"action":"a","thought":"b","n":12345678901234567890,"more":${JSON.stringify(keys)}}`;
  const dir = writeTree({ 'r.traj': `{"trajectory":[${record}],"info":{}}` });
  const { stdout } = await runHere(['events', join(dir, 'r.traj'), '-j']);
  expect(stdout).toBe(`${record}\n`);
});

test('a document that is longer than the maximum line is not read as one', async () => {
  const dir = writeTree({ 'r.traj': JSON.stringify({ trajectory: STEPS, info: {} }) });
  truncateSync(join(dir, 'r.traj'), 64 * 1024 * 1024 + 1);
  const { code, stdout, stderr } = await runHere(['events', join(dir, 'r.traj'), '-j']);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toContain('does not look like an event log');
});

test('on lines with several records an overlong one is a finding, and the others are read', async () => {
  const line = `${JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span('1'), span('2')] }] }] })}\n`;
  const dir = writeTree({ 'spans.jsonl': line });
  const log = join(dir, 'spans.jsonl');
  const long = 65 * 1024 * 1024;
  truncateSync(log, line.length + long);
  appendFileSync(log, `\n${line.trimEnd()}`);
  const { stdout } = await runHere(['verify', log, '-j']);
  const { episodes } = JSON.parse(stdout) as {
    episodes: { events: number; findings: { code: string; line: number }[] }[];
  };
  expect(episodes[0]?.events).toBe(4);
  expect(episodes[0]?.findings.filter(({ code }) => code.startsWith('log/'))).toMatchObject([
    { code: 'log/line-too-long', line: 3 },
  ]);
});
