import { basename, dirname, join } from 'node:path';
import type { JsonObject } from '../../base/json/value.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import type { Machine } from '../dialect.ts';

const LOG_SUFFIX = '.events.jsonl';
/** The name of a rotated log: `telemetry.events.jsonl.1` (exarchos.md §1.2). */
const ROTATED = /\.events\.jsonl\.\d{1,3}$/;

/** Characters a stream id may have (exarchos.md §1.3). */
export const STREAM_ID = /^[A-Za-z0-9._-]+$/;

/** Streams that the program writes, and that belong to no feature (exarchos.md §1.3). */
export const SHARED_STREAMS: ReadonlySet<string> = new Set([
  'telemetry',
  'exarchos-init',
  'exarchos-doctor',
  'vcs',
  'quality-hints',
  'default',
]);

/** Files next to session transcripts. Transcripts have the suffix of a log, but another format (exarchos.md §1.2). */
const SESSION_MARKERS = ['.manifest.jsonl', '.completions.jsonl'];

/** The stream in a file name, as the store derives it; undefined for other names. */
export function streamOf(path: string): string | undefined {
  const name = basename(path).replace(ROTATED, LOG_SUFFIX);
  if (!name.endsWith(LOG_SUFFIX)) return undefined;
  const stream = name.replace(LOG_SUFFIX, '');
  return STREAM_ID.test(stream) ? stream : undefined;
}

/** The name of a stream's log; undefined if the text is not a valid stream id. */
export const logNameOf = (stream: string): string | undefined =>
  STREAM_ID.test(stream) ? `${stream}${LOG_SUFFIX}` : undefined;

/** The folders of streams, in the order in which the program looks. Older versions used two (exarchos.md §1.1). */
export function stateFolders({ env, home = '' }: Machine): string[] {
  const { WORKFLOW_STATE_DIR: dir, CLAUDE_PLUGIN_ROOT, EXARCHOS_PLUGIN_ROOT, XDG_STATE_HOME: xdg } = env;
  if (dir) return [dir.replace(/^~(?=\/|$)/, home)];
  const claude = home === '' ? [] : [join(home, '.claude', 'workflow-state')];
  if (CLAUDE_PLUGIN_ROOT || EXARCHOS_PLUGIN_ROOT) return claude;
  const own = xdg ? [join(xdg, 'exarchos', 'state')] : home === '' ? [] : [join(home, '.exarchos', 'state')];
  return [...own, ...claude];
}

/** The files with the name of a stream's log. Session transcripts have such names too; only their records differ. */
export const streamLogs = (names: readonly string[]): string[] =>
  names.filter((name) => name.endsWith(LOG_SUFFIX) && streamOf(name) !== undefined);

/** Whether a record belongs to a session transcript, a different format with the same suffix (exarchos.md §1.2). */
export const isTranscriptLine = ({ t, sid, streamId, sequence }: JsonObject): boolean =>
  typeof t === 'string' && typeof sid === 'string' && streamId === undefined && sequence === undefined;

const isMarkerLine = ({ sessionId }: JsonObject): boolean => typeof sessionId === 'string';

/** Which records are expected in a transcript or in a file about transcripts; undefined for other files. */
export function eventless(
  name: string,
  names: readonly string[],
): ((record: JsonObject) => boolean) | undefined {
  if (SESSION_MARKERS.includes(name)) return isMarkerLine;
  const isAmongTranscripts = SESSION_MARKERS.some((marker) => names.includes(marker));
  return isAmongTranscripts && name.endsWith(LOG_SUFFIX) ? isTranscriptLine : undefined;
}

/** Files that are verified together with a log. */
export function sideFiles(names: readonly string[]): string[] {
  const own = new Set(
    streamLogs(names).flatMap((log) => {
      const files = filesOf(log);
      return files === undefined ? [] : [files.sidecar, files.snapshots];
    }),
  );
  return names.filter((name) => own.has(name) || names.includes(logNameOf(drainedStream(name) ?? '') ?? ''));
}

/** The names of the files that belong to a log (exarchos.md §1.2). */
export interface StreamFiles {
  readonly dir: string;
  readonly stream: string;
  readonly state: string;
  /** The cached last sequence. */
  readonly counter: string;
  /** Events that wait to be merged. */
  readonly sidecar: string;
  readonly snapshots: string;
}

/** The files of the stream with this log; undefined if the name is not that of a log. */
export function filesOf(log: string): StreamFiles | undefined {
  const stream = streamOf(log);
  if (stream === undefined) return undefined;
  return {
    dir: dirname(log),
    stream,
    state: `${stream}.state.json`,
    counter: `${stream}.seq`,
    sidecar: `${stream}.hook-events.jsonl`,
    snapshots: `${stream}.projections.jsonl`,
  };
}

const DRAIN = /^(.+)\.hook-events\.drain-\d+-\d+\.jsonl$/;

/** The stream of a sidecar whose merge was interrupted (exarchos.md §1.2). */
export function drainedStream(name: string): string | undefined {
  return DRAIN.exec(name)?.[1];
}

/** The path of a stream's state. For a log with another name it is `state.json`. */
export function stateFileOf(log: string): string {
  return join(dirname(log), filesOf(log)?.state ?? 'state.json');
}

/** The database in which the store keeps a copy of all streams (exarchos.md §10). */
const DATABASE_NAME = 'exarchos.db';

/** Rows of early versions do not have the whole event, so it is put together from its parts (exarchos.md §10). */
const EXPORT =
  "SELECT coalesce(payload,json_object('streamId',streamId,'sequence',sequence,'timestamp',timestamp,'type',type,'schemaVersion','1.0','data',json(data))) FROM events WHERE streamId='STREAM' ORDER BY sequence";

export const isStoreName = (fileName: string): boolean => fileName === DATABASE_NAME;

/**
 * A hint on exporting a log from the database of a store. Up to version 2.9 the log is next to it and may have more
 * events, so the hint names it first (exarchos.md §10, §17).
 */
export function exportHint(path: string): string {
  return `read the <stream>.events.jsonl next to it, which has at least the same events; if it does not exist (2.10 and later), run for each STREAM: sqlite3 -readonly ${shellWord(path)} "${EXPORT}" > STREAM.events.jsonl`;
}
