import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { SESSION_DIALECTS } from './sessions.ts';

/** The logs that programs wrote, and that nobody damaged. */
const LOGS = SESSION_DIALECTS.flatMap((dialect) =>
  readdirSync(join(SAMPLES, dialect), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl') && !/(?:^|\/)(?:damaged|side)\//.test(path))
    .sort()
    .map((path) => [join(dialect, path), join(SAMPLES, dialect, path)] as const),
);

test.each(LOGS)('%s verifies without an error or a warning', async (_path, log) => {
  const { stdout } = await runHere(['verify', log, '-f', 'json']);
  const { episodes } = JSON.parse(stdout) as {
    episodes: { verdict: string; findings: { code: string; severity: string; line?: number }[] }[];
  };
  const severe = episodes.flatMap(({ findings }) => findings.filter(({ severity }) => severity !== 'info'));
  expect(severe).toEqual([]);
  expect(episodes.map(({ verdict }) => verdict)).toEqual(['ok']);
});
