/** A file that cannot be read or written. */
export type FileErrorCode = 'unreadable' | 'unwritable';
/** A log that is damaged, changed while it was open, or must not be written to. */
export type LogErrorCode =
  | 'log-corrupt'
  | 'log-changed'
  | 'log-sealed'
  | 'log-locked'
  | 'log-moved-on'
  | 'seal-refused';
/** A stored state that is missing or invalid, or a value that it does not have. */
export type StateErrorCode = 'state-missing' | 'state-invalid' | 'path-missing' | 'projection-unsupported';
/** A target that names no log, or more than one. */
export type TargetErrorCode = 'root-missing' | 'target-missing' | 'target-ambiguous' | 'log-missing';
/** An event that was not found, or cannot be appended. */
export type EventErrorCode = 'event-missing' | 'event-ambiguous' | 'event-invalid';
/** A configuration file. */
export type ConfigurationErrorCode = 'config-invalid';
/** Reports that will be merged. */
export type ReportErrorCode = 'report-invalid' | 'report-mismatch' | 'report-missing';
/** A wrong option or argument, or an unsupported request. */
export type UsageErrorCode = 'usage' | 'append-unsupported';

/** Every way in which a request can fail, other than a bug. */
export type ErrorCode =
  | FileErrorCode
  | LogErrorCode
  | StateErrorCode
  | TargetErrorCode
  | EventErrorCode
  | ConfigurationErrorCode
  | ReportErrorCode
  | UsageErrorCode;

/** The place of a failure in a file, in the units of findings. */
export interface ErrorPlace {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly byteStart?: number;
  readonly byteEnd?: number;
  /** The stored text around the place (see json/place.ts). */
  readonly excerpt?: string;
}

/** Folders in which nothing was found. */
export interface SearchedFolders {
  /** What they would contain: the name of a dialect. */
  readonly what: string;
  /** Absolute, nearest first. */
  readonly folders: readonly string[];
  /** The folders after the first are those above it. */
  readonly isUpwards?: true;
}

interface ErrorDetails {
  hint?: string | undefined;
  command?: string | undefined;
  place?: ErrorPlace;
  cause?: unknown;
  searched?: readonly SearchedFolders[];
}

/** A request that cannot be answered: why, where, and what to do next. Subclasses tell the kinds apart. */
export class NoesisError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = 'NoesisError';
  /** Explicit, because bundling shortens class names. */
  static override readonly name: string = 'NoesisError';
  readonly code: Code;
  readonly place: ErrorPlace;
  readonly hint: string | undefined;
  /** A command that the hint ends with. It is printed on its own line, so that it can be copied. */
  readonly command: string | undefined;
  /** Where a run was looked for; empty for other errors. */
  readonly searched: readonly SearchedFolders[];

  constructor(code: Code, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.place = details.place ?? {};
    this.hint = details.hint;
    this.command = details.command;
    this.searched = details.searched ?? [];
  }
}

export class FileError extends NoesisError<FileErrorCode> {
  override readonly name = 'FileError';
  static override readonly name = 'FileError';
}

export class LogError extends NoesisError<LogErrorCode> {
  override readonly name = 'LogError';
  static override readonly name = 'LogError';
}

export class StateError extends NoesisError<StateErrorCode> {
  override readonly name = 'StateError';
  static override readonly name = 'StateError';
}

/** What a user named as a run that was not found. */
export interface NamedTarget {
  readonly typed: string;
  /** The runs or paths that are named similarly. */
  readonly similar: readonly string[];
}

export class TargetError extends NoesisError<TargetErrorCode> {
  override readonly name = 'TargetError';
  static override readonly name = 'TargetError';
  /** Undefined if the target was found, but has no log. */
  readonly named: NamedTarget | undefined;

  constructor(
    code: TargetErrorCode,
    message: string,
    details: ErrorDetails & { named?: NamedTarget | undefined } = {},
  ) {
    super(code, message, details);
    this.named = details.named;
  }
}

export class EventError extends NoesisError<EventErrorCode> {
  override readonly name = 'EventError';
  static override readonly name = 'EventError';
}

export class ConfigurationError extends NoesisError<ConfigurationErrorCode> {
  override readonly name = 'ConfigurationError';
  static override readonly name = 'ConfigurationError';
}

export class ReportError extends NoesisError<ReportErrorCode> {
  override readonly name = 'ReportError';
  static override readonly name = 'ReportError';
}

export class UsageError extends NoesisError<UsageErrorCode> {
  override readonly name = 'UsageError';
  static override readonly name = 'UsageError';
}

/** The error for a file that cannot be read. */
export const cannotRead = (file: string, why: string, cause?: unknown): FileError =>
  new FileError('unreadable', `cannot read ${file}: ${why}`, { place: { file }, cause });

/** Throws `usage` unless an option of the library is a whole number of at least 0. */
export function requireCount(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new UsageError('usage', `${name} is ${value}: it must be a whole number of at least 0`);
}

/** Throws `usage` unless an option of the library is a number of at least 0, or infinite. */
export function requireAmount(name: string, value: number): void {
  if (typeof value === 'number' && value >= 0) return;
  throw new UsageError('usage', `${name} is ${String(value)}: it must be a number of at least 0`);
}

/** Throws `usage` unless an argument of the library is a string: callers without types may pass anything. */
export function requireText(name: string, value: string): void {
  if (typeof value === 'string') return;
  const kind = kindOf(value);
  throw new UsageError('usage', `${name} is ${kind}: it must be a string`, {
    hint: kind === 'a URL' ? 'use fileURLToPath(url)' : undefined,
  });
}

/** A value that a caller passed, in words. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  // `instanceof` would fail for objects of another realm, such as a test runner's.
  if (typeof value === 'object')
    return 'then' in value ? 'a promise' : 'href' in value ? 'a URL' : 'an object';
  return `a ${typeof value}`;
}

/** Timers take any longer delay as 1 ms. */
const LONGEST_DELAY = 2 ** 31 - 1;

/** Throws `usage` unless an option of the library is a delay in milliseconds that timers have. */
export function requireDelay(name: string, value: number): void {
  if (value >= 0 && value <= LONGEST_DELAY) return;
  throw new UsageError('usage', `${name} is ${value}: it must be a number from 0 to ${LONGEST_DELAY}`);
}

/** Throws `usage` for an unknown option: `{ require_seal: true }` would require nothing. */
export function requireKnown<Options extends object>(
  options: Options,
  known: Readonly<Record<keyof Options, true>>,
): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const names = Object.keys(known).join(', ');
  throw new UsageError('usage', `${JSON.stringify(unknown)} is not an option`, {
    hint: `use one of the options ${names}`,
  });
}

/** The message of an error, or any other thrown value as text. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The code of a file system error, such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The code of a file system error. @throws any other error. */
export function fileErrorCode(error: unknown): string {
  const code = errorCode(error);
  if (code === undefined) throw error;
  return code;
}

/** Whether an error has one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.some((code) => code === errorCode(error));

/** Whether an error says that nothing is at a path. */
export const isNothing = (error: unknown): boolean => hasCode(error, 'ENOENT', 'ENOTDIR');

/** Whether an error comes from the file system. Other errors of Node also have a code. */
export function isFileError(error: unknown): boolean {
  return errorCode(error) !== undefined && error instanceof Error && 'syscall' in error;
}

/**
 * Whether an error is about one target only, so that others can still be read. False for usage errors, and for failures of
 * the output or the whole system.
 */
export const isOfTarget = (error: unknown): boolean =>
  isFileError(error)
    ? !isOfWriting(error) && !hasCode(error, 'EPIPE', 'EMFILE', 'ENFILE')
    : error instanceof NoesisError && !(error instanceof UsageError) && error.code !== 'unwritable';

/** The code for a name that is not valid UTF-8. The file system itself has no error for it. */
export const UNNAMEABLE = 'EILSEQ';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  ENOSPC: 'no space left',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'too many links',
  [UNNAMEABLE]: 'its name is not valid UTF-8',
  EIO: 'input/output error',
  EDQUOT: 'the quota is used up',
  EFBIG: 'the file would be too large',
};

/** Whether an error says that a file cannot take more, or any, bytes. No file that is only read gives one of these. */
export const isOfWriting = (error: unknown): boolean => hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS');

/**
 * The error for an output that cannot be written: `usage`, because its option names a bad place, or `unwritable` if the file
 * system takes no more.
 */
export function cannotWrite(
  path: string,
  error: unknown,
  hint = 'give a place in a folder that exists and that you may write to',
): FileError | UsageError {
  const message = `cannot write ${path}: ${reasonOf(error)}`;
  const details = { place: { file: path }, cause: error };
  return isOfWriting(error)
    ? new FileError('unwritable', message, details)
    : new UsageError('usage', message, { ...details, hint });
}

/** The error for a folder for temporary files that takes none, or no more. */
export const cannotKeepTemporary = (folder: string, error: unknown): FileError =>
  new FileError('unwritable', `cannot write temporary files to ${folder}: ${reasonOf(error)}`, {
    place: { file: folder },
    hint: 'make room there, or set TMPDIR to another folder',
    cause: error,
  });

/** The error that writing to a folder for temporary files failed with: the given one, unless the folder is full. */
export const whileTemporary = (folder: string, error: unknown): unknown =>
  isOfWriting(error) ? cannotKeepTemporary(folder, error) : error;

/** Why the file system refused something, in words if its code is known. */
export const reasonFor = (code: string): string => REASONS[code] ?? code;

/** Why a file system operation failed, in words if the code of the error is known. */
export function reasonOf(error: unknown): string {
  const code = errorCode(error);
  return code === undefined ? String(error) : reasonFor(code);
}
