import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../base/errors.ts';
import { commit, version } from '../../base/version.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import type { ReportCache } from '../../findings/report.ts';
import { escapeText } from '../../show/render/escape.ts';
import { plural } from '../../show/render/tally.ts';
import type { CacheMode, CacheSettings } from '../../verify/cache.ts';
import { assignShards, shardKey } from '../../verify/fleet/shard.ts';
import type { Verified } from '../../verify/jobs.ts';
import { reportPolicy } from '../../verify/report-policy.ts';
import type { RunSettings } from '../../verify/run.ts';
import type { Context } from '../context.ts';
import { needs } from '../failure.ts';
import type { Targets } from '../targets/find-targets.ts';
import { refuseTargetAsOutput } from './write-report.ts';

/** The cache options of `verify`. */
export interface CacheOptions {
  readonly cache?: string;
  readonly cacheMode?: CacheMode;
  /** Each episode is read once in this many runs. */
  readonly subset?: number;
}

/** Parses `N%` as the number of runs that read all episodes. */
function subsetOption(text: string): number {
  const [, digits = ''] = /^(\d{1,3}(?:\.\d{1,3})?)%$/.exec(text) ?? [];
  const share = Number(digits);
  if (digits !== '' && share > 0 && share <= 100) return Math.floor(100 / share);
  throw new InvalidArgumentError('expected a share such as 10%, above 0 and at most 100');
}

export function withCache(command: Command): Command {
  return command
    .option('--cache <dir>', 'keep verdicts in this folder; skip files that did not change')
    .addOption(
      new Option(
        '--cache-mode <how>',
        'how to detect changes: stat (default) compares sizes, times and inodes, but misses silent corruption of the disk; hash reads every byte',
      ).choices(['stat', 'hash']),
    )
    .option('--subset <n%>', 'with --cache: read only this share, a different one each time', subsetOption);
}

/** The settings that verdicts depend on, with keys as hashes. */
function basisOf(settings: RunSettings): string {
  const secrets = [...settings.keys.byKid].map(([kid, secret]) => [kid, hash('sha256', secret, 'hex')]);
  const variables = [...settings.keys.byVariable].map(([name, text]) => [name, hash('sha256', text, 'hex')]);
  const all = [
    version,
    commit,
    reportPolicy(settings),
    settings.formats ?? null,
    secrets.sort(),
    variables.sort(),
  ];
  return hash('sha256', JSON.stringify(all), 'hex');
}

/** The cache during a run: its settings for the workers, and counts. */
export class CacheRun {
  readonly settings: CacheSettings | undefined;
  readonly targets: Targets;
  readonly #context: Context;
  readonly #turn: { readonly name: string; readonly turn: number } | undefined;
  #used = 0;
  #read = 0;
  #left = 0;

  private constructor(
    context: Context,
    settings: CacheSettings | undefined,
    targets: Targets,
    turn: { readonly name: string; readonly turn: number } | undefined,
  ) {
    this.#context = context;
    this.settings = settings;
    this.targets = targets;
    this.#turn = turn;
  }

  /** Opens the cache. If it is damaged, or others could have written to it, ignores it with a remark. */
  static async open(
    context: Context,
    { cache, cacheMode, subset }: CacheOptions,
    targets: Targets,
    settings: RunSettings,
  ): Promise<CacheRun | undefined> {
    if (cache === undefined) {
      if (cacheMode !== undefined) throw needs('--cache-mode', '--cache');
      if (subset === undefined) return undefined;
      throw new UsageError('usage', '--subset needs --cache, which remembers what was read', {
        hint: 'write it like this: noesis verify --cache DIR --subset 10%',
      });
    }
    const dir = resolve(context.io.cwd, cache);
    await refuseTargetAsOutput(dir, targets.targets);
    const { prepareCache, turnOf } = await import('../../verify/cache.ts');
    const why = prepareCache(dir);
    if (why === undefined) {
      const turn =
        subset === undefined ? undefined : turnFor(targets, subset, (name) => turnOf(dir, name, subset));
      const shown = turn
        ? { ...targets, targets: withTurn(targets.targets, subset ?? 1, turn.turn) }
        : targets;
      const mode = cacheMode ?? 'stat';
      return new CacheRun(context, { dir, mode, basis: basisOf(settings) }, shown, turn);
    }
    if (subset !== undefined)
      throw new UsageError('usage', `the cache ${dir} cannot be used: ${why}`, { place: { file: dir } });
    await context.say(escapeText(`the cache ${cache} is ignored: ${why}`));
    return new CacheRun(context, undefined, targets, undefined);
  }

  /** Counts a result; returns whether to report it. */
  take({ cached, skipped }: Verified): boolean {
    if (skipped) this.#left += 1;
    else if (cached) this.#used += 1;
    else this.#read += 1;
    return !skipped;
  }

  /** The summary of the cache in the report. */
  get counts(): ReportCache | undefined {
    return (
      this.settings && { mode: this.settings.mode, used: this.#used, read: this.#read, left: this.#left }
    );
  }

  /** Ends the run, so that the next one reads the next part. */
  async end(): Promise<void> {
    const { counts } = this;
    if (this.settings && this.#turn) {
      const { endTurn } = await import('../../verify/cache.ts');
      endTurn(this.settings.dir, this.#turn.name, this.#turn.turn);
    }
    if (counts === undefined) return;
    const left = counts.left === 0 ? '' : `, ${counts.left} not checked in this run`;
    const all = plural(counts.used + counts.read + counts.left, 'run');
    await this.#context.say(
      `${counts.used} of ${all} from the cache (${counts.mode}), ${counts.read} read${left}`,
    );
  }
}

/** The name of the turn. Each shard has one, because shards may be repeated separately. */
function turnFor({ part }: Targets, parts: number, turnOf: (name: string) => number) {
  const shard = part === undefined ? '' : `-${part.shard.index}-of-${part.shard.count}`;
  const name = `turn-${parts}${shard}`;
  return { name, turn: turnOf(name) };
}

/** Marks the targets that are due. */
function withTurn(targets: readonly VerifyTarget[], parts: number, turn: number): VerifyTarget[] {
  // Only the key decides, so a growing log keeps its turn.
  const items = targets.map(({ name, dir, log }) => ({ key: shardKey(name, dir, log), bytes: 0 }));
  const shares = assignShards(items, parts);
  return targets.map((target, at) => ({ ...target, turn: shares[at] === turn ? 'now' : 'later' }));
}
