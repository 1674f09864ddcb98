import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';

test('read names the separate logs of subagents with a command that reads them', async () => {
  const cwd = join(SAMPLES, 'claude-code/projects/-home-usr-w-330-sub');
  const { stdout } = await runHere(['read', 'adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1.jsonl'], { cwd });
  const named = [...stdout.matchAll(/^A subagent has a separate log: noesis read (\S+)$/gm)].map(
    ([, path]) => path,
  );
  expect(named).toEqual(['adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1/subagents/agent-a4877a4f9f72b03c6.jsonl']);
  const { code, stdout: inner } = await runHere(['read', named[0] ?? ''], { cwd });
  expect(code).toBe(0);
  expect(inner).toContain('agent-a4877a4f9f72b03c6');
});
