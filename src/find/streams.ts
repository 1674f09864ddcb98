import { readdirSync } from 'node:fs';
import { join } from 'node:path';
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

/** The logs in a folder whose ids have a prefix. */
export function streamsBeginning(folder: string, begins: string): { stream: string; log: string }[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.startsWith(begins));
  } catch {
    return [];
  }
  return logFilesAmong(names).flatMap((name) => {
    const stream = idInName(name);
    return stream?.startsWith(begins) ? [{ stream, log: join(folder, name) }] : [];
  });
}
