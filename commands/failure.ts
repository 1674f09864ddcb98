import { CommanderError } from 'commander';
import { type ErrorCode, NoesisError } from '../src/errors.ts';
import { EXCERPT_BEFORE } from '../src/json/place.ts';
import type { Corruption } from '../src/log/corruption.ts';
import { EventLogIntegrityError } from '../src/log/integrity-error.ts';
import { frameLines } from '../src/render/frame.ts';
import { harmless } from '../src/render/harmless.ts';
import type { Style } from '../src/render/style.ts';

/** The exit codes of all commands. */
export const EXIT = { ok: 0, failed: 1, usage: 2, missing: 3, bug: 70, interrupted: 130 } as const;

const EXIT_OF: Readonly<Record<ErrorCode, number>> = {
  usage: EXIT.usage,
  'config-invalid': EXIT.usage,
  'target-ambiguous': EXIT.usage,
  'event-ambiguous': EXIT.usage,
  'projection-unsupported': EXIT.usage,
  'root-missing': EXIT.missing,
  'target-missing': EXIT.missing,
  'log-missing': EXIT.missing,
  unreadable: EXIT.missing,
  'event-missing': EXIT.missing,
  'state-missing': EXIT.missing,
  'path-missing': EXIT.missing,
  'state-invalid': EXIT.failed,
  'log-changed': EXIT.failed,
  'log-corrupt': EXIT.failed,
};

/** Ends a command with exit code 1 whose answer, printed already, is a failure. */
export class Failed extends Error {}

/** A corruption as the failure of a command. `label` is what the user knows the log by. */
export function corruptLog(label: string, corruption: Corruption, partial = false): NoesisError {
  const { line, column, byteStart, byteEnd, message, excerpt } = corruption;
  return new NoesisError('log-corrupt', `line ${line} of ${label} is corrupt: ${message}`, {
    place: { file: label, line, column, byteStart, byteEnd, excerpt },
    hint: partial
      ? `noesis verify ${label} lists all that is wrong`
      : 'nothing of it is shown: --partial shows what comes before, noesis verify all that is wrong',
  });
}

/** What went wrong, told apart from a bug. */
export interface Failure {
  readonly exit: number;
  readonly code: string;
  readonly message: string;
  readonly error: NoesisError | undefined;
  readonly stack?: string | undefined;
}

const FILE_SYSTEM = new Set([
  'EACCES',
  'EPERM',
  'ENOENT',
  'EISDIR',
  'ENOTDIR',
  'EIO',
  'ELOOP',
  'ENAMETOOLONG',
  'EMFILE',
  'ENOSPC',
  'EROFS',
]);

function asFileSystemError(error: unknown): NoesisError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !FILE_SYSTEM.has(String(error.code)))
    return undefined;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  const what = error.code === 'EACCES' || error.code === 'EPERM' ? 'permission denied' : String(error.code);
  return new NoesisError('unreadable', `cannot read ${path ?? 'a file'}: ${what}`, {
    place: path === undefined ? {} : { file: path },
    hint: 'check that the path exists and that you may read it',
    cause: error,
  });
}

/** Sorts an error that ended a command. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, '').replace('\n', ' ');
    const usage = new NoesisError('usage', message, {
      hint: 'noesis --help lists the commands, noesis <command> --help its options',
    });
    return { exit: EXIT.usage, code: 'usage', message, error: usage };
  }
  const known =
    error instanceof NoesisError
      ? error
      : error instanceof EventLogIntegrityError
        ? corruptLog(error.corruption.path, error.details)
        : asFileSystemError(error);
  if (known) return { exit: EXIT_OF[known.code], code: known.code, message: known.message, error: known };
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? error.stack : undefined;
  return { exit: EXIT.bug, code: 'bug', message, error: undefined, stack };
}

/** A failure as one JSON object, for `-j`. */
export function failureJson({ code, message, error }: Failure): string {
  const { excerpt: _, ...place } = error?.place ?? {};
  const hint = error?.hint ?? (error ? undefined : REPORT);
  return `${JSON.stringify({ error: { code, message, ...place, ...(hint && { hint }) } })}\n`;
}

const REPORT = 'this is a bug in noesis: please report it with the command, the version and this message';

/** A failure for people: what, where with a code frame, and what to do next. */
export function failureText(failure: Failure, style: Style, width: number): string {
  const { error, message, stack } = failure;
  const lines = [`${style.bold(style.red('error'))}: ${style.bold(harmless(message))}`];
  if (error === undefined) {
    if (stack !== undefined) lines.push(style.dim(harmless(stack).replaceAll('\\n', '\n')));
    lines.push(`${style.cyan('help')}: ${REPORT}`);
    return `${lines.join('\n')}\n`;
  }
  const { file, line, column, byteStart, byteEnd, excerpt } = error.place;
  if (file !== undefined && line !== undefined) {
    const at = column === undefined ? `${line}` : `${line}:${column}`;
    const bytes = byteStart === undefined ? '' : style.dim(` (byte ${byteStart})`);
    lines.push(`${style.blue('  -->')} ${harmless(file)}:${at}${bytes}`);
  }
  if (excerpt !== undefined && column !== undefined) {
    const byteLength = Math.min((byteEnd ?? 0) - (byteStart ?? 0), EXCERPT_BEFORE);
    lines.push(
      ...frameLines({ excerpt, column, byteLength, width: width - 3, paint: style.red }).map(
        (text) => `   ${text}`,
      ),
    );
  }
  if (error.hint !== undefined && error.hint !== '')
    lines.push(`${style.cyan('help')}: ${harmless(error.hint)}`);
  return `${lines.join('\n')}\n`;
}
