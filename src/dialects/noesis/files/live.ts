import { lstatSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Listing, listFiles } from '../../../base/files/files.ts';
import { byText } from '../../../base/text/order.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import type { VerifyTarget } from '../../../findings/options.ts';
import type { Policy } from '../../../findings/policy.ts';
import type { EpisodeReport } from '../../../findings/report.ts';
import { FINAL_FILE, MANIFEST_FILE } from './names.ts';

/**
 * A writer whose last change is older than this is not active; between two of its writes there is only an fsync. It is
 * less than MAX_WAIT_MS, so that the wait also ends if the last change came before the first look.
 */
const RECENT_MS = 900;
/** How long to wait for the first change by a writer. */
const FIRST_CHANGE_MS = 150;
/** How long to wait for an active writer in total. */
const MAX_WAIT_MS = 1000;
const POLL_MS = 10;

/** Findings that a correct writer may cause for a moment. */
const TEMPORARY: ReadonlySet<FindingCode> = new Set<FindingCode>([
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

/** The files of an episode's folder, with its log by the name that it has when it is not compressed. */
function listingOf({ dir, log, place, packedAt }: VerifyTarget): Listing {
  if (dir === undefined) return { files: [], others: [] };
  const listing = listFiles(dir);
  if (log === undefined || place === undefined) return listing;
  const name = relative(dir, place);
  const packed = packedAt === undefined ? undefined : relative(dir, packedAt);
  const files = listing.files.filter((file) => file.name !== packed && file.name !== name);
  return { ...listing, files: [...files, { name, inside: true }].sort((a, b) => byText(a.name, b.name)) };
}

function pathsOf({ dir, log }: VerifyTarget, { files }: Listing): string[] {
  if (dir === undefined) return [log].filter((path) => path !== undefined);
  return [dir, ...files.map(({ name }) => join(dir, name))];
}

/** The status of listed files now, to recognise later changes. */
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

/**
 * Whether the last change is recent. A time far in the future comes from another machine's clock, and does not count.
 */
const isRecent = ({ newest }: Snapshot): boolean => Math.abs(Date.now() - newest) < RECENT_MS;

/** A policy without findings that the writer's next write would resolve. */
export function whileOpen(policy: Policy): Policy {
  const severities = new Map(policy.severities);
  for (const code of ['log/truncated', 'state/missing'] as const) severities.set(code, 'off');
  return { ...policy, severities };
}

export interface Look {
  /** Whether a writer was still active when the wait ended. */
  readonly open: boolean;
  /** The listing of the episode's folder; empty for a single log. */
  readonly listing: Listing;
}

/** Resolves when something changed, no writer is active, or time is up. */
async function nextChange(target: VerifyTarget, before: Snapshot, until: number) {
  let now = newSnapshot(target);
  while (now?.text === before.text && isRecent(now) && Date.now() < until) {
    await setTimeout(POLL_MS);
    now = newSnapshot(target);
  }
  return now;
}

/** How long to wait for a first change. */
function waitFor({ findings }: EpisodeReport): number {
  const reported = findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code);
  // Between final.json and manifest.json there is only an fsync.
  if (reported.includes('seal/incomplete')) return MAX_WAIT_MS;
  return reported.some((code) => TEMPORARY.has(code)) ? FIRST_CHANGE_MS : 0;
}

/**
 * Whether the log was truncated or replaced. A correct writer never does this, so the finding must not disappear with
 * another look.
 */
const wasChanged = ({ findings }: EpisodeReport): boolean =>
  findings.some(({ code }) => code === 'log/changed');

/**
 * Verifies an episode, and again while somebody writes to it. A correct writer may leave a torn last line, a final.json
 * without manifest, or a state behind its log for a moment. A sealed or faultless episode gets one look; any other gets
 * one after each change, until nothing is wrong or the writer has stopped. If it goes on for more than a second, the
 * last look has `open` set.
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
  // Nobody writes to a copy, such as a file with another display name.
  let before: Snapshot | undefined =
    isSealed || fileName !== undefined || copy ? undefined : snapshotOf(target, listing);
  let seen = await look({ open: false, listing });
  const first = Date.now();
  let atWork = false;
  while (before !== undefined && seen.verdict !== 'ok' && !wasChanged(seen)) {
    const now = await nextChange(target, before, first + (atWork ? MAX_WAIT_MS : waitFor(seen)));
    atWork ||= now !== undefined && now.text !== before.text;
    if (now === undefined || !atWork || (now.text === before.text && !isRecent(now))) return seen;
    if (Date.now() >= first + MAX_WAIT_MS) return look({ open: true, listing: listingOf(target) });
    before = now;
    seen = await look({ open: false, listing: listingOf(target) });
  }
  return seen;
}
