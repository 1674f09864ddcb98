import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { noesis, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

// A copy without the damaged lines of its log lacks what was on them.

const SAMPLE = join(
  SAMPLES,
  'claude-code/projects/-home-usr-git-sync/665c2e57-8c9f-4dd8-ba40-05c63f801620.jsonl',
);

const json = async (...args: string[]) => JSON.parse((await runHere(args)).stdout);

/** The log with a torn line, and the copy that `salvage` makes of it. */
async function salvagedSample(): Promise<{ readonly damaged: string; readonly copy: string }> {
  const [folder, to] = [tempDir(), join(tempDir(), 'copy')];
  const lines = readFileSync(SAMPLE, 'utf8').split('\n');
  const at = lines.findIndex((line, place) => place > 20 && line.includes('"type":"assistant"'));
  const damaged = join(folder, 'log.jsonl');
  writeFileSync(damaged, lines.with(at, (lines[at] ?? '').slice(0, 80)).join('\n'));
  await runHere(['salvage', damaged, '-o', to]);
  return { damaged, copy: join(to, 'log.jsonl') };
}

test('the tokens of a salvaged copy are a minimum in every command', async () => {
  const { damaged, copy } = await salvagedSample();
  const { lacks, tokens } = await json('show', damaged, '-j');
  expect(lacks.lines).toBe(1);
  for (const command of ['show', 'read', 'stats'])
    expect([command, await json(command, copy, '-j')]).toMatchObject([command, { lacks, tokens }]);
  const [listed] = await json('list', copy, '-j');
  expect(listed).toMatchObject({ lacks, tokens, copy_of: damaged });
  const { stderr, stdout } = await runHere(['list', copy]);
  expect(stderr + stdout).not.toContain('is damaged');
  expect((await runHere(['show', copy])).stdout).toMatch(/^Tokens +at least .*, without 1 damaged line$/m);
  expect((await runHere(['timeline', copy])).stdout).toMatch(/^Tokens +at least /m);
});

test('an account of salvage that is not of this log does not make its tokens a minimum', async () => {
  const { copy } = await salvagedSample();
  appendFileSync(copy, readFileSync(SAMPLE, 'utf8').split('\n')[0] ?? '');
  expect((await json('show', copy, '-j')).lacks).toMatchObject({ lines: 1 });
  writeFileSync(copy, readFileSync(SAMPLE));
  expect((await json('show', copy, '-j')).lacks).toBeUndefined();
});

test('a repaired copy lacks what was on a line of NUL bytes', async () => {
  const folder = tempDir();
  const log = join(folder, '665c2e57-8c9f-4dd8-ba40-05c63f801620.jsonl');
  const lines = readFileSync(SAMPLE, 'utf8').split('\n');
  // The result of a lost call has to be rejected.
  const at = lines.findIndex((line, place) => place > 20 && line.includes('"type":"tool_use"'));
  writeFileSync(log, lines.with(at, '\0'.repeat(700)).join('\n'));
  const args = ['doctor', '--fix', '--force', '-o', join(folder, 'out'), log, '-j'];
  const { written } = JSON.parse((await noesis(args, { env: { ...process.env, HOME: folder } })).stdout);
  for (const command of ['show', 'read', 'stats'])
    expect([command, await json(command, written.log, '-j')]).toMatchObject([
      command,
      { lacks: { lines: 1 } },
    ]);
});
