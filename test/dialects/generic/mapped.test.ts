import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { describeEvent, memberFor, timeFor } from '../../../src/dialects/generic/fields.ts';
import { runHere } from '../../support/in-process.ts';
import { writeTree } from '../../support/temp.ts';

const RECORDS = [
  { uuid: 'a', at: 1767254400, n: 1, kind: 'start', payload: { message: 'hello there\nmore' } },
  { uuid: 'b', up: 'a', at: 1767254401.5, n: 2, kind: 'step', msg: 'did it' },
  { uuid: 'c', up: 'zz', at: 1767254399, n: 4, kind: 'step', msg: 'did it' },
  { uuid: 'c', up: 'b', at: 'x', n: 4, kind: 'end', msg: 'over' },
];
const LOG = RECORDS.map((record) => `${JSON.stringify(record)}\n`).join('');

const briefly = (stdout: string): string[] => {
  const { episodes } = JSON.parse(stdout) as {
    episodes: { dialect: string; findings: { severity: string; code: string; line: number }[] }[];
  };
  return episodes.flatMap(({ dialect, findings }) =>
    findings.map(({ severity, code, line }) => `${dialect}: ${severity} ${code} ${line}`),
  );
};

test('the usual names are found, and times in every unit', () => {
  for (const id of ['id', 'uuid', 'event_id', 'eventId']) expect(memberFor({ [id]: 'x' }, 'id', {})).toBe(id);
  for (const time of [
    1767254400,
    1767254400000,
    1767254400000000,
    '1767254400000000000',
    '2026-01-01T08:00:00.000Z',
  ])
    expect(timeFor({ ts: time }, {})).toBe('2026-01-01T08:00:00.000Z');
  expect(timeFor({ at: { start: 1767254400 } }, { time: 'at.start' })).toBe('2026-01-01T08:00:00.000Z');
  expect(timeFor({ ts: '999999999999999999999999' }, {})).toBe('999999999999999999999999');
  expect(timeFor({ ts: '' }, { time: 'ts' })).toBeUndefined();
  expect(timeFor({ ts: 'noon' }, {})).toBe('noon');
  expect(timeFor({ ts: 1e300 }, {})).toBe('1e300'.replace('1e300', '1e+300'));
});

test('shows the most useful text, or the members if there is none', () => {
  expect(describeEvent({ id: 1, data: { text: 'inner\nline' } }, {})).toBe('inner');
  expect(describeEvent({ ts: 1, content: [{ type: 'text', text: 'block' }] }, {})).toBe('block');
  expect(describeEvent({ ts: 1, type: 'x', size: 7 }, {})).toBe('size=7');
  expect(describeEvent({ message: 'a', why: 'b' }, { text: 'why' })).toBe('b');
});

test.each<[string, JsonObject, string]>([
  ['a message inside', { content: { message: 'inner' } }, 'inner'],
  ['a text inside', { content: { text: 'inner' } }, 'inner'],
  ['a blank text before another text', { message: ' ', content: { text: ' ' }, msg: 'told' }, 'told'],
  ['several parts', { content: [{ text: 'one' }, 'x', { image: 1 }, { text: 'two' }] }, 'one two'],
  ['parts without a text', { content: [{ image: 1 }], summary: 'told' }, 'told'],
  ['a payload that is a text', { ts: 1, payload: 'told' }, 'told'],
  ['a blank payload', { ts: 1, payload: ' ', data: 7, size: 3 }, 'data=7 size=3'],
  ['a payload without a text', { ts: 1, type: 'x', payload: { size: 7 } }, 'size=7'],
])('%s is shown by its most useful text', (_, event, shown) => {
  expect(describeEvent(event, {})).toBe(shown);
});

test('a named member is shown, whatever its value', () => {
  expect(describeEvent({ message: 'a', sizes: [1, 2] }, { text: 'sizes' })).toBe('[1,2]');
  expect(describeEvent({ message: 'a', at: 7 }, { text: 'at.x' })).toBe('a');
});

test('a damaged log says which findings are not reported, as logs of other formats do', async () => {
  const cwd = writeTree({ 'a.jsonl': `${LOG}{"uuid":"d"` });
  const { stdout } = await runHere(['verify', 'a.jsonl', '-j', '--map', 'id=uuid,ordinal=n'], { cwd });
  const { episodes } = JSON.parse(stdout) as { episodes: { stages: { name: string; reason?: string }[] }[] };
  const reasons = new Map(episodes[0]?.stages.map(({ name, reason }) => [name, reason]));
  expect(reasons.get('lineage')).toMatch(/^the log is damaged: /);
  expect(reasons.get('log')).toBeUndefined();
});

test('only the fields of --map are shown and checked', async () => {
  const cwd = writeTree({ 'a.jsonl': LOG });
  const plain = await runHere(['events', 'a.jsonl'], { cwd });
  expect(plain.stderr).toContain(
    '(id from uuid, type from kind); --dialect sets the dialect, --map the fields',
  );
  expect(briefly((await runHere(['verify', 'a.jsonl', '-j'], { cwd })).stdout)).toEqual([]);

  const map = 'id=uuid,parent=up,time=at,ordinal=n';
  const mapped = await runHere(['verify', 'a.jsonl', '-j', '--map', map], { cwd });
  expect(mapped.code).toBe(1);
  expect(briefly(mapped.stdout)).toEqual([
    'generic: warn lineage/missing-parent 3',
    'generic: warn event/time-order 3',
    'generic: warn sequence/gap 3',
    'generic: error event/duplicate-id 4',
    'generic: error event/timestamp 4',
    'generic: warn sequence/duplicate 4',
  ]);
  const chain = await runHere(['events', 'a.jsonl', '-j', '--chain', 'b', '--map', map], { cwd });
  expect(
    chain.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { uuid: string }).uuid),
  ).toEqual(['b', 'a']);
});

test('records without a mapped member are ignored, and nothing is reported as missing in a damaged log', async () => {
  const cwd = writeTree({
    'a.jsonl': '{"id":"a","up":"zz","n":5,"at":3}\n{"up":""}\n{"id":"b","n":"6"}\n{"id":"c","n":4}\n',
    'torn.jsonl': '{"id":"a","up":"zz","n":5}\n{"id":"b","n":7}\n{"torn',
  });
  const verified = async (name: string, map: string) => {
    const { stdout } = await runHere(['verify', name, '-j', '--map', map], { cwd });
    const [episode] = (JSON.parse(stdout) as { episodes: { findings: { message: string }[] }[] }).episodes;
    return [briefly(stdout), episode?.findings.map(({ message }) => message)];
  };
  expect(await verified('a.jsonl', 'id=id,parent=up,ordinal=n,time=at')).toEqual([
    ['generic: warn lineage/missing-parent 1', 'generic: warn sequence/backwards 4'],
    ['the parent of the record, zz, is not in this log', '4 comes after 5 on line 1'],
  ]);
  const [torn] = await verified('torn.jsonl', 'id=id,parent=up,ordinal=n');
  expect(torn).toEqual(['generic: error log/truncated 3']);
  // Without ids nobody can be missed.
  expect((await verified('a.jsonl', 'parent=up'))[0]).toEqual([]);
});

test('repeated records are reported if nothing names them', async () => {
  const cwd = writeTree({ 'a.jsonl': '{"at":1}\n{"at":1}\n{"at":2}\n' });
  const { stdout } = await runHere(['verify', 'a.jsonl', '-j', '--map', 'time=at'], { cwd });
  expect(briefly(stdout)).toEqual(['generic: warn event/repeated-record 2']);
});

test.each([
  ['dotted keys', 'dialects.mine.detect = ["kind"]\ndialects.mine.id = "uuid"\n'],
  ['an inline table', 'dialects = { mine = { detect = ["kind"], id = "uuid" } }\n'],
  ['escapes', '["d\\u0069alects".mine]\ndetect = ["kind"]\nid = "uuid"\n'],
])('a dialect of noesis.toml may be written with %s', async (_, toml) => {
  const cwd = writeTree({ 'noesis.toml': toml, 'a.jsonl': LOG });
  const { stdout } = await runHere(['list', '-j', '.'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject([{ dialect: 'mine' }]);
});

test('every command refuses an invalid table of dialects', async () => {
  const cwd = writeTree({ 'noesis.toml': 'dialects = 5\n', 'a.jsonl': LOG });
  for (const command of ['verify', 'events', 'show'])
    expect((await runHere([command, 'a.jsonl'], { cwd })).code).toBe(2);
});

test('a table of noesis.toml is a dialect, in folders too', async () => {
  const toml = '[dialects.mine]\ndetect = ["kind", "uuid"]\nfiles = "*.trace"\nid = "uuid"\ntime = "at"\n';
  const cwd = writeTree({ 'noesis.toml': toml, 'runs/a.trace': LOG, 'runs/b.trace': '{"other":1}\n' });
  const { stdout } = await runHere(['verify', 'runs', '-j'], { cwd });
  expect(briefly(stdout)).toEqual([
    'mine: warn event/time-order 3',
    'mine: error event/duplicate-id 4',
    'mine: error event/timestamp 4',
  ]);
  // Without a pattern of names any log may be one, and a member may be asked for with its value.
  const valued = '[dialects.mine]\ndetect = ["kind=start", "n=1"]\nid = "uuid"\n';
  const other = writeTree({
    'noesis.toml': valued,
    'runs/a.jsonl': LOG,
    'runs/b.jsonl': '{"kind":"start","n":2}\n{"kind":["start"],"n":1}\n',
    'runs/c.trace': LOG,
  });
  const { stdout: named } = await runHere(['verify', 'runs', '-j'], { cwd: other });
  expect(briefly(named)).toEqual([
    'mine: error event/duplicate-id 4',
    'generic: info verify/not-verified undefined',
  ]);
  expect((JSON.parse(named) as { summary: { episodes: number } }).summary.episodes).toBe(1);
  // It is forgotten with its configuration.
  expect((await runHere(['events', join(cwd, 'runs/a.trace'), '--dialect', 'mine'], { cwd: '/' })).code).toBe(
    2,
  );
});

test('logs of unknown format are found below folders on request', async () => {
  const cwd = writeTree({ 'runs/a.jsonl': LOG, 'runs/deep/b.ndjson': LOG, 'runs/c.txt': LOG });
  expect((await runHere(['verify', 'runs'], { cwd })).code).toBe(3);
  const { stdout } = await runHere(['verify', 'runs', '-j', '--dialect', 'generic'], { cwd });
  expect((JSON.parse(stdout) as { summary: { episodes: number } }).summary.episodes).toBe(2);
});

test.each([
  ['--map', 'id', 'expected FIELD=PATH'],
  ['--map', 'key=id', 'expected FIELD=PATH'],
  ['--dialect', 'fishbone', 'there is no dialect'],
])('%s %s is refused', async (option, value, message) => {
  const cwd = writeTree({ 'a.jsonl': LOG });
  const { code, stderr } = await runHere(['events', 'a.jsonl', option, value], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('a table with the name of a dialect, or an unknown key, is refused', async () => {
  const cwd = writeTree({ 'a.jsonl': LOG, 'noesis.toml': '[dialects.codex]\nid = "x"\n' });
  expect((await runHere(['events', 'a.jsonl'], { cwd })).stderr).toContain(
    'has the name of a built-in dialect',
  );
  const other = writeTree({ 'a.jsonl': LOG, 'noesis.toml': '[dialects.mine]\nidd = "x"\n' });
  const { code, stderr } = await runHere(['events', 'a.jsonl'], { cwd: other });
  expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean id?')]);
  const far = writeTree({ 'a.jsonl': LOG, 'noesis.toml': '[dialects.mine.members]\nid = "x"\n' });
  expect((await runHere(['events', 'a.jsonl'], { cwd: far })).stderr).toMatch(
    /the settings are id, parent, /,
  );
});
