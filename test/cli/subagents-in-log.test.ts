import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { at, logOf } from '../support/claude-records.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';

// The records of a subagent may be in the log of its session: in older versions of Claude Code, and in the Copilot CLI.

const TWO = join(
  SAMPLES,
  'claude-code/projects/-home-usr-w-128-twosubs/cdc3a354-ab26-491a-bb65-d328eb16cc5f.jsonl',
);
const COPILOT = join(SAMPLES, 'copilot/session-state/bf0ec435-cfef-42de-9f40-b66bedb9d877');

const output = async (...args: string[]): Promise<string> =>
  (await runHere(args, { columns: 80, env: { NO_COLOR: '1' } })).stdout;
const json = async (...args: string[]) => JSON.parse(await output(...args, '-j'));

type Rec = Readonly<Record<string, unknown>>;

/** A session with records of subagents. Each record is a second later than the one before. */
class Log {
  readonly records: Rec[] = [];

  add(type: string, uuid: string, parent: string | null, content: unknown, more: Rec = {}): this {
    const timestamp = at(this.records.length);
    const model = type === 'assistant' && {
      model: 'claude-sonnet-4-20250514',
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5 },
    };
    const message = { id: `m-${uuid}`, role: type, content, ...model };
    const head = { type, uuid, parentUuid: parent, sessionId: 's', isSidechain: false, timestamp };
    this.records.push({ ...head, version: '1.0.57', message, ...more });
    return this;
  }

  task(uuid: string, parent: string, prompt: string, description: string): this {
    const input = { description, prompt };
    return this.add('assistant', uuid, parent, [
      { type: 'tool_use', id: `call-${uuid}`, name: 'Task', input },
    ]);
  }

  result(uuid: string, parent: string, of: string, more: Rec = {}): this {
    const content = [{ type: 'tool_result', tool_use_id: `call-${of}`, content: 'back', ...more }];
    return this.add('user', uuid, parent, content);
  }

  side(type: string, uuid: string, parent: string | null, content: unknown): this {
    return this.add(type, uuid, parent, content, { isSidechain: true });
  }

  /** A subagent that runs a command and answers. */
  chain(name: string, prompt: string): this {
    const command = {
      type: 'tool_use',
      id: `bash-${name}`,
      name: 'Bash',
      input: { command: `echo ${name}` },
    };
    const result = { type: 'tool_result', tool_use_id: `bash-${name}`, content: name };
    return this.side('user', `${name}1`, null, prompt)
      .side('assistant', `${name}2`, `${name}1`, [command])
      .side('user', `${name}3`, `${name}2`, [result])
      .side('assistant', `${name}4`, `${name}3`, [{ type: 'text', text: `${name} is done` }]);
  }

  write(): string {
    return logOf('s.jsonl', this.records);
  }
}

interface Entry {
  readonly name: string;
  readonly title?: string;
  readonly status: string;
  readonly calls: number;
}

/** The subagents of a story by the lines of their calls, and those without. */
async function startsIn(log: string): Promise<(readonly [line: number, title: string | undefined])[]> {
  const { turns, subagent_runs: runs = [] } = await json('read', log);
  type Item = { readonly line: number; readonly subagents?: readonly Entry[] };
  const items: Item[] = turns.flatMap((turn: { items: Item[] }) => turn.items);
  return [
    ...items.flatMap(({ line, subagents = [] }) => subagents.map(({ title }) => [line, title] as const)),
    ...runs.map(({ title }: Entry) => [0, title] as const),
  ];
}

describe('read', () => {
  test('folds the steps of a subagent below the call that started it, and counts its calls in the turn', async () => {
    const text = await output('read', TWO);
    expect(text).toMatch(
      /^ +2 {2}Task {2}count lines .*\n.*There are 2 lines\.\n {6}↳ general-purpose: count lines; completed; 1 call; 3,702 tokens;/m,
    );
    expect(text).not.toContain('echo 2 lines');
    expect(text).toContain('done; 734 ms; 4 calls; 11,106 tokens');
    // They have no logs that could be read alone.
    expect(text.trimEnd()).toMatch(/\n2 subagents are folded; --all shows their steps\.$/);
    expect((await output('read', TWO, '-f', 'markdown')).trimEnd()).toMatch(
      /\n2 subagents are folded; --all shows their steps\.$/,
    );
  });

  test('opens them with --all, with the lines of the log', async () => {
    const text = await output('read', TWO, '--all');
    expect(text).toMatch(/↳ general-purpose: count words;(?:.*\n)+? {6}┊ {4}9 {2}Bash {2}echo 2 lines/);
    expect(text).not.toContain('folded');
    expect(text).toContain('done; 734 ms; 4 calls; 11,106 tokens');
  });

  test('shows lines that are asked for in their place', async () => {
    const text = await output('read', TWO, '--from', '3', '--to', '9');
    expect(text).toMatch(/^ {3}5 {2}┊ Bash {2}echo 2 lines/m);
    expect(text).not.toContain('folded');
  });

  test('has the steps in their place in JSON, with the name of the entry below the call', async () => {
    const { turns } = await json('read', TWO);
    const items: { kind: string; line: number; agent?: string; subagents?: Entry[] }[] = turns[0].items;
    const [first] = items.flatMap(({ subagents = [] }) => subagents);
    expect(first).toMatchObject({ title: 'general-purpose: count lines', status: 'completed', calls: 1 });
    expect(first).not.toHaveProperty('log');
    expect(items.filter(({ agent }) => agent === first?.name).map(({ line }) => line)).toEqual([4, 5, 7]);
    expect(turns[0]).not.toHaveProperty('all_calls');
  });

  test('folds those of the Copilot CLI too', async () => {
    const text = await output('read', COPILOT);
    expect(text).toMatch(
      /^ +7 {2}task {2}count lines .*\n.*\n {6}↳ counter: count lines; completed; 1 call\n/m,
    );
    expect(text).not.toMatch(/^ +16 {2}/m);
    expect(text).toContain('done; 336 ms; 2 calls;');
  });
});

test('show says what each subagent did and used, and the tokens count once', async () => {
  const { agents, tokens, steps } = await json('show', TWO);
  expect(agents).toMatchObject([
    {
      line: 2,
      title: 'general-purpose: count lines',
      status: 'completed',
      calls: 1,
      tokens: 3702,
      counted: 'step',
    },
    {
      line: 3,
      title: 'general-purpose: count words',
      status: 'completed',
      calls: 1,
      tokens: 3702,
      counted: 'step',
    },
  ]);
  expect(Object.values(tokens as Record<string, number>).reduce((sum, one) => sum + one)).toBe(11_106);
  expect(steps).toMatchObject([{ calls: 4, tokens: 11_106 }]);
  expect(await output('show', TWO)).toContain('7,404 tokens are in the total and in the turns');
});

test('the numbers of a subagent are the same in show and read', async () => {
  for (const log of [TWO, COPILOT]) {
    const { agents } = await json('show', log);
    const { turns } = await json('read', log);
    const entries: Entry[] = turns.flatMap((turn: { items: { subagents?: Entry[] }[] }) =>
      turn.items.flatMap(({ subagents = [] }) => subagents),
    );
    const pick = ({ calls, status, title }: Entry) => ({ calls, status, title });
    expect(entries.map(pick)).toEqual(agents.map(pick));
  }
});

test('search and filters of events say that a record is of a subagent', async () => {
  const found = (await output('search', 'echo', TWO, '-j')).trim().split('\n');
  expect(found.map((line) => JSON.parse(line).agent)).toEqual(['sidechain', 'sidechain']);
  const own = (await output('events', TWO, '--agent', 'main', '-j')).trim().split('\n');
  expect(own).toHaveLength(6);
});

test('diff does not compare the names of subagents, which differ in each run', async () => {
  const renamed = readFileSync(TWO, 'utf8')
    .replaceAll('toolu_mwsm900e00h4', 'toolu_other')
    .replaceAll('msg_', 'msg_x');
  const other = logOf(
    'other.jsonl',
    renamed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  );
  expect((await json('diff', TWO, other)).behaviour).toMatchObject({ same: true, same_steps: 4 });
});

describe('a subagent in the log of its session', () => {
  const begin = () => new Log().add('user', 'a', null, 'go');

  test('is the one of the call with its prompt, whatever their order', async () => {
    const log = begin()
      .task('b', 'a', 'count words', 'words')
      .task('c', 'b', 'count lines', 'lines')
      .chain('x', 'count lines')
      .chain('y', 'count words');
    expect(await startsIn(log.write())).toEqual([
      [2, 'words'],
      [3, 'lines'],
    ]);
    expect(await output('read', log.write(), '--all')).toMatch(
      /↳ words;(?:.*\n)+?.*echo y(?:.*\n)+?.*↳ lines;(?:.*\n)+?.*echo x/,
    );
  });

  test('is that of the first call of several with one prompt', async () => {
    const log = begin()
      .task('b', 'a', 'count', 'first')
      .task('c', 'b', 'count', 'second')
      .chain('x', 'count')
      .chain('y', 'count');
    expect(await output('read', log.write(), '--all')).toMatch(
      /↳ first;(?:.*\n)+?.*echo x(?:.*\n)+?.*↳ second;(?:.*\n)+?.*echo y/,
    );
  });

  test('has the status of its call, and is open without a result', async () => {
    const log = begin()
      .task('b', 'a', 'one', 'failed')
      .chain('x', 'one')
      .result('r', 'b', 'b', { is_error: true })
      .task('c', 'r', 'two', 'runs')
      .chain('y', 'two');
    expect((await json('show', log.write())).agents).toMatchObject([
      { title: 'failed', status: 'error', calls: 1, tokens: 30 },
      { title: 'runs', status: 'open', calls: 1, tokens: 30 },
    ]);
  });

  test('goes on after a missing record if no other one runs', async () => {
    const log = begin().task('b', 'a', 'one', 'alone').chain('x', 'one').result('r', 'b', 'b');
    const records = log.records.filter(({ uuid }) => uuid !== 'x3');
    expect(await startsIn(logOf('s.jsonl', records))).toEqual([[2, 'alone']]);
  });

  test('is shown at the end, named by its first record, if no call has its prompt', async () => {
    const log = begin().chain('x', 'nobody asked').write();
    expect(await startsIn(log)).toEqual([[0, undefined]]);
    const text = await output('read', log);
    expect(text).toMatch(/\n── Subagents ─+\n {6}↳ x1; open; 1 call; 30 tokens/);
    expect(text).toContain('1 subagent is folded; --all shows its steps.\n');
    expect(await output('read', log, '--all')).toMatch(/── Subagents ─+\n(?:.*\n)+?.*echo x/);
  });

  test('does not hide another one that started it in a circle', async () => {
    const started = (id: string, call: string, by?: string) => ({
      type: 'subagent.started',
      id: `s${id}`,
      timestamp: at(5),
      parentId: null,
      ...(by !== undefined && { agentId: id }),
      data: { toolCallId: call, agentName: id },
    });
    const call = (agent: string, id: string) => ({
      type: 'tool.execution_start',
      id: `c${id}`,
      timestamp: at(3),
      parentId: null,
      agentId: agent,
      data: { toolCallId: id, toolName: `tool-of-${agent}`, arguments: {} },
    });
    const head = {
      sessionId: 's',
      copilotVersion: '1',
      version: 1,
      producer: 'copilot-agent',
      startTime: at(0),
      context: {},
    };
    const log = logOf('events.jsonl', [
      { type: 'session.start', id: 'h', timestamp: at(0), parentId: null, data: head },
      { type: 'user.message', id: 'u', timestamp: at(1), parentId: 'h', data: { content: 'go' } },
      call('one', 'k1'),
      call('two', 'k2'),
      started('one', 'k2', 'one'),
      started('two', 'k1', 'two'),
    ]);
    const text = await output('read', log, '--all');
    expect(text).toContain('tool-of-one');
    expect(text).toContain('tool-of-two');
  });
});
