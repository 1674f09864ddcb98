import type { ZodType } from 'zod';
import type { EventRemark } from '../../findings/check.ts';
import type { FindingCode } from '../../findings/codes.ts';
import type { Severity } from '../../findings/severity.ts';
import type { JsonPath } from '../../json/path.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Dialect } from '../dialect.ts';
import type { ResultStatus, TurnStatus } from '../session.ts';
import type { AgentFacts } from '../session-builder.ts';
import type { Tokens } from '../tokens.ts';
import type { Declaration } from './define.ts';

// A format of sessions is one function from a record to what it says, and a few members. Everything that commands show and
// most of what `verify` checks follows from them.

/** A call of a tool in a record. */
export interface SaidCall {
  readonly id: string | undefined;
  readonly tool: string;
  readonly input: JsonValue | undefined;
  /** Where the id is in the record, for findings. */
  readonly path?: JsonPath;
}

/** The result of a call in a record. */
export interface SaidResult {
  readonly id: string | undefined;
  /** The id of the call in another place of the record, if it has one. */
  readonly otherId?: string | undefined;
  /** The tool, if the record repeats it. */
  readonly tool?: string | undefined;
  readonly status: ResultStatus;
  readonly text: string;
  readonly exitCode?: number | undefined;
  /** When the call ended, if that is not the time of the record. */
  readonly time?: string | undefined;
  /** The log has the result elsewhere too. It only needs a call. */
  readonly isCopy?: true;
  readonly path?: JsonPath;
}

/** The tokens in a record. */
export interface SaidUsage {
  /** The model; by default that of the last answer. */
  readonly model?: string | undefined;
  readonly tokens: Tokens;
  /** Records with the same key count once, the last one; by default the id and the time of the record. */
  readonly key?: string;
  /** 0 if it is not an answer, such as the summary of a compaction. */
  readonly answers?: 0 | 1;
  /** The sum that the record states, compared with the parts. */
  readonly stated?: number | undefined;
  /** The input that the record states, if it includes what was cached. */
  readonly prompt?: number | undefined;
}

/** A subagent. Its tokens are part of the totals of the session. */
export interface SaidAgent extends AgentFacts {
  readonly id: string | undefined;
  /** Its session is in this log, under this id. */
  readonly isHere?: boolean;
  readonly own?: string | undefined;
  /** The log of its session, as a path from the folder of this log. */
  readonly path?: string | undefined;
}

/** What a record says, in words that are the same for every program. Leave out what it does not say. */
export interface Said {
  /** The record belongs before the first entry. It has no part in the times and the chain of the session. */
  readonly isHead?: true;
  /** The head with which a log must begin. */
  readonly isStart?: true;
  /** The model of answers that name none, from here on. */
  readonly model?: string | undefined;
  /** Counted by the program for the whole session. It may have used more than its answers say. */
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
  /** Another log has more of the session, under the same id. The totals of the last one are of all of them. */
  readonly isPart?: boolean;
  /** The record is in another log of the session too. */
  readonly isCopy?: boolean;
  /** Files that the record names, as paths from the folder of the log. */
  readonly files?: readonly (string | undefined)[];
  /** Numbers that are facts about the session as sums over its records. */
  readonly counts?: Readonly<Record<string, number>>;
  readonly agents?: readonly SaidAgent[];
  /** The status of the session, whatever its last record is. */
  readonly ends?: TurnStatus;
  /** When the session began, in a head. */
  readonly began?: string | undefined;
  /** The conversation consists of the messages with these ids from here on. */
  readonly replaces?: readonly string[];
  /** The message with this id, and all after it, are taken back. */
  readonly rewindsTo?: string;
  /** Facts about the session, such as `id` and `cwd`. The first value of a name counts. */
  readonly about?: Readonly<Record<string, string | number | undefined>>;
  readonly version?: string | undefined;
  /** The title with its rank: the highest rank wins, then the last one. */
  readonly title?: readonly [text: string | undefined, rank: number];
  /** Somebody typed it. */
  readonly prompt?: string | undefined;
  readonly thinking?: string;
  readonly answer?: string;
  readonly calls?: readonly SaidCall[];
  readonly results?: readonly SaidResult[];
  /** How long a call took, if another record than its result says it. */
  readonly took?: { readonly id: string; readonly durationMs: number } | undefined;
  readonly usage?: SaidUsage;
  /** In dollars, as the program counted it. */
  readonly cost?: number | undefined;
  /** The status of the session if this is its last word. Prompts, answers and results have one. */
  readonly status?: TurnStatus;
  /** The program was stopped: open calls and turns end here. */
  readonly isStop?: boolean;
  /** The failure: `interrupted` or a short name, and the message. */
  readonly problem?: readonly [kind: string, text: string];
  readonly compaction?: true;
  /** The program sends it to the model, although nobody typed it. */
  readonly isSent?: boolean;
  /** Anything else that people read in the story, with a title. */
  readonly note?: readonly [title: string, text: string];
  /** The cell DETAIL of a record that is not a prompt, answer, call or result. */
  readonly detail?: string | undefined;
}

/** The checks of `verify` besides those of every session (results without calls, calls without results, repeated ids). */
export interface SessionRules {
  /** Known types, as `--type` matches them. Others are reported once each, as a note. */
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
  /** The member of the head with the version of the format, and the known versions. */
  readonly versions?: readonly [member: string, known: RegExp];
  /** The schemas name all members of records. Others are reported once each, as a note. */
  readonly isClosed?: true;
  /** Severities other than those of the catalogue. */
  readonly severities?: Readonly<Partial<Record<Exclude<FindingCode, 'event/duplicate-id'>, Severity>>>;
  /** Members that name an earlier record, besides the parent; `root` names none. */
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
  /** The names of members. `session`: the id that all records repeat. Without `parent`, the order is that of the lines. */
  readonly members: {
    readonly id: string;
    readonly time: string;
    readonly parent?: string;
    readonly session?: string;
  };
  /** A message whose id came before replaces it, and messages can be taken back. There are no parents then. */
  readonly isEdited?: true;
  /** Results are in the record of their call, and the ids of calls need not differ between records and logs. */
  readonly isSelfContained?: true;
  /** The type as `--type` matches it. */
  readonly typeOf: (event: JsonObject) => string | undefined;
  readonly said: (event: JsonObject) => Said;
  /** The tools that write the file in their arguments. */
  readonly writers: ReadonlySet<string>;
  readonly rules: () => Promise<SessionRules>;
}

/** The parts of a format that tell a session from its records. */
export type SessionReading = Pick<
  SessionFormat,
  'members' | 'said' | 'writers' | 'isEdited' | 'isSelfContained'
>;
