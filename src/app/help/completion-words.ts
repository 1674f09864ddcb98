import { basename } from 'node:path';
import type { WordsOfLog } from '../../describe/words-of-log.ts';
import type { EventTypeEntry } from '../../dialects/dialect.ts';
import { dialectOf } from '../../dialects/sample.ts';
import { type RootSearch, requireRoot } from '../../discover/root.ts';
import { type EpisodePlace, episodePlaces } from '../../discover/root-episodes.ts';
import { summarize } from '../../discover/summary.ts';
import { logOf, resolveLog } from '../../discover/target.ts';
import { RULED_SEVERITIES } from '../../findings/severity.ts';

/** What may be written, and what it is. */
export interface Candidate {
  readonly word: string;
  readonly about?: string | undefined;
}

/** What a shell is to offer besides: files, folders, no space behind the word. */
export type Directive = ':files' | ':dirs' | ':nospace';

export interface Offer {
  readonly candidates: readonly Candidate[];
  readonly directives?: readonly Directive[];
}

/** The command line so far, as far as words depend on it. */
export interface Situation {
  readonly search: RootSearch;
  readonly dialect: string | undefined;
  /** The first target that is named; undefined where none is. */
  readonly target: string | undefined;
}

/** The tasks of so many episodes are looked up. */
const WITH_TASKS = 40;

/** So many episodes are opened at a prompt, where an answer is asked for within a tenth of a second. */
const OPENED = 200;

const NONE: Offer = { candidates: [] };

const plainWords = (words: Iterable<string>): Candidate[] => [...words].sort().map((word) => ({ word }));

/** The places of the episodes under the root, sorted by name; none where there is no root. */
const placesUnder = (search: RootSearch): Promise<EpisodePlace[]> =>
  requireRoot(search).then(episodePlaces, () => []);

/** Of many episodes the newest is taken to be the one whose id is the last: to know when each began they would have to be opened. */
async function newest(search: RootSearch): Promise<string> {
  const places = await placesUnder(search);
  const last = places.at(-1);
  return last && places.length > OPENED ? last.dir : 'latest';
}

async function wordsOf({ search, dialect, target = 'latest' }: Situation): Promise<WordsOfLog | undefined> {
  const found = await resolveLog(target === 'latest' ? await newest(search) : target, search);
  if (found.kind === 'stdin') return undefined;
  const log = logOf(found.episode);
  const { wordsOfLog } = await import('../../describe/words-of-log.ts');
  return wordsOfLog(log, await dialectOf(log, basename(log), dialect));
}

/** Those of a log, or nothing where there is none that can be read. */
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
  const { eventTypes } = await import('../../describe/event-types.ts');
  const types: (EventTypeEntry & { dialect: string })[] = await eventTypes(situation.dialect);
  return types.map(({ type, dialect }) => ({ word: type, about: dialect }));
}

/** The ids of episodes that begin so, the newest first as ids sort by time. */
async function episodes(search: RootSearch, begins: string): Promise<Candidate[]> {
  const places = await placesUnder(search);
  const named = places.filter(({ name }) => name.startsWith(begins)).reverse();
  const latest = places.length > 0 && 'latest'.startsWith(begins);
  const tell = named.length <= WITH_TASKS;
  return [
    ...(latest ? [{ word: 'latest', about: 'the newest episode' }] : []),
    ...named.map(({ name, dir }) => ({ word: name, about: tell ? summarize(name, dir).task : undefined })),
  ];
}

/** Where an episode, a log or a folder is meant. */
const targets = async ({ search }: Situation, begins: string): Promise<Offer> => ({
  candidates: await episodes(search, begins),
  directives: [':files'],
});

async function codes(): Promise<Candidate[]> {
  const { CATALOGUE } = await import('../../dialects/catalogue.ts');
  return CATALOGUE.map(({ code, meaning }) => ({ word: code, about: meaning }));
}

/** `code=severity`, one after the other. */
async function rules(begins: string): Promise<Offer> {
  const [, code] = /^(.*=)/.exec(begins) ?? [];
  if (code !== undefined) return { candidates: RULED_SEVERITIES.map((word) => ({ word: code + word })) };
  const candidates = (await codes()).map(({ word, about }) => ({ word: `${word}=`, about }));
  return { candidates, directives: [':nospace'] };
}

const statuses = async ({ search }: Situation): Promise<Candidate[]> => {
  const { summariesUnder } = await import('../../discover/list.ts');
  const places = await placesUnder(search);
  const all =
    places.length > OPENED
      ? places.slice(-OPENED).map(({ name, dir }) => summarize(name, dir))
      : await requireRoot(search).then(summariesUnder, () => []);
  return plainWords(new Set(all.map(({ status }) => status ?? 'unknown')));
};

type Source = (situation: Situation) => Promise<Candidate[]>;

/** The values of options, by their long names, and of arguments, by theirs. */
const SOURCES: Readonly<Record<string, Source>> = {
  phase: (situation) => ofLog(situation, ({ phases }) => phases),
  type: typesOf,
  agent: (situation) => ofLog(situation, ({ agents }) => agents),
  event: (situation) => ofLog(situation, ({ ids }) => ids),
  status: statuses,
  code: codes,
};

/** The value of an option, by its name and by what its help calls the value; `begins`: what is typed of it. */
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

/** The value of an argument that has no choices of its own: most are targets. */
export async function argumentValues(name: string, situation: Situation, begins: string): Promise<Offer> {
  const source = SOURCES[name];
  if (source) return { candidates: await source(situation) };
  if (name === 'path' || name === 'shell' || name === 'text') return NONE;
  return /file|dir|folder/.test(name)
    ? { candidates: [], directives: [':files'] }
    : targets(situation, begins);
}
