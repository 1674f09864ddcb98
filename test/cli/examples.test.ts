import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { buildProgram } from '../../commands/program.ts';
import { examplesOf } from '../../src/cli/help/examples.ts';
import { manualOf } from '../../src/cli/help/manual.ts';
import { TOPICS } from '../../src/cli/help/topics.ts';
import type { Io } from '../../src/cli/io.ts';
import { CATALOGUE } from '../../src/dialects/catalogue.ts';
import { EXAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';
import { isInstalled } from '../support/tools.ts';

/** A program whose commands do nothing: its lines are only parsed. */
async function idle(): Promise<Command> {
  const program = await buildProgram({ cwd: EXAMPLES } as Io, undefined);
  for (const command of [program, ...program.commands])
    command.action(() => {}).configureOutput({ writeErr: () => {} });
  return program;
}

/** The words of an example, up to what a shell makes of the rest. */
const wordsOf = (line: string): string[] =>
  [...(line.split(/ [|<>] /)[0] ?? '').matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

const { commands } = await idle();

describe.each(commands.map((command) => ({ name: command.name(), examples: examplesOf(command) })))(
  'the examples of $name',
  ({ name, examples }) => {
    test('are two or more, and in its help', async () => {
      expect(examples.length).toBeGreaterThanOrEqual(2);
      const { stdout } = await runHere([name, '--help'], { env: { COLUMNS: '200' } });
      for (const [line] of examples) expect(stdout).toContain(`  noesis ${line}  `);
    });

    test.each(examples.map(([line]) => line))('noesis %s', async (line) => {
      expect(wordsOf(line)[0]).toBe(name);
      await (await idle()).parseAsync(wordsOf(line), { from: 'user' });
    });
  },
);

/** The commands that the texts of findings recommend, with the code of each. */
const recommended = CATALOGUE.flatMap(({ code, fix }) =>
  [...fix.matchAll(/`noesis ([^`]+)`/g)].map(([, line = '']) => [line, code] as const),
);

test.each(recommended)('noesis %s is a valid command in %s', async (line) => {
  await (await idle()).parseAsync(wordsOf(line.replace('LINE', '12')), { from: 'user' });
});

test.each(TOPICS.map(({ name }) => name))('help %s explains', async (name) => {
  const { code, stdout, stderr } = await runHere(['help', name], { env: { COLUMNS: '60' } });
  expect([code, stderr]).toEqual([0, '']);
  await expect(stdout).toMatchFileSnapshot(`__snapshots__/help-topic-${name}.txt`);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
});

test('help topics lists the topics, each with what it explains', async () => {
  const { code, stdout, stderr } = await runHere(['help', 'topics'], { env: { COLUMNS: '60' } });
  expect([code, stderr]).toEqual([0, '']);
  for (const { name, about } of TOPICS) expect(stdout).toMatch(new RegExp(`^  ${name} +${about}$`, 'm'));
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  expect((await runHere(['help', 'topic'], { env: { COLUMNS: '60' } })).stdout).toBe(stdout);
});

describe('the manual', async () => {
  const pages = manualOf(await buildProgram({ cwd: EXAMPLES } as Io, undefined), '2026-03-02');

  test('has a page of each command, with what its help says', async () => {
    expect([...pages.keys()]).toEqual(['noesis.1', ...commands.map((one) => `noesis-${one.name()}.1`)]);
    for (const command of commands) {
      const text = pages.get(`noesis-${command.name()}.1`)?.replaceAll('\\-', '-') ?? '';
      for (const { flags } of command.createHelp().visibleOptions(command))
        expect(text).toContain(`.B ${flags}\n`);
      for (const [line] of examplesOf(command)) expect(text).toContain(`.B noesis ${line}\n`);
    }
    const all = pages.get('noesis.1') ?? '';
    for (const { title } of TOPICS) expect(all).toContain(`.SH "${title.toUpperCase()}"\n`);
  });

  test.skipIf(!isInstalled('groff'))('is roff without a fault (where groff is installed)', () => {
    for (const [name, text] of pages) {
      const path = join(tempDir(), name);
      writeFileSync(path, text);
      const { status, stdout, stderr } = spawnSync(
        'groff',
        ['-man', '-Tutf8', '-P-cbou', '-ww', '-Kutf8', path],
        {
          encoding: 'utf8',
        },
      );
      expect([name, status, stderr]).toEqual([name, 0, '']);
      expect(stdout).toContain('SYNOPSIS');
    }
  });
});
