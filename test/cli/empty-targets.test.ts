import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildProgram } from '../../commands/program.ts';
import { runHere, within } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

// One rule for all commands (docs/commands.md, Exit codes): a named folder without runs is a missing target (3). So is a root without runs, except that
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

/** The commands that a log of an unknown dialect cannot have. */
const CANNOT: Readonly<Record<string, number>> = { state: 3, project: 2, seal: 2 };

/** What a log without events of an agent lacks, by command: nothing was verified, found, examined or stored. */
const OF_EMPTY_LOG: Readonly<Record<string, number>> = { ...CANNOT, verify: 3, doctor: 3, search: 1 };

const FILES: Readonly<Record<string, string>> = {
  'empty.jsonl': '',
  'other.jsonl': '{"name":"a","version":"1"}\n{"name":"b","version":"1"}\n',
  'table.jsonl': 'x,y\n1,2\n',
  'table.csv': 'x,y\n1,2\n',
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
    for (const [file, content] of Object.entries(FILES)) writeFileSync(join(cwd, file), content);
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

test('JSON of something else is printed, but neither verified nor examined', async () => {
  expect(await exitCodes('other.jsonl')).toEqual(all(0, OF_EMPTY_LOG));
});

test('a log without a line of JSON is a damaged log', async () => {
  expect(await exitCodes('table.jsonl')).toEqual(all(1, { ...CANNOT, doctor: 3, list: 0, salvage: 0 }));
});

test('a file that has not the name of a log, and no JSON, is a missing target', async () => {
  // Salvage looks for records in any file.
  expect(await exitCodes('table.csv')).toEqual(all(3, { salvage: 0, seal: 2 }));
});
