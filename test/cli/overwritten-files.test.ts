import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, tempFile } from '../support/temp.ts';

// A call that writes a whole file says nothing of what was there before. Its result may.

const GEMINI = join(SAMPLES, 'gemini/resumed-0.61.0.jsonl');

/** A diff as Gemini CLI and Qwen Code store it. */
const diff = (...hunks: string[]) =>
  `Index: diff.txt\n${'='.repeat(67)}\n--- diff.txt\tOriginal\n+++ diff.txt\tWritten\n${hunks.join('')}`;

interface Change {
  readonly kind: string;
  readonly added: number;
  readonly removed: number;
  readonly diff: string;
}

async function changeIn(log: string): Promise<Change | undefined> {
  const { files } = JSON.parse((await runHere(['show', log, '--changes', '-j'])).stdout) as {
    files: { changes: Change[] }[];
  };
  return files[0]?.changes[0];
}

/** The sample, with another display of the call that wrote a file. */
async function geminiChange(display: JsonObject): Promise<Change | undefined> {
  const lines = readFileSync(GEMINI, 'utf8').split('\n');
  const edited = lines.map((line) => {
    if (!line.includes('"resultDisplay":{"fileDiff"')) return line;
    const record = JSON.parse(line) as { toolCalls: JsonObject[] };
    return JSON.stringify({
      ...record,
      toolCalls: record.toolCalls.map((call) => ({ ...call, resultDisplay: display })),
    });
  });
  return changeIn(tempFile(edited.join('\n'), 'log.jsonl'));
}

describe('Gemini CLI', () => {
  test('a file that was written as it was has no change', async () => {
    const { stdout } = await runHere(['show', GEMINI, '--changes']);
    expect(stdout).toMatch(/^1 file written, with the same content as before\n +\+0 +-0 {2}/);
    expect(stdout).toMatch(/line \d+, edit, with the same content as before$/m);
    expect((await runHere(['read', GEMINI])).stdout).toMatch(/write_file .* \+0 -0 /);
  });

  test.each<[string, JsonObject, Partial<Change>]>([
    [
      'the lines that it replaced',
      { fileDiff: diff('@@ -1,2 +1,2 @@\n a\n-b\n+c\n', '@@ -9,1 +9,2 @@\n-x\n+y\n+z\n'), isNewFile: false },
      {
        kind: 'edit',
        added: 3,
        removed: 2,
        diff: '@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@ -9,1 +9,2 @@\n-x\n+y\n+z',
      },
    ],
    [
      'lines without a newline at the end',
      {
        fileDiff: diff(
          '@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n',
        ),
        originalContent: 'a',
      },
      { kind: 'edit', added: 1, removed: 1 },
    ],
    [
      'a new file of a version that does not say so',
      { fileDiff: diff('@@ -0,0 +1,1 @@\n+a\n'), originalContent: '' },
      { kind: 'write', added: 1, removed: 0 },
    ],
    [
      'no diff: then the text of the call counts',
      { fileDiff: 'No diff available' },
      { kind: 'write', added: 1, removed: 0 },
    ],
  ])('%s', async (_, display, change) => {
    expect(await geminiChange(display)).toMatchObject(change);
  });
});

test('Qwen Code: the result says what a file had before', async () => {
  const lines = [
    { type: 'user', message: { role: 'user', parts: [{ text: 'write it' }] } },
    {
      type: 'assistant',
      model: 'coder-model',
      message: {
        role: 'model',
        parts: [
          { functionCall: { id: 'c1', name: 'write_file', args: { file_path: '/w/a.txt', content: 'b\n' } } },
        ],
      },
    },
    {
      type: 'tool_result',
      message: {
        role: 'user',
        parts: [{ functionResponse: { id: 'c1', name: 'write_file', response: { output: 'done' } } }],
      },
      toolCallResult: {
        callId: 'c1',
        status: 'success',
        resultDisplay: { fileDiff: diff('@@ -1,1 +1,1 @@\n-a\n+b\n'), isNewFile: false },
      },
    },
  ].map((record, at) => ({
    uuid: `00000000-0000-4000-8000-00000000000${at}`,
    parentUuid: at === 0 ? null : `00000000-0000-4000-8000-00000000000${at - 1}`,
    sessionId: '5e550000-0000-4000-8000-000000000001',
    timestamp: `2026-09-01T09:00:0${at}.000Z`,
    cwd: '/w',
    version: '0.20.1',
    ...record,
  }));
  const log = tempFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), 'qwen.jsonl');
  expect(await changeIn(log)).toMatchObject({ kind: 'edit', added: 1, removed: 1 });
});

test('Claude Code: an update without hunks changed nothing', async () => {
  const log = join(
    SAMPLES,
    'claude-code/projects/-home-usr-w-330-sub/adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1.jsonl',
  );
  const folder = tempDir();
  cpSync(dirname(log), folder, { recursive: true });
  const copy = join(folder, 'adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1.jsonl');
  const details = (type: string) => ({ type, filePath: '/w/a.txt', content: 'a\n', structuredPatch: [] });
  const changeOf = (type: string) => {
    let isGiven = false;
    const lines = readFileSync(log, 'utf8')
      .split('\n')
      .map((line) => {
        if (isGiven || !line.includes('"tool_result"') || line.includes('"is_error":true')) return line;
        isGiven = true;
        return JSON.stringify({ ...(JSON.parse(line) as JsonObject), toolUseResult: details(type) });
      });
    writeFileSync(copy, lines.join('\n'));
    return changeIn(copy);
  };
  expect(await changeOf('update')).toMatchObject({ kind: 'edit', added: 0, removed: 0, diff: '' });
  expect(await changeOf('create')).toMatchObject({ kind: 'write', added: 1, removed: 0 });
});
