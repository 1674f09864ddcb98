/**
 * What a program loads when it continues a session, computed without the program. The rules of each program are in
 * `loading.ts` of its folder; they repeat what the program was seen to do, also where that looks like a fault.
 */

/** The kinds of parts of a conversation. */
export type PartKind = 'prompt' | 'thinking' | 'text' | 'call' | 'result' | 'other';

/** A part of a conversation, as a request to a model contains it. */
export interface Part {
  readonly kind: PartKind;
  readonly line: number;
  /** The id of the call, for calls and results. */
  readonly call?: string | undefined;
  /** Identifies the content. Equal parts have equal keys. */
  readonly key: string;
  /** The first words, to recognise it. */
  readonly words: string;
  /** The API refuses it, for this reason. */
  readonly fault?: string;
  /** It has no content, and is not sent. */
  readonly isEmpty?: true;
  /** The program adds it: it is sent, but the log does not have it. */
  readonly isAdded?: true;
}

/** A record of the conversation. */
export interface Entry {
  readonly line: number;
  readonly id?: string | undefined;
  /** The id of its parent; null if it says that it has none. */
  readonly parent?: string | null | undefined;
  /** What its parent is, if that is in the log and no record of the conversation. */
  readonly parentIs?: string;
  /** In milliseconds; NaN if it has none. */
  readonly time: number;
  /** The id of the answer, if several records share it. */
  readonly answer?: string | undefined;
  /** Who says it, also if it has no parts that count. */
  readonly speaker?: 'user' | 'model' | undefined;
  readonly parts: readonly Part[];
  /** A record of a subagent, or one that no session continues from. */
  readonly isAside?: boolean;
  /** The conversation legitimately begins here, as after a compaction. */
  readonly isBeginning?: boolean;
}

/** A remark about a line of the log. */
export interface LoadingRemark {
  readonly line: number;
  readonly message: string;
}

/** A place where the chain of records ends, although records of the conversation come before it. */
export interface Cut extends LoadingRemark {
  /** The id of the parent that is not in the log; undefined if the record names none. */
  readonly parent?: string;
  /** The line of the record after which the chain ends, if another record gave it its parent. */
  readonly from?: number;
  /** The line of the record that probably was the parent; undefined for none. */
  readonly guess?: number | undefined;
  /** The program went on with that record nevertheless. */
  readonly isBridged: boolean;
}

/** Parts of the conversation that were left, as by a rewind. */
export interface Branch {
  readonly line: number;
  readonly parts: number;
}

/** Which turns of a log are loaded. They are numbered from 1, also those on other branches. */
export interface LoadedTurns {
  readonly of: number;
  readonly loaded: readonly number[];
  /** Turns that are not loaded, newer than any that is. */
  readonly newer: readonly number[];
}

/** A line that the program cannot use. */
export interface Skipped extends LoadingRemark {
  /** How many parts of the conversation seem to be on it: one for each of its records, whole or torn. */
  readonly parts: number;
}

/** What a program loads of a session. */
export interface Loading {
  /** The id of the session in its records. */
  readonly session?: string | undefined;
  /** The folder in which the session ran. */
  readonly cwd?: string | undefined;
  /** The version of the program that wrote the last record, if the log says it. */
  readonly version?: string | undefined;
  /** The version whose rules were used. */
  readonly rules: string;
  /** Why the program does not open the session; nothing is loaded then. */
  readonly refusal?: LoadingRemark | undefined;
  /** What the API refuses in the request. */
  readonly refused: readonly LoadingRemark[];
  /** The line of the record that the session continues from. */
  readonly leaf?: number | undefined;
  /** The line of a record that says so, if it is not the last record. */
  readonly leafNamedBy?: number | undefined;
  /** The parts of the log that reach the API. The results that the program adds for open calls are not among them. */
  readonly loaded: readonly Part[];
  /** The number of parts that would be loaded of an undamaged session. */
  readonly of: number;
  /** The number of records that contain the loaded parts. */
  readonly records: number;
  /** The parts of the conversation that are not loaded. */
  readonly lost: readonly Part[];
  /** The number of prompts of an undamaged session, and which of them are loaded, from 1. */
  readonly prompts: number;
  readonly loadedPrompts: readonly number[];
  readonly turns: LoadedTurns;
  /** The line of the last compaction of the conversation, which replaced what was before it. */
  readonly compacted: number | undefined;
  readonly cuts: readonly Cut[];
  readonly skipped: readonly Skipped[];
  /** Parts that the program reads and does not send. */
  readonly dropped: readonly LoadingRemark[];
  /** Open calls for which the program adds a result. */
  readonly closed: readonly LoadingRemark[];
  readonly branches: readonly Branch[];
  /** What the next start of the program destroys. */
  readonly danger: readonly string[];
  /** The names of the logs in the folder that any start of the program deletes, also one for another session. */
  readonly deletes: readonly string[];
}

/** What the rules may ask about the surroundings of a log. */
export interface Surroundings {
  /** The path of the log; its names count for some programs. */
  readonly path: string;
  /** The logs in its folder by name, of which it may be one. What reads a log is the same each time. */
  readonly siblings?: ReadonlyMap<string, () => Iterable<FileLine>> | undefined;
  /** Whether a folder exists; undefined: every folder does. */
  readonly isFolder?: ((path: string) => boolean) | undefined;
}

/** A line of a log as the file has it. */
export interface FileLine {
  /** From 1. */
  readonly line: number;
  /** Offsets into the file, without the newline. */
  readonly start: number;
  readonly end: number;
  readonly bytes: Uint8Array;
  /** Whether the file has its newline. */
  readonly isEnded: boolean;
}

/** The rules by which one program loads its sessions. */
export interface LoadingRules {
  /** The name of the program. */
  readonly program: string;
  /** The versions of which the rules were observed, newest first. */
  readonly versions: readonly [string, ...string[]];
  /** Whether a text, also a torn one, is probably of a record of the conversation. Each of its characters is a byte. */
  looksSaid(text: string): boolean;
  load(lines: Iterable<FileLine>, surroundings: Surroundings, version: string): Loading;
}
