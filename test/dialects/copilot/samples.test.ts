import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copilot } from '../../../src/dialects/sessions/copilot/index.ts';
import { EventsReader } from '../../../src/dialects/sessions/copilot/reader.ts';
import { exitCodeOf } from '../../../src/dialects/sessions/copilot/records.ts';
import { SAMPLES } from '../../support/cli.ts';
import { brief, briefExpected, expectedSessions, sessionIn, toolsOf, verifyLog } from '../sessions.ts';

const FOLDER = join(SAMPLES, 'copilot');

describe.each(expectedSessions('copilot'))('%s', (path, expected) => {
  const log = join(FOLDER, path);

  test('is the session that was counted', async () => {
    const session = await sessionIn(log, new EventsReader());
    const failed = session.calls.filter(({ status }) => status !== 'ok' && status !== 'open').length;
    const tokens = Object.fromEntries(
      Object.entries(session.tokens).map(
        ([model, { responses: requests, input, cached, cache_write, output }]) => [
          model,
          {
            requests,
            inputTokens: input + cached + cache_write,
            outputTokens: output,
            cacheReadTokens: cached,
            cacheWriteTokens: cache_write,
          },
        ],
      ),
    );
    expect({
      status: session.status,
      closed: session.session['closed'],
      resumes: session.session['resumes'] ?? 0,
      task: session.task,
      prompts: session.turns.length,
      calls: session.calls.length,
      failed,
      open: session.calls.filter(({ result_line }) => result_line === undefined).length,
      tools: toolsOf(session),
      models: session.models,
      tokens,
      first: session.started_at,
      last: session.ended_at,
      compactions: session.compactions,
      versions: session.session['versions'],
    }).toEqual({
      status: expected.status,
      closed: expected['closed'] ? 'yes' : 'no',
      resumes: expected['resumes'],
      task: expected.task,
      prompts: expected.prompts,
      calls: expected.tool_calls,
      failed: Number(expected['tool_errors']) + Number(expected['nonzero_exits']),
      open: expected.unanswered_calls,
      tools: expected.tools,
      models: expected.models,
      tokens: expected['tokens'],
      first: expected.first_time,
      last: expected.last_time,
      compactions: expected.compactions,
      versions: expected.versions,
    });
  });

  test('has the expected findings, and no others', async () => {
    const report = await verifyLog(copilot, log);
    expect(brief(report)).toEqual(briefExpected(expected));
    expect([report.events, report.bytes]).toEqual([expected.records, expected.bytes]);
  });
});

test('a subagent is named with what it used', async () => {
  const log = join(FOLDER, 'session-state/bf0ec435-cfef-42de-9f40-b66bedb9d877/events.jsonl');
  const { agents, calls } = await sessionIn(log, new EventsReader());
  expect(agents).toMatchObject([{ name: 'counter', status: 'completed', tokens: 2240, calls: 1 }]);
  expect(calls.filter(({ agent }) => agent !== undefined).map(({ tool }) => tool)).toEqual(['view']);
});

test.each(['<shellId: 1 completed with exit code 3>', '<exited with exit code 3>'])(
  'the exit code of a command is found in "%s"',
  (ending) => {
    expect(exitCodeOf({ success: true, result: { content: `out\n${ending}` } })).toBe(3);
  },
);
