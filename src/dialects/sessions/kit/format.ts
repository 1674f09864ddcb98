import type { ZodType } from 'zod';
import type { JsonPath } from '../../../base/json/path.ts';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import type { EventCheck, EventRemark, EventReporter } from '../../../findings/check.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import type { Severity } from '../../../findings/severity.ts';
import type { Dialect } from '../../dialect.ts';
import type { Declaration } from '../../kit/define.ts';
import type { FileTexts, ShownDiff } from '../../kit/file-change.ts';
import type { Tokens } from '../../kit/tokens.ts';
import type { AgentFacts } from './facts.ts';
import type { ResultStatus, TurnStatus } from './session.ts';

// To declare a format of sessions, write the function `said` and name a few members. What commands show, and
// most checks of `verify`, follow from these.

/** A call of a tool in a record. */
export interface SaidCall {
  readonly id: string | undefined;
  readonly tool: string;
  readonly input: JsonValue | undefined;
  /** When the call began, if that is not the time of the record. */
  readonly time?: string | undefined;
  /** It worked at least until then, if the record has no end of it. */
  readonly until?: string | undefined;
  /** Whether it was first written when it ended, so that nothing says when it began. */
  readonly isLate?: boolean;
  /** Where the id is in the record, for findings. */
  readonly path?: JsonPath;
}

/** The result of a call in a record. */
export interface SaidResult {
  readonly id: string | undefined;
  /** The id of the call where the record repeats it. */
  readonly otherId?: string | undefined;
  /** The tool, if the record repeats it. */
  readonly tool?: string | undefined;
  readonly status: ResultStatus;
  readonly text: string;
  /** A person refused the call, so the program waited for that. */
  readonly byPerson?: true;
  readonly exitCode?: number | undefined;
  /** What the call did to a file, if the result shows it. */
  readonly diff?: ShownDiff | undefined;
  /** The whole files that the result has. */
  readonly files?: readonly FileTexts[];
  /** When the call ended, if that is not the time of the record. */
  readonly time?: string | undefined;
  /** The log may have the result already, next to the call. Then this one is only checked for a call. */
  readonly mayRepeat?: true;
  readonly path?: JsonPath;
}

/** The tokens in a record. */
export interface SaidUsage {
  /** The model; by default that of the last answer. */
  readonly model?: string | undefined;
  readonly tokens: Tokens;
  /** Of records with the same key only the last counts. The default is the id and the time of the record. */
  readonly key?: string;
  /** 0 if it is not an answer, such as the summary of a compaction. */
  readonly answers?: 0 | 1;
  /** The sum in the record; `verify` compares it with the parts. */
  readonly stated?: number | undefined;
  /** The input in the record, if it includes cached tokens. */
  readonly prompt?: number | undefined;
}

/** A subagent. Its tokens are part of the totals of the session. */
export interface SaidAgent extends AgentFacts {
  readonly id: string | undefined;
  /** Whether its session is in this log. */
  readonly isHere?: boolean;
  /** The id of its session. */
  readonly own?: string | undefined;
  /** The log of its session, as a path from the folder of this log. */
  readonly path?: string | undefined;
  /** Its session is neither in this log nor next to it. */
  readonly isElsewhere?: true;
}

/** The meaning of a record, in terms that all programs share. Members that do not apply are left out. */
export interface Said {
  /** The record is a head: it is not part of the chain of the session, and its time does not count. */
  readonly isHead?: true;
  /** The head with which a log must begin. */
  readonly isStart?: true;
  /** The model of later answers that do not name one, and of a request that failed. */
  readonly model?: string | undefined;
  /** Totals that the program counted for the session. They may exceed the sum of its answers. */
  readonly totals?:
    | {
        readonly tokens: Tokens;
        readonly cost?: number | undefined;
        /** The number of records that {@link SessionRules.counts} counts. */
        readonly records?: number | undefined;
        /** Where they are in the record, for findings. */
        readonly path: JsonPath;
      }
    | undefined;
  /** Another log continues the session under the same id. The totals of the last log cover all of them. */
  readonly isPart?: boolean;
  /** The record was copied from another session or log, as it says. */
  readonly isCopy?: boolean;
  /** Files that the record names, as paths from the folder of the log. */
  readonly files?: readonly (string | undefined)[];
  /** Numbers to add up over all records. The sums become facts about the session. */
  readonly counts?: Readonly<Record<string, number>>;
  readonly agents?: readonly SaidAgent[];
  /** The status of the session, regardless of its last record. */
  readonly ends?: TurnStatus;
  /** When the session began, if the head says it. */
  readonly began?: string | undefined;
  /** When the work of the record ended, if that is not the time of the record. */
  readonly ended?: string | undefined;
  /** The head says that the message with this id, and all after it, were taken back. The log still has them. */
  readonly takesBack?: string | undefined;
  /** Files that changed, if no call in the record names them. */
  readonly changed?: readonly string[];
  /** From here on, the conversation consists of the messages with these ids. */
  readonly replaces?: readonly string[];
  /** The message with this id, and all later ones, are removed from the conversation. */
  readonly rewindsTo?: string;
  /** Facts about the session, such as `id` and `cwd`. The first value of a name counts. */
  readonly about?: Readonly<Record<string, string | number | undefined>>;
  readonly version?: string | undefined;
  /** The title with its rank: the highest rank wins, then the last one. */
  readonly title?: readonly [text: string | undefined, rank: number];
  /** A text that the user typed. */
  readonly prompt?: string | undefined;
  /** The prompt was sent while the program worked. Several in a row are answered together. */
  readonly isQueued?: boolean;
  readonly thinking?: string;
  readonly answer?: string;
  readonly calls?: readonly SaidCall[];
  readonly results?: readonly SaidResult[];
  /** How long a call took, if a record other than its result says it. */
  readonly took?: { readonly id: string; readonly durationMs: number } | undefined;
  readonly usage?: SaidUsage;
  /** A request whose answer is not in the log, as that of a compaction or of work in the background. Its tokens are in `usage`, if the log has them. */
  readonly request?: { readonly isCompaction: boolean } | undefined;
  /** A request whose answer should be in the log too, with the same tokens. They count once, and also if the answer is lost. */
  readonly requested?: { readonly model: string; readonly tokens: Tokens } | undefined;
  /** In dollars, as the program counted it. */
  readonly cost?: number | undefined;
  /** The status of the session if nothing with a status follows. Prompts, answers and results have one. */
  readonly status?: TurnStatus;
  /** The program was stopped: open calls and turns end here. */
  readonly isStop?: boolean;
  /** The message of this id is damaged or missing, or a part of it is. Messages before and after it are in the log. */
  readonly missing?: { readonly id: string; readonly isPart: boolean };
  /** The content of the record could not be read. */
  readonly isUnread?: true;
  /** The failure: `interrupted` or a short name, and the message. */
  readonly problem?: readonly [kind: string, text: string];
  readonly compaction?: true;
  /** The program sent it to the model, although the user did not type it. */
  readonly isSent?: boolean;
  /** Any other text to show in the story, with a title. */
  readonly note?: readonly [title: string, text: string];
  /** The DETAIL column of a record that is not a prompt, answer, call or result. */
  readonly detail?: string | undefined;
}

/**
 * The checks of `verify` in addition to those of every session (results without calls, calls without results,
 * repeated ids).
 */
export interface SessionRules {
  /** Known types, as `--type` matches them. Each unknown type is noted once. */
  readonly types: readonly string[];
  /** The schema of a record. `head`: the first record with `isStart`. A missing member is an error. */
  readonly schemaOf: (event: JsonObject, head: JsonObject | undefined) => ZodType;
  /** An event for `noesis schema event`. */
  readonly example: ZodType;
  /** The member that counts records from 1 after each head. */
  readonly counts?: string;
  /** The severity of a value of the wrong type; by default info. */
  readonly wrongType?: Severity;
  /** Further faults of a record. */
  readonly remarks?: (event: JsonObject) => Iterable<EventRemark>;
  /** The member of the head that has the version of the format, and the known versions. */
  readonly versions?: readonly [member: string, known: RegExp];
  /** Whether the schemas name all members of records. Each further member is noted once. */
  readonly isClosed?: true;
  /** Severities other than those of the catalogue. */
  readonly severities?: Readonly<Partial<Record<Exclude<FindingCode, 'event/duplicate-id'>, Severity>>>;
  /** Further checks of a log, made anew for each. */
  readonly checks?: (report: EventReporter) => readonly EventCheck[];
  /** Members that name an earlier record, in addition to the parent. The value `root` names no record. */
  readonly targets?: readonly string[];
  /** Results come right after their calls: a prompt between them is a fault. */
  readonly resultsFollow?: true;
  /** The first record of the log, in words, if it has a head. */
  readonly start?: string;
  /** Each record names the one before it, unless this is true. Without it, branches are normal. */
  readonly mayTurnBack?: (event: JsonObject) => boolean;
}

/** A format of sessions as its folder declares it. Members of a dialect may be added, such as `recordsIn`. */
export interface SessionFormat extends Partial<Omit<Declaration, 'members'>> {
  readonly name: string;
  readonly title: string;
  /** Whether records from the beginning of a log are of this format. */
  readonly isSession: (records: readonly JsonObject[]) => boolean;
  /** The id of the session in the name of its log; undefined for other names. */
  readonly sessionIn: (fileName: string) => string | undefined;
  readonly homes: NonNullable<Dialect['homes']>;
  /** The names of members, or paths such as `info.id`. `session`: the id that all records repeat. Without `parent`, the order is that of the lines. */
  readonly members: {
    readonly id: string;
    readonly time: string;
    readonly parent?: string;
    readonly session?: string;
  };
  /** A message whose id came before replaces it, and messages can be taken back. There are no parents then. */
  readonly isEdited?: true;
  /** Records that are older than the head says the session is were copied from another one. */
  readonly copiesAreOlder?: true;
  /** The ids of messages are in the order in which they were written. */
  readonly hasOrderedIds?: true;
  /** Results are in the record of their call. Ids of calls may recur in other records and logs. */
  readonly isSelfContained?: true;
  /** The type as `--type` matches it. */
  readonly typeOf: (event: JsonObject) => string | undefined;
  readonly said: (event: JsonObject) => Said;
  /** The tools that write the file that their arguments name. */
  readonly writers: ReadonlySet<string>;
  readonly rules: () => Promise<SessionRules>;
}

/** The parts of a format from which `FormatReader` builds a session. */
export type SessionReading = Pick<
  SessionFormat,
  | 'name'
  | 'members'
  | 'said'
  | 'writers'
  | 'isEdited'
  | 'isSelfContained'
  | 'hasOrderedIds'
  | 'copiesAreOlder'
>;
