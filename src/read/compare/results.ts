import { CHANGES_FILES, kindOfTool, RUNS_COMMAND } from './call-key.ts';
import { LOOSE } from './content.ts';
import type { Incidental } from './incidental.ts';
import type { RunCall } from './run-content.ts';

/** The result of a call as a value. */
export function resultOf({ item: { status, exit_code: exitCode, output } }: RunCall) {
  return {
    status,
    ...(exitCode !== undefined && { exit_code: exitCode }),
    ...(output !== undefined && { output: output.trimEnd() }),
  };
}

type Result = ReturnType<typeof resultOf>;

/** What programs add to the output of a command, on separate lines or before it. */
const FRAME =
  /^(?:<\/?(?:untrusted_context|file|path|type|content|bash_(?:stdout|stderr))>|(?:Exit Code|Process Group PGID|Chunk ID|Wall time|Original token count|Total output lines|Command|Directory|Signal|Background PIDs): .*|(?:Command|Process) exited with code \d+|<exited with exit code \d+>|<shellId: .*>|\(no output\)|\(End of file.*\)|(?:Output|Stdout|Stderr):)$/;
/** The number that tools for reading put before a line of a file. */
const LINE_NUMBER = /^\s*\d+(?:→|\t|\| ?|\.(?: |$))/;

/** The lines of an output, without what its program added. */
const plainLines = (output: string, isCommand: boolean): string[] =>
  output
    .split('\n')
    .map((line) => line.replace(isCommand ? /^(?:Output|Stdout|Stderr): / : LINE_NUMBER, '').trimEnd())
    .filter((line) => line !== '' && !FRAME.test(line));

/** Whether one of two outputs is the other one, with lines of its program around it. */
function isOneOutput(linesA: readonly string[], linesB: readonly string[]): boolean {
  const [ofA, ofB] = [linesA.join('\n'), linesB.join('\n')];
  if (ofA === ofB) return true;
  const [short, long] = ofA.length < ofB.length ? [ofA, ofB] : [ofB, ofA];
  return short !== '' && `\n${long}\n`.includes(`\n${short}\n`);
}

/** The results of one call in two runs, as far as they can be compared. */
interface ComparedResults {
  readonly a: Result;
  readonly b: Result;
  /** The log that lacks a part of the result, because its program does not store it, or a line is damaged. */
  readonly lacking?: 'a' | 'b';
}

const withoutExit = ({ exit_code: _, ...result }: Result): Result => result;
const withoutOutput = ({ output: _, ...result }: Result): Result => result;

/** Each side of a comparison, and the other one. */
const SIDES = [
  ['a', 'b'],
  ['b', 'a'],
] as const;

/** A call without a result, or whose result may be on a damaged line. */
const NO_RESULT = /^(?:no result|open|unknown)$/;

/** Whether a log has no result of a call. */
export const hasNoResult = ({ item: { status } }: RunCall): boolean => NO_RESULT.test(status);

/**
 * Leaves out of two results what only one of the logs has: an exit code, an output, or the whole result next to damaged
 * lines. Of two programs, outputs differ only in what is not their own frame. The messages of calls that change files, and of
 * failed calls that are no commands, are in the words of the program.
 */
export function comparedResults(
  callA: RunCall,
  callB: RunCall,
  {
    isOne,
    damaged,
  }: { readonly isOne: boolean; readonly damaged: { readonly a: boolean; readonly b: boolean } },
): ComparedResults {
  const whole = { a: resultOf(callA), b: resultOf(callB) };
  for (const [side, other] of SIDES) {
    const isLost = damaged[side] && NO_RESULT.test(whole[side].status);
    if (isLost && !NO_RESULT.test(whole[other].status))
      return { a: whole[other], b: whole[other], lacking: side };
  }
  const isPartial = whole.a.exit_code === undefined || whole.b.exit_code === undefined;
  const { a, b } = isPartial ? { a: withoutExit(whole.a), b: withoutExit(whole.b) } : whole;
  if (isOne || (a.output === undefined && b.output === undefined)) return { a, b };
  const bare = { a: withoutOutput(a), b: withoutOutput(b) };
  if (a.output === undefined) return { ...bare, lacking: 'a' };
  if (b.output === undefined) return { ...bare, lacking: 'b' };
  const kinds = [callA, callB].map(({ step }) => kindOfTool(step.what));
  const [isCommandA = false, isCommandB = false] = kinds.map((kind) => kind === RUNS_COMMAND);
  const isMessage = kinds.includes(CHANGES_FILES) || (a.status === 'error' && !(isCommandA && isCommandB));
  const isSame =
    (isMessage && a.status === b.status) ||
    isOneOutput(plainLines(a.output, isCommandA), plainLines(b.output, isCommandB));
  return isSame ? bare : { a, b };
}

interface Results {
  readonly exact: string;
  readonly loose: string;
}

/** How the result of a call is compared: as it is, and without times, ids and digests. */
export function resultsOf(call: RunCall, incidental: Incidental): Results {
  const { output = '', ...rest } = resultOf(call);
  const plain = incidental.text(output);
  const key = JSON.stringify(rest);
  return { exact: `${key}${plain}`, loose: `${key}${LOOSE.text(plain)}` };
}
