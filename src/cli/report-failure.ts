import {
  type ErrorCode,
  errorCode,
  FileError,
  isOfWriting,
  messageOf,
  NoesisError,
  reasonOf,
  type SearchedFolders,
} from '../base/errors.ts';
import { pushAll } from '../base/files/push-all.ts';
import { defined } from '../base/json/defined.ts';
import { forOutput } from '../base/json/output.ts';
import { EXCERPT_BEFORE } from '../base/json/place.ts';
import { issuesUrl } from '../base/version.ts';
import { SeveralRunsError } from '../find/several-runs-error.ts';
import { EventLogIntegrityError } from '../log/integrity-error.ts';
import { escapeText } from '../show/render/escape.ts';
import { frameLines } from '../show/render/frame.ts';
import type { MeantLines } from '../show/render/meant-runs.ts';
import { type Paint, plain, type Style } from '../show/render/style.ts';
import { hanging, wrap } from '../show/render/wrap.ts';
import { Context, columnsOf, type GlobalOptions } from './context.ts';
import { corruptLog, EXIT } from './failure.ts';
import { type Io, writeRemark } from './io.ts';

/** The exit code of each kind of failure. */
export const EXIT_OF: Readonly<Record<ErrorCode, number>> = {
  usage: EXIT.usage,
  'config-invalid': EXIT.usage,
  'target-ambiguous': EXIT.usage,
  'event-ambiguous': EXIT.usage,
  'projection-unsupported': EXIT.usage,
  'report-mismatch': EXIT.usage,
  'append-unsupported': EXIT.usage,
  'root-missing': EXIT.missing,
  'target-missing': EXIT.missing,
  'log-missing': EXIT.missing,
  unreadable: EXIT.missing,
  'event-missing': EXIT.missing,
  'state-missing': EXIT.missing,
  'path-missing': EXIT.missing,
  'report-missing': EXIT.missing,
  unwritable: EXIT.failed,
  'state-invalid': EXIT.failed,
  'log-changed': EXIT.failed,
  'log-corrupt': EXIT.failed,
  'report-invalid': EXIT.failed,
  'log-sealed': EXIT.failed,
  'log-locked': EXIT.failed,
  'log-moved-on': EXIT.failed,
  'seal-refused': EXIT.failed,
  'event-invalid': EXIT.failed,
};

/** A failure, possibly a bug. */
interface Failure {
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
  'EDQUOT',
  'EFBIG',
  'ENFILE',
  'ESTALE',
]);

function asFileSystemError(error: unknown): NoesisError | undefined {
  if (!(error instanceof Error) || !FILE_SYSTEM.has(errorCode(error) ?? '')) return undefined;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  if (isOfWriting(error))
    return new FileError('unwritable', `cannot write ${path ?? 'a file'}: ${reasonOf(error)}`, {
      place: path === undefined ? {} : { file: path },
      hint: 'make room, or write to another file system',
      cause: error,
    });
  return new FileError('unreadable', `cannot read ${path ?? 'a file'}: ${reasonOf(error)}`, {
    place: path === undefined ? {} : { file: path },
    hint: 'check that the path exists and that you may read it',
    cause: error,
  });
}

/** Classifies an error. */
function failureOf(error: unknown): Failure {
  const known: NoesisError | undefined =
    error instanceof NoesisError
      ? error
      : error instanceof EventLogIntegrityError
        ? corruptLog(error.corruption.path, error.details)
        : asFileSystemError(error);
  if (known) return { exit: EXIT_OF[known.code], code: known.code, message: known.message, error: known };
  const message = messageOf(error);
  const stack = error instanceof Error ? error.stack : undefined;
  return { exit: EXIT.bug, code: 'bug', message, error: undefined, stack };
}

const REPORT = `this is a bug in noesis: please report it at ${issuesUrl} with the command, the output of noesis --version -j and this message`;

/** The runs that an ambiguous target may mean, with the members that `list -j` gives of a run. */
const matchesJson = ({ total, runs }: SeveralRunsError) => ({
  total,
  runs: runs.map(({ id, summary: { episode, path, dialect, status, written_at, task } }) => ({
    episode,
    id,
    path,
    ...defined({ dialect, status, written_at, task }),
  })),
});

/** A failure as JSON, for `-j`. */
function failureJson({ code, message, error }: Failure): string {
  const { excerpt: _, ...place } = error?.place ?? {};
  const hint = error?.hint ?? (error ? undefined : REPORT);
  const command = error?.command;
  const matches = error instanceof SeveralRunsError ? matchesJson(error) : undefined;
  const searched = (error?.searched ?? []).map(({ what, folders }) => ({ dialect: what, folders }));
  return `${JSON.stringify(forOutput({ error: { code, message, ...place, ...(searched.length > 0 && { searched }), ...(matches && { matches }), ...(hint && { hint }), ...(command && { command }) } }))}\n`;
}

/** The layout of a failure. */
interface FailureLayout {
  readonly style: Style;
  /** The width at which text is wrapped; Infinity: do not wrap. */
  readonly width: number;
  /** The width of a code frame. */
  readonly frameWidth: number;
  readonly home: string | undefined;
  /** The runs that an ambiguous target may mean. */
  readonly meant?: MeantLines;
}

/** Wrapped text after a label; paths and commands are never cut. */
function behind(label: 'error' | 'help', text: string, paint: Paint, width: number): string {
  const start = `${label}: `.length;
  const lines = wrap(escapeText(text), width - start, 0, true);
  return lines.map(paint).join(`\n${' '.repeat(start)}`);
}

/** The folders that were searched, below each other, with `~` for the home directory. */
function searchedLines(
  searched: readonly SearchedFolders[],
  home: string | undefined,
  width: number,
): string[] {
  const column = Math.max(0, ...searched.map(({ what }) => what.length)) + 2;
  const shown = (folder: string) =>
    escapeText(
      home !== undefined && folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder,
    );
  return searched.flatMap(({ what, folders, isUpwards }) => {
    const text = isUpwards
      ? `${shown(folders[0] ?? '')}, and the folders above`
      : folders.map(shown).join(', ');
    return hanging(`  ${what.padEnd(column)}`, wrap(text, width - column - 2, 0, true));
  });
}

/** A failure for people: what, where, and what to do. */
function failureText(failure: Failure, layout: FailureLayout): string {
  const { style, width, frameWidth, home } = layout;
  const { error, stack } = failure;
  const message = layout.meant?.head ?? failure.message;
  const lines = [`${style.bold(style.red('error'))}: ${behind('error', message, style.bold, width)}`];
  const help = (text: string) => `${style.cyan('help')}: ${behind('help', text, plain.bold, width)}`;
  if (error === undefined) {
    if (stack !== undefined) lines.push(style.dim(escapeText(stack).replaceAll('\\n', '\n')));
    return `${[...lines, help(REPORT)].join('\n')}\n`;
  }
  const { file, line, column, byteStart, byteEnd, excerpt } = error.place;
  if (file !== undefined && line !== undefined && !message.startsWith(`${file}:${line} `)) {
    const at = column === undefined ? `${line}` : `${line}:${column}`;
    const bytes = byteStart === undefined ? '' : style.dim(` (byte ${byteStart})`);
    lines.push(`${style.blue('  -->')} ${escapeText(file)}:${at}${bytes}`);
  }
  if (excerpt !== undefined && column !== undefined) {
    const byteLength = Math.min((byteEnd ?? 0) - (byteStart ?? 0), EXCERPT_BEFORE);
    const frame = frameLines({ excerpt, column, byteLength, width: frameWidth - 3, paint: style.red });
    pushAll(
      lines,
      frame.map((text) => `   ${text}`),
    );
  }
  if (layout.meant !== undefined) pushAll(lines, layout.meant.lines);
  if (error.searched.length > 0) lines.push('searched:', ...searchedLines(error.searched, home, width));
  if (error.hint) lines.push(help(error.hint));
  if (error.command) lines.push(`  ${escapeText(error.command)}`);
  return `${lines.join('\n')}\n`;
}

/** Prints why a command failed, and returns its exit code. */
export async function reportFailure(io: Io, error: unknown, options: GlobalOptions): Promise<number> {
  const failure = failureOf(error);
  const context = new Context(io, options);
  const columns = columnsOf(io.stderr, io.env);
  const style = await context.errorStyle;
  const width = columns ?? Infinity;
  // Loaded on demand, because most commands start without a failure.
  const meant =
    failure.error instanceof SeveralRunsError && !options.json
      ? (await import('../show/render/meant-runs.ts')).meantLines(failure.error, {
          style,
          width: columns ?? context.width,
        })
      : undefined;
  const layout = {
    style,
    width,
    frameWidth: columns ?? context.width,
    home: io.home,
    ...defined({ meant }),
  };
  const text = options.json
    ? context.readable(failureJson(failure), 'json')
    : context.readable(failureText(failure, layout));
  await writeRemark(io.stderr, text);
  return failure.exit;
}
