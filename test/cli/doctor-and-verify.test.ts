import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { doctorReport } from '../../src/read/outputs/doctor.ts';
import { damagedOf, expectedOf } from '../support/doctor-samples.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

interface LineFinding {
  readonly code: string;
  readonly line?: number;
  readonly message: string;
}

const DAMAGE = ['torn-middle', 'torn-tail', 'torn-glued', 'nul-line', 'nul-before', 'joined'];

test.each(['claude', 'codex', 'copilot', 'pi', 'gemini', 'qwen'] as const)(
  'doctor and verify give one reason why a line of %s is not a record',
  async (program) => {
    let compared = 0;
    for (const { name, bytes } of damagedOf(program).filter((one) => DAMAGE.includes(one.name))) {
      const home = tempDir();
      const log = join(home, expectedOf(program).session);
      mkdirSync(dirname(log), { recursive: true });
      writeSettled(log, bytes);
      const { skipped } = doctorReport.parse(
        JSON.parse((await runHere(['doctor', log, '-j'], { home })).stdout),
      );
      const verified = JSON.parse((await runHere(['verify', log, '-j'], { home })).stdout) as {
        readonly episodes: readonly { readonly findings: readonly LineFinding[] }[];
      };
      for (const { line, message } of skipped) {
        const found = verified.episodes
          .flatMap(({ findings }) => findings)
          .find((one) => one.line === line && one.code.startsWith('log/'));
        if (found === undefined) continue;
        expect([name, message]).toEqual([name, found.message]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(2);
  },
);

test('doctor names what helps if a log is damaged and no repair loads more', async () => {
  const home = tempDir();
  const log = join(home, expectedOf('claude').session);
  mkdirSync(dirname(log), { recursive: true });
  writeSettled(log, damagedOf('claude').find(({ name }) => name === 'torn-tail')?.bytes ?? Buffer.of());
  const { stdout } = await runHere(['doctor', log], { cwd: home, home });
  const [, id] = / noesis salvage (\S+) -o DIR$/m.exec(stdout) ?? [];
  expect(stdout).toMatch(/^(?:There is nothing to repair|No repair loads more)\.$/m);
  expect((await runHere(['verify', log], { cwd: home, home })).code).toBe(1);
  await runHere(['salvage', id ?? '', '-o', 'copy'], { cwd: home, home });
  expect((await runHere(['verify', 'copy'], { cwd: home, home })).code).toBe(0);
});
