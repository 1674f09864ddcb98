import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TranscriptReader } from '../../../src/dialects/sessions/claude-code/reader.ts';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { sessionIn } from '../sessions.ts';

test('a turn ends with its answer, however much later the program is left', async () => {
  const log = 'claude-code/projects/-home-usr-project/03eb5929-52b3-4b13-ada3-b93ae35806b8.jsonl';
  const { turns } = await sessionIn(join(SAMPLES, log), new TranscriptReader());
  // Asked at 19:27:07.599 and answered at 19:27:18.808; `/exit` came at 00:13:55.
  expect(turns.at(-1)?.duration_ms).toBe(11_209);
});

test('of the failed calls of a tool the line of the last one is shown, in any turn', async () => {
  const { stdout } = await runHere(['show', join(SAMPLES, 'claude-code/projects/-home-usr-shop'), '--full']);
  expect(stdout).toMatch(/^ {2}5 +1 \+ 1 refused \+ 2 no result +35 +5\.20 s +Bash$/m);
});
