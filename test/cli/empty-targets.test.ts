import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildProgram } from '../../commands/program.ts';
import { runHere, within } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

// One rule for all commands: a named folder without runs is a missing target (3). So is a root without runs, except that
// list has nothing to print (0). A log without records is a log: commands that read it print what there is (0), and only
// those that must find something in it fail.

/** The arguments of a command before its target, if it needs others. Commands without logs as targets are not here. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  search: ['search', 'text'],
  view: ['view', '-o', 'page.html'],
  export: ['export', '--format', 'otlp'],
  redact: ['redact', '-o', 'copy'],
  salvage: ['salvage', '--dry-run'],
};
/** `append` begins a log in an empty folder, and sign, checkpoint and sql need a key or a program. */
const WITHOUT = new Set('append checkpoint sign sql explain merge keygen schema completion help'.split(' '));

/** What an empty log lacks, by command: nothing was verified, found, examined or stored. */
const OF_EMPTY_LOG: Readonly<Record<string, number>> = {
  verify: 3,
  doctor: 3,
  state: 3,
  search: 1,
  project: 2,
  seal: 2,
};

const commands: string[] = [];
await within({}, async (io) => {
  const program = await buildProgram(io, undefined);
  commands.push(...program.commands.map((one) => one.name()).filter((name) => !WITHOUT.has(name)));
  return 0;
});

async function exitCodes(...targets: string[]): Promise<Record<string, number>> {
  const codes: Record<string, number> = {};
  for (const name of commands) {
    const cwd = tempDir();
    mkdirSync(join(cwd, 'empty'));
    mkdirSync(join(cwd, 'root/.noesis/episodes'), { recursive: true });
    writeFileSync(join(cwd, 'empty.jsonl'), '');
    const both = name === 'diff' && !targets[0]?.startsWith('-') ? [...targets, ...targets] : targets;
    codes[name] = (await runHere([...(LINES[name] ?? [name]), ...both], { cwd, home: cwd })).code;
  }
  return codes;
}

const all = (code: number, others: Readonly<Record<string, number>> = {}) => ({
  ...Object.fromEntries(commands.map((name) => [name, code])),
  ...others,
});

test('a folder without runs is a missing target', async () => {
  expect(await exitCodes('empty')).toEqual(all(3));
});

test('a root without runs is one too, but list has nothing to print', async () => {
  // These need a target.
  const needs = { diff: 2, seal: 2, redact: 2, salvage: 2 };
  expect(await exitCodes('--root', 'root')).toEqual(all(3, { list: 0, ...needs }));
  expect(await exitCodes('--root', 'nowhere')).toEqual(all(3, needs));
});

test('a log without records is a log', async () => {
  expect(await exitCodes('empty.jsonl')).toEqual(all(0, OF_EMPTY_LOG));
});
