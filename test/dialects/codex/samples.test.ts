import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { NO_TOKENS, totalTokens } from '../../../src/dialects/kit/tokens.ts';
import { rolloutOf } from '../../../src/dialects/sessions/codex/files.ts';
import { codex } from '../../../src/dialects/sessions/codex/index.ts';
import { RolloutReader } from '../../../src/dialects/sessions/codex/reader.ts';
import type { EpisodeReport } from '../../../src/findings/report.ts';
import { RunFold } from '../../../src/read/describe/run-fold.ts';
import { StatsFold } from '../../../src/read/describe/stats.ts';
import { SAMPLES } from '../../support/cli.ts';
import { tempDir, writeSettled, writeTree } from '../../support/temp.ts';
import {
  brief,
  briefAlone,
  briefExpected,
  expectedSessions,
  sessionIn,
  toolsOf,
  verifyLog,
} from '../sessions.ts';

const FOLDER = join(SAMPLES, 'codex');
const DAY = 'sessions/2026/11/22';
const PARENT = `${DAY}/rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl`;
const FORK = `${DAY}/rollout-2026-11-22T08-53-07-01a20275-8cd5-7053-99f2-f4e1fdeec074.jsonl`;

describe.each(expectedSessions('codex'))('%s', (path, expected) => {
  const log = join(FOLDER, path);

  test('is the session that was counted', async () => {
    const session = await sessionIn(log, new RolloutReader());
    const tokens = expected['tokens'] as Record<string, number> | null;
    const counted = Object.values(session.tokens).map(({ responses: _, ...counts }) => counts);
    const {
      input_tokens: input = 0,
      cached_input_tokens: cached = 0,
      cache_write_input_tokens: cache_write = 0,
      output_tokens: output = 0,
      reasoning_output_tokens: reasoning = 0,
      total_tokens: total = 0,
    } = tokens ?? {};
    expect({
      status: session.status,
      task: session.task,
      prompts: session.turns.length,
      calls: session.calls.length,
      open: session.calls.filter(({ status }) => status === 'open' || status === 'no result').length,
      tools: toolsOf(session),
      models: session.models,
      tokens: counted,
      total: session.total_tokens,
      first: session.started_at,
      last: session.ended_at,
      compactions: session.compactions,
      versions: session.session['versions'] ?? [],
    }).toEqual({
      status: expected.status,
      task: expected.task,
      prompts: expected.prompts,
      calls: expected.tool_calls,
      open: expected.unanswered_calls,
      tools: expected.tools,
      models: expected.models,
      tokens:
        tokens === null
          ? []
          : [{ input: input - cached - cache_write, cached, cache_write, output, reasoning }],
      total: tokens === null ? undefined : total,
      first: expected.first_time,
      last: expected.last_time,
      compactions: expected.compactions,
      versions: expected.versions,
    });
  });

  test('has the expected findings, and no others', async () => {
    const report = await verifyLog(codex, log);
    expect(briefAlone(report)).toEqual(briefExpected(expected));
    expect([report.events, report.bytes]).toEqual([expected.records, expected.bytes]);
  });
});

test('the exit codes of calls are found in each version', async () => {
  for (const [path, expected] of expectedSessions('codex').filter(([path]) => path.startsWith('sessions'))) {
    const { calls } = await sessionIn(join(FOLDER, path), new RolloutReader());
    const failed = calls.filter(({ status }) => status === 'error').map(({ exit_code: code }) => code);
    expect(failed, path).toEqual(expected.tool_calls === 5 ? [3] : []);
  }
});

test('a fork continues from the totals of its parent, and statistics count those once', async () => {
  const stats = new StatsFold();
  for (const path of [PARENT, FORK]) {
    const reader = new RolloutReader();
    await sessionIn(join(FOLDER, path), reader);
    stats.add(new RunFold(codex), { status: 'done', isOver: true, usage: reader.entries() });
  }
  expect(totalTokens(stats.result().models['mock-model']?.tokens ?? NO_TOKENS)).toBe(7860);
});

test('the start of a fork is compared with the log of its parent', async () => {
  const dir = tempDir();
  cpSync(join(FOLDER, 'sessions'), join(dir, 'sessions'), { recursive: true });
  const fork = join(dir, FORK);
  const text = readFileSync(fork, 'utf8');
  writeFileSync(fork, text.replace('"end_byte_offset":30509', '"end_byte_offset":30508'));
  expect(brief(await verifyLog(codex, fork))).toEqual(['warn consistency/history-base 1']);
  const parent = join(dir, PARENT);
  writeFileSync(fork, text);
  writeFileSync(parent, readFileSync(parent, 'utf8').split('\n').slice(0, 40).join('\n'));
  expect(brief(await verifyLog(codex, fork))).toEqual(['warn consistency/history-base 1']);
});

/** The sample's fork, with another place of its beginning, beside its parent or without it. */
async function forkedAt(base: JsonObject, beside = true): Promise<EpisodeReport> {
  const names = beside ? [PARENT, FORK] : [FORK];
  const dir = writeTree(
    Object.fromEntries(names.map((path) => [basename(path), readFileSync(join(FOLDER, path))])),
  );
  const fork = join(dir, basename(FORK));
  const [head = '', ...rest] = readFileSync(fork, 'utf8').split('\n');
  const meta = JSON.parse(head) as { payload: { history_base: JsonObject } };
  Object.assign(meta.payload.history_base, base);
  writeSettled(fork, [JSON.stringify(meta), ...rest].join('\n'));
  return await verifyLog(codex, fork);
}

test.each<[string, JsonObject, string | undefined]>([
  ['as it is', {}, undefined],
  ['another ordinal', { end_ordinal_exclusive: 40 }, 'record 50 ends there'],
  ['no whole byte', { end_byte_offset: 30509.5 }, 'no record ends there'],
  ['behind the end of the log', { end_byte_offset: 9e15 }, 'no record ends there'],
  ['no byte', { end_byte_offset: 0 }, undefined],
])('the recorded start of a fork: %s', async (_, base, there) => {
  const { findings } = await forkedAt(base);
  expect(findings.map(({ code, message }) => [code, message.split(': ').at(-1)])).toEqual(
    there === undefined ? [] : [['consistency/history-base', there]],
  );
});

test('a fork is not compared if its parent is missing or unreadable', async () => {
  expect((await forkedAt({ end_byte_offset: 7 }, false)).findings).toEqual([]);
  expect(rolloutOf('aaa', join(tempDir(), 'gone', 'rollout-bbb.jsonl'))).toBeUndefined();
});

test('a subagent has the result that its parent received', async () => {
  const [path = ''] =
    expectedSessions('codex').find(([, { tools }]) => tools['wait_agent'] !== undefined) ?? [];
  const { agents } = await sessionIn(join(FOLDER, path), new RolloutReader());
  expect(agents).toMatchObject([{ name: 'Schrodinger', status: 'completed' }]);
});

const REJECTED = `exec_command failed: CreateProcess { message: "Rejected(\\"\`/bin/bash -lc 'rm -rf build'\` rejected`;

test.each([
  ['unsupported call: no_such_tool', 'error'],
  ['unsupported custom tool call: apply_patch', 'error'],
  ['failed to parse function arguments: missing field `cmd` at line 1 column 14', 'error'],
  [REJECTED, 'denied'],
  ['Wall time: 3.6 seconds\naborted by user', 'interrupted'],
  ['Chunk ID: 1\nProcess exited with code 0\nOutput:\nunsupported call: in a file', 'ok'],
])('a call whose output is "%s" is %s, whatever the killed process gave', (output, status) => {
  const reader = new RolloutReader();
  const item = { type: 'CommandExecution', id: 'c', exit_code: -1 };
  const told = status === 'interrupted' ? [{ type: 'item_completed', item }] : [];
  const payloads = [
    { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"true"}', call_id: 'c' },
    { type: 'function_call_output', call_id: 'c', output },
    ...told,
  ];
  for (const [index, payload] of payloads.entries())
    reader.add({ type: index < 2 ? 'response_item' : 'event_msg', payload }, index + 1);
  expect(reader.document().calls.map((call) => call.status)).toEqual([status]);
});
