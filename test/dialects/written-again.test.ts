import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

// A program, or a copy of a log, may write all records again. The session has each call once.

const json = async (...args: string[]) => JSON.parse((await runHere([...args, '-j'])).stdout);

/** How much the commands count. */
async function counts(log: string): Promise<object> {
  const [[listed], shown, counted] = [
    await json('list', log),
    await json('show', log),
    await json('stats', log),
  ];
  return {
    turns: [listed.turns, shown.steps.length],
    tokens: [listed.tokens, shown.tokens, counted.tokens],
    tools: shown.tools
      .map(({ tool, calls, failed }: Record<string, unknown>) => [tool, calls, failed])
      .sort(),
    counted: counted.tools,
  };
}

test.each([
  'gemini/resumed-0.61.0.jsonl',
  'gemini/resumed-0.39.1.jsonl',
  'gemini/cancel-compress-rewind-0.61.0.jsonl',
  'pi/v3-plain-resumed-0.87.1.jsonl',
  'qwen/resumed-0.24.4.jsonl',
])('of %s', async (sample) => {
  const [name, text] = [basename(sample), readFileSync(join(SAMPLES, sample), 'utf8').trimEnd()];
  const logOf = (folder: string, records: string) =>
    join(writeTree({ [`${folder}/${name}`]: `${records}\n` }), folder, name);
  expect(await counts(logOf('twice', `${text}\n${text}`))).toEqual(await counts(logOf('once', text)));
});
