import { basename } from 'node:path';
import { NoesisError } from '../src/errors.ts';
import type { Corruption } from '../src/log/corruption.ts';

/** The exit codes of all commands. */
export const EXIT = { ok: 0, failed: 1, usage: 2, missing: 3, bug: 70, interrupted: 130 } as const;

/** Ends a command with exit code 1 whose answer, printed already, is a failure. */
export class Failed extends Error {}

/** A corruption as the failure of a command. `label` is what the user knows the log by. */
export function corruptLog(label: string, corruption: Corruption, partial = false): NoesisError {
  const { line, column, byteStart, byteEnd, message, excerpt } = corruption;
  const name = label === '-' ? 'standard input' : basename(label);
  return new NoesisError('log-corrupt', `line ${line} of ${name} is corrupt: ${message}`, {
    place: { file: label, line, column, byteStart, byteEnd, excerpt },
    hint: partial
      ? 'noesis verify lists all that is wrong'
      : 'nothing of it is shown: --partial shows what comes before, noesis verify all that is wrong',
  });
}
