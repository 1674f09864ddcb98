import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { times } from '../support/length.ts';
import { tempDir, writeTree } from '../support/temp.ts';

// The tokens of sessions, counted a second time: from the raw records of a whole log at once, as docs/formats describes
// them, without code of the project.

const INPUTS = fileURLToPath(new URL('../inputs/sessions', import.meta.url));

interface Raw {
  [member: string]: unknown;
}

/** A member of a member, and so on. */
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Raw | null | undefined)?.[key], value);
const num = (value: unknown): number => (typeof value === 'number' ? value : 0);

function recordIn(line: string): Raw[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value as Raw] : [];
  } catch {
    return [];
  }
}

/** The records of a log, with the whole ones of a line that also has a torn one. */
function recordsOf(text: string): Raw[] {
  return text.split('\n').flatMap((line) => {
    const one = recordIn(line);
    if (one.length > 0) return one;
    for (let at = line.indexOf('{"', 1); at > 0; at = line.indexOf('{"', at + 1)) {
      const behind = recordIn(line.slice(at));
      if (behind.length > 0) return [...recordIn(line.slice(0, at)), ...behind];
    }
    return [];
  });
}

type Sums = Record<string, number>;

function addTo(sums: Sums, model: string, count: number): void {
  if (count !== 0) sums[model] = (sums[model] ?? 0) + count;
}

const claudeUse = (usage: unknown): number =>
  num(at(usage, 'input_tokens')) +
  num(at(usage, 'output_tokens')) +
  num(at(usage, 'cache_creation_input_tokens')) +
  num(at(usage, 'cache_read_input_tokens'));

/** The tokens of a Claude Code transcript by model, and the identity of each answer, so that copies in a fork count once. */
function countClaude(text: string, known = new Set<string>()): Sums {
  const byId = new Map<unknown, Raw>();
  const records = recordsOf(text).filter((record) => {
    if (record['uuid'] === undefined) return true;
    if (byId.has(record['uuid'])) return false;
    byId.set(record['uuid'], record);
    return true;
  });
  const isResult = (record: Raw) =>
    Array.isArray(at(record, 'message', 'content')) &&
    (at(record, 'message', 'content') as Raw[]).some((block) => block['type'] === 'tool_result');
  /** The nearest record above one that ends the answers before it. */
  const above = (record: Raw, stops: (one: Raw) => boolean): unknown => {
    const seen = new Set<unknown>();
    for (let up = byId.get(record['parentUuid']); up && !seen.has(up); up = byId.get(up['parentUuid'])) {
      seen.add(up);
      if (stops(up)) return up['uuid'];
    }
    return undefined;
  };
  const isPrompt = (record: Raw) =>
    record['type'] === 'user' && !isResult(record) && record['isMeta'] !== true;
  const answers = new Map<string, { first: string; most: Raw }>();
  for (const record of records) {
    const model = at(record, 'message', 'model');
    if (record['type'] !== 'assistant' || typeof model !== 'string' || model === '<synthetic>') continue;
    const id = at(record, 'message', 'id') ?? record['uuid'];
    const request = record['requestId'];
    const place =
      request === undefined ? above(record, ({ type }) => type === 'user') : above(record, isPrompt);
    const key = JSON.stringify([id, request, place]);
    const answer = answers.get(key) ?? { first: String(record['uuid']), most: record };
    answers.set(key, answer);
    if (claudeUse(at(record, 'message', 'usage')) >= claudeUse(at(answer.most, 'message', 'usage')))
      answer.most = record;
  }
  const sums: Sums = {};
  for (const { first, most } of answers.values()) {
    if (known.has(first)) continue;
    known.add(first);
    const model = String(at(most, 'message', 'model'));
    const usage = at(most, 'message', 'usage');
    addTo(sums, model, claudeUse(usage));
    for (const iteration of (at(usage, 'iterations') ?? []) as Raw[])
      if (iteration['type'] !== 'message')
        addTo(sums, String(iteration['model'] ?? model), claudeUse(iteration));
  }
  return sums;
}

/** The tokens of a Codex rollout. `others`: those next to it, which show what was copied. */
function countCodex(text: string, others: readonly string[]): number {
  const turnsIn = (records: readonly Raw[]) =>
    records.flatMap((record) =>
      at(record, 'payload', 'type') === 'task_started' ? [String(at(record, 'payload', 'turn_id'))] : [],
    );
  const records = [...new Set(text.split('\n'))].flatMap(recordsOf);
  const head = records[0];
  const origin =
    at(head, 'payload', 'forked_from_id') ??
    at(head, 'payload', 'parent_thread_id') ??
    at(head, 'payload', 'source', 'subagent', 'thread_spawn', 'parent_thread_id');
  const parent = others.map(recordsOf).find(([first]) => at(first, 'payload', 'id') === origin);
  const copied = new Set(origin === undefined || parent === undefined ? [] : turnsIn(parent));
  const hasBase = at(head, 'payload', 'history_base') !== undefined;
  // If there are usage records, other counts may begin again when a program resumes the thread.
  const isCount = ({ type }: Raw) =>
    type === 'token_usage_record' || !records.some((record) => record['type'] === 'token_usage_record');
  let isOwn = origin === undefined && !hasBase;
  let before: number | undefined = isOwn ? 0 : undefined;
  let sum = 0;
  // Some versions write an empty count when they resume a thread, and then count from zero.
  let mayBegin = false;
  for (const record of records) {
    const payload = record['payload'];
    if (at(payload, 'type') === 'token_count' && at(payload, 'info') === null) mayBegin = true;
    if (at(payload, 'type') === 'task_started') isOwn = !copied.has(String(at(payload, 'turn_id')));
    const info = at(payload, 'info') ?? { total_token_usage: at(payload, 'thread_token_usage') };
    const total = at(info, 'total_token_usage', 'total_tokens');
    if (typeof total !== 'number' || !isCount(record)) continue;
    const last = num(at(info, 'last_token_usage', 'total_tokens') ?? at(payload, 'usage', 'total_tokens'));
    if (isOwn)
      sum +=
        before === undefined || total - last < before
          ? total === before && !mayBegin
            ? 0
            : last
          : total - before;
    before = total;
    mayBegin = false;
  }
  return sum;
}

const totalOf = (tokens: unknown): number =>
  num(at(tokens, 'input')) +
  num(at(tokens, 'cached')) +
  num(at(tokens, 'cache_write')) +
  num(at(tokens, 'output'));

async function jsonOf(...args: string[]): Promise<unknown> {
  const { stdout } = await runHere([...args, '-j']);
  return JSON.parse(stdout);
}

/** What each command says about the tokens of a log. */
async function told(log: string): Promise<Record<string, number>> {
  const [listed] = (await jsonOf('list', log)) as unknown[];
  return {
    list: totalOf(at(listed, 'tokens')),
    show: totalOf(at(await jsonOf('show', log), 'tokens')),
    read: totalOf(at(await jsonOf('read', log), 'tokens')),
    stats: totalOf(at(await jsonOf('stats', log, '--partial'), 'tokens')),
  };
}

const every = (count: number) => ({ list: count, show: count, read: count, stats: count });

const logsBelow = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl'))
    .sort()
    .map((path) => join(root, path));

/** The logs of a session's subagents, in the folder that has its name. */
const subagentsOf = (log: string): string[] => {
  try {
    return logsBelow(join(log.replace(/\.jsonl$/, ''), 'subagents'));
  } catch {
    return [];
  }
};

const sumOf = (sums: Sums): number => Object.values(sums).reduce((a, b) => a + b, 0);
const textOf = (log: string): string => readFileSync(log, 'utf8');

const CLAUDE = [
  ...logsBelow(join(SAMPLES, 'claude-code')),
  ...logsBelow(INPUTS).filter((log) =>
    /advisor|calls-of|contents|gateway|placeholder|second-compact/.test(log),
  ),
];
const CODEX = [
  ...logsBelow(join(SAMPLES, 'codex')),
  ...logsBelow(INPUTS).filter((log) => /codex-/.test(log)),
];

describe('every command counts the tokens that the raw records have', () => {
  test.each(CLAUDE.map((log) => [log.slice(-70), log]))('Claude Code: …%s', async (_name, log) => {
    const known = new Set<string>();
    const count = [log, ...subagentsOf(log)].reduce(
      (sum, one) => sum + sumOf(countClaude(textOf(one), known)),
      0,
    );
    expect(await told(log)).toEqual(every(count));
  });

  test.each(CODEX.map((log) => [log.slice(-70), log]))('Codex: …%s', async (_name, log) => {
    const folder = dirname(log);
    const others = logsBelow(folder)
      .filter((other) => other !== log)
      .map(textOf);
    const id = at(recordsOf(textOf(log))[0], 'payload', 'id');
    const parentIn = (other: string) =>
      at(recordsOf(textOf(other))[0], 'payload', 'source', 'subagent', 'thread_spawn', 'parent_thread_id');
    const isPart = (other: string) =>
      parentIn(other) === id || (!log.includes('_') && other.includes(`-${String(id)}_`));
    const parts = logsBelow(folder).filter((other) => id !== undefined && isPart(other));
    const count = [log, ...parts].reduce(
      (sum, one) => sum + countCodex(textOf(one), one === log ? others : [textOf(log), ...others]),
      0,
    );
    expect(await told(log)).toEqual(every(count));
  });
});

test('an advisor counts for its own model', async () => {
  const [log = ''] = CLAUDE.filter((path) => path.includes('advisor'));
  expect(Object.keys(countClaude(textOf(log)))).toEqual(['claude-sonnet-4-5', 'claude-opus-4-7']);
  const models = at(await jsonOf('stats', log), 'models');
  expect(totalOf(at(models, 'claude-opus-4-7', 'tokens'))).toBe(167_224);
  expect(totalOf(at(models, 'claude-sonnet-4-5', 'tokens'))).toBe(234_930);
});

test('all sessions of a folder together count each answer once', async () => {
  const totals = async (name: string) => totalOf(at(await jsonOf('stats', join(INPUTS, name)), 'tokens'));
  expect({
    relay: await totals('gateway-one-message-id'),
    copies: await totals('codex-child-copies-no-parent-meta'),
    times: await totals('codex-child-copies-original-times'),
    parts: await totals('codex-segments'),
    forks: await totals('codex-revert-and-forks'),
  }).toEqual({ relay: 1386, copies: 6170, times: 6170, parts: 2090, forks: 2750 });
});

// Sessions whose tokens are known because they are made here.

const time = (second: number): string => new Date(Date.UTC(2026, 8, 1, 9) + 1000 * second).toISOString();
const lines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

interface Request {
  readonly tokens: number;
  /** The program counts from 0 again. */
  readonly restarts: boolean;
  /** It writes the count twice. */
  readonly twice: boolean;
}

const REQUESTS = fc.array(
  fc.record({ tokens: fc.integer({ min: 1, max: 5000 }), restarts: fc.boolean(), twice: fc.boolean() }),
  { minLength: 1, maxLength: 6 },
);

const counts = (tokens: number) => ({ input_tokens: tokens, output_tokens: 0, total_tokens: tokens });
const event = (second: number, payload: object) => ({ timestamp: time(second), type: 'event_msg', payload });

/** A turn per request. The total goes on from `total`. */
function codexTurns(requests: readonly Request[], start: number, name: string, before: number) {
  let [second, total] = [start, before];
  const records: { timestamp: string }[] = [];
  for (const [index, { tokens, restarts, twice }] of requests.entries()) {
    // A counter that begins again and at once comes to the same total cannot be told from a count that is written twice.
    total = (restarts && tokens !== total ? 0 : total) + tokens;
    const info = { total_token_usage: counts(total), last_token_usage: counts(tokens) };
    records.push(
      event(second + 1, { type: 'task_started', turn_id: `${name}-${index}` }),
      event(second + 2, { type: 'user_message', message: `${name} ${index}` }),
      event(second + 3, { type: 'token_count', info }),
      ...(twice ? [event(second + 4, { type: 'token_count', info })] : []),
      event(second + 5, { type: 'task_complete', turn_id: `${name}-${index}`, last_agent_message: 'done' }),
    );
    second += 10;
  }
  return { records, second, total };
}

/** A count of tokens whose total is wrong by a number. */
function withTotal(record: unknown, by: number): unknown {
  const total = num(at(record, 'payload', 'info', 'total_token_usage', 'input_tokens'));
  const info = {
    total_token_usage: counts(Math.max(0, total + by)),
    last_token_usage: at(record, 'payload', 'info', 'last_token_usage'),
  };
  return { ...(record as Raw), payload: { type: 'token_count', info } };
}

const codexHead = (id: string, second: number, more: object = {}) => ({
  timestamp: time(second),
  type: 'session_meta',
  payload: { id, timestamp: time(second), cwd: '/home/usr', cli_version: '0.144.0', source: 'cli', ...more },
});

const idOf = (digit: number): string => `019f5555-0000-7000-8000-00000000000${digit}`;
const rollout = (digit: number): string => `rollout-2026-09-01T09-00-0${digit}-${idOf(digit)}.jsonl`;
const sum = (requests: readonly Request[]): number => requests.reduce((all, { tokens }) => all + tokens, 0);

test('Codex: counters that begin again, counts and records that are written twice', async () => {
  await fc.assert(
    fc.asyncProperty(REQUESTS, fc.nat(), fc.nat(), async (requests, from, length) => {
      const { records } = codexTurns(requests, 1, 'own', 0);
      const start = from % records.length;
      const again = records.slice(start, start + 1 + (length % 8));
      const log = join(
        writeTree({ [rollout(1)]: lines([codexHead(idOf(1), 0), ...records, ...again]) }),
        rollout(1),
      );
      expect(await told(log)).toEqual(every(sum(requests)));
    }),
    { numRuns: times(40, 6) },
  );
});

test('Codex: a total that is wrong once, before others that fit', async () => {
  const altered = fc.record({ at: fc.nat(), by: fc.integer({ min: -8000, max: 8000 }), both: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(REQUESTS, altered, async (some, { at: place, by, both }) => {
      const requests = [...some, { tokens: 7, restarts: false, twice: false }];
      const { records } = codexTurns(
        requests.map((one) => ({ ...one, restarts: false })),
        1,
        'own',
        0,
      );
      const infoOf = (record: unknown) => at(record, 'payload', 'info');
      const totals = records.filter((record) => infoOf(record) !== undefined);
      // Only the next total shows which one is wrong, so that of the last request is not altered.
      const wrong = totals[place % (totals.length - 1)];
      // What is left without its last request, and is then written as it should be, is a request more.
      const last = num(at(infoOf(wrong), 'last_token_usage', 'input_tokens'));
      const total = num(at(infoOf(wrong), 'total_token_usage', 'input_tokens'));
      fc.pre(Math.max(0, total + by) !== total - last);
      const isWrong = (record: unknown) =>
        record === wrong || (both && infoOf(record) !== undefined && infoOf(record) === infoOf(wrong));
      const log = join(
        writeTree({
          [rollout(1)]: lines([
            codexHead(idOf(1), 0),
            ...records.map((record) => (isWrong(record) ? withTotal(record, by) : record)),
          ]),
        }),
        rollout(1),
      );
      expect(await told(log)).toEqual(every(sum(requests)));
    }),
    { numRuns: times(60, 12) },
  );
});

test('Codex: the history of the parent is copied into the log of a fork or of a subagent', async () => {
  const forms = fc.record({
    times: fc.constantFrom('original', 'fork'),
    hasParentHead: fc.boolean(),
    isSubagent: fc.boolean(),
    hasBaseline: fc.boolean(),
    isMidTurn: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(REQUESTS, REQUESTS, forms, async (theirs, own, form) => {
      const parent = codexTurns(theirs, 1, 'parent', 0);
      const head = parent.second + 100;
      const history = [...(form.hasParentHead ? [codexHead(idOf(1), 0)] : []), ...parent.records];
      const copied = (form.isMidTurn ? history.slice(0, -1) : history).map((record) =>
        form.times === 'fork' ? { ...record, timestamp: time(head) } : record,
      );
      const origin = form.isSubagent
        ? { source: { subagent: { thread_spawn: { parent_thread_id: idOf(1), depth: 1 } } } }
        : { forked_from_id: idOf(1) };
      const last = theirs.at(-1)?.tokens ?? 0;
      const info = { total_token_usage: counts(parent.total), last_token_usage: counts(last) };
      const baseline = form.hasBaseline ? [event(head + 2, { type: 'token_count', info })] : [];
      // A fork goes on from the total of its parent.
      const child = codexTurns(
        own.map((one) => ({ ...one, restarts: false })),
        head + 3,
        'child',
        parent.total,
      );
      const folder = writeTree({
        [rollout(1)]: lines([codexHead(idOf(1), 0), ...parent.records]),
        [rollout(2)]: lines([codexHead(idOf(2), head, origin), ...copied, ...baseline, ...child.records]),
      });
      expect(await told(join(folder, rollout(2)))).toEqual(every(sum(own)));
      expect(totalOf(at(await jsonOf('stats', folder), 'tokens'))).toBe(sum(theirs) + sum(own));
    }),
    { numRuns: times(40, 6) },
  );
});

test('Codex: equal counts and prompts of a copied history that has one time', async () => {
  // The second request begins to count again and needs as many tokens as the first. After it, 5 more make 15.
  const request = (tokens: number, restarts: boolean) => ({ tokens, restarts, twice: false });
  const parent = codexTurns([request(10, true), request(5, false), request(10, true)], 1, 'parent', 0);
  const head = parent.second + 100;
  const copied = parent.records.map((record) => ({
    ...JSON.parse(JSON.stringify(record).replace(/parent \d/, 'go on')),
    timestamp: time(head),
  }));
  const child = codexTurns([request(5, false)], head + 3, 'child', parent.total);
  const folder = writeTree({
    [rollout(1)]: lines([codexHead(idOf(1), 0), ...parent.records]),
    [rollout(2)]: lines([codexHead(idOf(2), head, { forked_from_id: idOf(1) }), ...copied, ...child.records]),
  });
  expect(await told(join(folder, rollout(2)))).toEqual(every(5));
  const shown = await jsonOf('read', join(folder, rollout(2)));
  expect((at(shown, 'turns') as unknown[]).length).toBe(4);
});

test('Codex: a thread in several files', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(REQUESTS, { minLength: 2, maxLength: 4 }), async (parts) => {
      const files: Record<string, string> = {};
      let [second, total] = [0, 0];
      for (const [index, requests] of parts.entries()) {
        const base = { history_base: { thread_id: idOf(1), end_ordinal_exclusive: 1, end_byte_offset: 1 } };
        const went = codexTurns(
          requests.map((one) => ({ ...one, restarts: false })),
          second,
          `part ${index}`,
          total,
        );
        const name =
          index === 0
            ? rollout(1)
            : rollout(index + 1).replace(idOf(index + 1), `${idOf(1)}_${idOf(index + 1)}`);
        files[name] = lines([codexHead(idOf(1), second, index === 0 ? {} : base), ...went.records]);
        [second, total] = [went.second + 60, went.total];
      }
      const folder = writeTree(files, tempDir());
      expect(totalOf(at(await jsonOf('stats', folder), 'tokens'))).toBe(sum(parts.flat()));
    }),
    { numRuns: times(20, 4) },
  );
});

interface ClaudeAnswer {
  readonly tokens: number;
  /** The texts of the answer: one record each. */
  readonly records: number;
  /** A later record of it has only zeros. */
  readonly endsWithZeros: boolean;
}

const ANSWERS = fc.array(
  fc.record({
    tokens: fc.integer({ min: 1, max: 5000 }),
    records: fc.integer({ min: 1, max: 3 }),
    endsWithZeros: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

const SESSION = 'abc99999-0000-4000-8000-000000000001';

function claudeTurns(
  answers: readonly ClaudeAnswer[],
  session: string,
  ids: { message?: string; requests: boolean },
) {
  const uuid = (turn: number, part: number) => `abc99999-0000-4000-9000-0000000${turn}000${part}`;
  let parent: string | null = null;
  const records: object[] = [];
  const add = (type: string, turn: number, part: number, message: object, more: object = {}) => {
    const own = uuid(turn, part);
    const when = time(100 * turn + part);
    const frame = {
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/usr',
      version: '2.1.237',
    };
    records.push({ ...frame, sessionId: session, type, message, uuid: own, timestamp: when, ...more });
    parent = own;
  };
  for (const [turn, { tokens, records: parts, endsWithZeros }] of answers.entries()) {
    add('user', turn, 0, { role: 'user', content: `Question ${turn}` });
    for (let part = 1; part <= parts; part += 1) {
      const isZero = part > 1 && part === parts && endsWithZeros;
      const usage = { input_tokens: isZero ? 0 : tokens, output_tokens: 0 };
      const message = {
        id: ids.message ?? `msg_${turn}`,
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        usage,
      };
      const content = [{ type: 'text', text: `Answer ${turn}` }];
      add(
        'assistant',
        turn,
        part,
        { ...message, content, stop_reason: 'end_turn' },
        ids.requests ? { requestId: `req_${turn}` } : {},
      );
    }
  }
  return records;
}

const transcript = (session: string): string => `${session}.jsonl`;

test('Claude Code: relays with one id, records with zeros, records and sessions that are copied', async () => {
  const ids = fc.record({
    message: fc.option(fc.constant('gateway'), { nil: undefined }),
    requests: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      ANSWERS,
      ids,
      fc.nat(),
      fc.nat(),
      fc.nat(),
      async (answers, { message, requests }, from, length, cut) => {
        const of = { ...(message !== undefined && { message }), requests };
        const records = claudeTurns(answers, SESSION, of);
        const start = from % records.length;
        const again = records.slice(start, start + 1 + (length % 6));
        const fork = SESSION.replace(/1$/, '2');
        const copied = claudeTurns(answers, fork, of).slice(0, 1 + (cut % records.length));
        const folder = writeTree({
          [transcript(SESSION)]: lines([...records, ...again]),
          [transcript(fork)]: lines(copied),
        });
        const count = answers.reduce((all, { tokens }) => all + tokens, 0);
        // Both logs begin with the same records, and either may be the one that was copied.
        const [one, two] = [
          await told(join(folder, transcript(SESSION))),
          await told(join(folder, transcript(fork))),
        ];
        const { list: own = 0 } = one;
        expect([one, two]).toEqual([every(own), every(count - own)]);
        expect(sumOf(countClaude(lines([...records, ...again])))).toBe(count);
        expect(totalOf(at(await jsonOf('stats', folder), 'tokens'))).toBe(count);
        const shown = (await jsonOf('read', join(folder, transcript(SESSION)))) as Raw;
        expect((shown['turns'] as unknown[]).length).toBe(answers.length);
      },
    ),
    { numRuns: times(40, 6) },
  );
});
