import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Copied } from '../../src/dialects/kit/copied.ts';
import { type Tokens, totalTokens } from '../../src/dialects/kit/tokens.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

// What a log has from another session is shown and marked. It counts where it was made (decision 0018).

type Rec = Readonly<Record<string, unknown>>;

const textOf = (records: readonly Rec[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** The time some seconds after ten o'clock. */
const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 2, 10) + seconds * 1000).toISOString();

const [CODEX_ORIGIN, CODEX_FORK] = [
  '01a19c4a-cae0-7d8f-b025-c2bcdf030d7f',
  '01a19cbe-c239-788d-9533-740ae5615230',
];

/** A turn of Codex with a command, which the program measured. `time`: of each record. */
function codexTurn(turn: string, prompt: string, total: number, time: (second: number) => string): Rec[] {
  const event = (second: number, payload: Rec): Rec => ({
    timestamp: time(second),
    type: 'event_msg',
    payload,
  });
  const item = (second: number, payload: Rec): Rec => ({
    timestamp: time(second),
    type: 'response_item',
    payload,
  });
  const call = { call_id: `call_${turn}` };
  const counts = { input_tokens: total, total_tokens: total };
  return [
    event(0, { type: 'task_started', turn_id: turn }),
    event(0, { type: 'user_message', message: prompt }),
    item(1, { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"npm test"}', ...call }),
    event(35, {
      type: 'exec_command_end',
      ...call,
      exit_code: 1,
      duration: { secs: 33, nanos: 800_000_000 },
    }),
    item(35, { type: 'function_call_output', ...call, output: 'Process exited with code 1\nno' }),
    event(35, {
      type: 'token_count',
      info: { total_token_usage: counts, last_token_usage: { input_tokens: 100, total_tokens: 100 } },
    }),
    event(40, { type: 'agent_message', message: 'done' }),
    event(40, { type: 'task_complete', turn_id: turn, last_agent_message: 'done', duration_ms: 40_000 }),
  ];
}

const codexHead = (id: string, time: string, more: Rec = {}): Rec => ({
  timestamp: time,
  type: 'session_meta',
  payload: { id, timestamp: time, cwd: '/work', cli_version: '0.128.0', ...more },
});

/** A fork of Codex: everything that it copied has the time of the copying. */
function codexFork(): Readonly<Record<string, string>> {
  const history = (time: (second: number) => string) => [
    codexHead(CODEX_ORIGIN, time(0)),
    ...codexTurn('01a19c4a-cb44-7687-be20-7e1461797b70', 'Find the fault', 100, time),
  ];
  const [days, own] = [(second: number) => at(second), (second: number) => at(7590 + second)];
  return {
    [`rollout-2026-11-02T13-45-09-${CODEX_ORIGIN}.jsonl`]: textOf(history(days)),
    [`rollout-2026-11-02T15-51-49-${CODEX_FORK}.jsonl`]: textOf([
      codexHead(CODEX_FORK, own(0), { forked_from_id: CODEX_ORIGIN }),
      ...history(() => own(0)),
      ...codexTurn('01a19cbe-d000-7687-be20-7e1461797b70', 'Repair it', 200, (second) => own(10 + second)),
    ]),
  };
}

const [CLAUDE_ORIGIN, CLAUDE_FORK] = [
  '51f9c272-d1e4-4c63-9af1-d791c440e847',
  '38e05bf2-eabb-4be7-8024-6eba0abca0c5',
];

/** A turn of Claude Code with a failed command. */
function claudeTurn(from: number, prompt: string, sessionId: string, parent: string | null): Rec[] {
  const uuid = (place: number) => `${from}-${place}`;
  const common = (place: number): Rec => ({
    uuid: uuid(place),
    parentUuid: place === 0 ? parent : uuid(place - 1),
    isSidechain: false,
    sessionId,
    cwd: '/work',
    version: '2.1.219',
    timestamp: at(from + place * 10),
  });
  const answer = (place: number, id: string, stop: string, content: readonly Rec[]): Rec => ({
    ...common(place),
    type: 'assistant',
    message: {
      id: `msg_${from}_${id}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-5',
      stop_reason: stop,
      content,
      usage: { input_tokens: 40, output_tokens: 10 },
    },
  });
  const use = { type: 'tool_use', id: `toolu_${from}`, name: 'Bash', input: { command: 'npm test' } };
  const result = {
    type: 'tool_result',
    tool_use_id: `toolu_${from}`,
    content: 'Exit code 1',
    is_error: true,
  };
  return [
    { ...common(0), type: 'user', message: { role: 'user', content: prompt } },
    answer(1, 'a', 'tool_use', [use]),
    { ...common(2), type: 'user', message: { role: 'user', content: [result] } },
    answer(3, 'b', 'end_turn', [{ type: 'text', text: 'done' }]),
  ];
}

/** A fork of Claude Code that `/branch` made: each copy says where it is from, and keeps its time. */
function claudeFork(): Readonly<Record<string, string>> {
  const history = (id: string) => claudeTurn(0, 'Find the fault', id, null);
  const copies = history(CLAUDE_FORK).map((record) => ({
    ...record,
    forkedFrom: { sessionId: CLAUDE_ORIGIN, messageUuid: record['uuid'] },
  }));
  return {
    [`${CLAUDE_ORIGIN}.jsonl`]: textOf(history(CLAUDE_ORIGIN)),
    [`${CLAUDE_FORK}.jsonl`]: textOf([...copies, ...claudeTurn(7590, 'Repair it', CLAUDE_FORK, '0-3')]),
  };
}

/** A fork of Claude Code whose copies have no mark. `kept`: they keep the id of the first session, as in older versions. */
function unmarkedFork(kept: boolean): Readonly<Record<string, string>> {
  const history = (id: string) => claudeTurn(0, 'Find the fault', id, null);
  const [prompt = {}, ...rest] = history(CLAUDE_ORIGIN);
  const snapshot = { type: 'file-history-snapshot', messageId: '0-0', snapshot: {}, isSnapshotUpdate: false };
  return {
    [`${CLAUDE_ORIGIN}.jsonl`]: textOf([prompt, snapshot, ...rest]),
    [`${CLAUDE_FORK}.jsonl`]: textOf([
      ...history(kept ? CLAUDE_ORIGIN : CLAUDE_FORK),
      ...claudeTurn(7590, 'Repair it', CLAUDE_FORK, '0-3'),
    ]),
  };
}

const [COPILOT_ORIGIN, COPILOT_FORK] = [
  '4e847a81-138a-4613-9f96-49673e91c9c3',
  'bf0ec435-cfef-42de-9f40-b66bedb9d877',
];

/** A fork of the Copilot CLI: what it copied is older than its start. */
function copilotFork(): Readonly<Record<string, string>> {
  let last: string | null = null;
  const record = (second: number, type: string, data: Rec): Rec => {
    const [id, parentId] = [`${type} ${second}`, last];
    last = id;
    return { id, timestamp: at(second), parentId, type, data };
  };
  const start = (second: number, sessionId: string) =>
    record(second, 'session.start', {
      sessionId,
      version: 1,
      producer: 'copilot-agent',
      startTime: at(second),
    });
  const turn = (second: number, content: string): Rec[] => [
    record(second, 'user.message', { content }),
    record(second + 1, 'assistant.turn_start', { turnId: '0' }),
    record(second + 2, 'assistant.message', {
      messageId: `m${second}`,
      content: '',
      model: 'mock-model',
      toolRequests: [{ toolCallId: `c${second}`, name: 'bash', arguments: { command: 'npm test' } }],
    }),
    record(second + 3, 'tool.execution_start', {
      toolCallId: `c${second}`,
      toolName: 'bash',
      arguments: { command: 'npm test' },
    }),
    record(second + 9, 'tool.execution_complete', {
      toolCallId: `c${second}`,
      success: false,
      error: { message: 'no' },
    }),
    record(second + 10, 'session.usage_record', {
      usage: { model: 'mock-model', inputTokens: 90, outputTokens: 10 },
    }),
    record(second + 11, 'assistant.message', {
      messageId: `n${second}`,
      content: 'done',
      model: 'mock-model',
    }),
    record(second + 12, 'assistant.turn_end', { turnId: '0' }),
  ];
  const history = [start(0, COPILOT_ORIGIN), ...turn(1, 'Find the fault')];
  return {
    [`${COPILOT_ORIGIN}/events.jsonl`]: textOf(history),
    [`${COPILOT_FORK}/events.jsonl`]: textOf([
      { ...start(7590, COPILOT_FORK), parentId: null, id: 'session.start 0' },
      ...history.slice(1),
      record(7591, 'session.info', { infoType: 'fork', message: `Forked from ${COPILOT_ORIGIN}` }),
      ...turn(7600, 'Repair it'),
    ]),
  };
}

const sample = (name: string): string => readFileSync(join(SAMPLES, name), 'utf8');

/** The origin and the fork, as files. */
const FORKS: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  'claude-code': claudeFork,
  'claude-code without marks': () => unmarkedFork(false),
  'claude-code that kept the ids of sessions': () => unmarkedFork(true),
  codex: codexFork,
  copilot: copilotFork,
  pi: () => ({
    '2026-11-23T09-27-49-367Z_01a207bb-ab76-76b1-9106-9bd742ab9d4d.jsonl': sample(
      'pi/v3-interrupts-0.87.1.jsonl',
    ),
    '2026-11-23T09-27-52-577Z_01a207bb-b801-76b1-9106-9bd9e76003b1.jsonl': sample('pi/v3-fork-0.87.1.jsonl'),
  }),
  opencode: () => ({ 'fork.json': sample('opencode/export/fork-1.18.33.json') }),
};

interface Turn {
  readonly turn: number;
  readonly copied?: true;
  readonly tokens?: Tokens;
  readonly items: readonly { readonly kind: string; readonly copied?: true; readonly status?: string }[];
}

interface Span {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string }[];
}

const linesOf = async (...args: string[]) =>
  (await runHere(args)).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const json = async (...args: string[]) => JSON.parse((await runHere([...args, '-j'])).stdout);

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe.each(Object.entries(FORKS))('a fork of %s', (_dialect, files) => {
  const tree = files();
  const folder = writeTree(tree);
  const [origin, last] = [Object.keys(tree)[0] ?? '', Object.keys(tree).at(-1) ?? ''];
  const log = join(folder, last);

  test('shows what it copied, and counts its own', async () => {
    const { turns, copied, tokens } = (await json('read', log)) as {
      turns: Turn[];
      copied: Copied;
      tokens?: Tokens;
    };
    const own = turns.filter((turn) => turn.turn > 0 && !turn.copied);
    expect(copied.turns).toBe(turns.filter((turn) => turn.copied).length);
    expect(copied.turns).toBeGreaterThan(0);
    expect(copied.calls).toBeGreaterThan(0);
    const calls = turns.flatMap(({ items }) => items.filter(({ kind }) => kind === 'call'));
    expect(calls.filter((call) => call.copied)).toHaveLength(copied.calls);
    const ownCalls = calls.filter((call) => !call.copied);
    const show = await json('show', log);
    expect(show.copied).toEqual(copied);
    expect(show.steps.filter((step: Turn) => step.copied)).toHaveLength(copied.turns);
    expect(sum((show.tools ?? []).map((tool: { calls: number }) => tool.calls))).toBe(ownCalls.length);
    expect(sum((show.tools ?? []).map((tool: { failed: number }) => tool.failed))).toBe(
      ownCalls.filter(({ status }) => status !== 'ok').length,
    );
    const [listed] = await json('list', log);
    expect(listed.turns).toBe(own.length);
    expect([show.tokens, listed.tokens]).toEqual([tokens, tokens]);
    const stats = await json('stats', log);
    expect(stats.copied_calls).toBe(copied.calls);
    expect(stats.tokens).toEqual(tokens);
    const rows = await linesOf('timeline', log, '-j');
    const ofCopies = rows.filter((row) => row.copied);
    expect(ofCopies).toHaveLength(copied.turns + copied.calls);
    // They are not in the time of the run.
    expect(ofCopies.filter(({ start, end }) => start !== undefined || end !== undefined)).toEqual([]);
    const { stdout } = await runHere(['show', log]);
    expect(stdout).toMatch(/^Copied +\d+ turns? and \d+ calls? from (?:it|another session), not counted/m);
    expect((await runHere(['read', log])).stdout).toContain('(copied)');
    const { behaviour } = await json('diff', log, log);
    const facts = { calls: ownCalls.length, copied };
    expect(behaviour.facts).toMatchObject({ a: facts, b: facts });
  });

  test('adds up with its origin', async () => {
    if (origin === last) return;
    const [first, fork, both] = [
      await json('stats', join(folder, origin)),
      await json('stats', log),
      await json('stats', folder),
    ];
    const callsIn = (tools: Readonly<Record<string, { count: number }>>) =>
      sum(Object.values(tools ?? {}).map(({ count }) => count));
    expect(callsIn(both.tools)).toBe(callsIn(first.tools) + callsIn(fork.tools));
    expect(totalTokens(both.tokens)).toBe(totalTokens(first.tokens) + totalTokens(fork.tokens));
    expect(both).not.toHaveProperty('copied_tokens');
    const listed = await json('list', folder);
    expect(sum(listed.map(({ tokens }: { tokens: Tokens }) => totalTokens(tokens)))).toBe(
      totalTokens(both.tokens),
    );
    expect(both.idle_ms ?? 0).toBe((first.idle_ms ?? 0) + (fork.idle_ms ?? 0));
  });
});

test('a duration that a copied record of codex states counts, and the time between two times of the copying does not', async () => {
  const folder = writeTree(codexFork());
  const log = join(folder, Object.keys(codexFork()).at(-1) ?? '');
  const { turns, copied } = await json('read', log);
  expect(copied).toMatchObject({ from: CODEX_ORIGIN, turns: 1, calls: 1 });
  expect(turns[0]).toMatchObject({ copied: true, duration_ms: 40_000 });
  expect(turns[0]).not.toHaveProperty('time');
  expect(turns[0].items.find(({ kind }: { kind: string }) => kind === 'call')).toMatchObject({
    duration_ms: 33_800,
    copied: true,
  });
  const records = await linesOf('timeline', log, '--records', '-j');
  const result = records.find(({ line }) => line === 7);
  expect(result).toMatchObject({ name: 'exec_command', duration_ms: 33_800, copied: true });
  expect(result).not.toHaveProperty('start');
  expect(records.filter((record) => record.copied && record.start !== undefined)).toEqual([]);
  const trace = JSON.parse((await runHere(['export', log, '-f', 'otlp'])).stdout);
  const spans: readonly Span[] = trace.resourceSpans[0].scopeSpans[0].spans;
  const copies = spans.filter(({ attributes }) => attributes.some(({ key }) => key === 'noesis.copied'));
  expect(copies.length).toBeGreaterThan(5);
  // A bar of 33.8 s at the time of the copying would be untrue.
  for (const { startTimeUnixNano: start, endTimeUnixNano: end } of copies) expect(end).toBe(start);
  const { tools, failed } = await json('stats', folder);
  expect(tools.exec_command).toMatchObject({ count: 2, p50: 33_800 });
  expect(failed).toMatchObject([{ count: 2 }]);
});

test('a fork that gets the result of a copied call counts neither, and its turn begins with its own work', async () => {
  const [prompt, call, result, answer] = claudeTurn(0, 'Find the fault', CLAUDE_FORK, null);
  const copies = [prompt, call].map((record) => ({ ...record, forkedFrom: { sessionId: CLAUDE_ORIGIN } }));
  const own = [result, answer].map((record, place) => ({ ...record, timestamp: at(7590 + 10 * place) }));
  const folder = writeTree({ [`${CLAUDE_FORK}.jsonl`]: textOf([...copies, ...own]) });
  const show = await json('show', join(folder, `${CLAUDE_FORK}.jsonl`));
  expect(show).toMatchObject({
    copied: { turns: 0, calls: 1 },
    tools: [],
    started_at: at(7590),
    duration_ms: 10_000,
  });
  expect(show).not.toHaveProperty('on_the_way');
  expect(show.steps).toMatchObject([{ calls: 0, failed: 0 }]);
  const [listed] = await json('list', folder);
  expect(listed).toMatchObject({ turns: 1, started_at: at(7590), took_ms: 10_000 });
  expect(await json('stats', folder)).toMatchObject({ failed: [], tools: {}, copied_calls: 1 });
});

test('list names the origin of a fork where a narrow terminal does not cut it', async () => {
  const logs = Object.entries(codexFork()).map(([name, text]) => [
    `.codex/sessions/2026/11/02/${name}`,
    text,
  ]);
  const home = writeTree(Object.fromEntries(logs));
  const { stdout } = await runHere(['list'], { home, cwd: home, columns: 80 });
  expect(stdout).toMatch(/fork of 01a19c4\w*: R/);
  expect(stdout.match(/Find/g)).toHaveLength(1);
});

test('diff compares the files that copied calls changed, as it compares these calls, and counts them in the origin', async () => {
  const patch = '*** Begin Patch\n*** Add File: notes.txt\n+hello\n*** End Patch\n';
  const withPatch = (text: string): string =>
    text.replace(/^.*"function_call_output".*\n/m, (line) => {
      const { timestamp } = JSON.parse(line) as Rec;
      const item = (payload: Rec) => ({
        timestamp,
        type: 'response_item',
        payload: { call_id: 'call_p', ...payload },
      });
      const call = { type: 'custom_tool_call', name: 'apply_patch', input: patch };
      return line + textOf([item(call), item({ type: 'custom_tool_call_output', output: 'Success' })]);
    });
  const tree = Object.entries(codexFork()).map(([name, text]) => [name, withPatch(text)] as const);
  const folder = writeTree(Object.fromEntries(tree));
  const [origin = '', fork = ''] = tree.map(([name]) => join(folder, name));
  const { behaviour } = await json('diff', origin, fork);
  expect(behaviour.files).toMatchObject({ both: ['notes.txt'], a: [], b: [], differ: [] });
  expect(behaviour.facts).toMatchObject({ a: { calls: 2, files: 1 }, b: { calls: 1, files: 0 } });
  const { stdout } = await runHere(['diff', origin, fork]);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /Copied none 1 turn and 2 calls, which changed 1 file; only compared/,
  );
  expect(behaviour.facts.b.copied_files).toBe(1);
  expect(behaviour.facts.a).not.toHaveProperty('copied_files');
  expect(await json('show', fork, '--changes')).toMatchObject({
    files: [],
    copied: { from: CODEX_ORIGIN, files: 1 },
  });
  const changes = (await runHere(['show', fork, '--changes'])).stdout.split('\n');
  expect(changes[0]).toMatch(/^No file changes of its own in this log/);
  expect(changes.slice(1, 3)).toEqual([
    'What it copied from its origin changed 1 file, not counted here:',
    `noesis show ${CODEX_ORIGIN} --changes`,
  ]);
  expect(await json('show', origin, '--changes')).not.toHaveProperty('copied');
});
