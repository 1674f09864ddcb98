import { closeSync, openSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Machine } from '../dialect.ts';
import { programFolder } from '../program-folder.ts';

/** The name of a session's log is its id (claude-code.md §6). */
const SESSION_NAME = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.jsonl$/i;
/** The log of a subagent. */
const AGENT_NAME = /^agent-([\w-]+)\.jsonl$/;

/** In bytes: the first record of a subagent names its session at its beginning or its end. */
const HEAD = 64 * 1024;

/** The session that a log's name says it is. */
export const sessionInName = (log: string): string | undefined => SESSION_NAME.exec(basename(log))?.[1];

/** Of the names in one directory, the logs of sessions and of subagents. */
export const transcriptLogs = (names: readonly string[]): string[] =>
  names.filter((name) => SESSION_NAME.test(name) || AGENT_NAME.test(name));

/** What people call a log: the id of its session or its agent. */
export const nameOfLog = (log: string): string | undefined =>
  sessionInName(log) ?? (AGENT_NAME.test(basename(log)) ? basename(log, '.jsonl') : undefined);

/** The session that a subagent's log belongs to, as its first lines say; undefined for any other log. */
export function sessionOfAgent(log: string): string | undefined {
  if (!AGENT_NAME.test(basename(log))) return undefined;
  try {
    const file = openSync(log, 'r');
    try {
      const head = Buffer.alloc(HEAD);
      const text = head.toString('utf8', 0, readSync(file, head, 0, HEAD, 0));
      return /"sessionId":"([^"\\]+)"/.exec(text)?.[1];
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Where the program keeps its sessions. */
export function projectFolders({ env, home }: Machine): string[] {
  const { CLAUDE_CONFIG_DIR: configured } = env;
  const dir = programFolder(configured, home, '.claude');
  return dir ? [join(dir, 'projects')] : [];
}
