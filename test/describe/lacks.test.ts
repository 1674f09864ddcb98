import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countText } from '../../src/base/text/count.ts';
import { type Tokens, totalTokens } from '../../src/dialects/kit/tokens.ts';
import { SAMPLES } from '../support/cli.ts';
import { originalOf } from '../support/doctor-samples.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

// A count of tokens says what it lacks, so that nobody takes a minimum for the whole.

const json = async (...args: string[]) => JSON.parse((await runHere(args)).stdout);

/** What `show`, `list`, `stats` and `read` say that the tokens of a log lack. They must agree. */
async function lacksOf(log: string): Promise<unknown> {
  const [shown, [listed], counted, read] = [
    await json('show', log, '-j'),
    await json('list', log, '-j'),
    await json('stats', log, '--partial', '-j'),
    await json('read', log, '-j'),
  ];
  expect([listed.lacks, counted.lacks, read.lacks]).toEqual([shown.lacks, shown.lacks, shown.lacks]);
  return shown.lacks;
}

/** A log of these records. */
const logOf = (name: string, records: readonly unknown[]): string =>
  join(writeTree({ [name]: `${records.map((record) => JSON.stringify(record)).join('\n')}\n` }), name);

test.each([
  ['claude-code', 'parts/claude-code/projects/-home-usr-shop'],
  ['codex', 'parts/codex-child'],
])('a subagent of %s without its log is missing from the total', async (_, sample) => {
  const folder = tempDir();
  cpSync(join(SAMPLES, sample), folder, { recursive: true });
  const [first = '', ...others] = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  const log = join(folder, first);
  expect(await lacksOf(log)).toBeUndefined();
  const { tokens } = await json('show', log, '-j');
  for (const name of others) rmSync(join(folder, name));
  rmSync(log.replace('.jsonl', ''), { recursive: true, force: true });
  expect(await lacksOf(log)).toEqual({ subagents: 1 });
  expect((await json('show', log, '-j')).tokens.input).toBeLessThan(tokens.input);
  const { stdout } = await runHere(['show', log]);
  expect(stdout).toMatch(/^Tokens +at least [\d,]+, without 1 subagent whose log is missing$/m);
});

const answer = (uuid: string, id: string, stop: unknown, output: number) => ({
  type: 'assistant',
  uuid,
  parentUuid: null,
  sessionId: 'abc00041-0000-4000-8000-00000000beef',
  timestamp: '2026-09-01T09:00:00.000Z',
  requestId: `request ${id}`,
  message: {
    id,
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [{ type: 'text', text: 'Yes' }],
    ...(stop !== undefined && { stop_reason: stop }),
    usage: { input_tokens: 10, output_tokens: output },
  },
});

test('an answer of claude-code is whole if a record of it was written after its end', async () => {
  const name = 'abc00041-0000-4000-8000-00000000beef.jsonl';
  const whole = [
    answer('a', 'one', null, 2),
    answer('b', 'one', 'end_turn', 40),
    answer('c', 'old', undefined, 9),
  ];
  expect(await lacksOf(logOf(name, whole))).toBeUndefined();
  const left = [...whole, answer('d', 'two', null, 2), answer('e', 'two', null, 2)];
  expect(await lacksOf(logOf(name, left))).toEqual({ answers: 1 });
});

test('requests that are not of answers count if the log has their tokens, and are named if not', async () => {
  const log = join(SAMPLES, 'qwen/interrupts-compress-0.24.4.jsonl');
  const { tokens, session } = await json('show', log, '-j');
  expect(tokens.input + tokens.cached + tokens.output).toBe(session.requested_tokens);
  // Two answers were cut off.
  expect(await lacksOf(log)).toEqual({ requests: 2 });
  // Two in the background.
  expect(await lacksOf(join(SAMPLES, 'qwen/renamed-0.24.4.jsonl'))).toBeUndefined();
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  const records = lines.map((line) => JSON.parse(line)).filter(({ subtype }) => subtype !== 'ui_telemetry');
  // The compaction too.
  expect(await lacksOf(logOf('without-telemetry.jsonl', records))).toEqual({ requests: 3, records: 12 });
});

test.each([
  'qwen/resumed-0.24.4.jsonl',
  'qwen/renamed-0.24.4.jsonl',
  'qwen/interrupts-compress-0.24.4.jsonl',
])('the tokens of an answer of %s that is lost count if the log has those of its request', async (sample) => {
  const lines = readFileSync(join(SAMPLES, sample), 'utf8').trimEnd().split('\n');
  const answers = [...lines.keys()].filter((at) => {
    const { type, usageMetadata } = JSON.parse(lines[at] ?? '');
    return type === 'assistant' && usageMetadata !== undefined;
  });
  const { tokens, lacks } = await json('show', join(SAMPLES, sample), '-j');
  const logOfLines = (changed: readonly string[]) =>
    join(writeTree({ 'log.jsonl': `${changed.join('\n')}\n` }), 'log.jsonl');
  for (const at of answers) {
    const without = logOfLines(lines.toSpliced(at, 1));
    const torn = logOfLines(lines.with(at, (lines[at] ?? '').slice(0, 60)));
    for (const command of ['show', 'read']) {
      expect((await json(command, without, '-j')).tokens).toEqual(tokens);
      expect(await json(command, torn, '-j')).toMatchObject({ tokens, lacks: { ...lacks, lines: 1 } });
    }
    expect((await json('list', torn, '-j'))[0]).toMatchObject({ tokens, lacks: { ...lacks, lines: 1 } });
    expect((await json('stats', '--partial', torn, '-j')).tokens).toEqual(tokens);
  }
});

test('a request in the background counts for its model, but its size is not that of the conversation', async () => {
  const log = join(SAMPLES, 'qwen/renamed-0.24.4.jsonl');
  const records = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const models = (await json('show', log, '-j')).models;
  expect(models['made-up-1'].answers).toBe(records.filter(({ type }) => type === 'assistant').length);
  const others = records.map((one) => {
    const event = one.systemPayload?.uiEvent;
    return event?.subagent_id === undefined
      ? one
      : { ...one, systemPayload: { uiEvent: { ...event, model: 'small' } } };
  });
  const of = (await json('show', logOf('two-models.jsonl', others), '-j')).models;
  expect(of.small.tokens).toMatchObject({ input: 1060 + 1070, output: 26 + 27 });
});

test.each([
  ['pi/v3-compaction-0.87.1.jsonl', undefined],
  ['pi/v1-interrupt-compaction-0.13.2.jsonl', { requests: 2 }],
  ['gemini/cancel-compress-rewind-0.61.0.jsonl', { requests: 2 }],
  ['copilot/session-state/4e847a81-138a-4613-9f96-49673e91c9c3/events.jsonl', undefined],
  ['atif/damaged/totals-and-agent-only.json', undefined],
])('%s lacks the tokens of compactions and of answers that were cut off', async (log, lacks) => {
  expect(await lacksOf(join(SAMPLES, log))).toEqual(lacks);
});

test('what a fork copied is not missing', async () => {
  expect(await lacksOf(join(SAMPLES, 'opencode/export/fork-1.18.33.json'))).toBeUndefined();
});

test('a subagent that a subagent started is missing without its log', async () => {
  const folder = tempDir();
  cpSync(join(SAMPLES, 'parts/claude-code/projects/-home-usr-shop'), folder, { recursive: true });
  const log = readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .find((path) => path.includes('agent-') && path.endsWith('.jsonl'));
  if (log === undefined) throw new Error('the sample has no log of a subagent');
  const records = readFileSync(log, 'utf8').trim().split('\n');
  const first = JSON.parse(records[0] ?? '');
  const link = { sessionId: first.sessionId, agentId: first.agentId, isSidechain: true };
  const call = { type: 'tool_use', id: 'toolu_x', name: 'Agent', input: { prompt: 'look' } };
  const time = '2026-09-01T10:00:00.000Z';
  // Unlike the first records of a log, later ones are read abridged.
  const filler = Array.from({ length: 30 }, (_, index) => ({
    ...link,
    ...{ type: 'user', uuid: `f${index}`, parentUuid: null, timestamp: time, isMeta: true },
    message: { role: 'user', content: 'a note' },
  }));
  const added = [
    ...filler,
    {
      ...link,
      ...{ type: 'assistant', uuid: 'x1', parentUuid: null, timestamp: time },
      message: { id: 'm', role: 'assistant', model: 'm', content: [call], stop_reason: 'tool_use' },
    },
    {
      ...{ parentUuid: 'x1', ...link, type: 'user' },
      message: {
        role: 'user',
        content: [{ tool_use_id: 'toolu_x', type: 'tool_result', content: 'done' }],
      },
      ...{ uuid: 'x2', timestamp: time },
      toolUseResult: { status: 'completed', prompt: 'look', agentId: 'bbb2', totalTokens: 5 },
    },
  ];
  writeFileSync(log, `${[...records, ...added.map((record) => JSON.stringify(record))].join('\n')}\n`);
  expect(await lacksOf(log)).toMatchObject({ subagents: 1 });
});

test.each([
  'claude-code/projects/-home-usr-git-sync/665c2e57-8c9f-4dd8-ba40-05c63f801620.jsonl',
  'qwen/interrupts-compress-0.24.4.jsonl',
  'pi/v3-compaction-0.87.1.jsonl',
])('the tokens of %s that follow a damaged line, and so are in no turn, are named', async (sample) => {
  const lines = readFileSync(join(SAMPLES, sample), 'utf8').trimEnd().split('\n');
  const middle = Math.floor(lines.length / 2);
  const turnsOf = async (log: string) => {
    const { turns, tokens, unsure_tokens } = await json('read', log, '-j');
    const inTurns = turns.reduce((sum: number, turn: { tokens?: Tokens }) => sum + sumOf(turn.tokens), 0);
    return { rest: sumOf(tokens) - inTurns, unsure: unsure_tokens };
  };
  const logOfLines = (torn: readonly string[]) =>
    join(
      writeTree({
        'damaged.jsonl': `${[...lines.slice(0, middle), ...torn, ...lines.slice(middle)].join('\n')}\n`,
      }),
      'damaged.jsonl',
    );
  expect(await turnsOf(logOfLines([]))).toEqual({ rest: 0, unsure: undefined });
  const log = logOfLines(['{"type":']);
  const { rest, unsure } = await turnsOf(log);
  expect(rest).toBeGreaterThan(0);
  expect(unsure).toBe(rest);
  expect((await json('show', log, '-j')).unsure_tokens).toBe(rest);
  expect((await runHere(['read', log])).stdout).toContain(`(${countText(rest)} of them in an unknown turn)`);
});

const sumOf = (tokens: Tokens | undefined): number => (tokens === undefined ? 0 : totalTokens(tokens));

test.each(['claude', 'codex', 'copilot', 'pi', 'qwen'] as const)(
  'a damaged line of %s is lacking although no record has tokens',
  async (program) => {
    const { path, bytes } = originalOf(program);
    const lines = bytes.toString('utf8').split('\n').slice(0, 2).join('\n');
    const name = basename(path);
    const log = join(writeTree({ [name]: `${lines}\n{"type": "torn\n` }), name);
    expect(await lacksOf(log)).toEqual({ lines: 1 });
  },
);

test('a session that failed before its first answer has the model that was asked', async () => {
  const log = join(SAMPLES, 'qwen/api-error-0.24.4.jsonl');
  const [[listed], shown] = [await json('list', log, '-j'), await json('show', log, '-j')];
  expect(listed.model).toBe('made-up-1');
  expect(shown.models).toMatchObject({ 'made-up-1': { answers: 0 } });
  expect((await runHere(['show', log])).stdout).toMatch(/^Dialect +qwen, model made-up-1$/m);
});

describe.each(['claude', 'copilot', 'pi', 'qwen'] as const)(
  'a record of %s that is named and not there',
  (program) => {
    const { path, bytes } = originalOf(program);
    const lines = bytes.toString('utf8').trimEnd().split('\n');
    const idOf = (line: string): unknown => JSON.parse(line).uuid ?? JSON.parse(line).id;
    const isNamed = (line: string, at: number) =>
      at > 2 &&
      lines
        .slice(at + 1)
        .some((later) =>
          later.includes(
            `"parent${program === 'claude' || program === 'qwen' ? 'Uuid' : 'Id'}":"${idOf(line)}"`,
          ),
        );
    const places = lines.flatMap((line, at) => (isNamed(line, at) ? [at] : []));
    const name = basename(path);
    const written = (some: readonly string[]) => join(writeTree({ [name]: `${some.join('\n')}\n` }), name);

    test('may have had tokens', async () => {
      expect((await lacksOf(written(lines))) ?? {}).not.toHaveProperty('records');
      for (const at of [places[1], places[places.length >> 1], places.at(-1)]) {
        const log = written(lines.filter((_, line) => line !== at));
        expect(await lacksOf(log)).toMatchObject({ records: 1 });
        expect((await runHere(['show', log])).stdout).toContain('1 missing');
      }
    });

    test('is not named if a damaged line may have it', async () => {
      const at = places[1] ?? 0;
      const log = written(lines.with(at, lines[at]?.slice(0, -9) ?? ''));
      expect(await lacksOf(log)).toMatchObject({ lines: 1 });
      expect(await lacksOf(log)).not.toHaveProperty('records');
    });
  },
);
