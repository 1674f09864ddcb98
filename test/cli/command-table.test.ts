import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { buildProgram } from '../../commands/program.ts';
import { unmarkedCommands, withOptionTables } from '../../src/cli/help/option-tables.ts';
import { EXAMPLES } from '../support/cli.ts';
import { runHere, within } from '../support/in-process.ts';
import { ROOT } from '../support/pages.ts';
import { tempDir } from '../support/temp.ts';

// Prose about which command takes what was wrong as soon as a command changed. The table in docs/commands.md is made from
// the declared options and from runs of every command. UPDATE_DOCS=1 npx vitest run test/cli/command-table.test.ts
// writes it again.

const PAGE = join(ROOT, 'docs/commands.md');
const START =
  '| command | targets | `--shard`, `--targets` | standard input | damaged log |\n|---|---|---|---|---|\n';

const DAMAGED = 'ep_01KJPWD6M0GKJVH2GKEFTDNN55';
const WHOLE = join(EXAMPLES, '.noesis/episodes/ep_01KJQA4N40CCE7NY92CB90Q783/events.jsonl');

/** A command line for a target, in a folder that it may write to. Commands that take none are not here. */
const LINES: Readonly<Record<string, (target: string) => readonly string[]>> = {
  append: (target) => ['append', target, '--event', '{"phase":"act","payload":{}}'],
  checkpoint: (target) => ['checkpoint', target, '-o', 'point', '--key', 'k.key'],
  diff: (target) => ['diff', target, target === '-' ? WHOLE : target],
  export: (target) => ['export', target, '--format', 'otlp'],
  redact: (target) => ['redact', target, '-o', 'copy'],
  salvage: (target) => ['salvage', target, '--dry-run'],
  search: (target) => ['search', 'the', target],
  sign: (target) => ['sign', target, '--key', 'k=k.key'],
  view: (target) => ['view', target, '-o', 'page.html'],
};

/** Commands without logs as targets, and `sql`, which needs a program that is not always installed. */
const WITHOUT = new Set(['sql', 'explain', 'merge', 'keygen', 'schema', 'completion', 'help', 'doctor']);

async function exitCode(command: string, target: string): Promise<number> {
  const cwd = tempDir();
  cpSync(join(EXAMPLES, 'damaged/bad-json'), cwd, { recursive: true });
  if (command === 'checkpoint') await runHere(['keygen', 'k'], { cwd });
  if (command === 'sign') writeFileSync(join(cwd, 'k.key'), 'a secret of more than 16 bytes');
  const line = (LINES[command] ?? ((one: string) => [command, one]))(target);
  return (await runHere(line, { cwd, input: readFileSync(WHOLE) })).code;
}

function targetsOf({ registeredArguments }: Command): string {
  const targets = registeredArguments.filter((one) => /^(?:target|a|b|other|report)$/.test(one.name()));
  if (targets.some(({ variadic }) => variadic)) return 'any number';
  return targets.length === 0
    ? ''
    : targets.some((one) => one.name() === 'other')
      ? 'one or two'
      : String(targets.length);
}

let commands: readonly Command[] = [];
await within({}, async (io) => {
  commands = (await buildProgram(io, undefined)).commands;
  return 0;
});

describe('what every command takes', () => {
  test('is what docs/commands.md says', async () => {
    const rows: string[] = [];
    for (const command of commands) {
      const targets = targetsOf(command);
      if (targets === '') continue;
      const name = command.name();
      const isRun = !WITHOUT.has(name);
      const cells = [
        `\`${name}\``,
        targets.replace('1', 'one').replace('2', 'two'),
        command.options.some(({ long }) => long === '--shard') ? 'yes' : '',
        isRun && (await exitCode(name, '-')) < 2 ? 'yes' : '',
        isRun ? `exit ${await exitCode(name, DAMAGED)}` : '',
      ];
      rows.push(`| ${cells.join(' | ')} |`.replaceAll(/ {2,}/g, ' '));
    }
    const page = readFileSync(PAGE, 'utf8');
    const begin = page.indexOf(START) + START.length;
    expect(begin).toBeGreaterThan(START.length);
    const end = page.indexOf('\n\n', begin);
    const table = rows.join('\n');
    if (process.env['UPDATE_DOCS']) writeFileSync(PAGE, page.slice(0, begin) + table + page.slice(end));
    else expect(page.slice(begin, end)).toBe(table);
  });

  test.each(['timeline', 'tail'])(
    '%s has the filters of events, except those that docs/commands.md names',
    (name) => {
      const optionsOf = (one: string) =>
        commands.find((command) => command.name() === one)?.options.flatMap(({ long }) => long ?? []) ?? [];
      const [, section = ''] = readFileSync(PAGE, 'utf8').split(`\n## ${name}\n`);
      const [, except = ''] = /but not (`--[^.]+)\./.exec(section) ?? [];
      const missing: readonly string[] = except.match(/--[a-z]+/g) ?? [];
      const filters = [
        '--phase',
        '--type',
        '--failed',
        '--agent',
        '--since',
        '--until',
        '--grep',
        '--tool',
        '--session',
      ];
      expect(optionsOf('events')).toEqual(expect.arrayContaining([...filters, ...missing]));
      expect(optionsOf(name)).toEqual(expect.arrayContaining(filters));
      expect(optionsOf(name).filter((option) => missing.includes(option))).toEqual([]);
      expect(missing).not.toEqual([]);
    },
  );

  test('is named in the list of commands at the top of docs/commands.md', () => {
    const [top = ''] = readFileSync(PAGE, 'utf8').split('\n## ');
    for (const command of commands)
      expect([command.name(), new RegExp(`[[, ]${command.name()}[\\],]`).test(top)]).toEqual([
        command.name(),
        true,
      ]);
  });

  test('has a table of options on the page, as they are declared: node scripts/run.mjs scripts/make-docs.ts', () => {
    const page = readFileSync(PAGE, 'utf8');
    expect(unmarkedCommands(page, commands)).toEqual([]);
    expect(withOptionTables(page, commands)).toBe(page);
  });
});
