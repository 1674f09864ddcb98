import { closeSync, openSync, readSync } from 'node:fs';
import type { RecordSource } from '../dialects/dialect.ts';
import { LogParser } from '../log/parser.ts';

/** So much of a log is looked at: somebody waits for the words at a prompt. */
const LOOKED_AT = 1024 * 1024;
/** More different words than this are no help. */
const MOST = 500;

/** What the records at the beginning of a log can be selected by. */
export interface WordsOfLog {
  readonly phases: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly agents: ReadonlySet<string>;
  /** The ids of the records. */
  readonly ids: ReadonlySet<string>;
  /** The words of a filter that only some dialects have. */
  readonly own: ReadonlyMap<string, ReadonlySet<string>>;
}

function add(words: Set<string>, word: string | undefined): void {
  if (word !== undefined && words.size < MOST) words.add(word);
}

/** The words of the first mebibyte of a log. Throws where it cannot be read. */
export function wordsOfLog(path: string, { view, filters = [] }: RecordSource): WordsOfLog {
  const [phases, types, agents, ids] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  const ofFilters = filters.map(({ name, value }) => ({ name, value, words: new Set<string>() }));
  const parser = new LogParser({
    record(record) {
      add(phases, view.phase?.(record));
      add(types, view.type(record));
      add(agents, view.agent(record));
      add(ids, view.id(record));
      for (const { value, words } of ofFilters) add(words, value(record));
    },
    corrupt() {},
  });
  const file = openSync(path, 'r');
  try {
    for (let at = 0; at < LOOKED_AT; ) {
      const room = parser.room();
      const count = readSync(file, room, 0, Math.min(room.length, LOOKED_AT - at), at);
      if (count === 0) break;
      parser.filled(count);
      at += count;
    }
  } finally {
    closeSync(file);
  }
  return { phases, types, agents, ids, own: new Map(ofFilters.map(({ name, words }) => [name, words])) };
}
