import { basename, dirname } from 'node:path';
import { readEpisodeFile } from '../../../base/files/files.ts';
import { jsonIn } from '../../../base/json/parse.ts';
import { isObject } from '../../../base/json/value.ts';
import { bytesBetween } from '../../../log/bytes-between.ts';
import { textIn } from '../../kit/members.ts';
import { foldersOf } from '../../kit/program-folder.ts';

/** The name of a session's log is its id (claude-code.md §6). */
const SESSION_NAME = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})\.jsonl$/i;
/** The name of a subagent's log. */
const AGENT_NAME = /^agent-([\w-]+)\.jsonl$/;

/** In bytes: the first record of a subagent's log names its session within this length. */
const HEAD = 64 * 1024;

/** The session id in a log's name. */
export const sessionInName = (log: string): string | undefined => SESSION_NAME.exec(basename(log))?.[1];

/** The id by which the program finds a session: the name of a file directly below the folder of a project. */
export const keptSession = (log: string): string | undefined =>
  /[/\\]projects[/\\][^/\\]+[/\\][^/\\]+$/.test(log) ? sessionInName(log) : undefined;

/** The id of a subagent in the name of its log. */
export const agentInName = (log: string): string | undefined => AGENT_NAME.exec(basename(log))?.[1];

/** The logs of sessions and subagents among these file names. */
export const transcriptLogs = (names: readonly string[]): string[] =>
  names.filter((name) => SESSION_NAME.test(name) || AGENT_NAME.test(name));

/** The display name of a log: the id of its session or agent. */
export const nameOfLog = (log: string): string | undefined =>
  sessionInName(log) ?? (AGENT_NAME.test(basename(log)) ? basename(log, '.jsonl') : undefined);

/** The session of a subagent's log, from its first lines; undefined for other logs. */
export function sessionOfAgent(log: string, head?: Buffer): string | undefined {
  if (!AGENT_NAME.test(basename(log))) return undefined;
  try {
    const start = head ?? bytesBetween(log, 0, HEAD);
    return /"sessionId"\s*:\s*"([^"\\]+)"/.exec(start.toString('utf8', 0, HEAD))?.[1];
  } catch {
    return undefined;
  }
}

/** The description of a subagent's task, in the file that the program keeps next to its log (claude-code.md §6). */
export function titleOfAgent(log: string): string | undefined {
  const outcome = readEpisodeFile(dirname(log), `${basename(log, '.jsonl')}.meta.json`);
  const about = outcome.kind === 'read' ? jsonIn(outcome.bytes.toString('utf8')) : undefined;
  const title = isObject(about) ? textIn(about, 'description')?.trim() : undefined;
  return title === '' ? undefined : title;
}

/** Where the program stores sessions. */
export const projectFolders = foldersOf({ env: 'CLAUDE_CONFIG_DIR', usual: '.claude', below: 'projects' });
