import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesOfRun } from '../../src/read/describe/changes-of-story.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

const LOGS = [
  'demo-site/b25638d7-b104-4f06-a797-70ac33d069ed.jsonl',
  'shop/5e550000-0000-4000-8000-00000000a001.jsonl',
].map((name) => join(SAMPLES, `claude-code/projects/-home-usr-${name}`));

const changesIn = async (log: string): Promise<ChangesOfRun> =>
  JSON.parse((await runHere(['show', log, '--changes', '-j'])).stdout);

/** What was changed, without the lines of the log. */
const contents = ({ files }: ChangesOfRun) =>
  files
    .map(({ path, added, removed }) => ({ path, added, removed }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));

test.each(LOGS)('an edit whose call is lost is told by its result: %s', async (path) => {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const whole = await changesIn(path);
  const edits = whole.files.flatMap(({ changes }) => changes.map(({ line }) => line));
  expect(edits.length).toBeGreaterThan(0);
  for (const line of edits) {
    const log = tempFile(`${lines.with(line - 1, '\0'.repeat(700)).join('\n')}\n`, 'log.jsonl');
    expect(contents(await changesIn(log)), `line ${line}`).toEqual(contents(whole));
    const { stdout } = await runHere(['read', log]);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'edit: the call is not in the log; its result says what changed in /',
    );
  }
});
