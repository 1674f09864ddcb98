import { basename } from 'node:path';
import { LogError, type NoesisError, UsageError } from '../errors.ts';
import type { Corruption } from '../log/corruption.ts';

/** The exit codes of all commands. */
export const EXIT = { ok: 0, failed: 1, usage: 2, missing: 3, bug: 70, interrupted: 130 } as const;

/** Ends a command with exit code 1 whose answer, printed already, is a failure. */
export class Failed extends Error {}

/** The error of an option that has no effect without another. */
export const needs = (option: string, other: string): NoesisError =>
  new UsageError('usage', `${option} needs ${other}`, { hint: `it has no effect without ${other}` });

/** What a command did about a log that turned out to be corrupt, and could do. */
export interface CorruptOptions {
  /** What came before the corruption has been shown. */
  readonly shown?: boolean;
  /** The command itself has `--partial`. */
  readonly offers?: boolean;
  /** Something was to be written. */
  readonly writing?: boolean;
}

const WRITING_HINT = 'nothing was written: noesis salvage makes a copy with every record that is whole';

/** A corruption as the failure of a command. `label` is what the user knows the log by. */
export function corruptLog(
  label: string,
  corruption: Corruption,
  { shown = false, offers = false, writing = false }: CorruptOptions = {},
): NoesisError {
  const { line, column, byteStart, byteEnd, message, excerpt } = corruption;
  const name = label === '-' ? 'standard input' : basename(label);
  const way = `${offers ? '' : 'noesis events '}--partial shows what is whole`;
  const nothing = `nothing of it is shown: ${way}, noesis verify all that is wrong`;
  return new LogError('log-corrupt', `line ${line} of ${name} is corrupt: ${message}`, {
    place: { file: label, line, column, byteStart, byteEnd, excerpt },
    hint: writing ? WRITING_HINT : shown ? 'noesis verify lists all that is wrong' : nothing,
  });
}
