import type * as z from 'zod';
import type { ZodType } from 'zod';
import type { StoredState } from '../files/state-file.ts';
import type { VerifyOptions, VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import type { JsonPath } from '../json/path.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { NumberedEvent } from '../log/read.ts';
import type { LogRecord } from '../log/record.ts';
import type { RowLayout } from '../log/row-layout.ts';
import type { Projector, RecordFold } from '../projection/projector.ts';
import type { AccountBuilder, EventSpan, SpanReader } from './account.ts';
import type { Sealing } from './sealing.ts';
import type { StateView, Tone } from './state-view.ts';
import type { StoryBuilder } from './story.ts';
import type { Tokens } from './tokens.ts';
import type { UpcastStep } from './upcast-schema.ts';
import type { Writing } from './writing.ts';

/** The name of a dialect, as `--dialect` takes it: one of those in the registry. */
export type DialectName = string;

/** What a log looks like before its dialect is known. */
export interface LogSample {
  /** The name of the file, without its folder; '-' for standard input. */
  readonly fileName: string;
  /** The first whole records, a few. */
  readonly records: readonly JsonObject[];
}

/** What a dialect may know of a machine. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string | undefined;
}

/** A folder before it is known whose it is. */
export interface FolderSample {
  /** Absolute. */
  readonly dir: string;
  /** The names of the files in it. */
  readonly names: readonly string[];
}

/** How filters, lineage and tables see a record, whatever its dialect calls things. Undefined: it has none. */
export interface RecordView {
  id(record: LogRecord): string | undefined;
  /** ISO 8601. */
  time(record: LogRecord): string | undefined;
  /** What `--type` matches. */
  type(record: LogRecord): string | undefined;
  /** The name that `--type` matches too, where a record bears one that an older form used. */
  presentType?(record: LogRecord): string | undefined;
  /** What `--phase` matches; absent where no record has a phase. */
  phase?(record: LogRecord): string | undefined;
  /** The word of the column KIND, if it is not the phase: `--phase` matches it too. */
  kind?(record: LogRecord): string | undefined;
  /** What `--agent` matches. */
  agent(record: LogRecord): string | undefined;
  /** Whether all that the record says is in another record too. */
  repeats?(record: LogRecord): boolean;
  /** The id of the record that caused this one; absent where no record tells. */
  cause?(record: LogRecord): string | undefined;
}

/** A column of the table of events that is particular to a dialect. */
export interface EventColumn {
  readonly title: string;
  /** Columns of the terminal it takes; the last column takes what is left. */
  readonly width: number;
  /** Shown only where the terminal has so many columns. */
  readonly from?: number;
  /** The cell's text, not yet escaped. */
  readonly cell: (event: JsonObject) => string;
  /** Shows the tool: if a record only names its call, the call says which. */
  readonly isTool?: true;
}

/** A type of event that a format defines: what `--type` matches. */
export interface EventTypeEntry {
  readonly type: string;
  /** What it belongs to, where the format sorts its types. */
  readonly group?: string;
  /** Who is meant to write it, where the format says so. */
  readonly source?: string;
  /** Whether the published reference lists it, where there are others. */
  readonly documented?: boolean;
  /** What an event of it means, or when it is written. */
  readonly meaning?: string;
  /** What an event of it tells beside its envelope: `?` marks what may be missing. */
  readonly fields?: readonly string[];
}

/**
 * What of a record a list goes by, told from how its line begins (each byte a character): then the line is not parsed.
 * Undefined where that takes the whole record.
 */
export type Abridge = (start: string) => JsonObject | undefined;

/** The two ends of a log, parsed as they are asked for: the same records twice where it is short. */
export interface LogEnds {
  readonly head: readonly JsonObject[];
  readonly tail: readonly JsonObject[];
  /** The records from the last one back to the first, read as they are asked for. */
  readonly backwards: () => Iterable<JsonObject>;
  /** The records from the first one on, with their lines, abridged where they can be. */
  readonly forwards: (abridge: Abridge) => Iterable<NumberedEvent>;
  /** Reads the stored state; undefined where there is none, or none that can be read. */
  readonly state: () => JsonObject | undefined;
}

/** What a list shows of a log; undefined where nothing says so. */
export interface LogSummary {
  readonly task?: string | undefined;
  readonly status?: string | undefined;
  /** What came of it, in a few words: who won. */
  readonly result?: string | undefined;
  /** The model with most answers. */
  readonly model?: string | undefined;
  /** How often somebody asked for something. */
  readonly turns?: number | undefined;
  /** Of all models. */
  readonly tokens?: Tokens | undefined;
  /** Why it did not end well, in one line. */
  readonly why?: string | undefined;
  /** The folder that the agent worked in, as the log says it. */
  readonly cwd?: string | undefined;
  /** The id of the session whose history this one goes on from, as a session of its own. */
  readonly forked_from?: string | undefined;
  /** ISO 8601: of the first record that has a time, where that is not the first record. */
  readonly started_at?: string | undefined;
  /** ISO 8601: the time of the last record that has one, if the dialect knows it without another look at the log. */
  readonly written_at?: string | undefined;
}

/** One run of a log that holds many, as a list shows it. */
export interface RunEntry extends LogSummary {
  readonly id: string;
  /** Of its lines in the log. */
  readonly bytes: number;
}

/** The files of an episode that has a folder of its own, as far as a list looks at them. */
export interface EpisodeFolder {
  /** The name of its log. */
  readonly log: string;
  /** The name of its stored state. */
  readonly state: string;
  /** The name of the file whose presence seals it. */
  readonly seal: string;
  /** What a list shows of a stored state. */
  summary(state: unknown): LogSummary;
}

/** How one sees that a followed log has come to its end: made anew for each log. */
export interface LogEnding {
  /** Whether the run, or what else the log is of, is over with this record. Asked for each record, in order. */
  isOver(record: LogRecord): boolean;
  /** The file whose presence says that nothing will be added. */
  sealFile?(log: string): string;
}

/** Something that records of a dialect can be selected by, beyond the view: an option of `events` and `tail`. */
export interface RecordFilter {
  /** The option's name without its dashes: one word. Several dialects may have it, each in its own sense. */
  readonly name: string;
  /** What it selects, for the help: by default events `of this` name. */
  readonly help?: string;
  readonly value: (record: LogRecord) => string | undefined;
}

/** What filters and lineage need of a dialect. */
export type RecordSource = Pick<
  Dialect,
  'name' | 'layout' | 'view' | 'filters' | 'aliases' | 'span' | 'spans'
>;

/** A zod schema, and what it is the shape of. */
export interface NamedSchema {
  readonly schema: z.ZodType;
  readonly title: string;
}

/** A dialect's part of the schema of a configuration file. */
export interface DialectConfiguration {
  /** The table of the dialect's name. */
  readonly table: ZodType;
  /** What the dialect's own program reads at the top of the file, where that lacks the table. */
  readonly top?: Readonly<Record<string, ZodType>>;
}

/** What is to be projected. */
export interface ProjectorOptions {
  /** One run of a log that holds many. */
  readonly run?: string | undefined;
  /** Where the log is, if a stored state is to be compared: the files next to it may say how old that is. */
  readonly log?: string | undefined;
  /** The steps with which events of older versions are read; if absent, those of the configuration in use. */
  readonly upcasts?: readonly UpcastStep[] | undefined;
}

/** How logs are found and recognised: by their names, by what they hold, by where they lie. */
interface FoundLogs {
  /** Whether a log is of this dialect, told from its name and its first records: more of them never undo a yes. */
  detect(sample: LogSample): boolean;
  /** The records in a document, or in a line, that holds several at once; undefined for any other. */
  recordsIn?(document: JsonValue): readonly JsonObject[] | undefined;
  /** Of the file names in one directory, those that are logs of this dialect by their name. */
  logFiles(names: readonly string[]): readonly string[];
  /** Of the file names in one directory, those that may be logs of this dialect: what they hold decides. */
  candidates?(names: readonly string[]): readonly string[];
  /** Of the file names in one directory, those that are read with the logs next to them, or hold no events. */
  sideFiles?(names: readonly string[]): readonly string[];
  /** Whether a log only has the name of this dialect's logs, and another format. */
  isLookAlike?(sample: LogSample): boolean;
  /** Whether a file with the name of a log is none at all, and is not to be found as one. */
  isNoLog?(sample: LogSample): boolean;
  /**
   * How a log is got out of a SQLite database that begins with `head`, as a hint; undefined where the database is not
   * one of this dialect.
   */
  databaseHint?(path: string, head: Uint8Array): string | undefined;
  /** The folders in which this dialect keeps its logs on a machine, wherever one works. */
  homes?(machine: Machine): readonly string[];
  /**
   * Whether a folder is an episode of this dialect by the artifacts in it, whatever its log looks like: then nothing
   * but its own log and artifacts is looked at in it, and no other dialect is asked.
   */
  claims?(folder: FolderSample): boolean;
  /** The files in the folder of an episode whose digests its manifest has: they are verified with it. */
  listed?(folder: FolderSample): readonly string[];
  /** Where each episode has a folder of its own: what lies in it. */
  readonly folder?: EpisodeFolder;
  /** A log without a record is nothing unusual. */
  readonly startsEmpty?: true;
}

/** What logs, runs and records are called. */
interface NamedLogs {
  /** The name of the log of what an id names, where each has a log of its own; undefined for what is no such id. */
  logNameOf?(id: string): string | undefined;
  /** What people call the log at a path, where neither its name nor its folder's is that. */
  nameOf?(log: string): string | undefined;
  /** The name of the log that a log is a part of, such as the session of a subagent; undefined where it is whole. */
  partOf?(log: string): string | undefined;
  /** The runs in a log that holds many, in the order in which they begin. */
  runs?(log: string): Promise<readonly RunEntry[]>;
  /** Other names under which `view.cause` may mean a record. */
  aliases?(record: LogRecord): readonly string[];
}

/** How records are read, selected and put into tables. */
interface ReadRecords {
  /** The members that the view and the filters read: they are known without a record being parsed. */
  readonly layout?: RowLayout;
  readonly view: RecordView;
  /** The same as `view.time`, of a parsed event. */
  eventTime(event: JsonObject): string | undefined;
  /**
   * An event in the one form that is compared: forms that say the same become equal. Absent where there is one form
   * only.
   */
  comparable?(event: JsonObject): JsonObject;
  /**
   * What the program stores differs from run to run even if the runs did the same: they are compared by what they did, and
   * their events only if that is asked for.
   */
  readonly storesMuch?: true;
  /** The columns after line, time and offset. */
  readonly columns: readonly EventColumn[];
  readonly filters?: readonly RecordFilter[];
  /** Loads the types of events that the format defines, and those that the settings add; logs may hold others. */
  eventTypes?(settings?: JsonObject): Promise<readonly EventTypeEntry[]>;
  /** Loads the shapes of what is stored, by what `noesis schema` calls them: `event`, `state` and others. */
  schemas?(): Promise<Readonly<Record<string, NamedSchema>>>;
}

/** What people are told of a run. */
interface ToldRuns {
  /** What a list shows of a log. Synchronous, and told from its ends alone: a list may have thousands of them. */
  summary?(ends: LogEnds): LogSummary;
  /** What a word for the status of a run means to a reader. */
  statusTone?(status: string): Tone | undefined;
  /** When an event began and ended and how it went; absent where events are moments. */
  span?(event: JsonObject): EventSpan;
  /** The same where it takes more than one record to tell. */
  spans?(): SpanReader;
  /** Loads what tells a run as one reads it first. `run`: one run of a log that holds many. */
  account?(run?: string): Promise<AccountBuilder>;
  /** Loads what makes a text of a run that is read from top to bottom. `run`: one run of a log that holds many. */
  story?(run?: string): Promise<StoryBuilder>;
  /** How a log that is followed ends; absent where it never does. `run`: the one run that is followed. */
  ending?(run?: string): LogEnding;
}

/** Where a state is stored, and how it is rebuilt and read. */
interface States {
  /** Where the state that the projection is compared with is stored; undefined where a log has none. */
  stateFile(log: string): string | undefined;
  /**
   * What is not right with a stored state, in sentences that begin with its place. Throws `state-invalid` for a
   * document that is no state of the dialect at all.
   */
  stateIssues?(state: StoredState): Promise<readonly string[]>;
  /** The value that the documents give a member that a stored state leaves out. */
  stateDefault?(path: JsonPath): Promise<string | undefined>;
  /**
   * A state as people read it, stored or projected: what is not there, or not as it should be, is left out. Without
   * it a state is shown as JSON.
   */
  stateView?(state: unknown, origin: 'stored' | 'projected'): Promise<StateView>;
  /** A projected state as it is compared with that of another run: nothing in it is keyed by the id of a run. */
  comparableState?(state: JsonObject): JsonObject;
  /** Loads what rebuilds a state from a log. */
  projector(options?: ProjectorOptions): Promise<Projector>;
  /** The same for a state that is only printed, each level indented by so many columns; where that takes less memory. */
  writtenProjection?(indent: number): Promise<RecordFold>;
}

/** How logs are written and closed. */
interface Written {
  /** Loads how events are appended; absent where the format does not say it. */
  writing?(): Promise<Writing>;
  /** Loads how an episode is sealed; absent where the format knows no seal. */
  sealing?(): Promise<Sealing>;
  /** Its episodes can be sealed and signed, and its checks say where a seal or a signature is missing. */
  readonly seals?: true;
}

/**
 * One format of event logs. A dialect is a folder of its own and a line in the registry; nothing else in the project
 * knows its name.
 */
export interface Dialect extends FoundLogs, NamedLogs, ReadRecords, ToldRuns, States, Written {
  readonly name: DialectName;
  /** What it is, in a few words. */
  readonly title: string;
  /** The versions of its artifacts that are read here, by artifact. */
  readonly versions?: Readonly<Record<string, readonly string[]>>;
  /** An event in the newest version, if the steps of a configuration lead there. Absent where events have no versions. */
  readonly upcast?: (event: JsonObject, steps: readonly UpcastStep[]) => JsonObject | undefined;
  /** Loads what a configuration file may hold for this dialect. A dialect without it has no settings. */
  configuration?(): Promise<DialectConfiguration>;
  /** Loads the checks and verifies one episode or log. Throws only where the log cannot be read. */
  verify(target: VerifyTarget, options: VerifyOptions): Promise<EpisodeReport>;
}
