import { basename, join, parse } from 'node:path';
import { hashFile } from '../../base/files/digest.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';

/** Hexadecimal digits: enough to tell the logs of one user apart. */
const FEW_DIGITS = 8;

/**
 * The command that copies a log to a folder. Logs of two projects may have the same name, and several such commands may be
 * printed before the first one runs: the name of the copy has part of the hash of its content, so none overwrites another.
 */
export function copyAwayCommand(log: string, folder: string): string {
  const { name, ext } = parse(basename(log));
  const to = join(folder, `${name}-${hashFile(log).sha256.slice(0, FEW_DIGITS)}${ext}`);
  return `cp ${plainShellWord(log)} ${plainShellWord(to)}`;
}
