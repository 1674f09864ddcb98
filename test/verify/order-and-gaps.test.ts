import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

const CLAUDE = 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl';
const CODEX =
  'codex/sessions/2026/11/22/rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl';
const COPILOT = 'copilot/session-state/4e847a81-138a-4613-9f96-49673e91c9c3/events.jsonl';

const linesOf = (path: string): string[] =>
  readFileSync(join(SAMPLES, path), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

interface Episode {
  readonly verdict: string;
  readonly findings: readonly { readonly code: string; readonly severity: string; readonly line?: number }[];
}

async function verified(lines: readonly string[]) {
  const log = tempFile(`${lines.join('\n')}\n`, 'any.jsonl');
  const { stdout } = await runHere(['verify', log, '-f', 'json']);
  const [episode] = (JSON.parse(stdout) as { episodes: Episode[] }).episodes;
  const { stdout: text } = await runHere(['verify', log], { env: { COLUMNS: '400' } });
  return { ...(episode as Episode), text };
}

test.each([
  ['Claude Code', CLAUDE],
  ['Codex', CODEX],
  ['Copilot', COPILOT],
  ['pi', 'pi/v3-plain-resumed-0.87.1.jsonl'],
  ['Qwen Code', 'qwen/resumed-0.24.4.jsonl'],
  ['Gemini CLI', 'gemini/resumed-0.61.0.jsonl'],
])('a log of %s whose lines were reversed is not ok', async (_program, path) => {
  expect((await verified(linesOf(path))).verdict).toBe('ok');
  expect((await verified(linesOf(path).reverse())).verdict).not.toBe('ok');
});

test('most lines of a transcript before their parents are a warning, a few are not', async () => {
  const { findings } = await verified(linesOf(CLAUDE).reverse());
  expect(
    findings.filter(({ code }) => code === 'lineage/forward-cause').map(({ severity }) => severity),
  ).toEqual(['warn']);
  const few = await verified(linesOf(CLAUDE));
  expect(
    few.findings.filter(({ code }) => code === 'lineage/forward-cause').map(({ severity }) => severity),
  ).toEqual(['info']);
});

test('the verdict says that a log begins inside a session', async () => {
  const { text } = await verified(linesOf(CLAUDE).slice(24));
  expect(text).toContain('consistent: the log begins inside a session; not sealed');
});

test('the verdict says that the numbers of records have gaps', async () => {
  const isSaid = (line: string) => /"item_completed"/.test(line);
  const { text, findings } = await verified(linesOf(CODEX).filter((line) => !isSaid(line)));
  expect(findings.some(({ code }) => code === 'sequence/gap')).toBe(true);
  expect(text).toContain('consistent: the numbers of the records have gaps; not sealed');
});
