import type * as z from 'zod';
import type { ZodType } from 'zod';
import type { StoredState } from '../base/files/state-file.ts';
import type { JsonPath } from '../base/json/path.ts';
import type { JsonObject, JsonValue } from '../base/json/value.ts';
import type { LogVerifyOptions, VerifyTarget } from '../findings/options.ts';
import type { Projector, RecordFold } from '../findings/projection/projector.ts';
import type { EpisodeReport } from '../findings/report.ts';
import type { LogForm } from '../log/log-form.ts';
import type { LogRecord } from '../log/record.ts';
import type { AccountBuilder, EventSpan, SpanReader } from './kit/account.ts';
import type { LogEnds, LogSummary, RunEntry } from './kit/log-summary.ts';
import type { EventColumn, EventTypeEntry, RecordView } from './kit/record-view.ts';
import type { RunStore, StoreMarks } from './kit/run-store.ts';
import type { Sealing } from './kit/sealing.ts';
import type { StateView, Tone } from './kit/state-view.ts';
import type { StoryBuilder } from './kit/story.ts';
import type { UpcastStep } from './kit/upcast-schema.ts';
import type { Writing } from './kit/writing.ts';
import type { LoadingRules } from './sessions/kit/loading/model.ts';
import type { ProgramRepair } from './sessions/kit/repair/program.ts';

/** A name in the registry, as `--dialect` accepts it. */
export type DialectName = string;

/** The part of a log from which its dialect is detected. */
export interface LogSample {
  /** The file name without its folder; '-' for standard input. */
  readonly fileName: string;
  /** The first few intact records. */
  readonly records: readonly JsonObject[];
  /** Where the log is, if that is known. */
  readonly path?: string;
}

/** The parts of a machine that dialects may use. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string | undefined;
}

/** A folder whose dialect is not known yet. */
export interface FolderSample {
  /** Absolute. */
  readonly dir: string;
  /** The names of the files in it. */
  readonly names: readonly string[];
}

/** How to find and name the folders of episodes, and the files that `list` reads. */
export interface EpisodeFolder {
  /** The folder of a project that is the root of its episodes. */
  readonly root: string;
  /** The folder of a root that episodes are written to. */
  readonly episodes: string;
  /** The prefix of generated names of episodes. Users may omit it. */
  readonly idPrefix: string;
  readonly log: string;
  readonly state: string;
  /** The file that seals the episode by its existence. */
  readonly seal: string;
  /** The list entry for a stored state. */
  summary(state: unknown): LogSummary;
}

/** Detects the end of a followed log. Make a new one for each log. */
export interface LogEnding {
  /** Whether the run is over after this record. Call it for each record in order. */
  isOver(record: LogRecord): boolean;
  /** Whether the run waits to be resumed after the records so far. */
  readonly isPaused?: boolean;
  /** The file whose existence means that the log is complete. */
  sealFile?(log: string): string;
}

/** A filter that not all dialects have: an option of `events` and `tail`. */
export interface RecordFilter {
  /** The option without the dashes before it. Several dialects may use it with different meanings. */
  readonly name: string;
  /** What the option selects, for the help; by default `show only events of this` name. */
  readonly help?: string;
  readonly value: (record: LogRecord) => string | undefined;
}

/** The parts of a dialect that filters and lineage need. */
export type RecordSource = Pick<
  Dialect,
  'name' | 'form' | 'view' | 'filters' | 'aliases' | 'span' | 'spans' | 'account'
>;

/** A zod schema and what it describes. */
export interface NamedSchema {
  readonly schema: z.ZodType;
  readonly title: string;
}

/** A dialect's part of the configuration schema. */
interface DialectConfiguration {
  /** The table with the dialect's name. */
  readonly table: ZodType;
  /** Keys that the dialect's own program reads at the top level if the table is missing. */
  readonly top?: Readonly<Record<string, ZodType>>;
}

interface ProjectorOptions {
  /** One run of a log with many. */
  readonly run?: string | undefined;
  /** The log, if a stored state will be compared. Files next to it may show how old the state is. */
  readonly log?: string | undefined;
}

/** How to find and recognise logs: by name, content and place. */
interface FoundLogs {
  /**
   * Whether a log is of this dialect, by its name and first records. More records never turn a yes into a no.
   */
  detect(sample: LogSample): boolean;
  /**
   * The records in a document, or in a line with several. Includes elements that cannot be records. Undefined for
   * anything else.
   */
  recordsIn?(document: JsonValue): readonly JsonValue[] | undefined;
  /** Which of these file names in a folder are names of this dialect's logs. */
  logFiles(names: readonly string[]): readonly string[];
  /** Which of these file names may be logs of this dialect, depending on their content. */
  candidates?(names: readonly string[]): readonly string[];
  /** Which of these files are read together with the logs of this dialect next to them. */
  sideFiles?(names: readonly string[]): readonly string[];
  /**
   * For a file that has no events if its name and its neighbours do not mislead: a test that each of its records must
   * pass. Undefined for any other file.
   */
  eventless?(name: string, names: readonly string[]): ((record: JsonObject) => boolean) | undefined;
  /** The name of the log that the program loads instead of a log with this name, if the folder has both. */
  supersededBy?(name: string): string | undefined;
  /** Whether a log has a name of this dialect but another format. */
  isLookAlike?(sample: LogSample): boolean;
  /** Whether a file with the name of a log is not a log and must be ignored. */
  isNoLog?(sample: LogSample): boolean;
  /**
   * A hint on how to export a log from a SQLite database that begins with `head`; undefined if the database
   * is not of this dialect.
   */
  databaseHint?(path: string, head: Uint8Array): string | undefined;
  /** Whether a database with these tables, or a folder with these names, is a store of runs. */
  isStore?(marks: StoreMarks): boolean;
  /** Whether a file with this name is a store, even if it is too damaged to tell. */
  isStoreName?(fileName: string): boolean;
  /** Opens a store, a database or a folder. Throws `unreadable`. */
  openStore?(path: string): Promise<RunStore>;
  /** The folders in which this dialect keeps logs on a machine, and its stores. */
  homes?(machine: Machine): readonly string[];
  /**
   * Whether the artifacts in a folder make it an episode of this dialect, whatever its log looks like. If so,
   * other dialects are not asked.
   */
  claims?(folder: FolderSample): boolean;
  /** The files whose digests are in the episode's manifest, so verification covers them. */
  listed?(folder: FolderSample): readonly string[];
  /** The files in an episode's folder, if each episode has one. */
  readonly folder?: EpisodeFolder;
  /** Whether an empty log is normal. */
  readonly startsEmpty?: true;
}

/** Returns a fact about the content of a log by its name. `find` reads the log. */
export type Remember = (log: string, name: string, find: () => string | undefined) => string | undefined;

/** The names of logs, runs and records. */
interface NamedLogs {
  /**
   * The file name of the log with an id, if each id has its own log; undefined if the text is not such an id.
   */
  logNameOf?(id: string): string | undefined;
  /** The display name of a log, if it is neither its file name nor its folder's. */
  nameOf?(log: string): string | undefined;
  /** The id of the session that a record names. */
  sessionOf?(record: JsonObject): string | undefined;
  /**
   * The log that this one is a part of, such as a subagent's session; undefined if it is independent. `head`: its first
   * bytes, if it is packed and this is the path that it would have without.
   */
  partOf?(log: string, head?: Buffer): string | undefined;
  /** What the program says of the task of a part, in a file next to its log. */
  titleOfPart?(log: string): string | undefined;
  /**
   * The logs of other sessions with records of this one, if only a comparison shows which of them are copies. What a list
   * shows of a log depends on them. `remember`: keeps what is found in a log.
   */
  relatedLogs?(log: string, remember: Remember): readonly string[];
  /** Other folders that may have parts of a log, such as those of other days. */
  foldersOfParts?(log: string): readonly string[];
  /** The runs in a log with many, ordered by start. `form` is that of the dialect, with the steps of the user. */
  runs?(log: string, form: LogForm): Promise<readonly RunEntry[]>;
  /** Other names by which `view.cause` may refer to a record. */
  aliases?(record: LogRecord): readonly string[];
}

/** How to read, filter and tabulate records. */
interface ReadRecords {
  /**
   * How its logs are read. Its layout has the members that the view and filters read, which are then available without
   * parsing. With steps of the user it converts events of older versions.
   */
  readonly form: LogForm;
  readonly view: RecordView;
  /** Like `view.time`, for a parsed event. */
  eventTime(event: JsonObject): string | undefined;
  /** When the work of a record ended, if the record says so in addition to its time. ISO 8601. */
  endTime?(event: JsonObject): string | undefined;
  /** Set if records are in any order, so that the last time may be anywhere in a log. */
  readonly isUnordered?: true;
  /**
   * Whether a run ended with this event. Events that its program adds later, such as an evaluation, do not make the run
   * longer.
   */
  isEnd?(event: JsonObject): boolean;
  /**
   * Normalises an event for comparison, so that equivalent forms become equal. Absent if there is only one
   * form.
   */
  comparable?(event: JsonObject): JsonObject;
  /** Set if stored events differ between runs that did the same. `diff` compares their events only on request. */
  readonly storesMuch?: true;
  /** The columns after line, time and offset. */
  readonly columns: readonly EventColumn[];
  readonly filters?: readonly RecordFilter[];
  /** Loads the event types of the format and of the settings. Logs may contain others. */
  eventTypes?(settings?: JsonObject): Promise<readonly EventTypeEntry[]>;
  /** Loads the schemas by their names in `noesis schema`: `event`, `state` and others. */
  schemas?(): Promise<Readonly<Record<string, NamedSchema>>>;
}

/** How runs are shown to people. */
interface ShownRuns {
  /**
   * The list entry of a log. Synchronous and only from both ends, because a list may have thousands of logs.
   */
  summary?(ends: LogEnds): LogSummary;
  /** The meaning of a run's status to a reader. */
  statusTone?(status: string): Tone | undefined;
  /** This dialect for one log, if other logs show which of its records were copied. */
  ofLog?(log: string): Dialect;
  /** The span of an event; absent if events have no duration. */
  span?(event: JsonObject): EventSpan;
  /** Makes spans that need more than one record. */
  spans?(): SpanReader;
  /**
   * Loads the builder of accounts. `run`: one run of a log with many. `use`: statistics need no `resume`,
   * which keeps all ids in memory.
   */
  account?(run?: string, use?: 'statistics'): Promise<AccountBuilder>;
  /**
   * Loads the builder of stories. `run`: one run of a log with many. `isFolded`: only the first lines of outputs, and no
   * whole inputs, so that it needs less memory.
   */
  story?(run?: string, isFolded?: boolean): Promise<StoryBuilder>;
  /** How a followed log ends; absent if it never does. `run`: the followed run. */
  ending?(run?: string): LogEnding;
}

/** Where states are stored, and how to rebuild and read them. */
interface States {
  /** The stored state that a projection is compared with; undefined if a log has none. */
  stateFile(log: string): string | undefined;
  /**
   * The faults of a stored state, in sentences that begin with their place. Throws `state-invalid` if it is
   * not a state of the dialect.
   */
  stateIssues?(state: StoredState): Promise<readonly string[]>;
  /** The documented default of a member that a stored state omits. */
  stateDefault?(path: JsonPath): Promise<string | undefined>;
  /**
   * A stored or projected state for people, without missing or invalid parts. If absent, states are shown as
   * JSON.
   */
  stateView?(state: unknown, origin: 'stored' | 'projected'): Promise<StateView>;
  /** A projected state without ids of the run, to compare it with another run's. */
  comparableState?(state: JsonObject): JsonObject;
  /** Loads the code that rebuilds a state from a log. */
  projector(options?: ProjectorOptions): Promise<Projector>;
  /** Prints the state with this indent; only where that takes less memory than building it. */
  writtenProjection?(indent: number): Promise<RecordFold>;
}

/** How logs are written and sealed. */
interface Written {
  /** Loads the code that appends events; absent if the format does not support it. */
  writing?(): Promise<Writing>;
  /** Loads the code that seals an episode; absent if the format has no seals. */
  sealing?(): Promise<Sealing>;
  /** Whether episodes can be sealed and signed. If so, the checks report a missing seal or signature. */
  readonly seals?: true;
}

/** How a program finds a session by the name of its log. */
interface FoundByName {
  /** Such a name, for messages. */
  readonly form: string;
  /** The id in the name of a log, or its beginning; undefined if the program does not find a log with this name. */
  idIn(log: string): string | undefined;
}

/** A session, as far as the place of its log depends on it. */
export interface PlacedSession {
  /** Where its log is now. */
  readonly log: string;
  readonly id: string;
  /** The folder in which it runs. */
  readonly cwd: string | undefined;
  /** The first record of its log. */
  readonly head: JsonObject;
}

/** Where a program looks for the logs of sessions, in one of its folders. */
export interface LogPlaces {
  /** Whether the program finds the session of this folder in a log with such a path. */
  has(log: string, cwd: string | undefined): boolean;
  /** The path at which it finds the session; undefined if the log does not say it. */
  of(homes: readonly string[], session: PlacedSession): string | undefined;
}

/** How the user continues a session with its program. */
export interface Resume {
  /** The command that continues the session with this id. */
  command(id: string): string;
  /** Absent if the program does not need the name of a log to find it. */
  readonly byName?: FoundByName;
  /** Absent if the program opens a log at any place. */
  readonly places?: LogPlaces;
  /** The command that continues the session in this log, if the program opens a log by its path. */
  commandForLog?(log: string): string | undefined;
  /** The program finds a session only in its folder, which must exist. Others continue it in any folder. */
  readonly needsFolder?: true;
  /** The folder of a session whose records do not name it, from what is next to its log. */
  folderOf?(log: string): string | undefined;
  /** The folder that the texts of a log name, and something in the log proves. It may be one of another machine. */
  provenFolder?(log: string): string | undefined;
  /** Whether something in a log proves that its session is of this folder, if the log does not name its folder. */
  provesFolder?(log: string, folder: string): boolean;
  /**
   * The id by which the program finds a log, if it finds it there at all. `head`: the first record of the log.
   */
  idOf(log: string, head: JsonObject): string | undefined;
}

/** How a program continues a session. */
interface Resumed {
  /** Absent if the program has no command that continues a session by its id. */
  readonly resume?: Resume;
  /** Loads the rules by which the program loads its sessions; absent if they are not known. */
  loading?(): Promise<LoadingRules>;
  /** Loads the steps that repair a session. */
  repair?(): Promise<ProgramRepair>;
}

/** A format of event logs. A dialect is a folder and a line in the registry; no other code knows its name. */
export interface Dialect extends FoundLogs, NamedLogs, ReadRecords, ShownRuns, States, Written, Resumed {
  readonly name: DialectName;
  /** A short description. */
  readonly title: string;
  /** Its logs are recognised by the chain of their records. What the records mean is not known. */
  readonly isChain?: true;
  /** The supported versions of its artifacts. */
  readonly versions?: Readonly<Record<string, readonly string[]>>;
  /** Converts an event to the newest version, if the configured steps lead there. Absent if events have no versions. */
  readonly upcast?: (event: JsonObject, steps: readonly UpcastStep[]) => JsonObject | undefined;
  /** The configured steps; absent without steps for this dialect. */
  readonly upcasts?: readonly UpcastStep[];
  /** Loads the dialect's part of the configuration schema. Absent if it has no settings. */
  configuration?(): Promise<DialectConfiguration>;
  /** Loads the checks and verifies one episode or log. Throws only if the log cannot be read. */
  verify(target: VerifyTarget, options: LogVerifyOptions): Promise<EpisodeReport>;
}
