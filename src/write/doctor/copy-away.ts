import { basename, join, parse } from 'node:path';
import { hashFile } from '../../base/files/digest.ts';
import { statusOf } from '../../base/files/paths.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';

/** Whether a log can be copied to a path, because nothing is there, or the same. */
function isFree(path: string, log: string): boolean {
  const status = statusOf(path);
  if (status === undefined) return true;
  return path !== log && status.isFile() && hashFile(path).sha256 === hashFile(log).sha256;
}

/** The command that copies a log to a folder, where it overwrites nothing. */
export function copyAwayCommand(log: string, folder: string): string {
  const { name, ext } = parse(basename(log));
  let to = join(folder, basename(log));
  for (let number = 2; !isFree(to, log); number += 1) to = join(folder, `${name}-${number}${ext}`);
  return `cp ${plainShellWord(log)} ${plainShellWord(to)}`;
}
