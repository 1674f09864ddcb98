import { basename } from 'node:path';
import { LogError, type NoesisError, UsageError } from '../base/errors.ts';
import { plainShellWord } from '../base/text/shell-word.ts';
import type { Corruption } from '../log/corruption.ts';

/** The exit codes of all commands. */
export const EXIT = { ok: 0, failed: 1, usage: 2, missing: 3, bug: 70, interrupted: 130 } as const;

/** Ends a command with exit code 1 after it printed a negative answer. */
export class Failed extends Error {}

/** The error for an option that needs another one. */
export const needs = (option: string, other: string): NoesisError =>
  new UsageError('usage', `${option} needs ${other}`, { hint: `add ${other}, or remove ${option}` });

/** What a command did before it found a corrupt line. */
interface CorruptOptions {
  /** It printed the part before the corruption. */
  readonly shown?: boolean;
  /** It has an option `--partial`. */
  readonly offers?: boolean;
  /** It was going to write. */
  readonly writing?: boolean;
  /** It reads other logs too: the error is one line. */
  readonly isOneOfMany?: boolean;
}

/** How a hint ends, and the command after it. Standard input has no name by which a command finds it. */
const ending = (label: string, name: string, last: string, bare: string) =>
  label === '-' ? { hint: bare } : { hint: last, command: `noesis ${name} ${plainShellWord(label)}` };

/** The error for a corruption. `label` names the log. */
export function corruptLog(
  label: string,
  corruption: Corruption,
  { shown = false, offers = false, writing = false, isOneOfMany = false }: CorruptOptions = {},
): NoesisError {
  const { line, column, byteStart, byteEnd, message, excerpt } = corruption;
  const place = { file: label, line, column, byteStart, byteEnd };
  if (isOneOfMany) return new LogError('log-corrupt', `${label}:${line} is damaged: ${message}`, { place });
  const name = label === '-' ? 'standard input' : basename(label);
  const before = shown
    ? ''
    : offers
      ? 'add --partial to skip damaged lines; '
      : 'run noesis events --partial to see the intact records; ';
  return new LogError('log-corrupt', `line ${line} of ${name} is damaged: ${message}`, {
    place: { ...place, excerpt },
    ...(writing
      ? ending(
          label,
          'salvage',
          'nothing was written; copy every intact record with',
          'nothing was written; save the input as a file, and run noesis salvage on it to copy every intact record',
        )
      : ending(
          label,
          'verify',
          `${before}see all errors with`,
          `${before}give the same input to noesis verify - to see all errors`,
        )),
  });
}
