import { join } from 'node:path';
import { leadsOutside } from '../base/files/files.ts';
import { type FolderEntry, folderEntries } from '../base/files/folder-entries.ts';
import { logFilesAmong, logNamesOf } from '../dialects/registry.ts';

/** The possible file names of streams. */
export const logsOfStreams = (streams: readonly string[] = []): string[] =>
  streams.flatMap((stream) => logNamesOf(stream));

/** The id in the name of a log, or undefined. */
function idInName(name: string): string | undefined {
  for (let end = name.length - 1; end > 0; end -= 1)
    if (logNamesOf(name.slice(0, end)).includes(name)) return name.slice(0, end);
  return undefined;
}

/** A stream, and its log. */
interface Stream {
  readonly stream: string;
  readonly log: string;
}

/** The logs in a folder whose ids have a prefix. */
interface Streams {
  readonly streams: readonly Stream[];
  /** Links with names of such logs that lead out of the folder, or to nothing. They are not followed. */
  readonly links: readonly string[];
  /** Logs whose names are not valid UTF-8. */
  readonly unnameable: readonly FolderEntry[];
}

/** Looks for the logs in a folder whose ids have a prefix. */
export function streamsIn(folder: string, begins: string): Streams {
  let entries: FolderEntry[];
  try {
    entries = folderEntries(folder).filter(({ name }) => name.startsWith(begins));
  } catch {
    return { streams: [], links: [], unnameable: [] };
  }
  const isUnnameable = ({ unnameable }: FolderEntry): boolean => unnameable !== undefined;
  const names = entries.flatMap((entry) => (isUnnameable(entry) ? [] : [entry.name]));
  const all = logFilesAmong(names).flatMap((name): Stream[] => {
    const stream = idInName(name);
    return stream?.startsWith(begins) ? [{ stream, log: join(folder, name) }] : [];
  });
  const [links, streams] = [true, false].map((wanted) =>
    all.filter(({ log }) => leadsOutside(folder, log) === wanted),
  );
  return {
    streams: streams ?? [],
    links: (links ?? []).map(({ log }) => log),
    unnameable: entries.filter(
      (entry) =>
        isUnnameable(entry) && logFilesAmong([entry.name]).some((name) => idInName(name) !== undefined),
    ),
  };
}

/** The logs in a folder whose ids have a prefix, as far as they may be opened. */
export const streamsBeginning = (folder: string, begins: string): readonly Stream[] =>
  streamsIn(folder, begins).streams;
