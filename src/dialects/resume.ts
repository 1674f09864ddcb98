import { isAbsolute } from 'node:path';
import type { JsonObject } from '../base/json/value.ts';
import { plainShellWord } from '../base/text/shell-word.ts';
import type { Dialect, Resume } from './dialect.ts';

/** An id that is one word of a shell command, and no option. */
const PLAIN_ID = /^\w[\w.-]*$/;

/** The command that continues a session; undefined for an id that could choose an option or a command. */
export const commandOf = (resume: Resume, id: string): string | undefined =>
  PLAIN_ID.test(id) ? resume.command(id) : undefined;

/** The log of a session, where its program keeps it. */
interface KeptLog {
  readonly log: string;
  /** The first record. */
  readonly head: JsonObject;
  readonly cwd: string | undefined;
}

/**
 * The command that continues a session; undefined if its program does not find the log by an id. The id and the folder
 * come from the log, which must not choose an option or a command.
 */
export function resumeCommand(
  { resume, partOf }: Pick<Dialect, 'resume' | 'partOf'>,
  { log, head, cwd }: KeptLog,
): string | undefined {
  const id = partOf?.(log) === undefined ? resume?.idOf(log, head) : undefined;
  const command = resume === undefined || id === undefined ? undefined : commandOf(resume, id);
  if (command === undefined) return undefined;
  // A shell takes a folder such as "-" or "~" for another one.
  return cwd !== undefined && isAbsolute(cwd) ? `cd ${plainShellWord(cwd)} && ${command}` : command;
}
