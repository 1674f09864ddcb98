import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Listing, listFiles } from '../../files/files.ts';
import type { FindingCode } from '../../findings/codes.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import type { Policy } from '../../findings/policy.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { FINAL_FILE, MANIFEST_FILE } from './artifacts/names.ts';

/** A writer whose last change is older than this is not at work: between two of its writes lies an fsync. */
const YOUNG_MS = 1000;
/** How long to wait for a sign that somebody is at work at all. */
const SIGN_MS = 150;
/** How long a writer that is at work is waited for in all. */
const PATIENCE_MS = 1000;
const POLL_MS = 10;

/** What an honest writer leaves for a moment, even if nothing changes while one looks. */
const PASSING: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'log/truncated',
  'log/empty',
  'order/start-not-first',
  'state/missing',
  'seal/missing',
  'seal/incomplete',
]);

/** What lies there at one moment. */
interface Snapshot {
  /** Names, sizes and times in one text. */
  readonly text: string;
  /** The last change, in milliseconds since 1970. */
  readonly newest: number;
}

/** What lies in an episode's directory now; nothing of a log alone. */
const listingOf = ({ dir }: VerifyTarget): Listing =>
  dir === undefined ? { files: [], others: [] } : listFiles(dir);

function pathsOf({ dir, log }: VerifyTarget, { files }: Listing): string[] {
  if (dir === undefined) return [log].filter((path) => path !== undefined);
  return [dir, ...files.map(({ name }) => join(dir, name))];
}

/** What is listed, as it is now: whatever comes after the listing is a change. */
function snapshotOf(target: VerifyTarget, listing: Listing): Snapshot {
  const paths = pathsOf(target, listing);
  let newest = -Infinity;
  const lines = paths.map((path) => {
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined) return path;
    newest = Math.max(newest, status.mtimeMs);
    return `${path} ${status.ino} ${status.size} ${status.mtimeMs}`;
  });
  return { text: lines.join('\n'), newest };
}

/** The same of a new listing; undefined where the folder cannot be listed: there is nothing to watch. */
function newSnapshot(target: VerifyTarget): Snapshot | undefined {
  let listing: Listing;
  try {
    listing = listingOf(target);
  } catch {
    return undefined;
  }
  return snapshotOf(target, listing);
}

/** The time of a change may lie ahead of the clock, in another machine's: far ahead it says nothing. */
const isYoung = ({ newest }: Snapshot): boolean => Math.abs(Date.now() - newest) < YOUNG_MS;

/** A policy without what the next write would mend. */
export function whileOpen(policy: Policy): Policy {
  const severities = new Map(policy.severities);
  for (const code of ['log/truncated', 'state/missing'] as const) severities.set(code, 'off');
  return { ...policy, severities };
}

/** How a look at an episode goes. */
export interface Look {
  /** A writer is at work, and will not be waited for any longer. */
  readonly open: boolean;
  /** What lies in the episode's directory now; nothing of a log alone. */
  readonly listing: Listing;
}

/** What is there once something has changed, nobody is at work any more, or time is up. */
async function nextChange(target: VerifyTarget, before: Snapshot, until: number) {
  let now = newSnapshot(target);
  while (now?.text === before.text && isYoung(now) && Date.now() < until) {
    await setTimeout(POLL_MS);
    now = newSnapshot(target);
  }
  return now;
}

/** How long to wait for a change, where none has been seen yet. */
function waitFor({ findings }: EpisodeReport): number {
  const loud = findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code);
  // Between final.json and manifest.json lies an fsync, and nothing else.
  if (loud.includes('seal/incomplete')) return PATIENCE_MS;
  return loud.some((code) => PASSING.has(code)) ? SIGN_MS : 0;
}

/** A log that was cut or replaced under the reader: no honest writer leaves that, however whole the next look finds it. */
const wasChanged = ({ findings }: EpisodeReport): boolean =>
  findings.some(({ code }) => code === 'log/changed');

/**
 * Looks at an episode, and again where somebody may be writing it: an honest writer leaves a torn last line, a
 * final.json without its manifest, or a state behind the log, for a moment each. There is one look where the episode
 * is sealed, nothing is wrong, or nothing changes; else one after each change, until nothing is wrong or the writer has
 * stopped. A writer that goes on for more than a second is told of by `open` in the last look.
 */
export async function lookAgain(
  target: VerifyTarget,
  look: (how: Look) => Promise<EpisodeReport>,
): Promise<EpisodeReport> {
  const { fileName, copy } = target;
  const listing = listingOf(target);
  const isThere = (wanted: string) =>
    listing.files.some(({ name }) => name === wanted) || listing.others.includes(wanted);
  const isSealed = isThere(FINAL_FILE) && isThere(MANIFEST_FILE);
  // What has another name than its file is a copy, which nobody writes to.
  let before: Snapshot | undefined =
    isSealed || fileName !== undefined || copy ? undefined : snapshotOf(target, listing);
  let seen = await look({ open: false, listing });
  const first = Date.now();
  let atWork = false;
  while (before !== undefined && seen.verdict !== 'ok' && !wasChanged(seen)) {
    const now = await nextChange(target, before, first + (atWork ? PATIENCE_MS : waitFor(seen)));
    atWork ||= now !== undefined && now.text !== before.text;
    if (now === undefined || !atWork || (now.text === before.text && !isYoung(now))) return seen;
    if (Date.now() >= first + PATIENCE_MS) return look({ open: true, listing: listingOf(target) });
    before = now;
    seen = await look({ open: false, listing: listingOf(target) });
  }
  return seen;
}
