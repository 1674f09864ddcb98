import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LINE_DIALECTS, sampleLogs } from '../dialects/sessions.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

// What a damaged log lacks is named in what commands print.

const LOST = /\b(?:undefined|NaN|Infinity)\b|\[object/;

/** What commands print of a log, where a value is missing. */
async function lostWords(log: string): Promise<string[]> {
  const found: string[] = [];
  for (const command of ['doctor', 'show', 'timeline']) {
    const { stdout } = await runHere([command, log]);
    const line = stdout.split('\n').find((text) => LOST.test(text));
    if (line !== undefined) found.push(`${command}: ${line}`);
  }
  return found;
}

describe.each(LINE_DIALECTS)('%s', (name) => {
  test.each(sampleLogs(name).map((log) => [relative(SAMPLES, log), log] as const))(
    'no command prints a missing value of %s, also without its first line',
    async (_name, log) => {
      if (!log.endsWith('.jsonl')) return;
      const [first = '', ...rest] = readFileSync(log, 'utf8').split('\n');
      const torn = tempFile([first.slice(0, 30), ...rest].join('\n'), basename(log));
      expect([await lostWords(log), await lostWords(torn)]).toEqual([[], []]);
    },
  );
});

test('doctor says that a session of pi without a header is not found', async () => {
  const lines = readFileSync(join(SAMPLES, 'pi/v3-fork-0.87.1.jsonl'), 'utf8').split('\n');
  const { stdout } = await runHere(['doctor', tempFile(lines.slice(1).join('\n'), 'log.jsonl')]);
  expect(stdout).toMatch(/pi finds a session by its header,\s+which\s+is missing/);
});
