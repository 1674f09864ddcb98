import { basename } from 'node:path';
import { requireCount, requireKnown, StateError } from '../base/errors.ts';
import { readStateFile } from '../base/files/state-file.ts';
import type { JsonObject } from '../base/json/value.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import { modelsOf } from '../dialects/kit/charges.ts';
import { withCosts } from '../dialects/kit/usage.ts';
import type { Episode } from '../find/episode.ts';
import { byWritten, summariesUnder } from '../find/list.ts';
import { damageShown, mountWhole } from '../find/mount.ts';
import { episodeAt, logAndDialect, ROOT_OPTIONS, type RootOptions, searchFor } from '../find/named.ts';
import { findPrices } from '../find/prices.ts';
import { requireRoot } from '../find/root.ts';
import type { EpisodeSummary } from '../find/summary.ts';
import type { DialectSettings } from '../findings/options.ts';
import { projectLog, type StopAt } from '../findings/projection/project-log.ts';
import { type Comparison, comparesNothing, type Projector } from '../findings/projection/projector.ts';
import { EventLogIntegrityError } from '../log/integrity-error.ts';
import { withSettings } from './formats.ts';

export interface ListEpisodesOptions extends RootOptions {
  /** Only episodes with one of these statuses. */
  readonly status?: readonly string[];
  /** At most this many episodes, the newest. */
  readonly limit?: number;
}

/**
 * Lists the episodes of a root, newest first, as `noesis list -j` prints them. It is fast for thousands of episodes,
 * because it reads only the state of each, or the beginning and end of its log.
 *
 * @throws NoesisError `root-missing`, `config-invalid`, `usage`.
 */
export async function listEpisodes(options: ListEpisodesOptions = {}): Promise<EpisodeSummary[]> {
  requireKnown(options, { ...ROOT_OPTIONS, status: true, limit: true });
  const { status: wanted, limit } = options;
  if (limit !== undefined) requireCount('limit', limit);
  const search = searchFor(options);
  const found = await summariesUnder(await requireRoot(search));
  const listed = found
    .filter(({ status }) => wanted === undefined || (status !== undefined && wanted.includes(status)))
    .sort(byWritten)
    .slice(0, limit);
  const prices = await (await findPrices(search))(listed.flatMap(({ charges }) => [...modelsOf(charges)]));
  return listed.map((episode) => withCosts(episode, prices));
}

export interface ProjectEpisodeOptions extends RootOptions {
  /** Overrules the detection. */
  readonly dialect?: DialectName;
  /** Stop after this event: an id, or the line of the log as a number. */
  readonly at?: string | number;
  /** The tables of dialects in noesis.toml. Steps for older events (`upcast`), and formats of your own, have an effect here. */
  readonly settings?: DialectSettings;
}

/** A state rebuilt from a log alone. */
export interface ProjectedEpisode {
  readonly dialect: DialectName;
  /** Has the shape of the stored state, without the parts that the log has no evidence for. */
  readonly state: JsonObject;
  /** Parts of a stored state that this log has no evidence for. */
  readonly underivable: readonly string[];
}

/** The differences between a stored state and the one rebuilt from its log. */
export interface EpisodeDifference extends Comparison {
  /** Whether every compared part is equal; `not_compared` lists the other parts. */
  readonly equal: boolean;
}

/** A log that a projector has read, and its dialect. */
interface ProjectedLog {
  /** Its path without packing: other files of the episode are next to it. */
  readonly place: string;
  readonly dialect: Dialect;
  readonly projector: Projector;
}

const stopAt = (at: string | number): StopAt =>
  typeof at === 'number' ? { kind: 'line', line: at } : { kind: 'id', id: at };

async function projected(target: string, options: ProjectEpisodeOptions): Promise<ProjectedLog> {
  const named = await episodeAt(target, options);
  const mount = await mountWhole(named);
  try {
    return await projectedFrom(mount?.episodes[0] ?? named, options);
  } catch (error) {
    throw damageShown(error, mount);
  } finally {
    mount?.dispose();
  }
}

async function projectedFrom(episode: Episode, options: ProjectEpisodeOptions): Promise<ProjectedLog> {
  const { log, dialect } = await logAndDialect(episode, options.dialect);
  const projector = await dialect.projector({
    run: episode.run,
    log: options.at === undefined ? log : undefined,
  });
  const { at } = options;
  const { corruption } = await projectLog(log, projector, dialect, at === undefined ? undefined : stopAt(at));
  if (corruption) throw new EventLogIntegrityError(log, corruption);
  return { place: episode.place ?? log, dialect, projector };
}

async function project(target: string, options: ProjectEpisodeOptions): Promise<ProjectedLog> {
  requireKnown(options, { ...ROOT_OPTIONS, dialect: true, at: true, settings: true });
  return withSettings(options.settings, () => projected(target, options));
}

/** The value as JSON.parse returns it: numbers become the nearest double. */
const plain = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/**
 * Rebuilds the state of an episode from its log alone, as `noesis project -j` prints it. `target` is the episode's
 * directory, its log, `<log>#<run>`, its id or a unique prefix of one.
 *
 * @throws EventLogIntegrityError if the log is corrupt.
 * @throws NoesisError `projection-unsupported` if the dialect has no state; `event-missing`, `log-changed`;
 * `target-missing`, `target-ambiguous`, `root-missing`, `log-missing`.
 */
export async function projectEpisode(
  target: string,
  options: ProjectEpisodeOptions = {},
): Promise<ProjectedEpisode> {
  const { dialect, projector } = await project(target, options);
  const { value, underivable } = projector.result();
  return { dialect: dialect.name, state: plain(value) as JsonObject, underivable };
}

/**
 * Compares the stored state with the one rebuilt from the log, field by field, as `noesis project --diff -j` does. Each
 * difference names the event behind the rebuilt value.
 *
 * @throws as {@link projectEpisode}; NoesisError `projection-unsupported` also if the dialect stores no state, or none
 * that can be compared with the log; `state-missing`, `state-invalid`, `unreadable`.
 */
export async function diffEpisode(
  target: string,
  options: ProjectEpisodeOptions = {},
): Promise<EpisodeDifference> {
  const { place, dialect, projector } = await project(target, options);
  const file = dialect.stateFile(place);
  if (file === undefined || projector.compare === undefined) {
    throw new StateError(
      'projection-unsupported',
      `a log of this dialect (${dialect.name}) has no stored state`,
      {
        hint: 'call projectEpisode to rebuild the state from the log',
      },
    );
  }
  const state = await readStateFile(file, true);
  const comparison = projector.compare(state.exact);
  if (comparesNothing(comparison)) {
    const message = `nothing in ${basename(state.path)} can be compared with the log`;
    throw new StateError('projection-unsupported', message, { place: { file: state.path } });
  }
  const { differences } = comparison;
  return { equal: differences.length === 0, ...comparison, differences: plain(differences) };
}
