// Records what the commands print of every example and every sample, and compares two such recordings byte for byte.
//
//   node scripts/run.mjs scripts/golden.ts record before.json [folder of logs…]
//   node scripts/run.mjs scripts/golden.ts compare before.json after.json
//
// Both recordings must read the same folders, because times and paths of files are part of the output. The default folders
// are examples/ and test/samples/ of this checkout.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { runHere } from '../test/support/in-process.ts';
import { targetsIn } from '../test/support/sampled-targets.ts';

/** The commands that print something about one run. */
const OF_A_RUN: readonly (readonly string[])[] = [
  ['verify'],
  ['show'],
  ['show', '--changes'],
  ['read'],
  ['timeline'],
  ['events'],
  ['stats'],
  ['state'],
  ['project', '--diff'],
  ['tail'],
  ['export', '-f', 'chrome'],
];
/** The commands that print something about a folder of runs. */
const OF_A_FOLDER: readonly (readonly string[])[] = [
  ['list'],
  ['stats'],
  ['search', 'error'],
  ['verify', '-f', 'sarif'],
];

/** A result, as one text: the exit code, standard output, standard error. */
type Recording = Record<string, string>;

async function record(roots: readonly string[]): Promise<Recording> {
  const recording: Recording = {};
  for (const root of roots) {
    const cwd = dirname(root);
    const { runs, folders } = targetsIn(root);
    const lines = [
      ...runs.flatMap((run) => OF_A_RUN.map((command) => [...command, relative(cwd, run)])),
      ...[root, ...folders].flatMap((folder) =>
        OF_A_FOLDER.map((command) => [...command, relative(cwd, folder)]),
      ),
    ];
    for (const line of lines) {
      for (const [name, args, columns] of [
        ['json', [...line, ...(line.includes('-f') ? [] : ['-j'])], undefined],
        ['terminal', [...line, '--color', 'always', '--no-pager'], 80],
      ] as const) {
        const { code, stdout, stderr } = await runHere(args, { cwd, columns });
        recording[`${basename(cwd)}: noesis ${args.join(' ')} (${name})`] =
          `exit code ${code}\n${stdout}\n--- standard error\n${stderr}`;
      }
    }
  }
  return recording;
}

/** The first line in which two texts differ. */
function firstDifference(before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const at = a.findIndex((line, index) => line !== b[index]);
  const line = at === -1 ? a.length : at;
  return `  line ${line + 1}\n  - ${a[line] ?? ''}\n  + ${b[line] ?? ''}`;
}

function compare(before: Recording, after: Recording): number {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => before[name] !== after[name]);
  for (const name of changed)
    console.log(`${name}\n${firstDifference(before[name] ?? 'not recorded', after[name] ?? 'not recorded')}`);
  console.log(`${names.length} outputs, ${changed.length} changed`);
  return changed.length === 0 ? 0 : 1;
}

const read = (path: string): Recording => JSON.parse(readFileSync(path, 'utf8')) as Recording;

const [verb, file, ...rest] = process.argv.slice(2);
if (verb === 'record' && file !== undefined) {
  const roots = (rest.length === 0 ? ['examples', 'test/samples'] : rest).map((root) => resolve(root));
  const recording = await record(roots);
  writeFileSync(file, JSON.stringify(recording, null, 1));
  console.log(`${Object.keys(recording).length} outputs recorded in ${file}`);
} else if (verb === 'compare' && file !== undefined && rest[0] !== undefined) {
  process.exitCode = compare(read(file), read(rest[0]));
} else {
  console.error('usage: golden.ts record FILE [folder…] | golden.ts compare FILE FILE');
  process.exitCode = 2;
}
