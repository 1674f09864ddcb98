import { errorText, outputIn } from './error-text.ts';
import { firstLine } from './excerpt.ts';

/** Lines of outputs that say why a command failed. */
interface Telling {
  readonly line: RegExp;
  /** The last such line counts. By default it is the first, because later errors often follow from it. */
  readonly isLast?: true;
}

/**
 * The more telling lines come first: the summary of a test run names the test and the reason, an error names only the reason,
 * and a line such as `make: *** … Error 1` only says that something failed before it. A match of several lines is shown as one.
 * Outputs are hostile: none of these takes more than linear time, so nothing that can repeat is before a part that may fail far on.
 */
const TELLING: readonly Telling[] = [
  // A tool that did not run may quote its input, which may look like an error.
  { line: /^<tool_use_error>.*/ },
  // pytest: the summary, and an error of which there is no summary.
  { line: /^(?:FAILED|ERROR) \S.* - .*/m },
  { line: /(?<=^E {3,9})\S.*/m },
  // vitest: the test and its error. jest: the test, and the line after it.
  { line: /^ ?FAIL +\S.*\n\w*Error: .*/m },
  { line: /^ *● (?!Console).*\n+ +\S.*/m },
  // Go and Rust: the test and its message, an error of the compiler.
  { line: /^ *--- FAIL: .*\n +\S+\.go:\d+: .*/m },
  { line: /^ *--- FAIL: .*/m },
  { line: /^thread \S.{0,100}? panicked at .*:\n.*/m },
  { line: /^thread \S.{0,100}? panicked at .*/m },
  { line: /^error\[E\d+\]: .*(?:\n *--> .*)?/m },
  // tsc and eslint.
  { line: /^.*\berror TS\d+: .*/m },
  { line: /^ +\d+:\d+ +error +\S.*/m },
  // Python: the last traceback says what stopped the program.
  { line: /(?=\S)(?<=^Traceback \(most recent call last\):\n(?:[ \t].*\n)+).*/m, isLast: true },
  // JavaScript, Java and others: the name of an error with its message.
  {
    line: /^[ \t]*(?:Uncaught |Exception in thread "[^"\n]{0,100}" )?[\w.$]*(?:Error|Exception)(?: \[\w+\])?: .*/m,
  },
  // Test runners that name only the test.
  { line: /^ *(?:not ok \d+|[✖✕×✗]|FAIL(?:ED)?:?)[ \t]+\S.*/m },
  // git, gcc, cargo, pip and others.
  { line: /^(?:\S+: )?(?:fatal(?: error)?|error|panic): .*/im },
  { line: /^.*(?:command not found|No such file or directory|Permission denied).*/m },
  { line: /^npm (?:ERR!|error) (?!code |errno |syscall |path )\S.*/m },
  { line: /^(?:\S*\/)?\w*make(?:\[\d+\])?: \*\*\* .*/m },
  { line: /^.*\b[1-9]\d* (?:failed|failures?|errors?)\b.*/m },
];

/** The codes with which programs colour their outputs. */
const COLOURS = /\u001b\[[\d;]{0,20}m/g;

function found({ line, isLast }: Telling, output: string): string | undefined {
  if (!isLast) return line.exec(output)?.[0];
  return [...output.matchAll(new RegExp(line, `${line.flags}g`))].at(-1)?.[0];
}

/** The line of a failed call's output that says best why it failed: by default, the first one that is not blank. */
export function tellingLine(text: string): string {
  const output = outputIn(text).replaceAll(COLOURS, '').trimEnd();
  const isMessage = !output.trimStart().includes('\n');
  if (!isMessage)
    for (const telling of TELLING) {
      const lines = found(telling, output);
      if (lines !== undefined) return firstLine(lines.trim().replaceAll(/\s+/g, ' '));
    }
  return firstLine(errorText(output));
}
