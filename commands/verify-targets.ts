import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Episode, episodesOf } from '../src/discover/find.ts';
import { requireRoot } from '../src/discover/root.ts';
import { resolveTarget } from '../src/discover/target.ts';
import { TargetError } from '../src/errors.ts';
import type { VerifyTarget } from '../src/findings/options.ts';
import type { Context } from './context.ts';
import { copyOfInput, dialectOfFile } from './open-log.ts';

/** What is to be verified, and how to clean up after it. */
export interface Targets {
  readonly targets: readonly VerifyTarget[];
  dispose(): Promise<void>;
}

async function allUnderRoot(context: Context): Promise<readonly Episode[]> {
  const root = await requireRoot(context.search);
  const episodes = await episodesOf(root);
  if (episodes.length > 0) return episodes;
  throw new TargetError('target-missing', `no episode under ${root.dir}: nothing was checked`, {
    place: { file: root.dir },
    hint: 'name a folder, or the root with --root DIR',
  });
}

/** The episodes that a path or an id stands for. */
async function episodesNamed(context: Context, name: string): Promise<readonly Episode[] | 'stdin'> {
  const target = await resolveTarget(name, context.search);
  if (target.kind === 'stdin') return 'stdin';
  if (target.kind === 'folder') {
    if (target.episodes.length > 0) return target.episodes;
    throw new TargetError(
      'target-missing',
      `no episode below ${context.shortPath(target.dir)}: nothing was checked`,
      {
        place: { file: target.dir },
        hint: 'an episode is a folder with an event log, such as events.jsonl',
      },
    );
  }
  const { dir, log, run, owner, unlisted, link } = target.episode;
  if (log === undefined && owner === undefined && unlisted === undefined && !link) {
    throw new TargetError('log-missing', `${dir} has no event log`, { place: { file: dir ?? '' } });
  }
  if (log !== undefined && dir === undefined) await dialectOfFile(context, log, { run });
  return [target.episode];
}

/** Everything that was named; without a name all under the root. */
export async function targetsOf(context: Context, names: readonly string[]): Promise<Targets> {
  if (names.length === 0) return { targets: await allUnderRoot(context), dispose: async () => {} };
  const targets: VerifyTarget[] = [];
  let dispose = async () => {};
  for (const name of new Set(names)) {
    const episodes = await episodesNamed(context, name);
    if (episodes === 'stdin') {
      const copy = await copyOfInput(context);
      dispose = copy.dispose;
      targets.push({ name: '-', dir: undefined, log: copy.path, fileName: '-' });
    } else for (const episode of episodes) targets.push(episode);
  }
  return { targets, dispose };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** The bytes of the logs and of what lies beside them. */
export function totalBytes(targets: readonly VerifyTarget[]): number {
  let total = 0;
  for (const { dir, log } of targets) {
    try {
      if (dir === undefined) total += log === undefined ? 0 : sizeOf(log);
      else for (const name of readdirSync(dir)) total += sizeOf(join(dir, name));
    } catch {
      // What cannot be looked at is said by its verification.
    }
  }
  return total;
}
