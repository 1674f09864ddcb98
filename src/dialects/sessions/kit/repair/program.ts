import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../../base/json/value.ts';
import type { Loading, Part } from '../loading/model.ts';
import type { RepairLog, RepairRecord } from './repair-log.ts';

/** What a program cannot read although it is JSON. */
export interface ByteNeeds {
  /** Raw U+2028 and U+2029, which are written as escapes. */
  readonly escapesSeparators?: boolean;
  /** Halves of surrogate pairs, which become U+FFFD. */
  readonly replacesHalves?: boolean;
}

/** What the user allows, and what is known about the log. */
export interface RepairOptions {
  /** The path of the log. */
  readonly path: string;
  /** The folder in which the repaired session will run. */
  readonly cwd?: string | undefined;
  readonly keepCut?: boolean | undefined;
  readonly noCloseCalls?: boolean | undefined;
  readonly undoCompaction?: boolean | undefined;
  /** Continue from the newest turn, also if the program would continue from an earlier one. */
  readonly newest?: boolean | undefined;
}

/** What a step needs: the log, and what the program loads of it as it is now. */
export interface RepairState {
  readonly log: RepairLog;
  readonly options: RepairOptions;
  /** Line numbers are places in `log.records`, from 1. */
  readonly load: () => Loading;
}

export type RepairStep = (state: RepairState) => void;

/** How the sessions of one program are repaired and copied. */
export interface ProgramRepair {
  readonly bytes: ByteNeeds;
  /** In order. */
  readonly steps: readonly RepairStep[];
  /** The parts of a record. */
  readonly partsOf: (event: JsonObject, line: number) => readonly Part[];
  /** Gives the session another id. */
  readonly rename: (log: RepairLog, id: string) => void;
  /** The path of the log of a session with this id, next to another log. */
  readonly pathFor: (path: string, id: string) => string;
  /** Files that must be copied along, with their new contents. */
  readonly along?: (path: string, id: string) => readonly { readonly name: string; readonly text: string }[];
  /** Files next to the log must have another beginning of their name, or the program takes them for its own. */
  readonly hidesSideFiles?: true;
}

const hex = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** A UUID of version 5 that depends on these texts only, so that a repair can be repeated. */
export function madeId(...texts: readonly string[]): string {
  const bytes = createHash('sha1').update(texts.join('\0')).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return hex(bytes);
}

/** What doctor writes in place of a result that is not in the log. */
export const NO_RESULT = '[noesis doctor: the result of this call is not in the log]';

/** The members that link the records of a program. */
export interface LinkMembers {
  readonly id: string;
  readonly parent: string;
}

export const textOf = (record: RepairRecord | undefined, member: string): string | undefined => {
  const value = record?.value[member];
  return typeof value === 'string' ? value : undefined;
};
