import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { damagedOf, expectedOf } from '../support/doctor-samples.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

const DAMAGE = ['torn-middle', 'torn-tail', 'torn-glued', 'nul-line', 'nul-before', 'joined'];

const eventsOf = async (log: string): Promise<number> =>
  (JSON.parse((await runHere(['show', log, '-j'])).stdout) as { readonly events: number }).events;

test.each(['claude', 'codex', 'copilot', 'pi', 'gemini', 'qwen'] as const)(
  'a salvaged log of %s has every record that can be read of the damaged one',
  async (program) => {
    let compared = 0;
    for (const { name, bytes } of damagedOf(program).filter((one) => DAMAGE.includes(one.name))) {
      const dir = tempDir();
      const log = join(dir, expectedOf(program).session);
      mkdirSync(dirname(log), { recursive: true });
      writeSettled(log, bytes);
      if ((await runHere(['salvage', log, '-o', join(dir, 'copy')])).code === 2) continue;
      const copied = await eventsOf(join(dir, 'copy', basename(log)));
      expect([name, copied]).toEqual([name, Math.max(copied, await eventsOf(log))]);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(2);
  },
);
