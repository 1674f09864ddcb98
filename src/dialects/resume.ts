import { isAbsolute } from 'node:path';
import { defined } from '../base/json/defined.ts';
import type { JsonObject } from '../base/json/value.ts';
import { plainShellWord } from '../base/text/shell-word.ts';
import type { Dialect, Resume } from './dialect.ts';
import type { LoadedTurns, LoadingRemark } from './sessions/kit/loading/model.ts';

/** An id that is one word of a shell command, and no option. */
const PLAIN_ID = /^\w[\w.-]*$/;

/** Whether an id can be a word of a shell command and the name of a folder. */
export const isPlainId = (id: string): boolean => PLAIN_ID.test(id);

/** A command, in a folder. A shell takes a folder such as "-" or "~" for another one, so it must be absolute. */
export const inFolder = (cwd: string, command: string): string => `cd ${plainShellWord(cwd)} && ${command}`;

/** The command that continues a session; undefined for an id that could choose an option or a command. */
export const commandOf = (resume: Resume, id: string): string | undefined =>
  PLAIN_ID.test(id) ? resume.command(id) : undefined;

/** The log of a session, where its program keeps it. */
interface KeptLog {
  readonly log: string;
  /** The first record. */
  readonly head: JsonObject;
  readonly cwd: string | undefined;
  readonly isFolder: (path: string) => boolean;
}

/**
 * The command that continues a session. `missing`: its folder, if that does not exist and any other will do. `turns`: those
 * that it loads, if it does not load the newest. `lacks`: how many parts of the conversation it loads, if not all.
 */
export interface ResumeCommand {
  readonly command: string;
  readonly missing?: string;
  readonly turns?: LoadedTurns;
  readonly lacks?: { readonly parts: number; readonly of: number };
  readonly deletes?: Deletes;
  /** The program finds the session only in its folder, which is not known. */
  readonly isFolderUnknown?: true;
  /** Why nobody knows what the program loads. */
  readonly unchecked?: string;
  /** The error with which the API refused the last request, if it may refuse the next one too. */
  readonly lastRefusal?: LoadingRemark;
}

/** The logs that a start of the program deletes, and the commands that copy them away first. */
export interface Deletes {
  readonly logs: readonly string[];
  readonly copy: readonly string[];
}

/** Why a session has no command that continues it. `isRefused`: `doctor` says that continuing it would not go well. */
export interface NotResumed {
  readonly why: string;
  readonly isRefused?: true;
}

/** The command that continues a session, or why it has no such command. */
export type Resumed = ResumeCommand | NotResumed;

/** Why a program does not find a session whose folder does not exist. */
export function whyNoFolder(
  resume: Pick<Resume, 'needsFolder'> | undefined,
  cwd: string | undefined,
  isFolder: (path: string) => boolean,
): string | undefined {
  const isMissing = cwd !== undefined && isAbsolute(cwd) && !isFolder(cwd);
  return resume?.needsFolder && isMissing ? `its working folder does not exist: ${cwd}` : undefined;
}

/**
 * The command that continues a session, if its program finds the log by an id. The id and the folder come from the log,
 * which must not choose an option or a command.
 */
export function resumeOf(
  { resume, partOf }: Pick<Dialect, 'resume' | 'partOf'>,
  { log, head, cwd: named, isFolder }: KeptLog,
): Resumed {
  if (partOf?.(log) !== undefined) return { why: 'the log is a part of another session' };
  if (resume === undefined) return { why: 'its program has no command that continues a session' };
  const id = resume.idOf(log, head);
  if (id === undefined) return { why: 'the log does not have the id of its session' };
  const command = commandOf(resume, id);
  if (command === undefined) return { why: 'its id could be read as an option or as a command' };
  const proven = resume.provenFolder?.(log);
  const known = knownFolder(resume, log, named === proven ? undefined : named);
  // Without the folder that the log proves, the program may still find the session in another one.
  const cwd = known ?? (proven !== undefined && isFolder(proven) ? proven : undefined);
  const missing = whyNoFolder(resume, cwd, isFolder);
  if (missing !== undefined) return { why: missing, isRefused: true };
  if (cwd === undefined || !isAbsolute(cwd))
    return { command, ...(resume.needsFolder && { isFolderUnknown: true, ...defined({ missing: proven }) }) };
  return isFolder(cwd) ? { command: inFolder(cwd, command) } : { command, missing: cwd };
}

/** The folder of a session on this machine: the one that its records name, else the one that is known from the place of its log. */
export const knownFolder = (
  resume: Pick<Resume, 'folderOf'> | undefined,
  place: string,
  named: string | undefined,
): string | undefined => named ?? resume?.folderOf?.(place);

/** Where a log can be read, and where its program keeps it, if the former is a copy. */
interface PlacedLog {
  readonly path: string;
  readonly place?: string | undefined;
}

/** The working folder of a run, for every command: the known one, else the one that the log proves. `named`: by its records. */
export const folderOfRun = (
  { resume }: Pick<Dialect, 'resume'>,
  { path, place = path }: PlacedLog,
  named: string | undefined,
): string | undefined => knownFolder(resume, place, named) ?? resume?.provenFolder?.(path);

/** The session that a log is a part of. */
export interface PartOfSession {
  readonly session: string;
  /** It continues the session itself; otherwise it is the log of a subagent. */
  readonly isFurther: boolean;
  /** The task of the subagent, if its program names it. */
  readonly title?: string;
}

/** The session that a log is a part of; undefined if it is not a part. */
export function partOfSession(
  { resume, partOf, titleOfPart }: Pick<Dialect, 'resume' | 'partOf' | 'titleOfPart'>,
  log: string,
): PartOfSession | undefined {
  const session = partOf?.(log);
  if (session === undefined) return undefined;
  const isFurther = resume?.byName?.idIn(log) === session;
  return { session, isFurther, ...defined({ title: titleOfPart?.(log) }) };
}

/** The further logs of a session among its parts, oldest first: the program finds them under the id of its first log. */
export function furtherLogsOf(
  { resume }: Pick<Dialect, 'resume'>,
  log: string,
  parts: readonly string[] = [],
): readonly string[] {
  const id = resume?.byName?.idIn(log);
  return id === undefined ? [] : parts.filter((part) => resume?.byName?.idIn(part) === id).toSorted();
}
