import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { FileError, reasonOf, TargetError, UsageError } from '../../base/errors.ts';
import { plural } from '../../show/render/tally.ts';
import { shardOfTask } from '../../verify/fleet/schedulers.ts';
import { parseShard, type Shard } from '../../verify/fleet/shard.ts';
import type { Context } from '../context.ts';
import { needs } from '../failure.ts';
import { notEmpty } from '../option-values.ts';

/** The value of `--shard`: a part, or `auto`, possibly with the number of parts. */
type ShardOption = Shard | { readonly auto: number | undefined };

/** The options of commands for many targets. */
export interface ManyTargetsOptions {
  readonly shard?: ShardOption;
  /** A file with one target per line, or `-`. */
  readonly targets?: string;
  /** The list is separated by zero bytes. */
  readonly null?: boolean;
}

function shardOption(text: string): ShardOption {
  const [isAuto, count] = /^auto(?:\/(\d{1,7}))?$/.exec(text) ?? [];
  const shard = isAuto === undefined ? parseShard(text) : { auto: count ? Number(count) : undefined };
  if (shard !== undefined) return shard;
  throw new InvalidArgumentError('expected I/N with I from 1 to N, auto, or auto/N');
}

/** Adds `--shard` and `--targets`. */
export function withShard(command: Command): Command {
  return command
    .option(
      '--shard <i/n>',
      'process only part I of N; auto or auto/N: read I from the scheduler',
      shardOption,
    )
    .option('--targets <file>', 'read more targets from this file, one per line (-: standard input)');
}

/** The help of targets, for commands that read all runs without one. */
export const ALL_RUNS =
  'runs, logs and folders (default: all under the root; without a root, the sessions of this machine)';

/** The help of a target, for commands that read the newest run without one. */
export const NEWEST_RUN = 'the run (default: the newest)';

/** Adds `--stream`, for commands that do not filter events by it. */
export const streamOption = (): Option =>
  new Option('--stream <id>', 'read this stream, if the folder has several').argParser(notEmpty);

/** Adds `--shard`, `--targets`, and `-0` for the list. */
export function withManyTargets(command: Command): Command {
  return withShard(command).option(
    '-0, --null',
    'with --targets: targets end with a zero byte instead of a newline',
  );
}

/** The requested part; undefined for all. */
export function shardOf(context: Context, { shard }: ManyTargetsOptions): Shard | undefined {
  if (shard === undefined || !('auto' in shard)) return shard;
  return shardOfTask(context.io.env, shard.auto);
}

/** In bytes: a longer file is not a list of targets. */
const LONGEST_LIST = 1024 * 1024 * 1024;

async function readList(context: Context, name: string): Promise<string> {
  if (name === '-') return textOf(context.io.stdin);
  const path = resolve(context.io.cwd, name);
  try {
    const { size } = await stat(path);
    if (size <= LONGEST_LIST) return await readFile(path, 'utf8');
  } catch (error) {
    throw new FileError('unreadable', `cannot read the list of targets ${name}: ${reasonOf(error)}`, {
      place: { file: path },
    });
  }
  throw new UsageError('usage', `${name} is too long for a list of targets`, { place: { file: path } });
}

/** Says that targets which nobody named are streams in the current folder. That all sessions are read needs no words. */
export async function sayTaken(
  context: Context,
  { from, episodes }: { readonly from: 'folder' | 'home'; readonly episodes: readonly unknown[] },
): Promise<void> {
  if (from === 'folder' && episodes.length > 0)
    await context.say(
      `found no runs in a .noesis folder here or above; reading ${plural(episodes.length, 'stream')} in this folder`,
    );
}

/** Splits a list of targets: at zero bytes if it has any, because paths cannot contain them. */
function listed(list: string, isNull: boolean): string[] {
  const names = isNull || list.includes('\0') ? list.split('\0') : list.split(/\r?\n/);
  return names.filter((name) => name !== '');
}

/** All named targets, including those in the list. Throws `target-missing` for an empty list. */
export async function namesOf(
  context: Context,
  names: readonly string[],
  { targets, null: isNull = false }: ManyTargetsOptions,
): Promise<readonly string[]> {
  if (targets === undefined) {
    if (isNull) throw needs('--null', '--targets');
    return names;
  }
  if (targets === '-' && names.includes('-')) {
    throw new UsageError('usage', 'standard input cannot be both a log and the list of targets', {
      hint: 'give one of them as a file',
    });
  }
  const more = listed(await readList(context, targets), isNull);
  if (more.length > 0) return [...names, ...more];
  throw new TargetError('target-missing', `the list of targets ${targets} is empty: nothing was read`, {
    place: { file: targets },
    hint: 'write one target per line, or with -0 a zero byte after each',
  });
}
