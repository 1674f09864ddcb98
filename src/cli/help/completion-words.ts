import { basename } from 'node:path';
import type { EventTypeEntry } from '../../dialects/kit/record-view.ts';
import { dialectOf } from '../../dialects/kit/sample.ts';
import { allDialects } from '../../dialects/registry.ts';
import { TURN_STATUSES } from '../../dialects/sessions/kit/session.ts';
import { logOf } from '../../find/episode.ts';
import { episodesAtHome } from '../../find/homes.ts';
import { newestFirst } from '../../find/last-activity.ts';
import { type RootSearch, requireRoot } from '../../find/root.ts';
import { type EpisodePlace, episodePlaces } from '../../find/root-episodes.ts';
import { type EpisodeSummary, summarize } from '../../find/summary.ts';
import { resolveLog } from '../../find/target.ts';
import { RULED_SEVERITIES } from '../../findings/severity.ts';
import type { WordsOfLog } from '../../read/describe/words-of-log.ts';

/** A completion with its description. */
export interface Candidate {
  readonly word: string;
  readonly about?: string | undefined;
}

/** Further completions by the shell: files, folders, no space after the word. */
type Directive = ':files' | ':dirs' | ':nospace';

export interface Offer {
  readonly candidates: readonly Candidate[];
  readonly directives?: readonly Directive[];
}

/** The parts of the command line that completions depend on. */
export interface Situation {
  readonly search: RootSearch;
  readonly dialect: string | undefined;
  /** The first target, or undefined. */
  readonly target: string | undefined;
}

/** Only this many episodes are opened to show their tasks. */
const WITH_TASKS = 40;

/** Only this many episodes are opened at a prompt, where users expect an answer within a tenth of a second. */
const OPENED = 200;

const NONE: Offer = { candidates: [] };

const plainWords = (words: Iterable<string>): Candidate[] => [...words].sort().map((word) => ({ word }));

/** The episodes under the root, sorted by name; empty without a root. */
const placesUnder = (search: RootSearch): Promise<EpisodePlace[]> =>
  requireRoot(search).then(episodePlaces, () => []);

/** The last id if there are too many episodes to open all; it is probably the newest. */
async function newest(search: RootSearch): Promise<string> {
  const places = await placesUnder(search);
  const last = places.at(-1);
  return last && places.length > OPENED ? last.dir : 'latest';
}

async function wordsOf({ search, dialect, target = 'latest' }: Situation): Promise<WordsOfLog | undefined> {
  const found = await resolveLog(target === 'latest' ? await newest(search) : target, search);
  if (found.kind === 'stdin') return undefined;
  const log = logOf(found.episode);
  const { wordsOfLog } = await import('../../read/describe/words-of-log.ts');
  return wordsOfLog(log, await dialectOf(log, basename(log), dialect));
}

/** The words of a log; empty if it cannot be read. */
async function ofLog(
  situation: Situation,
  pick: (words: WordsOfLog) => Iterable<string> | undefined,
): Promise<Candidate[]> {
  const words = await wordsOf(situation).catch(() => undefined);
  return plainWords((words && pick(words)) ?? []);
}

async function typesOf(situation: Situation): Promise<Candidate[]> {
  const held = await ofLog(situation, ({ types }) => types);
  if (held.length > 0) return held;
  const { eventTypes } = await import('../../read/describe/event-types.ts');
  const types: (EventTypeEntry & { dialect: string })[] = await eventTypes(situation.dialect);
  return types.map(({ type, dialect }) => ({ word: type, about: dialect }));
}

/** The ids with a prefix, newest first, assuming that ids sort by time. */
async function episodes(search: RootSearch, begins: string): Promise<Candidate[]> {
  const places = await placesUnder(search);
  const named = places.filter(({ name }) => name.startsWith(begins)).reverse();
  const latest = places.length > 0 && 'latest'.startsWith(begins);
  const withTasks = named.length <= WITH_TASKS;
  // Sessions are targets where no episode is.
  const sessions = places.length > 0 ? [] : await episodesAtHome(search).catch(() => []);
  const matching = sessions.filter(({ name }) => name.startsWith(begins));
  return [
    ...(latest ? [{ word: 'latest', about: 'the newest run' }] : []),
    ...named.map(({ name, dir }) => ({
      word: name,
      about: withTasks ? summarize(name, dir).task : undefined,
    })),
    ...(await newestFirst(matching, search)).map(({ name }) => ({ word: name })),
  ];
}

/** Completes an episode, log or folder. */
const targets = async ({ search }: Situation, begins: string): Promise<Offer> => ({
  candidates: await episodes(search, begins),
  directives: [':files'],
});

async function codes(): Promise<Candidate[]> {
  const { CATALOGUE } = await import('../../dialects/catalogue.ts');
  return CATALOGUE.map(({ code, meaning }) => ({ word: code, about: meaning }));
}

/** Completes `code=severity`, in two steps. */
async function rules(begins: string): Promise<Offer> {
  const [, code] = /^(.*=)/.exec(begins) ?? [];
  if (code !== undefined) return { candidates: RULED_SEVERITIES.map((word) => ({ word: code + word })) };
  const candidates = (await codes()).map(({ word, about }) => ({ word: `${word}=`, about }));
  return { candidates, directives: [':nospace'] };
}

/**
 * The list entries of the episodes under the root; of the last ones if there are many. Without any, those of the sessions that
 * earlier commands read, because reading many takes long.
 */
async function summariesFor(search: RootSearch): Promise<readonly EpisodeSummary[]> {
  const { summariesUnder } = await import('../../find/list.ts');
  const places = await placesUnder(search);
  if (places.length === 0 && search.known) return search.known.remembered<EpisodeSummary>();
  if (places.length > OPENED) return places.slice(-OPENED).map(({ name, dir }) => summarize(name, dir));
  return requireRoot(search).then(summariesUnder, () => []);
}

const ofRuns =
  (pick: (run: EpisodeSummary) => Iterable<string>) =>
  async ({ search }: Situation): Promise<Candidate[]> =>
    plainWords(new Set((await summariesFor(search)).flatMap((run) => [...pick(run)])));

/** The statuses of the runs that are known. Without any, those that a session may have. */
async function statuses(situation: Situation): Promise<Candidate[]> {
  const found = await ofRuns(({ status = 'unknown' }) => [status])(situation);
  return found.length > 0 ? found : plainWords(TURN_STATUSES);
}

type Source = (situation: Situation) => Promise<Candidate[]>;

const dialects: Source = () =>
  Promise.resolve(allDialects().map(({ name, title }) => ({ word: name, about: title })));

/** Completions for options by long name, and for arguments. */
const SOURCES: Readonly<Record<string, Source>> = {
  phase: (situation) => ofLog(situation, ({ phases }) => phases),
  type: typesOf,
  agent: (situation) => ofLog(situation, ({ agents }) => agents),
  event: (situation) => ofLog(situation, ({ ids }) => ids),
  status: statuses,
  project: ofRuns(({ project }) => (project === undefined ? [] : [project])),
  model: ofRuns(({ model }) => (model === undefined ? [] : [model])),
  code: codes,
  dialect: dialects,
};

/**
 * Completes an option's value, by its name and the name of its value in the help; `begins`: the text so far.
 */
export async function optionValues(
  name: string,
  value: string,
  situation: Situation,
  begins: string,
): Promise<Offer> {
  if (name === 'rule') return rules(begins);
  const source = SOURCES[name] ?? SOURCES[value];
  if (source) return { candidates: await source(situation) };
  if (/dir/.test(value)) return { candidates: [], directives: [':dirs'] };
  if (/file|path/.test(value)) return { candidates: [], directives: [':files'] };
  return { candidates: await ofLog(situation, ({ own }) => own.get(name)) };
}

/** Completes an argument without choices; most are targets. */
export async function argumentValues(name: string, situation: Situation, begins: string): Promise<Offer> {
  const source = SOURCES[name];
  if (source) return { candidates: await source(situation) };
  if (name === 'path' || name === 'shell' || name === 'text') return NONE;
  return /file|dir|folder/.test(name)
    ? { candidates: [], directives: [':files'] }
    : targets(situation, begins);
}
