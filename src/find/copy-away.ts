import { basename, dirname, join, parse } from 'node:path';
import { digestOf, hashFile } from '../base/files/digest.ts';
import { plainShellWord } from '../base/text/shell-word.ts';

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

/** The commands that copy several logs away: one for each folder, whose logs go to a new folder. */
export function copyAllAwayCommands(logs: readonly string[], folder: string): string[] {
  const folders = [...new Set(logs.map((log) => dirname(log)))];
  return folders.map((from) => {
    const of = logs.filter((log) => dirname(log) === from);
    const [first = ''] = of;
    if (of.length === 1) return copyAwayCommand(first, folder);
    const hashes = of.map((log) => hashFile(log).sha256).join('');
    const digits = digestOf(Buffer.from(hashes)).sha256.slice(0, FEW_DIGITS);
    const to = plainShellWord(join(folder, `deleted-sessions-${digits}`));
    return `mkdir -p ${to} && cp ${of.map(plainShellWord).join(' ')} ${to}/`;
  });
}
