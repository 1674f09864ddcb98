import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../../../src/dialects/claude-code/index.ts';
import { TranscriptReader } from '../../../src/dialects/claude-code/reader.ts';
import { SAMPLES } from '../../support/cli.ts';
import { brief, briefExpected, expectedSessions, sessionIn, toolsOf, verifyLog } from '../sessions.ts';

const FOLDER = join(SAMPLES, 'claude-code');

describe.each(expectedSessions('claude-code'))('%s', (path, expected) => {
  const log = join(FOLDER, path);

  test('is the session that was counted', async () => {
    const session = await sessionIn(log, new TranscriptReader());
    const failed = session.calls.filter(({ status }) => status === 'error' || status === 'denied').length;
    const open = session.calls.filter(({ status }) => status === 'open').length;
    expect({
      status: session.status,
      prompts: session.turns.length,
      calls: session.calls.length,
      failed,
      open,
      tools: toolsOf(session),
      models: [...session.models].sort(),
      tokens: session.tokens,
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

  test('has the findings that were expected, and no others', async () => {
    const report = await verifyLog(claudeCode, log);
    expect(brief(report)).toEqual(briefExpected(expected));
    expect([report.events, report.bytes]).toEqual([expected.records, expected.bytes]);
    for (const { line, column } of expected.findings)
      if (column !== undefined)
        expect(report.findings.find((finding) => finding.line === line)?.column).toBe(column);
  });
});
