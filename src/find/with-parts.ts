import { packedFormat, packedRank, unpackedPath } from '../base/archives/format.ts';
import { pushAll } from '../base/files/push-all.ts';
import { byText } from '../base/text/order.ts';
import { nameOfLog, partDialectOf, wholeOf } from '../dialects/registry.ts';
import type { Episode } from './episode.ts';
import type { KnownLogs } from './known-logs.ts';
import { headOf } from './packed-logs.ts';

/** Of several forms of one log, the one that is read: the plain one, else the one that is packed as programs do it. */
function bestForms(logs: readonly string[]): ReadonlySet<string> {
  const rank = (log: string): number => (packedFormat(log) === undefined ? -1 : packedRank(log));
  const best = new Map<string, string>();
  for (const log of logs) {
    const other = best.get(unpackedPath(log));
    if (other === undefined || rank(log) < rank(other)) best.set(unpackedPath(log), log);
  }
  return new Set(best.values());
}

/** The first bytes of a compressed log; undefined for other files. */
async function headOfPacked(log: string): Promise<Buffer | undefined> {
  const packed = packedFormat(log);
  return packed?.kind === 'file' ? (await headOf(log, packed.compression)).bytes : undefined;
}

/** The log that a log is a part of. `head`: its first bytes, if it is packed. */
function wholeIn(log: string, head: Buffer | undefined, known: KnownLogs | undefined): string | undefined {
  if (packedFormat(log) !== undefined) return wholeOf(unpackedPath(log), head);
  return known === undefined ? wholeOf(log) : known.fact(log, 'part of', () => wholeOf(log));
}

/** Logs in the order of their paths without packing, which is that of their times if names begin with a time. */
const inOrder = (logs: readonly string[]): string[] =>
  logs.toSorted((a, b) => byText(unpackedPath(a), unpackedPath(b)));

/** The logs, compressed or not, that are parts of the session with this name, or parts of its parts. */
export async function partsAmong(
  logs: readonly string[],
  name: string,
  known?: KnownLogs,
): Promise<string[]> {
  const wholes = new Map<string, string | undefined>();
  for (const log of bestForms(logs)) wholes.set(log, wholeIn(log, await headOfPacked(log), known));
  const found = new Set<string>();
  // The set grows while it is read.
  const names = new Set([name]);
  for (const owner of names)
    for (const [log, whole] of wholes)
      if (whole === owner) {
        found.add(log);
        names.add(nameOfLog(unpackedPath(log)) ?? owner);
      }
  return inOrder([...found]);
}

/**
 * Attaches logs that are parts of other found logs to them. A log can lie about itself, so a part must name
 * another log of the same dialect that is not a part itself. All others stay separate episodes. Parts that an episode already
 * has are kept.
 */
export async function withParts(found: readonly Episode[], known?: KnownLogs): Promise<Episode[]> {
  if (found.length < 2) return [...found];
  const heads = new Map<string, Buffer | undefined>();
  for (const { log, packed } of found)
    if (log !== undefined && packed !== undefined) heads.set(log, await headOfPacked(log));
  const byName = new Map<string, Episode>();
  // If two sessions have the same id, the first gets the parts, because the other is a copy of it.
  for (const episode of found) {
    const name = episode.log === undefined ? undefined : nameOfLog(unpackedPath(episode.log));
    if (name !== undefined && !byName.has(name)) byName.set(name, episode);
  }
  const wholeOfEpisode = ({ log }: Episode): Episode | undefined => {
    const whole = log === undefined ? undefined : byName.get(wholeIn(log, heads.get(log), known) ?? '');
    return log !== undefined &&
      whole?.log !== undefined &&
      partDialectOf(unpackedPath(log), heads.get(log)) === partDialectOf(unpackedPath(whole.log))
      ? whole
      : undefined;
  };
  const rootOf = (part: Episode): Episode | undefined => {
    const seen = new Set([part]);
    let root = wholeOfEpisode(part);
    for (let next = root; next !== undefined; next = wholeOfEpisode(next)) {
      if (seen.has(next)) return undefined;
      seen.add(next);
      root = next;
    }
    return root;
  };
  const best = bestForms(found.flatMap(({ log }) => log ?? []));
  const parts = new Map<Episode, string[]>();
  const rest = found.filter((episode) => {
    const root = rootOf(episode);
    if (root === undefined || episode.log === undefined || !best.has(episode.log)) return true;
    const own = parts.get(root) ?? [];
    own.push(episode.log);
    pushAll(own, episode.parts ?? []);
    parts.set(root, own);
    return false;
  });
  return rest.map((episode) => {
    const own = parts.get(episode);
    return own === undefined ? episode : { ...episode, parts: inOrder([...(episode.parts ?? []), ...own]) };
  });
}
