import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileErrorCode, isFileError } from '../base/errors.ts';
import { leadsOutside } from '../base/files/files.ts';
import { pushAll } from '../base/files/push-all.ts';
import { byText } from '../base/text/order.ts';
import { parseInstant } from '../base/time/instant.ts';
import { folderDialect, idPrefixOf } from '../dialects/registry.ts';
import { copiesLast } from '../dialects/sessions/kit/copy-name.ts';
import { type Episode, linked, logOf, pathOf, unreadable } from './episode.ts';
import { entriesOf, episodesIn } from './folder-contents.ts';
import { mayHaveMore } from './passed-over.ts';
import { mayBeDocument } from './require-log.ts';
import type { Root } from './root.ts';
import { canonicalFolder, type EpisodePlace, episodePlaces } from './root-episodes.ts';
import { type EpisodeSummary, summarize, summarizeAll } from './summary.ts';

/** The parts of the work that a caller of {@link summariesUnder} does itself. */
export interface ListHooks {
  /** Selects episodes before any is read. */
  readonly part?: (places: readonly EpisodePlace[]) => readonly EpisodePlace[];
  /** Makes the entries of an episode that the quick way cannot summarise. */
  readonly summariesOf?: (episode: Episode) => Promise<readonly EpisodeSummary[]>;
  /** Receives paths that may be logs but are not listed. */
  readonly onPassedOver?: (paths: readonly string[]) => void;
  /** Receives episodes whose folder or log cannot be read. Without it they are errors. */
  readonly onUnreadable?: (episode: Episode) => unknown;
}

/** Lists the episodes of a root, in no particular order. */
export async function summariesUnder(
  root: Root,
  { part = (places) => places, summariesOf = summariesOfPlain, onPassedOver, onUnreadable }: ListHooks = {},
): Promise<EpisodeSummary[]> {
  const passedOverIn = async (dir: string) => onPassedOver?.((await episodesIn(dir)).passedOver);
  const refused = (episode: Episode): readonly EpisodeSummary[] => {
    if (onUnreadable === undefined) throw unreadable(episode);
    onUnreadable(episode);
    return [];
  };
  const summariesIn = async (place: EpisodePlace): Promise<readonly EpisodeSummary[]> => {
    const { name, dir } = place;
    if (place.unlisted !== undefined) return refused({ ...place, log: undefined });
    const log = join(dir, folderDialect(name).folder.log);
    if (leadsOutside(dir, log)) return refused(linked(log));
    // A folder with an episode's name is one; others must be checked.
    const quick = idPrefixOf(name) !== '' ? summarize(name, dir) : undefined;
    if (quick?.log_bytes !== undefined) {
      if (onPassedOver && mayHaveMore(await entriesOf(dir))) await passedOverIn(dir);
      return [quick];
    }
    const { episodes, others, passedOver } = await episodesIn(dir);
    onPassedOver?.(passedOver);
    if (quick !== undefined && (summariesOf === summariesOfPlain || !episodes.some(isConverted)))
      return [quick];
    const found: EpisodeSummary[] = [];
    for (const episode of [...episodes, ...others]) {
      if (episode.unlisted !== undefined) {
        refused(episode);
        continue;
      }
      const written_at = isConverted(episode) ? writtenByFile(episode) : undefined;
      for (const one of await summariesOf(episode))
        found.push(written_at === undefined ? one : { ...one, written_at });
    }
    return found;
  };
  await passedOverIn(canonicalFolder(root));
  const found: EpisodeSummary[] = [];
  for (const place of part(await episodePlaces(root))) {
    try {
      pushAll(found, await summariesIn(place));
    } catch (error) {
      if (onUnreadable === undefined || !isFileError(error)) throw error;
      onUnreadable({ ...place, log: undefined, unlisted: fileErrorCode(error) });
    }
  }
  return found;
}

/** Whether the times in a log are known only after it is unpacked or converted. */
const isConverted = ({ dir, log, packed, packedLog }: Episode): boolean =>
  packed !== undefined ||
  packedLog !== undefined ||
  (dir === undefined && log !== undefined && mayBeDocument(log, basename(log)));

/** When the file of a log was written to, which needs no unpacking. */
const writtenByFile = (episode: Episode): string | undefined =>
  (episode.changed === undefined
    ? statSync(pathOf(episode), { throwIfNoEntry: false })?.mtime
    : new Date(episode.changed)
  )?.toISOString();

const summariesOfPlain = async (episode: Episode) => {
  return summarizeAll({ ...episode, log: episode.log === undefined ? undefined : logOf(episode) });
};

const instants = new WeakMap<EpisodeSummary, number>();

/** The time of the last change: the end if known, else the start. Parsed once. */
function writtenAt(episode: EpisodeSummary): number {
  const { started_at: start = '', written_at: written = start } = episode;
  const instant = instants.get(episode) ?? parseInstant(written) ?? -Infinity;
  instants.set(episode, instant);
  return instant;
}

/** Orders a list: last changed first, entries without a time last. */
export function byWritten(a: EpisodeSummary, b: EpisodeSummary): number {
  const [left, right] = [writtenAt(a), writtenAt(b)];
  if (left !== right) return right > left ? 1 : -1;
  return copiesLast(a.episode, b.episode) || byText(b.episode, a.episode);
}

export const firstWritten = (episodes: readonly EpisodeSummary[]): EpisodeSummary | undefined =>
  episodes.reduce<EpisodeSummary | undefined>(
    (first, one) => (first === undefined || byWritten(one, first) < 0 ? one : first),
    undefined,
  );
