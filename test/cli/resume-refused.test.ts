import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { damagedOf, expectedOf, originalOf, type SampleProgram } from '../support/doctor-samples.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

// A command that does not work is worse than none: one rule says whether a program loads a session.

const PROGRAMS: readonly SampleProgram[] = ['claude', 'codex', 'copilot', 'pi', 'gemini', 'qwen'];
const COMMAND = /claude --resume|codex resume|copilot --resume|pi --session|gemini --resume|qwen --resume/;

/** A home with one session. */
function homeWith(program: SampleProgram, bytes: Buffer): { home: string; log: string } {
  const home = tempDir();
  const log = join(home, expectedOf(program).session);
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, bytes);
  return { home, log };
}

describe.each(PROGRAMS)('a session of %s', (program) => {
  const cases = [
    { name: 'as its program wrote it', bytes: originalOf(program).bytes },
    ...damagedOf(program).filter(({ name }) =>
      /^(?:lost-first-line|bom)$/.test(name),
    ),
  ];

  test.each(cases.map(({ name, bytes }) => [name, bytes] as const))(
    '%s: show and search print a command only if doctor says that the program loads it',
    async (_name, bytes) => {
      const { home, log } = homeWith(program, bytes);
      const world = { home, cwd: home, columns: 400 };
      const { found } = JSON.parse((await runHere(['doctor', log, '-j'], world)).stdout);
      const shown = await runHere(['show', log], world);
      const searched = await runHere(['search', 'e', log], world);
      const json = JSON.parse((await runHere(['show', log, '-j'], world)).stdout);
      if (!found.is_found) expect(shown.stdout).not.toMatch(COMMAND);
      if (!found.is_found) expect(json.resume_command).toBeUndefined();
      expect(json.resume_refused).toBe(found.is_found ? undefined : found.reason);
      if (!found.is_found) expect(searched.stdout).not.toMatch(COMMAND);
      for (const { stdout } of found.is_found ? [] : [shown, ...(searched.stdout === '' ? [] : [searched])])
        expect(stdout).toMatch(/not possible: [^\n]+; see noesis doctor /);
    },
  );
});

test('there are sessions that their programs load, and others', async () => {
  const lost = damagedOf('codex').find(({ name }) => name === 'lost-first-line')?.bytes ?? Buffer.of();
  const codex = homeWith('codex', lost);
  const shown = (await runHere(['show', codex.log], { ...codex, cwd: codex.home, columns: 400 })).stdout;
  expect(shown).toMatch(
    /Resume .*not possible: "rollout … does not start with session metadata"; see noesis doctor /,
  );
  const qwen = homeWith('qwen', originalOf('qwen').bytes);
  const report = await runHere(['doctor', qwen.log], { ...qwen, cwd: qwen.home, columns: 400 });
  expect(report.code).toBe(1);
  expect(report.stdout).toContain('its working folder does not exist: ');
  const claude = homeWith('claude', originalOf('claude').bytes);
  const command = (await runHere(['show', claude.log], { ...claude, cwd: claude.home })).stdout;
  // The folder does not exist, so the command does not go there.
  expect(command).toMatch(/Resume [^/\n]*claude --resume /);
});
