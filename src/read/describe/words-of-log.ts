import { closeSync, readSync } from 'node:fs';
import { openToRead } from '../../base/files/open-file.ts';
import type { RecordSource } from '../../dialects/dialect.ts';
import { LogParser } from '../../log/parser.ts';

/** In bytes. Someone is waiting for the completion at a prompt. */
const MOST_BYTES = 1024 * 1024;
/** A longer list of words does not help anyone. */
const MOST = 500;

/** Words by which the first records of a log can be selected. */
export interface WordsOfLog {
  readonly phases: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly agents: ReadonlySet<string>;
  readonly ids: ReadonlySet<string>;
  /** The words of the dialect's own filters. */
  readonly own: ReadonlyMap<string, ReadonlySet<string>>;
}

function add(words: Set<string>, word: string | undefined): void {
  if (word !== undefined && words.size < MOST) words.add(word);
}

/** The words in the first mebibyte of a log. Throws if it cannot be read. */
export function wordsOfLog(path: string, { view, form, filters = [] }: RecordSource): WordsOfLog {
  const [phases, types, agents, ids] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  const ofFilters = filters.map(({ name, value }) => ({ name, value, words: new Set<string>() }));
  const parser = new LogParser(form, {
    record(record) {
      add(phases, view.phase?.(record));
      add(types, view.type(record));
      add(agents, view.agent(record));
      add(ids, view.id(record));
      for (const { value, words } of ofFilters) add(words, value(record));
    },
  });
  const file = openToRead(path);
  try {
    for (let at = 0; at < MOST_BYTES; ) {
      const room = parser.room();
      const count = readSync(file, room, 0, Math.min(room.length, MOST_BYTES - at), at);
      if (count === 0) break;
      parser.filled(count);
      at += count;
    }
  } finally {
    closeSync(file);
  }
  return { phases, types, agents, ids, own: new Map(ofFilters.map(({ name, words }) => [name, words])) };
}
