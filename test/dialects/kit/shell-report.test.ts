import { expect, test } from 'vitest';
import type { Story } from '../../../src/dialects/kit/story.ts';
import { runHere } from '../../support/in-process.ts';
import { tempFile } from '../../support/temp.ts';

/** The records of a session of Qwen Code with one shell command and its result. */
function session(result: string): string {
  const of = (uuid: string, parentUuid: string | null, type: string, parts: object[], more = {}) => {
    const time = { timestamp: '2026-01-01T08:00:00.000Z', version: '0.24.4' };
    return JSON.stringify({ uuid, parentUuid, sessionId: 's', ...time, type, message: { parts }, ...more });
  };
  const [id, name] = ['c', 'run_shell_command'];
  return `${[
    of('u', null, 'user', [{ text: 'Go' }]),
    of('a', 'u', 'assistant', [{ functionCall: { id, name, args: { command: 'x' } } }]),
    of('r', 'a', 'tool_result', [{ functionResponse: { id, name, response: { error: result } } }], {
      toolCallResult: { callId: id, status: 'error' },
    }),
  ].join('\n')}\n`;
}

const report = (output: string, end: string) => `Command: x\nDirectory: (root)\nOutput: ${output}\n${end}`;
const END = 'Signal: (none)\nProcess Group PGID: 7';

test.each([
  ['is its output and its exit code', report('no shed', `Error: (none)\nExit Code: 2\n${END}`), 'no shed', 2],
  [
    'may contain the end of another report',
    report('Error: (none)\nExit Code: 0\nno shed', `Error: (none)\nExit Code: 2\n${END}`),
    'Error: (none)\nExit Code: 0\nno shed',
    2,
  ],
  [
    'may have no exit code',
    report('killed', `Error: (none)\nExit Code: (none)\n${END}`),
    'killed',
    undefined,
  ],
])('the report of a shell command %s', async (_, text, output, exitCode) => {
  const { stdout } = await runHere(['read', tempFile(session(text), 's.jsonl'), '-j']);
  const items = (JSON.parse(stdout) as Story).turns.flatMap((turn) => turn.items);
  const call = items.find(({ kind }) => kind === 'call');
  expect(call).toMatchObject({
    output,
    status: 'error',
    ...(exitCode !== undefined && { exit_code: exitCode }),
  });
});

test.each([report('', 'Error: spawn failed\nExit Code: 1\nSignal: (none)'), 'Command: x', 'File not found'])(
  'another text is not a report: %j',
  async (text) => {
    const { stdout } = await runHere(['read', tempFile(session(text), 's.jsonl'), '-j']);
    const items = (JSON.parse(stdout) as Story).turns.flatMap((turn) => turn.items);
    expect(items.find(({ kind }) => kind === 'call')).toMatchObject({ output: text });
  },
);
