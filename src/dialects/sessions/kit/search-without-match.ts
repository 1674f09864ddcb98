import { outputIn } from '../../kit/error-text.ts';

// A search that finds nothing ends with exit code 1, as a command that failed. An error of a search has exit code 2 or a message.

/** What programs write as the output of a command that printed nothing. */
const NO_OUTPUT =
  /^(?:\s|\(no output\)|\(empty\)|(?:error: )?(?:command exited with |exit )code:? 1\b|<(?:exited|shellId: \d{1,10} completed) with exit code 1>)*$/i;

/** In characters. A longer result has an output, also in the report that a program makes of it. */
const LONGEST_EMPTY = 200;
const LONGEST_REPORT = 2000;

/** Whether the result of a command has no output and no error; false if it is not known. */
export function isSilent(text: string | undefined): boolean {
  const said = text === undefined ? undefined : outputIn(text.slice(0, LONGEST_REPORT)).trim();
  return said !== undefined && said.length <= LONGEST_EMPTY && NO_OUTPUT.test(said);
}

/** Words in which a shell sees no operator, and redirections of errors to nowhere or to the output. */
const INERT = /'[^']*'|"(?:[^"\\$`]|\\.|\$(?!\())*"|\\.|(?<=\s)2>\s*(?:\/dev\/null|&1)(?=\s|$)/gs;

/** A search, and no other command before or after it. */
const SEARCH = /^(?:rg|[ef]?grep|ag|git(?: --no-pager| -C \S+)* grep)\s[^|&;<>()`\n]*$/;

/** Whether a command is a single search. One that was shortened may have more commands. */
const isSearch = (command: string): boolean =>
  !command.endsWith('…') && SEARCH.test(command.trim().replace(INERT, '_'));

/** Whether a command is a search that found nothing, which is no failure. `silent`: see {@link isSilent}. */
export const isSearchWithoutMatch = (
  command: string,
  exitCode: number | undefined,
  silent: boolean | undefined,
): boolean => exitCode === 1 && silent === true && isSearch(command);
