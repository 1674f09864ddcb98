import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const PROJECTS = join(SAMPLES, 'claude-code/projects');
const FOLDER = '-home-usr-w-330-sub';
const SESSION = 'adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1.jsonl';

/** The log in the command that the last sentence of a story contains. */
const namedIn = (text: string) => /separate log: `?noesis read ([^\s`]+)`?$/.exec(text.trimEnd())?.[1] ?? '';

test('read names the separate logs of subagents with a command that reads them', async () => {
  const cwd = join(PROJECTS, FOLDER);
  const named = namedIn((await runHere(['read', SESSION], { cwd })).stdout);
  expect(named).toBe('adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1/subagents/agent-a4877a4f9f72b03c6.jsonl');
  const { code, stdout } = await runHere(['read', named], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('agent-a4877a4f9f72b03c6');
  const markdown = (await runHere(['read', SESSION, '-f', 'markdown'], { cwd })).stdout;
  expect(namedIn(markdown)).toBe(named);
  const document = JSON.parse((await runHere(['read', SESSION, '-j'], { cwd })).stdout) as unknown;
  expect(document).toMatchObject({ subagent_logs: [named] });
});

test('of a packed session, it names them in the archive', async () => {
  const cwd = tempDir();
  execFileSync('tar', ['-cf', join(cwd, 'runs.tar'), '-C', PROJECTS, `./${FOLDER}`]);
  const named = namedIn((await runHere(['read', 'runs.tar'], { cwd })).stdout);
  expect(named).toMatch(/^runs\.tar\/-home-usr-w-330-sub\//);
  const { code, stdout } = await runHere(['read', named], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('agent-a4877a4f9f72b03c6');
});
