import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { NEWLINE } from '../../../base/json/ascii.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import { firstLine } from '../../../log/bytes-between.ts';
import type { PlacedSession } from '../../dialect.ts';
import { objectIn, textIn } from '../../kit/members.ts';
import { foldersOf } from '../../kit/program-folder.ts';

/** `rollout-<time>-<id>.jsonl` (codex.md §5). */
const ROLLOUT = /^rollout-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-)?(.+)\.jsonl$/;

/** In bytes. The first record contains the instructions of the program, often more than 40 kB. */
const LONGEST_HEAD = 256 * 1024;

/** The rollouts among these file names. */
export const rolloutLogs = (names: readonly string[]): string[] => names.filter((name) => ROLLOUT.test(name));

/** A later log of a thread: the ids of the thread and of the log (codex.md §5). */
const LATER_PART = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_[0-9a-f-]{36}$/i;

/** The id in a rollout's name: that of its thread, and for a later log of the thread also its own. */
export const idInName = (log: string): string | undefined => ROLLOUT.exec(basename(log))?.[1];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id by which the program finds a thread, which is a UUID. It does not continue an archived thread. */
export function keptThread(log: string): string | undefined {
  const id = idInName(log);
  return id !== undefined && UUID.test(id) && !/[/\\]archived_sessions[/\\]/.test(log) ? id : undefined;
}

/** The id by which other logs name a rollout, from its name: its own, and for the first log of a thread that of the thread. */
export const logInName = (log: string): string | undefined => idInName(log)?.split('_').at(-1);

/** The thread whose later log this is, from its name; undefined for other logs. */
const continuedThread = (log: string): string | undefined => LATER_PART.exec(idInName(log) ?? '')?.[1];

/** The thread id in a rollout's name. */
export const threadInName = (log: string): string | undefined => continuedThread(log) ?? idInName(log);

function firstRecord(log: string, head: Buffer | undefined): JsonValue | undefined {
  try {
    const end = head?.indexOf(NEWLINE) ?? -1;
    const line =
      head === undefined ? firstLine(log, LONGEST_HEAD) : head.subarray(0, end === -1 ? undefined : end);
    return line === undefined ? undefined : (JSON.parse(line.toString()) as JsonValue);
  } catch {
    return undefined;
  }
}

/** The thread that this log is a part of: a later log of a thread, or that of a subagent; undefined for others. */
export function parentOfThread(log: string, head?: Buffer): string | undefined {
  if (idInName(log) === undefined) return undefined;
  const continued = continuedThread(log);
  if (continued !== undefined) return continued;
  const { source } = objectIn(firstRecord(log, head), 'payload');
  const spawned = objectIn(objectIn(source, 'subagent'), 'thread_spawn');
  return textIn(spawned, 'parent_thread_id');
}

/** Where the program stores threads. */
export const threadFolders = foldersOf(
  { env: 'CODEX_HOME', usual: '.codex', below: 'sessions' },
  { env: 'CODEX_HOME', usual: '.codex', below: 'archived_sessions' },
);

/** The folders of rollouts: by year, month and day. */
const LEVELS = [/^\d{4}$/, /^\d\d$/, /^\d\d$/];

/** Whether a log is in the folder of a day. */
export function isInDay(log: string): boolean {
  const names = dirname(log).split(/[/\\]/).slice(-LEVELS.length);
  return names.length === LEVELS.length && LEVELS.every((level, at) => level.test(names[at] ?? ''));
}

/** The time in the name of a rollout: the day, and the rest. */
const TIME = /^(\d{4})-(\d\d)-(\d\d)T\d\d-\d\d-\d\d$/;

/** The path at which the program finds a thread. Its time is that in the name of the log, else that of the first record. */
export function placeOfThread(
  homes: readonly string[],
  { log, id, head }: PlacedSession,
): string | undefined {
  const named = /^rollout-(.{19})-/.exec(basename(log))?.[1] ?? '';
  const time = TIME.test(named) ? named : (textIn(head, 'timestamp') ?? '').slice(0, 19).replaceAll(':', '-');
  const [home] = homes;
  const [, ...day] = TIME.exec(time) ?? [];
  return home === undefined || day.length === 0 || !UUID.test(id)
    ? undefined
    : join(home, ...day, `rollout-${time}-${id}.jsonl`);
}

/** The folders of all days, in order, if a log is in one of them; empty for a log elsewhere. */
export function foldersOfDays(log: string): string[] {
  let top = dirname(log);
  for (const level of LEVELS.toReversed()) {
    if (!level.test(basename(top))) return [];
    top = dirname(top);
  }
  return LEVELS.reduce((folders, level) => folders.flatMap((folder) => foldersIn(folder, level)), [top]);
}

const ARCHIVE = 'archived_sessions';

/** The other folders in which logs of the same threads may be: those of all days, and that of archived threads. */
export function foldersOfThreads(log: string): string[] {
  const days = foldersOfDays(log);
  const [first] = days;
  if (first !== undefined) return [...days, join(first, ...LEVELS.map(() => '..'), '..', ARCHIVE)];
  const folder = dirname(log);
  if (basename(folder) !== ARCHIVE) return [];
  return foldersOfDays(join(folder, '..', 'sessions', '2000', '01', '01', basename(log)));
}

/** The folders with such names in a folder; none if it cannot be listed. */
function foldersIn(folder: string, name: RegExp): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const named = entries.filter((entry) => entry.isDirectory() && name.test(entry.name));
    return named.map((entry) => join(folder, entry.name)).sort();
  } catch {
    return [];
  }
}

/** The rollout that others name by this id, next to a log or in the folders of other days; undefined if it is not there. */
export function rolloutOf(id: string, log: string): string | undefined {
  for (const folder of new Set([dirname(log), ...foldersOfDays(log)])) {
    const found = rolloutIn(folder, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function rolloutIn(folder: string, id: string): string | undefined {
  try {
    const name = readdirSync(folder).find((one) => logInName(one) === id);
    return name === undefined ? undefined : join(folder, name);
  } catch {
    return undefined;
  }
}
