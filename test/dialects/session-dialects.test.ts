import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import type { Dialect, Machine } from '../../src/dialects/dialect.ts';
import type { DialectStates } from '../../src/dialects/kit/states.ts';
import { NO_TOKENS } from '../../src/dialects/kit/tokens.ts';
import { totalText } from '../../src/dialects/kit/usage-words.ts';
import { dialectNamed } from '../../src/dialects/registry.ts';
import { states as claudeCode } from '../../src/dialects/sessions/claude-code/states.ts';
import { states as codex } from '../../src/dialects/sessions/codex/states.ts';
import { states as copilot } from '../../src/dialects/sessions/copilot/states.ts';
import { accountOfSession } from '../../src/dialects/sessions/kit/account.ts';
import type { CallStatus, SessionDocument } from '../../src/dialects/sessions/kit/session.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { readLog } from '../../src/log/read.ts';
import type { LogRecord } from '../../src/log/record.ts';
import { SAMPLES } from '../support/cli.ts';
import { expectedSessions, sessionOf } from './sessions.ts';

const named = (name: string): Dialect => {
  const dialect = dialectNamed(name);
  if (dialect === undefined) throw new Error(`there is no ${name}`);
  return dialect;
};

/** Shows each record of a sample. */
async function eachRecord(name: string, path: string, record: (record: LogRecord) => void): Promise<void> {
  await readLog(join(SAMPLES, name, path), AS_STORED, { record, corrupt: () => {} });
}

const FOLDERS: Readonly<Record<string, { variable: string; hidden: string; inside: readonly string[] }>> = {
  'claude-code': { variable: 'CLAUDE_CONFIG_DIR', hidden: '.claude', inside: ['projects'] },
  codex: { variable: 'CODEX_HOME', hidden: '.codex', inside: ['sessions', 'archived_sessions'] },
  copilot: { variable: 'COPILOT_HOME', hidden: '.copilot', inside: ['session-state'] },
};

describe.each(Object.entries(FOLDERS))('%s', (name, { variable, hidden, inside }) => {
  const dialect = named(name);

  test('keeps its logs in the folder of its variable, otherwise in the home', () => {
    const of = (machine: Machine) => dialect.homes?.(machine);
    const below = (dir: string) => inside.map((one) => join(dir, one));
    expect(of({ env: {}, home: '/home/a' })).toEqual(below(`/home/a/${hidden}`));
    expect(of({ env: { [variable]: '/srv/x' }, home: '/home/a' })).toEqual(below('/srv/x'));
    expect(of({ env: { [variable]: '~/x' }, home: '/home/a' })).toEqual(below('/home/a/x'));
    expect(of({ env: { [variable]: '~' }, home: '/home/a' })).toEqual(below('/home/a'));
    expect(of({ env: { [variable]: '~b/x' }, home: '/home/a' })).toEqual(below('~b/x'));
    expect(of({ env: { [variable]: '~/x' }, home: undefined })).toEqual(below('~/x'));
    expect(of({ env: { [variable]: '' }, home: undefined })).toEqual([]);
  });

  test('gives an event the same time as its record', async () => {
    let timed = 0;
    for (const [path] of expectedSessions(name))
      await eachRecord(name, path, (record) => {
        const time = dialect.view.time(record);
        expect(dialect.eventTime(record.value)).toBe(time);
        if (time !== undefined) timed += 1;
      });
    expect(timed).toBeGreaterThan(100);
  });

  test('selects the calls of a tool', async () => {
    const tool = dialect.filters?.find((filter) => filter.name === 'tool');
    for (const [path, { tools }] of expectedSessions(name)) {
      const found = new Set<string>();
      await eachRecord(name, path, (record) => {
        const value = tool?.value(record);
        if (value !== undefined) found.add(value);
      });
      expect([...found].sort(), path).toEqual(Object.keys(tools).sort());
    }
  });

  test('the schema that it publishes holds for what its program wrote', async () => {
    const event = (await dialect.schemas?.())?.['event'];
    const [path = ''] = expectedSessions(name).find(([one]) => !/damaged|legacy|older/.test(one)) ?? [];
    let held = 0;
    await eachRecord(name, path, (record) => {
      if (event?.schema.safeParse(record.value).success === true) held += 1;
    });
    expect(held).toBeGreaterThan(5);
    expect(event?.schema.safeParse({}).success).toBe(false);
  });
});

/** The lines with which the log of a sample is over. */
async function overOn(name: string, path: string): Promise<number[]> {
  const ending = named(name).ending?.();
  const lines: number[] = [];
  await eachRecord(name, path, (record) => {
    if (ending?.isOver(record)) lines.push(record.line);
  });
  return lines;
}

test('a non-interactive thread is over with its turn', async () => {
  const [path = '', { records } = { records: 0 }] = expectedSessions('codex')[0] ?? [];
  expect(await overOn('codex', path)).toEqual([records]);
  const ending = named('codex').ending?.();
  const at = (value: JsonObject) => ending?.isOver({ value } as LogRecord);
  const end = { type: 'event_msg', payload: { type: 'task_complete' } };
  expect([at({ type: 'session_meta', payload: { originator: 'codex_cli' } }), at(end)]).toEqual([
    false,
    false,
  ]);
});

test('a session is over when its program shuts down', async () => {
  const whole = expectedSessions('copilot').filter(([path]) => !path.startsWith('damaged'));
  for (const [path, { records, closed }] of whole)
    expect((await overOn('copilot', path)).includes(records), path).toBe(closed);
});

test('the types of a session are sorted by their first word', async () => {
  const types = (await named('copilot').eventTypes?.()) ?? [];
  const typesOf = (wanted: string) => types.filter(({ group }) => group === wanted).map(({ type }) => type);
  expect(typesOf('tool')).toEqual(['tool.execution_start', 'tool.execution_complete', 'tool.user_requested']);
  expect(typesOf('abort')).toEqual(['abort']);
});

test('messages of a transcript are selected by their session', async () => {
  const filter = named('claude-code').filters?.find((one) => one.name === 'session');
  const id = '5e550000-0000-4000-8000-00000000a001';
  const found = new Set<string | undefined>();
  const path = `projects/-home-usr-shop/${id}.jsonl`;
  await eachRecord('claude-code', path, (record) => found.add(filter?.value(record)));
  expect([...found].filter((session) => session !== undefined)).toEqual([id]);
});

/** A small session in the form of each program: a call that failed, and one that is open. */
const SMALL: readonly (readonly [string, DialectStates, readonly JsonObject[]])[] = [
  [
    'claude-code',
    claudeCode,
    [
      { type: 'user', message: { content: 'go\non' } },
      { type: 'assistant', message: { content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: {} }] } },
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true }] } },
      {
        type: 'assistant',
        message: { content: [{ type: 'tool_use', id: 'b', name: 'Read', input: { path: 'x' } }] },
      },
    ],
  ],
  [
    'codex',
    codex,
    [
      { type: 'message', role: 'user', content: 'go\non' },
      { type: 'function_call', call_id: 'a', name: 'Bash' },
      { type: 'function_call_output', call_id: 'a', output: 'Exit code: 1' },
      { type: 'function_call', call_id: 'b', name: 'Read', arguments: '{"path":"x"}' },
    ],
  ],
  [
    'copilot',
    copilot,
    [
      { type: 'user.message', data: { content: 'go\non' } },
      { type: 'tool.execution_start', data: { toolCallId: 'a', toolName: 'Bash' } },
      { type: 'tool.execution_complete', data: { toolCallId: 'a', success: false } },
      { type: 'tool.execution_start', data: { toolCallId: 'b', toolName: 'Read', arguments: { path: 'x' } } },
    ],
  ],
];

test.each(SMALL)('a session of %s is shown as people read it', (_, states, events) => {
  const view = states.view(sessionOf(states, events));
  const rows = (title: string) =>
    view
      .find((section) => section.title === title)
      ?.table?.rows.map((cells) => cells.map(({ text }) => text));
  expect(view[0]?.fields?.map(({ label, text }) => [label, text])).toEqual([
    ['Task', 'go …'],
    ['Status', 'open'],
  ]);
  expect(rows('Turns')).toEqual([['1', 'open', '2', '1', 'go']]);
  expect(rows('Calls')).toEqual([
    ['2', 'error', '', 'Bash'],
    ['4', 'open', '', 'Read: x'],
  ]);
});

const EMPTY: SessionDocument = {
  session: {},
  status: 'open',
  turns: [],
  calls: [],
  files: [],
  agents: [],
  models: [],
  tokens: {},
  compactions: 0,
  links: [],
  problems: [],
};

test('values that a session does not have are left out', () => {
  expect(codex.view(EMPTY)).toEqual([{ fields: [{ label: 'Status', text: 'open' }] }]);
});

test('an answer to an earlier prompt is not the outcome', () => {
  const turn = { prompt: 'go', calls: 0, failed: 0, status: 'open' } as const;
  const view = codex.view({ ...EMPTY, turns: [{ ...turn, line: 5 }], outcome: 'done', outcome_line: 3 });
  expect(JSON.stringify(view)).not.toContain('Outcome');
});

test('a total of tokens that the log does not have is unknown', () => {
  expect(totalText({ tokens: NO_TOKENS, lacks: { answers: 1 } })).toBe('unknown');
  expect(totalText({ tokens: NO_TOKENS })).toBe('0');
  expect(totalText({ tokens: { ...NO_TOKENS, input: 3 }, lacks: { answers: 1 } })).toBe('at least 3');
});

test('shows the name of a session, its calls by how they ended, and the first of many files', () => {
  const call = { id: 'c', tool: 'Bash', input: '', line: 2, duration_ms: 7.6 } as const;
  const view = codex.view({
    ...EMPTY,
    session: { id: 's', resumes: 2, versions: ['1', '2'] },
    title: 'Mine',
    outcome: 'all done\nand more',
    outcome_line: 9,
    status: 'done',
    calls: [
      { ...call, status: 'ok' },
      { ...call, status: 'denied' },
    ],
    files: Array.from({ length: 17 }, (_, index) => ({ path: `f${index}`, edits: 1, line: index })),
    agents: [
      { id: 'a', line: 3 },
      { id: 'b', line: 4, name: 'B', description: 'reads', status: 'done', tokens: 5 },
    ],
    tokens: { m: { ...NO_TOKENS, input: 1, output: 2 } },
    compactions: 1,
  });
  expect(view).toMatchObject([
    { fields: [{ text: 'Mine' }, { text: 'done', tone: 'good' }, { label: 'Outcome', text: 'all done …' }] },
    {
      title: 'Session',
      fields: [
        { label: 'id', text: 's' },
        { label: 'resumes', text: '2' },
        { label: 'versions', text: '1, 2' },
        { label: 'compactions', text: '1' },
      ],
    },
    {
      title: 'Calls',
      table: {
        rows: [
          [{ text: '2' }, { text: 'ok', tone: 'good' }, { text: '7.6 ms' }, { text: 'Bash' }],
          [{ text: '2' }, { text: 'refused', tone: 'doubtful' }, { text: '7.6 ms' }, { text: 'Bash' }],
        ],
      },
    },
    {
      title: 'Subagents',
      table: {
        rows: [
          [{ text: '3' }, { text: '' }, { text: '' }, { text: '' }, { text: 'a' }],
          [{ text: '4' }, { text: 'done' }, { text: '5' }, { text: 'B: reads' }, { text: 'b' }],
        ],
      },
    },
    { title: 'Files', table: { rows: { length: 15 } }, lines: [{ text: 'and 2 more' }] },
    { title: 'Tokens', fields: [{ label: 'm', text: 'input 1, output 2' }] },
  ]);
});

test('an account without a prompt names the open call as the cause, and the failed calls before it on the way', () => {
  const call = (status: CallStatus, line: number) => ({ tool: 'Bash', input: '', line, status });
  const { why, onTheWay = [] } = accountOfSession(
    {
      ...EMPTY,
      calls: [call('error', 2), { ...call('denied', 3), result_line: 5 }, call('ok', 4), call('open', 6)],
    },
    [],
  );
  const brief = (reasons: typeof why) =>
    reasons.map(({ kind, tone, line, resultLine }) => [line, resultLine, kind, tone]);
  expect(brief(why)).toEqual([[6, undefined, 'open call', 'doubtful']]);
  expect(brief(onTheWay)).toEqual([
    [2, undefined, 'failed call', 'bad'],
    [3, 5, 'denied call', 'doubtful'],
  ]);
});
