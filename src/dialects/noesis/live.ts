import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Listing, listFiles } from '../../files/files.ts';
import type { FindingCode } from '../../findings/codes.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import type { Policy } from '../../findings/policy.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { FINAL_FILE, MANIFEST_FILE } from './artifacts/names.ts';

/**
 * A writer is not active if its last change is older than this; between two of its writes there is only an
 * fsync. Less than PATIENCE_MS, so that a writer whose last change came before the first look is not waited for to the end.
 */
const YOUNG_MS = 900;
/** How long to wait for a sign of an active writer. */
const SIGN_MS = 150;
/** How long to wait for an active writer in total. */
const PATIENCE_MS = 1000;
const POLL_MS = 10;

/** Findings that an honest writer may cause for a moment. */
const PASSING: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'log/truncated',
  'log/empty',
  'order/start-not-first',
  'state/missing',
  'seal/missing',
  'seal/incomplete',
]);

/** The contents of the folder at one moment. */
interface Snapshot {
  /** Names, sizes and times as one text. */
  readonly text: string;
  /** The latest change, in milliseconds since 1970. */
  readonly newest: number;
}

/** Lists an episode's folder; empty for a single log. */
const listingOf = ({ dir }: VerifyTarget): Listing =>
  dir === undefined ? { files: [], others: [] } : listFiles(dir);

function pathsOf({ dir, log }: VerifyTarget, { files }: Listing): string[] {
  if (dir === undefined) return [log].filter((path) => path !== undefined);
  return [dir, ...files.map(({ name }) => join(dir, name))];
}

/** The current status of listed files. Anything later is a change. */
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

/** A snapshot of a new listing; undefined if the folder cannot be listed. */
function newSnapshot(target: VerifyTarget): Snapshot | undefined {
  let listing: Listing;
  try {
    listing = listingOf(target);
  } catch {
    return undefined;
  }
  return snapshotOf(target, listing);
}

/** Another machine's clock may be ahead. A time far in the future says nothing. */
const isYoung = ({ newest }: Snapshot): boolean => Math.abs(Date.now() - newest) < YOUNG_MS;

/** A policy without findings that the writer's next write would resolve. */
export function whileOpen(policy: Policy): Policy {
  const severities = new Map(policy.severities);
  for (const code of ['log/truncated', 'state/missing'] as const) severities.set(code, 'off');
  return { ...policy, severities };
}

export interface Look {
  /** A writer is active, and the wait is over. */
  readonly open: boolean;
  /** The listing of the episode's folder; empty for a single log. */
  readonly listing: Listing;
}

/** Resolves after a change, when no writer is active, or when time is up. */
async function nextChange(target: VerifyTarget, before: Snapshot, until: number) {
  let now = newSnapshot(target);
  while (now?.text === before.text && isYoung(now) && Date.now() < until) {
    await setTimeout(POLL_MS);
    now = newSnapshot(target);
  }
  return now;
}

/** How long to wait for a first change. */
function waitFor({ findings }: EpisodeReport): number {
  const loud = findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code);
  // Only an fsync happens between final.json and manifest.json.
  if (loud.includes('seal/incomplete')) return PATIENCE_MS;
  return loud.some((code) => PASSING.has(code)) ? SIGN_MS : 0;
}

/**
 * An honest writer never truncates or replaces a log, so that finding stays, however intact the log is at the
 * next look.
 */
const wasChanged = ({ findings }: EpisodeReport): boolean =>
  findings.some(({ code }) => code === 'log/changed');

/**
 * Looks at an episode, and again if somebody may be writing it. An honest writer temporarily leaves a torn
 * last line, a final.json without its manifest, or a state behind its log. There is one look if the episode
 * is sealed, nothing is wrong, or nothing changes; otherwise one after each change, until nothing is wrong or
 * the writer has stopped. If it continues for more than a second, `open` is set in the last look.
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
  // A file with another display name is a copy, which nobody writes to.
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
