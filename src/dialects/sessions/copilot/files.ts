import { basename, dirname } from 'node:path';
import type { FolderSample } from '../../dialect.ts';
import { foldersOf } from '../../kit/program-folder.ts';

const LOG = 'events.jsonl';
/** The folder of the program's sessions (copilot.md §5). */
const SESSIONS = 'session-state';
export const WORKSPACE = 'workspace.yaml';

const isSessionFolder = (dir: string): boolean => basename(dirname(dir)) === SESSIONS;

/** The log of a session among these file names. Other programs use this name too. */
export const sessionLogs = (names: readonly string[]): string[] => names.filter((name) => name === LOG);

/** Whether a folder is that of a session. */
export const isSession = ({ dir, names }: FolderSample): boolean =>
  isSessionFolder(dir) && names.includes(WORKSPACE);

/** The session id in the path of a log: the folder's name, or the file's in older versions. */
export function sessionAt(log: string): string | undefined {
  const dir = dirname(log);
  if (basename(log) === LOG) return isSessionFolder(dir) ? basename(dir) : undefined;
  return basename(dir) === SESSIONS && log.endsWith('.jsonl') ? basename(log, '.jsonl') : undefined;
}

/** Where the program stores sessions. */
export const sessionFolders = foldersOf({ env: 'COPILOT_HOME', usual: '.copilot', below: SESSIONS });
