import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { JsonValue } from '../../../base/json/value.ts';
import { bytesBetween } from '../../../log/bytes-between.ts';
import { objectIn, textIn } from '../../kit/excerpt.ts';
import { foldersOf } from '../../kit/program-folder.ts';

/** `rollout-<time>-<id>.jsonl` (codex.md §5). */
const ROLLOUT = /^rollout-(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-)?(.+)\.jsonl$/;

/** In bytes. The first record contains the instructions of the program, often more than 40 kB. */
const LONGEST_HEAD = 256 * 1024;

/** The rollouts among these file names. */
export const rolloutLogs = (names: readonly string[]): string[] => names.filter((name) => ROLLOUT.test(name));

/** The thread id in a rollout's name. */
export const threadInName = (log: string): string | undefined => ROLLOUT.exec(basename(log))?.[1];

function firstRecord(log: string): JsonValue | undefined {
  try {
    const text = bytesBetween(log, 0, LONGEST_HEAD).toString();
    return JSON.parse(text.slice(0, Math.max(0, text.indexOf('\n')))) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The thread that started this subagent's thread, from the first record; undefined for other threads. */
export function parentOfThread(log: string): string | undefined {
  if (threadInName(log) === undefined) return undefined;
  const { source } = objectIn(firstRecord(log), 'payload');
  const spawned = objectIn(objectIn(source, 'subagent'), 'thread_spawn');
  return textIn(spawned, 'parent_thread_id');
}

/** Where the program stores threads. */
export const threadFolders = foldersOf(
  { env: 'CODEX_HOME', usual: '.codex', below: 'sessions' },
  { env: 'CODEX_HOME', usual: '.codex', below: 'archived_sessions' },
);

/** The folders of rollouts are nested by year, month and day. */
const LEVELS = 3;

/** The rollout of another thread, next to a log or in the folders of other days; undefined if there is none. */
export function rolloutOf(thread: string, log: string): string | undefined {
  let folder = dirname(log);
  const isDated = /[/\\]\d{4}[/\\]\d\d[/\\]\d\d$/.test(folder);
  for (let level = 0; isDated && level < LEVELS; level += 1) folder = dirname(folder);
  try {
    const names = readdirSync(folder, { recursive: isDated, encoding: 'utf8' });
    const found = names.find((name) => name.endsWith(`-${thread}.jsonl`) && ROLLOUT.test(basename(name)));
    return found === undefined ? undefined : join(folder, found);
  } catch {
    return undefined;
  }
}
