import { basename, dirname } from 'node:path';
import { hashFile } from '../base/files/digest.ts';
import { sizeOf } from '../base/files/paths.ts';
import { linesLeftOut, salvaged } from '../dialects/kit/lines-left-out.ts';
import { isNamedAsCopy } from '../dialects/sessions/kit/copy-name.ts';
import type { RepairedCopy } from '../dialects/sessions/kit/repaired-copy.ts';
import type { EpisodeSummary } from './summary.ts';

/** Whether a copy was made from this log, which has not changed since. */
function isSource({ path, log_bytes: bytes }: EpisodeSummary, { source }: RepairedCopy): boolean {
  if (basename(path) !== source.name || bytes !== source.bytes || sizeOf(path) !== bytes) return false;
  return hashFile(path).sha256 === source.sha256;
}

/** A repaired copy has fewer damaged lines than its original, because the repair left them out. */
function withLost(summary: EpisodeSummary, lost: number): EpisodeSummary {
  if (lost === 0) return summary;
  const { lacks } = summary;
  return { ...summary, lacks: { ...lacks, lines: (lacks?.lines ?? 0) + lost } };
}

/**
 * Marks the copies that `doctor` and `salvage` made among listed runs, and the originals that are listed too. Copies of `doctor`
 * are known by their names, those of `salvage` by the file next to them. Nothing else is looked at unless there is one, because a list may have thousands of runs.
 */
export async function withRepairs(runs: readonly EpisodeSummary[]): Promise<readonly EpisodeSummary[]> {
  const marked = new Map<EpisodeSummary, EpisodeSummary>();
  for (const run of runs) {
    const made = run.tokens === undefined || isNamedAsCopy(run.path) ? undefined : salvaged(run.path);
    if (made !== undefined) marked.set(run, { ...withLost(run, made.lines), copy_of: made.source });
  }
  const named = runs.filter(({ path }) => isNamedAsCopy(path));
  if (named.length + marked.size === 0) return runs;
  const { accountOfCopy } = await import('../dialects/sessions/kit/repaired-copy.ts');
  for (const copy of named) {
    const account = accountOfCopy(copy.path);
    if (account === undefined) continue;
    const { source } = account;
    const others = runs.filter((run) => run !== copy && run.dialect === copy.dialect);
    const original = others.find((run) => isSource(run, account));
    // An original that was continued after the repair has other bytes, but its name and its folder.
    const near = others.find(
      ({ path }) => basename(path) === source.name && dirname(path) === dirname(copy.path),
    );
    marked.set(copy, {
      ...withLost(copy, await linesLeftOut(copy.path)),
      copy_of: (original ?? near)?.episode ?? source.name,
    });
    if (original !== undefined)
      marked.set(original, { ...(marked.get(original) ?? original), repaired_as: copy.episode });
  }
  return runs.map((run) => marked.get(run) ?? run);
}
