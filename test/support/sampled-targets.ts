import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

const COMPARED_BY_OTHERS = /^(?:expected.*|.*\.expected)\.json$/;
const LOG = /\.(?:jsonl|ndjson|json|gz|zst|eval|zip)$/;

/** Whether a folder is an episode, which is one target with all its files. */
const isEpisode = (entries: readonly Dirent[]): boolean =>
  entries.some(({ name }) => name === 'events.jsonl');

/** The targets in a folder: episodes, logs, and folders that contain them. */
export function targetsIn(folder: string): { readonly runs: string[]; readonly folders: string[] } {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (isEpisode(entries)) return { runs: [folder], folders: [] };
  const logs = entries.filter(
    (entry) => entry.isFile() && LOG.test(entry.name) && !COMPARED_BY_OTHERS.test(entry.name),
  );
  const inner = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => targetsIn(join(folder, name)));
  return {
    runs: [...logs.map(({ name }) => join(folder, name)), ...inner.flatMap(({ runs }) => runs)],
    folders: [...(logs.length > 0 ? [folder] : []), ...inner.flatMap(({ folders }) => folders)],
  };
}
