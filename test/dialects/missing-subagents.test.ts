import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const CLAUDE = 'claude-code/projects/-home-usr-w-330-sub';
const CLAUDE_ID = 'adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1';
const DAY = 'codex/sessions/2026/11/23';

/** The findings about a session in a copy of its folder, without some files. */
async function seenWithout(folder: string, log: string, without: readonly string[]): Promise<string[]> {
  const copy = join(tempDir(), basename(folder));
  cpSync(join(SAMPLES, folder), copy, { recursive: true });
  for (const path of without) rmSync(join(copy, path), { recursive: true });
  const { stdout } = await runHere(['verify', join(copy, log), '-j']);
  const { episodes } = JSON.parse(stdout) as {
    episodes: { level?: string; findings: { severity: string; code: string; line: number }[] }[];
  };
  return episodes.flatMap(({ findings }) =>
    findings.map(({ severity, code, line }) => `${severity} ${code} ${line}`),
  );
}

test.each([
  ['Claude Code', CLAUDE, `${CLAUDE_ID}.jsonl`, CLAUDE_ID],
  [
    'Codex',
    DAY,
    'rollout-2026-11-23T02-13-13-01a2062d-c8d2-7ce3-a3bd-3c4c7f6dc389.jsonl',
    'rollout-2026-11-23T02-13-14-01a2062d-ca98-78f3-a8c8-10dd7b6e6760.jsonl',
  ],
] as const)('%s: a subagent is named whose log is not there', async (_, folder, log, part) => {
  const IS_MISSING = /^info session\/missing-subagent \d+$/;
  const findings = await seenWithout(folder, log, []);
  expect(findings.filter((one) => IS_MISSING.test(one))).toEqual([]);
  const seen = await seenWithout(folder, log, [part]);
  expect(seen.filter((one) => IS_MISSING.test(one))).toHaveLength(1);
  // Nothing else is new.
  expect(findings).toEqual(expect.arrayContaining(seen.filter((one) => !IS_MISSING.test(one))));
});

test('a session whose subagents are in its own log lacks none', async () => {
  const folder = 'claude-code/projects/-home-usr-w-128-twosubs';
  expect(await seenWithout(folder, 'cdc3a354-ab26-491a-bb65-d328eb16cc5f.jsonl', [])).toEqual([]);
});
