import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, type JsonObject, type JsonValue } from '../../../src/base/json/value.ts';
import { claudeCode } from '../../../src/dialects/sessions/claude-code/index.ts';
import { findEpisodes } from '../../../src/find/find.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../../src/findings/options.ts';
import { verifyEpisode } from '../../../src/library/index.ts';
import { claude } from '../../support/claude-records.ts';
import { SAMPLES } from '../../support/cli.ts';
import { times } from '../../support/length.ts';
import { writeTree } from '../../support/temp.ts';
import { brief, verifyEvents } from '../verify-events.ts';

const SHOP = 'projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl';
const shop = readFileSync(join(SAMPLES, 'claude-code', SHOP), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as JsonObject);
const USUAL = [
  'info lineage/forward-cause 15',
  'info tool/unanswered 26',
  'info tool/unanswered 29',
  'info tool/open 39',
];

const verify = (events: readonly unknown[]) => verifyEvents(claudeCode.verify, events);

/** The sample with one record changed: lines count from 1. */
const changed = (line: number, change: (event: JsonObject) => JsonObject | undefined): unknown[] =>
  shop.flatMap((event, index) => (index + 1 === line ? (change(structuredClone(event)) ?? []) : [event]));

/** The findings beyond those of the sample, which is verified without the log of its subagent. */
async function more(events: readonly unknown[]): Promise<string[]> {
  return brief(await verify(events)).filter((one) => !USUAL.includes(one) && !/missing-subagent/.test(one));
}

test('additions of newer versions are at most info', async () => {
  expect(await more(changed(7, (event) => ({ ...event, newField: { deep: [1] } })))).toEqual([]);
  const added = { type: 'brand-new', sessionId: 's', timestamp: '2026-10-05T09:06:43.000Z' };
  expect(await more([...shop, added])).toEqual(['info event/unknown-type 40']);
  expect(await more(changed(8, (event) => ({ ...event, isSidechain: 'no' })))).toEqual([
    'info event/wrong-type 8',
  ]);
});

test('reports a record without essential members', async () => {
  const without = (line: number, key: string) => changed(line, ({ [key]: _, ...event }) => event);
  expect(await more(without(9, 'type'))).toEqual(['error event/missing-field 9']);
  expect(await more(without(24, 'message'))).toEqual(['error event/missing-field 24']);
  expect(await more(without(23, 'uuid'))).toEqual([
    'warn event/missing-field 23',
    'warn lineage/missing-parent 24',
  ]);
  expect(await more(changed(7, (event) => ({ ...event, timestamp: 'soon' })))).toEqual([
    'error event/timestamp 7',
  ]);
});

test('reports missing, moved and copied records', async () => {
  // Without the first record of the chain the parent of the next one is missing.
  expect(await more(changed(7, () => undefined))).toContain('info lineage/begins-inside 7');
  expect(await more(changed(20, (event) => ({ ...event, uuid: String(shop[9]?.['uuid']) })))).toEqual([
    'error event/duplicate-id 20',
    'warn lineage/missing-parent 21',
  ]);
  expect(await more(changed(21, (event) => ({ ...event, parentUuid: String(event['uuid']) })))).toEqual([
    'error lineage/cycle 21',
  ]);
});

test('reports a missing result if the conversation continues from its call', async () => {
  const events = changed(20, () => undefined).map((event, index) =>
    index === 19 ? { ...(event as JsonObject), parentUuid: String(shop[18]?.['uuid']) } : event,
  );
  const found = brief(await verify(events)).filter((one) => one.startsWith('warn'));
  expect(found).toEqual(['warn tool/unanswered 19']);
});

/** Records whose parent is the previous one, unless they have another. */
const chain = (...events: JsonObject[]): JsonObject[] =>
  events.map((event, index) => ({
    type: 'assistant',
    uuid: `u${index + 1}`,
    parentUuid: index === 0 ? null : `u${index}`,
    sessionId: 's',
    isSidechain: false,
    timestamp: `2026-10-05T09:00:${String(index).padStart(2, '0')}.000Z`,
    message: { content: 'said' },
    ...event,
  }));
const says = (type: string, ...content: JsonValue[]): JsonObject => ({
  type,
  message: { role: type, content },
});
const calls = (id?: string): JsonObject => ({ type: 'tool_use', ...(id && { id }), input: {} });
const answers = (id?: string): JsonObject => ({
  type: 'tool_result',
  ...(id && { tool_use_id: id }),
  content: '',
});

/** Findings with their messages. */
async function told(events: readonly JsonObject[]): Promise<string[]> {
  const { findings } = await verify(events);
  return findings.map(({ severity, code, line, message }) => `${severity} ${code} ${line}: ${message}`);
}

test.each<[string, JsonObject[], string[]]>([
  [
    'calls and results without an id are of nobody',
    [says('assistant', calls()), says('user', answers())],
    [],
  ],
  [
    'a call without a name',
    [says('assistant', calls('c'))],
    ['info tool/open 1: tool (c) has no result: the log ends before it'],
  ],
  [
    'the result of a call before the beginning of the log',
    [{ ...says('user', answers('c')), parentUuid: 'elsewhere' }],
    [
      'info lineage/begins-inside 1: the parent of the first record, elsewhere, is not in this log: the log is the end of a longer one',
    ],
  ],
  [
    'a result at the beginning of a log, without a parent',
    [says('user', answers('c'))],
    ['error tool/orphan-result 1: the log has no call c'],
  ],
  [
    'a result whose call and parent are both missing has a finding for each, because doctor names the cut',
    [{}, { ...says('user', answers('c')), parentUuid: 'elsewhere' }],
    [
      'warn lineage/missing-parent 2: the parent of the record, elsewhere, is not in this log',
      'error tool/orphan-result 2: the log has no call c',
    ],
  ],
  [
    'progress of what is not there',
    [{}, { type: 'progress', parentUuid: 'elsewhere' }],
    ['info lineage/missing-parent 2: the parent of the record, elsewhere, is not in this log'],
  ],
  [
    'one record before its parent',
    [{ parentUuid: 'u2' }, { parentUuid: null }],
    [
      'info lineage/forward-cause 1: 1 record comes before its parent: this happens if several writers append, and the graph is still correct',
    ],
  ],
  [
    'several of them',
    [{ parentUuid: 'u3' }, { parentUuid: 'u3' }, { parentUuid: null }],
    [
      'info lineage/forward-cause 1: 2 records come before their parents: this happens if several writers append, and the graph is still correct',
    ],
  ],
  [
    'a circle, which is said once',
    [{ parentUuid: null }, { parentUuid: 'u3' }, { parentUuid: 'u2' }, { parentUuid: 'u1' }],
    [
      'error lineage/cycle 2: following parentUuid from this record leads back to it after 2 records',
      'info lineage/forward-cause 2: 1 record comes before its parent: this happens if several writers append, and the graph is still correct',
    ],
  ],
  [
    'a call in a circle of records that say nothing',
    [
      { ...says('assistant', calls('c')), parentUuid: 'u2' },
      { type: 'system', parentUuid: 'u1' },
      { parentUuid: null },
    ],
    [
      'error lineage/cycle 1: following parentUuid from this record leads back to it after 2 records',
      'info lineage/forward-cause 1: 1 record comes before its parent: this happens if several writers append, and the graph is still correct',
      'info tool/unanswered 1: tool (c) has no result: it is on an abandoned branch, or was cut off by a compaction',
    ],
  ],
])('%s', async (_, events, expected) => {
  expect(await told(chain(...events))).toEqual(expected);
});

test('a call whose result was removed has none because a record is missing', async () => {
  const [call, , ...rest] = chain(
    says('assistant', calls('c')),
    says('user', answers('c')),
    says('assistant', calls('d')),
    says('user', answers('d')),
  );
  const found = await told(call === undefined ? [] : [call, ...rest]);
  expect(found.join('\n')).toContain(
    'tool (c) has no result: a record after it is missing, or it is on an abandoned branch',
  );
});

test('a log with an unreadable subagent is intact', () => {
  const dir = writeTree({ 'agent-1.jsonl/x': '', 'agent-2.jsonl': '{"sessionId":7}' });
  expect([1, 2, 3].map((one) => claudeCode.partOf?.(join(dir, `agent-${one}.jsonl`)))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('reports two sessions in one file, and a file with another name', async () => {
  expect(await more(changed(24, (event) => ({ ...event, sessionId: 'other' })))).toEqual([
    'info session/mixed 24',
  ]);
  const name = '11111111-0000-4000-8000-00000000a001.jsonl';
  const dir = writeTree({ [name]: shop.map((event) => `${JSON.stringify(event)}\n`).join('') });
  const report = await claudeCode.verify(
    { name, log: join(dir, name), dir: undefined },
    DEFAULT_VERIFY_OPTIONS,
  );
  expect(brief(report)).toContain('info session/file-name -');
});

test('logs of subagents are parts of their session, wherever they are below the folder', async () => {
  const session = 'aaaaaaaa-0000-4000-8000-00000000a001';
  const record = (agentId?: string) =>
    `${JSON.stringify({
      type: 'user',
      uuid: `u-${agentId}`,
      parentUuid: null,
      isSidechain: agentId !== undefined,
      sessionId: session,
      timestamp: '2026-10-05T09:00:00.000Z',
      message: { role: 'user', content: 'hello' },
      ...(agentId !== undefined && { agentId }),
    })}\n`;
  const dir = writeTree({
    [`p/${session}.jsonl`]: record(),
    'p/agent-1.jsonl': record('1'),
    [`p/${session}/subagents/agent-2.jsonl`]: `${record('2')}{"type":"us`,
    'q/agent-3.jsonl': record('3').replaceAll(session, 'bbbbbbbb-0000-4000-8000-00000000a001'),
    'p/cccccccc-0000-4000-8000-00000000a001.jsonl': '',
    'p/dddddddd-0000-4000-8000-00000000a001.jsonl': '{"other":1}\n',
  });
  const found = await findEpisodes(dir);
  expect(found.map(({ name, parts = [] }) => [name, parts.length])).toEqual([
    [session, 2],
    ['cccccccc-0000-4000-8000-00000000a001', 0],
    ['agent-3', 0],
  ]);
  const [first] = found;
  if (first === undefined) throw new Error('nothing was found');
  const report = await claudeCode.verify(first, DEFAULT_VERIFY_OPTIONS);
  expect(report.events).toBe(3);
  expect(report.findings.map(({ code, file, line }) => [code, file, line])).toEqual([
    ['log/truncated', `${session}/subagents/agent-2.jsonl`, 2],
  ]);
  // By the path of its file a session is the same.
  const byPath = await verifyEpisode(join(dir, 'p', `${session}.jsonl`));
  expect([byPath.events, byPath.findings]).toEqual([report.events, report.findings]);
});

/** Texts of a record that no check may judge: what people and tools said. */
function textsIn(
  value: JsonValue,
  path: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item as JsonValue, [...path, key]));
}

/** The basis of the envelope and of the pairing of calls. */
const STRUCTURE = new Set([
  'type',
  'uuid',
  'parentUuid',
  'sessionId',
  'timestamp',
  'id',
  'tool_use_id',
  'agentId',
]);

test('no change of a text in a payload raises a finding, unless the log has the text twice', async () => {
  const places = shop.flatMap((event, index) =>
    textsIn(event)
      .filter((path) => !STRUCTURE.has(String(path.at(-1))))
      .map((path) => ({ index, path })),
  );
  const usual = brief(await verify(shop));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      fc.string({ unit: 'binary', maxLength: 40 }),
      async ({ index, path }, text) => {
        const events = structuredClone(shop);
        let at = events[index] as unknown as Record<string | number, unknown>;
        for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
        at[path.at(-1) ?? ''] = text.toWellFormed();
        // The result of a call repeats parts of its input, and is in the log twice.
        const mayBeTwice = ['input', 'toolUseResult', 'content'].some((key) => path.includes(key));
        const found = brief(await verify(events)).filter(
          (one) => !mayBeTwice || !one.includes('copy-differs'),
        );
        expect(found).toEqual(usual);
      },
    ),
    { numRuns: times(40, 10) },
  );
});

test('notes a record that is stamped long before its parent, and not what a clock explains', async () => {
  const at = (timestamp: string) => changed(16, (event) => ({ ...event, timestamp }));
  expect(await more(at('2020-01-01T00:00:00.000Z'))).toEqual(['info event/time-order 16']);
  // Its parent is on line 14, and of 09:00:11.
  expect(await more(at('2026-10-05T08:58:00.000Z'))).toEqual(['info event/time-order 16']);
  expect(await more(at('2026-10-05T08:59:59.000Z'))).toEqual([]);
});

test('finds that one of the two results of a failed call was changed', async () => {
  const edited = (block: JsonObject) =>
    changed(13, (event) => {
      const message = event['message'] as JsonObject;
      const [result] = message['content'] as JsonObject[];
      return { ...event, message: { ...message, content: [{ ...result, ...block }] } };
    });
  expect(await more(edited({}))).toEqual([]);
  expect(await more(edited({ is_error: false }))).toEqual(['warn session/copy-differs 13']);
  expect(await more(edited({ is_error: false, content: 'all good' }))).toEqual([
    'warn session/copy-differs 13',
  ]);
  // The model read that its command had no fault.
  const content = 'expected 10, got 9\nExit code 0';
  expect(await more(edited({ content }))).toEqual(['warn session/copy-differs 13']);
  const marked = '<tool_use_error>Exit code 1\n  expected 10, got 9</tool_use_error>';
  expect(await more(edited({ content: marked }))).toEqual([]);
});

const GIT_SYNC = 'projects/-home-usr-git-sync/665c2e57-8c9f-4dd8-ba40-05c63f801620.jsonl';
const ALL = readFileSync(join(SAMPLES, 'claude-code', GIT_SYNC), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as JsonObject);

/** The changes of one member of the usage of each record of an answer, and what they raise. */
async function changesOfUsage(member: string, isChosen: (event: JsonObject) => boolean): Promise<string[][]> {
  const usageOf = ({ message }: JsonObject) => (isObject(message) ? message['usage'] : undefined);
  const chosen = ALL.flatMap((event, index) => {
    const usage = usageOf(event);
    return isObject(usage) && isChosen(event) ? [{ event, index, usage }] : [];
  });
  return Promise.all(
    chosen.map(async ({ event, index, usage }) => {
      const changed = { ...usage, [member]: Number(usage[member]) + 1000 };
      const message = { ...(event['message'] as JsonObject), usage: changed };
      return brief(await verify(ALL.with(index, { ...event, message })))
        .filter((one) => /copy-differs|usage/.test(one))
        .map((one) => one.replace(/ \d+$/, ''));
    }),
  );
}

test.each(['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens'])(
  'finds that %s of an answer is not that of its iterations',
  async (member) => {
    const hasIterations = ({ message }: JsonObject) => JSON.stringify(message).includes('"iterations":[{');
    const found = await changesOfUsage(member, hasIterations);
    expect(found.length).toBeGreaterThan(0);
    for (const one of found) expect(one).toContain('warn usage/total');
  },
);

test.each(['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'])(
  'finds that %s of an answer is not that in its other records',
  async (member) => {
    const id = ({ requestId, message }: JsonObject) =>
      isObject(message) ? `${requestId} ${message['id']}` : '';
    const isOfSeveral = (event: JsonObject) => ALL.filter((one) => id(one) === id(event)).length > 1;
    const found = await changesOfUsage(member, isOfSeveral);
    expect(found.length).toBeGreaterThan(0);
    for (const one of found) expect(one).toContain('warn session/copy-differs');
  },
);

test('finds that what was written to the cache is not the sum of its parts', async () => {
  const found = await changesOfUsage('cache_creation_input_tokens', () => true);
  expect(found.length).toBeGreaterThan(0);
  for (const one of found) expect(one).toContain('warn usage/total');
});

test.each([
  ['projects/-home-usr-demo-site', 'filePath'],
  ['projects/-home-usr-demo-site', 'oldString'],
  ['projects/-home-usr-demo-site', 'newString'],
  ['projects', 'prompt'],
])('finds in %s that %s of a kept result is not that of its call', async (folder, member) => {
  const below = join(SAMPLES, 'claude-code', folder);
  const logs = readdirSync(below, { recursive: true, encoding: 'utf8' }).filter((log) =>
    log.endsWith('.jsonl'),
  );
  let tried = 0;
  for (const log of logs) {
    const lines = readFileSync(join(below, log), 'utf8').trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as JsonObject);
    const at = events.findIndex(
      ({ toolUseResult: kept }) => isObject(kept) && typeof kept[member] === 'string',
    );
    if (at === -1) continue;
    tried += 1;
    const kept = events[at]?.['toolUseResult'] as JsonObject;
    const differing = async (text: string) => {
      const edited = events.with(at, { ...events[at], toolUseResult: { ...kept, [member]: text } });
      return brief(await verify(edited)).filter((one) => one.includes('copy-differs'));
    };
    expect(await differing(`${kept[member]} `)).toEqual([]);
    expect(await differing('/etc/passwd')).toEqual([`warn session/copy-differs ${at + 1}`]);
  }
  expect(tried).toBeGreaterThan(0);
});

const HUNKS: readonly (readonly [string, (lines: readonly string[]) => string[]])[] = [
  ['an added line', (lines) => lines.map((line) => (line.startsWith('+') ? `${line} or else` : line))],
  ['a removed line', (lines) => lines.map((line) => (line.startsWith('-') ? `${line} or else` : line))],
  ['the number of lines', (lines) => lines.slice(1)],
  ['the sign of a line', (lines) => lines.map((line) => line.replace(/^\+/, ' '))],
];

test.each(HUNKS)('finds in every edit that %s of its diff was changed', async (_, change) => {
  const below = join(SAMPLES, 'claude-code/projects');
  const logs = readdirSync(below, { recursive: true, encoding: 'utf8' }).filter((log) =>
    log.endsWith('.jsonl'),
  );
  let tried = 0;
  for (const log of logs) {
    const events = readFileSync(join(below, log), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject);
    for (const [at, event] of events.entries()) {
      const { toolUseResult: kept } = event;
      if (!isObject(kept) || !Array.isArray(kept['structuredPatch'])) continue;
      const hunks = kept['structuredPatch'] as unknown as { lines: string[] }[];
      const changed = hunks.map((hunk) => ({ ...hunk, lines: change(hunk.lines) }));
      if (JSON.stringify(changed) === JSON.stringify(hunks)) continue;
      tried += 1;
      const edited = { ...event, toolUseResult: { ...kept, structuredPatch: changed } } as JsonObject;
      expect(brief(await verify(events.with(at, edited)))).toContain(`warn session/copy-differs ${at + 1}`);
    }
  }
  expect(tried).toBeGreaterThan(0);
});

test.each([
  ['of which the program keeps no file', 'a\nb\nc', 'a\nB\nc', [' a', '-b', '+B', ' c'], true],
  ['of a part of a line', 'wood', 'stone', ['-a house of wood', '+a house of stone'], true],
  ['that is not that of its texts', 'a\nb\nc', 'a\nB\nc', [' a', '-b', '+X', ' c'], false],
])('compares the diff of an edit %s', async (_, oldString, newString, lines, isFine) => {
  const counts = {
    oldLines: lines.filter((line) => !/^\+/.test(line)).length,
    newLines: lines.filter((line) => !/^-/.test(line)).length,
  };
  const structuredPatch = [{ oldStart: 4, newStart: 4, ...counts, lines }];
  const input = { file_path: '/home/usr/a.txt', old_string: oldString, new_string: newString };
  const kept = { filePath: '/home/usr/a.txt', oldString, newString, originalFile: null, structuredPatch };
  const events = [
    claude(1, 'user', 'Change it'),
    claude(2, 'assistant', [{ type: 'tool_use', id: 'toolu_1', name: 'Edit', input }], { parentUuid: 'u1' }),
    claude(3, 'user', [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' }], {
      parentUuid: 'u2',
      toolUseResult: kept,
    }),
  ];
  expect(brief(await verify(events)).filter((one) => one.includes('copy'))).toEqual(
    isFine ? [] : ['warn session/copy-differs 3'],
  );
});

const AGENT = {
  status: 'completed',
  agentId: 'a1',
  totalTokens: 120,
  totalToolUseCount: 3,
  totalDurationMs: 429,
  usage: { input_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 60, output_tokens: 40 },
  toolStats: {
    readCount: 1,
    searchCount: 0,
    bashCount: 2,
    editFileCount: 0,
    linesAdded: 7,
    otherToolCount: 0,
  },
};
const TOTALS = '<usage>subagent_tokens: 120\ntool_uses: 3\nduration_ms: 429</usage>';

test.each([
  ['as the program writes them', {}, TOTALS, true],
  ['of an older version', { usage: undefined, toolStats: undefined }, 'Done', true],
  ['under an older name', {}, TOTALS.replace('subagent', 'total'), true],
  ['with other tokens', { totalTokens: 121 }, TOTALS, false],
  ['with other calls', { totalToolUseCount: 4 }, TOTALS, false],
  ['with another duration', { totalDurationMs: 430 }, TOTALS, false],
  ['with other tokens of its last request', { usage: { ...AGENT.usage, output_tokens: 41 } }, TOTALS, false],
  ['with other calls of a kind', { toolStats: { ...AGENT.toolStats, bashCount: 3 } }, TOTALS, false],
  ['with other tokens for the model', {}, TOTALS.replace('120', '1'), false],
  ['with other calls for the model', {}, TOTALS.replace(': 3', ': 4'), false],
])('compares the totals of a subagent %s', async (_, more, text, isFine) => {
  const input = { prompt: 'Look', description: 'look' };
  const toolUseResult = JSON.parse(JSON.stringify({ ...AGENT, prompt: 'Look', ...more }));
  const content = [
    { type: 'text', text: 'Found it' },
    { type: 'text', text },
  ];
  const events = [
    claude(1, 'user', 'Look for it'),
    claude(2, 'assistant', [{ type: 'tool_use', id: 'toolu_1', name: 'Agent', input }], { parentUuid: 'u1' }),
    claude(3, 'user', [{ type: 'tool_result', tool_use_id: 'toolu_1', content }], {
      parentUuid: 'u2',
      toolUseResult,
    }),
  ];
  expect(brief(await verify(events)).filter((one) => one.includes('copy'))).toEqual(
    isFine ? [] : ['warn session/copy-differs 3'],
  );
});

test.each([
  [1, []],
  [50, []],
  [120, ['warn event/time-order 2']],
])(
  'a record that was written %i seconds after its parent and comes before it was moved if that is long',
  async (seconds, expected) => {
    const events = [
      claude(1, 'user', 'Go'),
      claude(2 + seconds, 'user', 'And then', { parentUuid: 'u2' }),
      claude(2, 'assistant', [{ type: 'text', text: 'Done' }], { parentUuid: 'u1' }),
    ];
    expect(brief(await verify(events)).filter((one) => one.includes('time-order'))).toEqual(expected);
  },
);

test('lets the program add its own lines to a file of its memory, and nothing else', async () => {
  const asked = '---\nname: helper\nmetadata:\n  type: reference\n---\n\nIt calls git.\n';
  const kept = asked.replace(
    'metadata:\n',
    'metadata: \n  node_type: memory\n  originSessionId: 4f8f5e9b-9f90-4c22-88b9-988c55f45833\n',
  );
  const path = '/home/usr/.claude/projects/-home-usr-demo/memory/helper.md';
  const written = async (filePath: string, content: string) => {
    const call = {
      type: 'tool_use',
      id: 'toolu_1',
      name: 'Write',
      input: { file_path: filePath, content: asked },
    };
    const done = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'File created successfully' };
    const events = [
      claude(1, 'user', 'Note it'),
      claude(2, 'assistant', [call], { parentUuid: 'u1' }),
      claude(3, 'user', [done], { parentUuid: 'u2', toolUseResult: { type: 'create', filePath, content } }),
    ];
    return brief(await verify(events)).filter((one) => one.includes('copy-differs'));
  };
  expect(await written(path, kept)).toEqual([]);
  expect(await written(path, asked)).toEqual([]);
  expect(await written(path, kept.replace('git', 'rm'))).toEqual(['warn session/copy-differs 3']);
  expect(await written('/home/usr/demo/helper.md', kept)).toEqual(['warn session/copy-differs 3']);
});

test('finds that one of the two outputs of a command was changed', async () => {
  const events = ALL;
  const at = events.findIndex(({ toolUseResult: kept }) => isObject(kept) && kept['stdout']);
  const kept = events[at]?.['toolUseResult'] as JsonObject;
  const differing = async (stdout: string) => {
    const edited = events.with(at, { ...events[at], toolUseResult: { ...kept, stdout } });
    return brief(await verify(edited)).filter((one) => one.includes('copy-differs'));
  };
  expect(await differing(String(kept['stdout']))).toEqual([]);
  expect(await differing('all good')).toEqual([`warn session/copy-differs ${at + 1}`]);
  // The program shortens a long output for the model, and takes marks out.
  expect(await differing('all good '.repeat(1000))).toEqual([]);
  expect(await differing('<mark>all good</mark>')).toEqual([]);
  // Some versions give the model a summary, which they keep too.
  const summarized = (tokenSaverOutput: string) => {
    const toolUseResult = { ...kept, stdout: 'total 8\nall good', tokenSaverOutput };
    return verify(events.with(at, { ...events[at], toolUseResult }));
  };
  expect(brief(await summarized(String(kept['stdout']))).filter((one) => /copy/.test(one))).toEqual([]);
  expect(brief(await summarized('all bad'))).toContain(`warn session/copy-differs ${at + 1}`);
});
