// Compares a program with the build in dist/: about a hundred command lines, from the command tree and the examples, must
// give the same output, errors and exit code. Use the version of Node that the program contains.
//   node scripts/run.mjs scripts/compare-binary.ts PROGRAM
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { buildProgram } from '../commands/program.ts';
import { examplesOf } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { FORMATS } from '../src/cli/report/report-formats.ts';
import { findEpisodes } from '../src/find/find.ts';
import { SHELLS } from '../src/show/render/completion-script.ts';

const [program = ''] = process.argv.slice(2).map((path) => resolve(path));
const source = resolve('dist/bin/noesis.js');
const commands = (await buildProgram({} as Io, undefined)).commands;

/** Commands whose output differs each time. */
const RANDOM = /keygen|--open|--to |^view (?!.*-o -)/;

const EPISODE = '.noesis/episodes/ep_01KJPWD6M0GKJVH2GKEFTDNN55';
/** Every episode of the examples: good ones, damaged ones, and those of other dialects. */
const TARGETS = (await findEpisodes(resolve('examples'))).map(({ dir, log = '' }) =>
  relative('examples', dir ?? log),
);

/** The words of an example, without shell syntax, and with placeholders replaced. */
const words = (line: string): string[] =>
  (line.split(/ [|<>] /)[0] ?? '')
    .replaceAll('runs/', 'damaged')
    .replaceAll('ep_01KJ', 'ep_01KJPW')
    .match(/"[^"]*"|\S+/g)
    ?.map((word) => word.replaceAll('"', '')) ?? [];

const LINES: readonly string[][] = [
  ...[['--version'], ['--version', '-j'], [], ['--help'], ['nothing'], ['--nothing'], ['__complete', '']],
  ...commands.map((command) => [command.name(), '--help']),
  ...commands.flatMap((command) => examplesOf(command).map(([line]) => words(line))),
  ...FORMATS.flatMap((format) => [
    ['verify', 'damaged', '-f', format],
    ['verify', EPISODE, '-f', format],
  ]),
  ...TARGETS.flatMap((target) => [
    ['verify', target, '--color', 'always'],
    ['events', target, '-j'],
  ]),
  ['verify', 'damaged', 'other-dialects', '--jobs', '2'],
  ['verify', 'damaged', 'other-dialects', '--jobs', '1'],
  ['verify', '--jobs', '2', '--strict', '-j'],
  ['view', EPISODE, '-o', '-'],
  ['events', 'missing'],
  ['events', EPISODE, '--since', 'tomorrow'],
  ...SHELLS.map((shell) => ['completion', shell]),
].filter((line) => !RANDOM.test(line.join(' ')));

interface Outcome {
  readonly line: string;
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs all lines in a fresh copy of the examples, at the same path each time. */
function outcomes(command: readonly [string, ...string[]], folder: string): Outcome[] {
  const cwd = join(folder, 'examples');
  rmSync(cwd, { recursive: true, force: true });
  cpSync('examples', cwd, { recursive: true, preserveTimestamps: true });
  const [file, ...first] = command;
  const env = { PATH: process.env['PATH'], HOME: folder, TZ: 'UTC', COLUMNS: '100', TMPDIR: folder };
  const options = { cwd, env, input: '', encoding: 'utf8', maxBuffer: 1 << 28 } as const;
  return LINES.map((line) => {
    const { status, stdout, stderr } = spawnSync(file, [...first, ...line], options);
    return { line: line.join(' '), code: status, stdout, stderr };
  });
}

/**
 * The shortest times of several runs in milliseconds, taken in turns. Other work on the machine only makes a run slower.
 */
function leastTimes(runs: readonly (readonly [file: string, ...args: string[]])[]): number[] {
  const least = runs.map(() => Infinity);
  for (let round = 0; round < 30; round += 1) {
    for (const [index, [file, ...args]] of runs.entries()) {
      const began = performance.now();
      spawnSync(file, args, { stdio: 'ignore' });
      least[index] = Math.min(least[index] ?? Infinity, performance.now() - began);
    }
  }
  return least;
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'noesis-compare-')));
try {
  const [ours, theirs] = [outcomes([process.execPath, source], folder), outcomes([program], folder)];
  const different = ours.filter(
    (outcome, index) => JSON.stringify(outcome) !== JSON.stringify(theirs[index]),
  );
  for (const { line, code, stdout, stderr } of different) {
    const other = theirs.find((one) => one.line === line);
    console.error(`different: noesis ${line}`);
    console.error({ code, stdout: stdout.slice(0, 400), stderr: stderr.slice(0, 400) });
    console.error({
      code: other?.code,
      stdout: other?.stdout.slice(0, 400),
      stderr: other?.stderr.slice(0, 400),
    });
  }
  const codes = new Map<number | null, number>();
  for (const { code } of ours) codes.set(code, (codes.get(code) ?? 0) + 1);
  const counts = [...codes].map(([code, count]) => `${count} with ${code}`).join(', ');
  console.error(`${LINES.length} command lines (${counts}), ${different.length} different`);
  const [plain = 0, ...times] = leastTimes([
    [process.execPath, '-e', '0'],
    [program, '--version'],
    [program, 'verify', join('examples', EPISODE)],
  ]);
  const [start, verify] = times.map(
    (time) => `${time.toFixed(0)} ms, ${(time / plain).toFixed(2)} times node -e 0`,
  );
  console.error(`start: ${start}; verify: ${verify}`);
  if (different.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
