import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../../src/dialects/sessions/claude-code/index.ts';
import { TranscriptReader } from '../../../src/dialects/sessions/claude-code/reader.ts';
import { AS_STORED } from '../../../src/log/log-form.ts';
import { readLog } from '../../../src/log/read.ts';
import type { LogRecord } from '../../../src/log/record.ts';
import { SAMPLES } from '../../support/cli.ts';
import { briefAlone, briefExpected, expectedSessions, sessionIn, toolsOf, verifyLog } from '../sessions.ts';

const FOLDER = join(SAMPLES, 'claude-code');

describe.each(expectedSessions('claude-code'))('%s', (path, expected) => {
  const log = join(FOLDER, path);

  test('is the session that was counted', async () => {
    const session = await sessionIn(log, new TranscriptReader());
    const failed = session.calls.filter(({ status }) => status === 'error' || status === 'denied').length;
    const open = session.calls.filter(({ result_line }) => result_line === undefined).length;
    expect({
      status: session.status,
      prompts: session.turns.length,
      calls: session.calls.length,
      failed,
      open,
      tools: toolsOf(session),
      models: [...session.models].sort(),
      tokens: Object.fromEntries(
        Object.entries(session.tokens).map(([model, { responses, input, cached, cache_write, output }]) => [
          model,
          {
            responses,
            input_tokens: input,
            cache_creation_input_tokens: cache_write,
            cache_read_input_tokens: cached,
            output_tokens: output,
          },
        ]),
      ),
      first: session.started_at,
      last: session.ended_at,
      compactions: session.compactions,
      versions: session.session['versions'],
    }).toEqual({
      status: expected.status,
      prompts: expected.prompts,
      calls: expected.tool_calls,
      failed: expected['tool_errors'],
      open: expected.unanswered_calls,
      tools: expected.tools,
      models: [...expected.models].sort(),
      tokens: expected['tokens'],
      first: expected.first_time,
      last: expected.last_time,
      compactions: expected.compactions,
      versions: expected.versions,
    });
    expect(
      expected.task?.replaceAll('\\', '').startsWith(session.task?.slice(0, 40).split('\n')[0] ?? '?'),
    ).toBe(true);
  });

  test('has the expected findings, and no others', async () => {
    const report = await verifyLog(claudeCode, log);
    expect(briefAlone(report)).toEqual(briefExpected(expected));
    expect([report.events, report.bytes]).toEqual([expected.records, expected.bytes]);
    for (const { line, column } of expected.findings)
      if (column !== undefined)
        expect(report.findings.find((finding) => finding.line === line)?.column).toBe(column);
  });
});

/** The session in the sample whose folder ends so. */
function sessionOf(folder: string) {
  const [path = ''] = expectedSessions('claude-code').find(([path]) => path.includes(`${folder}/`)) ?? [];
  return sessionIn(join(FOLDER, path), new TranscriptReader());
}

test('a subagent that works in the background is done when the program says so', async () => {
  const { agents } = await sessionOf('330-sub');
  expect(agents).toMatchObject([
    { name: 'general-purpose', description: 'count lines', status: 'completed', tokens: 1942, calls: 1 },
  ]);
});

test("texts of subagents in the session's log are not turns", async () => {
  const { turns, calls, outcome } = await sessionOf('128-twosubs');
  expect([turns.length, turns[0]?.status, outcome]).toEqual([1, 'done', 'Both helpers are back.']);
  expect(calls.map(({ tool, agent }) => [tool, agent])).toEqual([
    ['Task', undefined],
    ['Task', undefined],
    ['Bash', calls[0]?.id],
    ['Bash', calls[1]?.id],
  ]);
});

test('a run without a terminal is over when the program adds up its usage', async () => {
  const over = async (folder: string) => {
    const [path = ''] = expectedSessions('claude-code').find(([path]) => path.includes(`${folder}/`)) ?? [];
    const ending = claudeCode.ending?.();
    const lines: number[] = [];
    const record = (one: LogRecord) => (ending?.isOver(one) ? lines.push(one.line) : 0);
    await readLog(join(FOLDER, path), AS_STORED, { record, corrupt: () => {} });
    return lines;
  };
  expect(await over('330-maxturns')).toEqual([43]);
  expect(await over('128-kill2')).toEqual([]);
});

test('an interrupted turn is not done, and has a reason', async () => {
  const statuses = async (folder: string) => {
    const { turns, problems } = await sessionOf(folder);
    return [...turns.map(({ status }) => status), ...problems.map(({ text, line }) => `${line} ${text}`)];
  };
  expect(await statuses('330-killmodel')).toEqual(['interrupted', 'done']);
  expect(await statuses('330-maxturns')).toEqual(['interrupted', '41 the limit of turns was reached: 3']);
  expect(await statuses('330-empty')).toEqual([
    'interrupted',
    '32 the program ended before there was an answer',
  ]);
});

test.each([
  ['interrupted', '[Request interrupted by user for tool use]', 'interrupted'],
  ['user-rejected', 'The user said no', 'denied'],
  [undefined, 'This command requires approval', 'denied'],
  [undefined, 'Exit code 3', 'error'],
])('of the kind of denial %s with "%s" a call is %s', (toolDenialKind, content, status) => {
  const [id, at] = ['toolu_1', '2026-11-23T02:05:47.711Z'];
  const reader = new TranscriptReader();
  const call = { type: 'tool_use', id, name: 'Bash', input: { command: 'true' } };
  const result = { type: 'tool_result', tool_use_id: id, is_error: true, content };
  reader.add({ type: 'assistant', timestamp: at, message: { model: 'm', content: [call] } }, 1);
  const denial = toolDenialKind === undefined ? {} : { toolDenialKind };
  reader.add({ type: 'user', timestamp: at, message: { content: [result] }, ...denial }, 2);
  expect(reader.document().calls.map((one) => one.status)).toEqual([status]);
});
