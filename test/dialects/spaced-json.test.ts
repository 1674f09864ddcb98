import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

// Another program may have written a log again, such as one that takes names out of it. White space means nothing in JSON.

/** The record of a line with a space after each colon and comma. */
const spaced = (line: string): string =>
  line.trim() === '' ? '' : JSON.stringify(JSON.parse(line), null, 1).replace(/\n */g, ' ');

/** What `list` says of the runs in a folder, except their sizes, and ids that are paths. */
async function listed(folder: string): Promise<readonly object[]> {
  const { stdout } = await runHere(['list', folder, '-j']);
  return JSON.parse(stdout)
    .map(({ path, id: _, log_bytes: _size, ...run }: { path: string; id: string; log_bytes: number }) => ({
      ...run,
      path: path.slice(folder.length),
    }))
    .sort((a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1));
}

test.each(['parts/claude-code', 'parts/codex-child', 'copilot/session-state', 'pi', 'qwen'])(
  'white space in the records of %s changes nothing',
  async (name) => {
    const folder = join(SAMPLES, name);
    const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.jsonl') && !file.includes('damaged'),
    );
    const texts = logs.map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);
    const rewritten = texts.map(([file, text]) => [file, text.split('\n').map(spaced).join('\n')]);
    const [stored, again] = [writeTree(Object.fromEntries(texts)), writeTree(Object.fromEntries(rewritten))];
    const runs = await listed(stored);
    expect(runs.length).toBeGreaterThan(0);
    expect(await listed(again)).toEqual(runs);
  },
);
