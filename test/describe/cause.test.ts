import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import { type EndingReason, groupReasons } from '../../src/dialects/kit/account.ts';
import { errorText } from '../../src/dialects/kit/error-text.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

const JSON_ERROR =
  'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 > 8"}}';

/** A session of Claude Code: its records get ids and times in order. */
function session(...records: readonly JsonObject[]): string {
  const all = [prompt('Fix the test'), ...records].map((record, at) => ({
    uuid: `u${at}`,
    parentUuid: at === 0 ? null : `u${at - 1}`,
    sessionId: 's1',
    isSidechain: false,
    timestamp: `2026-10-05T09:00:${String(at).padStart(2, '0')}.000Z`,
    ...record,
  }));
  return tempFile(all.map((record) => `${JSON.stringify(record)}\n`).join(''), 's1.jsonl');
}

const prompt = (text: string): JsonObject => ({ type: 'user', message: { role: 'user', content: text } });
const say = (text: string, more: JsonObject = {}): JsonObject => ({
  type: 'assistant',
  message: { role: 'assistant', model: 'm', stop_reason: 'end_turn', content: [{ type: 'text', text }] },
  ...more,
});
const call = (id: string, command: string): JsonObject => ({
  type: 'assistant',
  message: {
    role: 'assistant',
    model: 'm',
    stop_reason: 'tool_use',
    content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }],
  },
});
const result = (id: string, text: string, isError = false): JsonObject => ({
  type: 'user',
  message: {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: text, ...(isError && { is_error: true }) }],
  },
});
const failure = (text: string): JsonObject => say(text, { isApiErrorMessage: true });
const interruption = prompt('[Request interrupted by user]');
const retry = { type: 'system', subtype: 'api_error', error: { formatted: 'Unable to connect' } };

const plain = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, '');

/** The lines of a section of `show`. */
function sectionIn(shown: string, title: string): string[] {
  const [, rest = ''] = shown.split(`\n${title}\n`);
  return rest.split('\n\n')[0]?.split('\n') ?? [];
}

async function shown(log: string) {
  const stdout = plain((await runHere(['show', log], { columns: 200 })).stdout);
  const title = stdout.includes('\nWhy it ended\n') ? 'Why it ended' : 'So far';
  return { why: sectionIn(stdout, title), onTheWay: sectionIn(stdout, 'On the way') };
}

test('failures that say the same are one group with all their lines, ordered by the last', () => {
  const reason = (line: number, text: string): EndingReason => ({
    kind: 'failed call',
    text,
    line,
    tone: 'bad',
  });
  const groups = groupReasons([
    reason(1, 'a'),
    reason(2, 'b'),
    reason(3, 'a'),
    reason(4, 'c'),
    reason(5, 'a'),
    reason(6, 'b'),
  ]);
  expect(groups.map(({ reason: { text, line }, lines }) => [text, line, lines])).toEqual([
    ['c', 4, [4]],
    ['a', 5, [1, 3, 5]],
    ['b', 6, [2, 6]],
  ]);
});

describe('the cause of the end', () => {
  test('is one line, with the message taken out of the JSON; what was overcome is on the way, grouped', async () => {
    const log = session(
      call('a', 'npm test'),
      result('a', 'expected 10\nExit code 1', true),
      retry,
      retry,
      call('b', 'npm run fix'),
      result('b', 'done'),
      failure(JSON_ERROR),
    );
    const { why, onTheWay } = await shown(log);
    expect(why).toEqual(['API error prompt is too long: 9 > 8 (400), line 8']);
    expect(onTheWay).toEqual([
      expect.stringMatching(/^failed call Bash: npm test/),
      'API error   2 times, last Unable to connect, line 5',
    ]);
  });

  test('has each fact once, if the error is only the exit code', async () => {
    const first = async (text: string) =>
      (await shown(session(call('a', 'npm test'), result('a', text, true)))).why[0];
    expect(await first('Exit code 1')).toBe('failed call Bash: npm test (exit code 1), line 2, result 3');
    expect(await first('Exit code 1\nno file')).toMatch(/ \(exit code 1, error .*no file\), line 2/);
  });

  test('names the most telling line of what a command printed, in show, stats and events', async () => {
    const output = 'F....   [100%]\nE       assert 57 == 58\n\n1 failed, 4 passed in 0.21s';
    const log = session(call('a', 'pytest -q'), result('a', `Exit code 1\n${output}`, true));
    expect((await shown(log)).why[0]).toContain('error assert 57 == 58)');
    for (const command of ['stats', 'events']) {
      const stdout = plain((await runHere([command, log], { columns: 200 })).stdout);
      expect(stdout).toContain('assert 57 == 58');
      expect(stdout).not.toContain('[100%]');
    }
  });

  test('has the time of a usage limit in words, in show and in read', async () => {
    const log = session(failure('Claude AI usage limit reached|1795600000'));
    const words = 'Claude AI usage limit reached until 2026-11-25 09:46 UTC';
    expect((await shown(log)).why.join(' ')).toContain(words);
    const { stdout } = await runHere(['read', log], { columns: 200 });
    expect(stdout).toContain(`API error: ${words}`);
  });

  test('is a failed call if nothing came after it, and not if the run went on', async () => {
    const failed = [call('a', 'npm test'), result('a', 'no', true)] as const;
    const atEnd = await shown(session(...failed, interruption));
    expect(atEnd.why).toEqual(['interrupted [Request interrupted by user] (during Bash: npm test), line 4']);
    const wentOn = await shown(session(...failed, call('b', 'ls'), result('b', 'a'), interruption));
    expect(wentOn.why).toEqual(['interrupted [Request interrupted by user], line 6']);
    expect(wentOn.onTheWay).toEqual([expect.stringMatching(/^failed call Bash: npm test/)]);
  });

  test('is nothing that failed if the session ended well', async () => {
    const { why, onTheWay } = await shown(
      session(call('a', 'npm test'), result('a', 'no', true), say('I gave up on the test.')),
    );
    expect(why).toEqual(['last answer I gave up on the test. (line 4)']);
    expect(onTheWay).toHaveLength(1);
  });

  test.each([
    ['Done', 'Done, line 4'],
    ['Done.', 'Done. (line 4)'],
    ['Shall I go on?', 'Shall I go on? (line 4)'],
    ['These remain:', 'These remain: (line 4)'],
    ['All of it (I think)', 'All of it (I think), line 4'],
    ['a … b', 'a … b, line 4'],
  ])('has no comma after a mark that ends a sentence: %s', async (answer, expected) => {
    const { why } = await shown(session(call('a', 'ls'), result('a', 'b'), say(answer)));
    expect(why).toEqual([`last answer ${expected}`]);
  });

  test('of a last answer with several lines says that it goes on, and is whole with --full and in JSON', async () => {
    const answer = `Fixed it.\n\n- one\n- ${'two '.repeat(300)}end.`;
    const log = session(call('a', 'ls'), result('a', 'b'), say(answer));
    expect((await shown(log)).why).toEqual(['last answer Fixed it. …, line 4']);
    const full = plain((await runHere(['show', log, '--full'], { columns: 80 })).stdout);
    const shownWhole = full.replaceAll(/\s+/g, ' ');
    expect(shownWhole).toContain(`last answer ${answer.replaceAll(/\s+/g, ' ')} (line 4)`);
    expect(full).toMatch(/^ +- one$/m);
    const { why } = JSON.parse((await runHere(['show', log, '-j'])).stdout);
    expect(why).toEqual([
      { kind: 'last answer', text: 'Fixed it.', full_text: answer, tone: 'name', line: 4 },
    ]);
    const project = plain((await runHere(['project', log], { columns: 80 })).stdout);
    expect(project).toMatch(/^Outcome +Fixed it\. …$/m);
  });

  test('of an answer with one line has no sign and no second text', async () => {
    const log = session(call('a', 'ls'), result('a', 'b'), say('All done\n'));
    expect((await shown(log)).why).toEqual(['last answer All done, line 4']);
    const { why } = JSON.parse((await runHere(['show', log, '-j'])).stdout);
    expect(why).toEqual([{ kind: 'last answer', text: 'All done', tone: 'name', line: 4 }]);
  });

  test('leaves room for the turns: what tools said takes two lines each at most, unless --full asks for all', async () => {
    const calls = Array.from({ length: 6 }, (_, at) => [
      call(`c${at}`, `run ${at}`),
      result(`c${at}`, `${'word '.repeat(80)}end of ${at}`, true),
    ]).flat();
    const log = session(...calls, say('Gave up.'));
    const short = plain((await runHere(['show', log], { columns: 80 })).stdout);
    const [first = '', second = '', ...rest] = sectionIn(short, 'On the way');
    expect(first).toMatch(/^failed call Bash: run 0 \(error word .*word$/);
    expect(second).toMatch(/^ +word .*…\)?, line 2, result 3$/);
    for (const [at, line] of rest.entries())
      expect(line).toMatch(at % 2 === 0 ? /^failed call Bash: |^ {2}and \d more/ : /^ .*…\)?, line \d+/);
    expect(short).toContain('\nTurns\n');
    const full = plain((await runHere(['show', log, '--full'], { columns: 80 })).stdout);
    expect(full.replaceAll(/\s+/g, ' ')).toContain('end of 5');
  });

  test('does not say its kind twice', async () => {
    const { stdout } = await runHere(['list', session(failure('API Error: Overloaded')), '-j']);
    expect(JSON.parse(stdout)).toMatchObject([{ why: 'API error: Overloaded' }]);
  });

  test('is the same line in list at every width from 60 columns, and in JSON', async () => {
    const log = session(call('a', 'npm test'), result('a', 'no', true), failure(JSON_ERROR));
    const line = 'API error: prompt is too long: 9 > 8 (400)';
    for (const columns of [60, 80, 119, 120, 200]) {
      const { stdout } = await runHere(['list', log], { columns });
      expect(plain(stdout).split('\n'), `${columns}`).toContain(`  ${line}`);
    }
    const { stdout } = await runHere(['list', log, '-j']);
    expect(JSON.parse(stdout)).toMatchObject([{ why: line }]);
  });
});

test.each([
  ['API Error: 500 {"error":{"message":"overloaded"}}', 'overloaded (500)'],
  ['[Operation Cancelled] Reason: User did not allow tool call', 'User did not allow tool call'],
  ['{"error":"no such model"}', 'no such model'],
  ['{"error":{"code":400,"message":"{\\"error\\":{\\"message\\":\\"key not valid\\"}}"}}', 'key not valid'],
  ['[{"error":{"message":"quota"}}]', 'quota'],
  [
    '429 {"type":"error","error":{"message":"too many \\"requests\\" at once, wait',
    'too many "requests" at once, wait (429)',
  ],
  ['{"detail":"Unsupported"} (request req_1)', 'Unsupported'],
  ['Claude AI usage limit reached|1795600000', 'Claude AI usage limit reached until 2026-11-25 09:46 UTC'],
  ['column|1795600000', 'column|1795600000'],
  ['plain words {not json}', 'plain words {not json}'],
  ['{"a":1}', '{"a":1}'],
  ['expected [1, 2] to equal []', 'expected [1, 2] to equal []'],
])('the message of %s is %s', (text, message) => {
  expect(errorText(text)).toBe(message);
});
