import { plainShellWord } from '../../base/text/shell-word.ts';
import { excerptOf } from '../../dialects/kit/excerpt.ts';
import type { PartOfSession, ResumeCommand } from '../../dialects/resume.ts';
import type { LoadedTurns } from '../../dialects/sessions/kit/loading/model.ts';

/** In characters, of the title of a subagent. */
const LONGEST_TITLE = 80;

/** What the log of a part is, after "the log is" or alone. */
export function partText({ session, isFurther, title }: PartOfSession): string {
  if (isFurther) return `a further log of the session ${session}`;
  const task = title === undefined ? '' : ` ("${excerptOf(title, LONGEST_TITLE)}")`;
  return `the log of a subagent${task} of the session ${session}`;
}

/** Why a session cannot be continued. */
export const refusedText = (why: string): string => `not possible: ${why}`;

/** The command that examines a session, alone on its line, so that it can be copied. */
const seeDoctor = (name: string): string => `see noesis doctor ${plainShellWord(name)}`;

/** The command that lists what is wrong with a run, alone on its line too. */
export const seeVerify = (name: string): string => `see noesis verify ${plainShellWord(name)}`;

/** Numbers as ranges: 1 to 3, 5. */
export function ranges(numbers: readonly number[]): string {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([from, to]) => (from === to ? String(from) : `${from} to ${to}`)).join(', ');
}

/** `turns 1 to 3, 5`. */
export const turnsText = (turns: readonly number[]): string =>
  `${turns.length === 1 ? 'turn' : 'turns'} ${ranges(turns)}`;

/** That a continued session does not have the newest turns of its log; undefined if it has. */
export function withoutNewest({ of, loaded, newer }: LoadedTurns): string | undefined {
  if (newer.length === 0) return undefined;
  if (loaded.length === 0) return `loads ${of === 1 ? 'no prompt' : `none of ${of} prompts`}`;
  const verb = newer.length === 1 ? 'is' : 'are';
  return `loads ${turnsText(loaded)} of ${of}; the newest ${turnsText(newer)} ${verb} not loaded`;
}

/** In characters, of an error of an API below a command. */
const LONGEST_ERROR = 80;

/**
 * What is wrong with a continued session, each in a line: its newest turns and parts of the conversation are not loaded, or
 * that this is not known; and the API may refuse the next request as it did the last one.
 */
export function lacking({
  turns,
  lacks,
  unchecked,
  lastRefusal,
}: Pick<ResumeCommand, 'turns' | 'lacks' | 'unchecked' | 'lastRefusal'>): string[] {
  const newest = turns && withoutNewest(turns);
  const parts = lacks && `loads ${lacks.parts} of ${lacks.of} parts of the conversation`;
  const unknown = unchecked && `not checked: ${unchecked}`;
  const refused =
    lastRefusal &&
    `the API refused the last request, and may refuse the next one: ${excerptOf(lastRefusal.message, LONGEST_ERROR)}`;
  return [unknown, newest, parts, refused].filter((text) => text !== undefined);
}

/** The command that says more about continuing a session: `doctor`, unless it does not examine the log. */
export const seeMore = (name: string, isExamined: boolean): string =>
  isExamined ? seeDoctor(name) : seeVerify(name);

/** Whether `doctor` says what to do before a session is continued. */
export const hasAdvice = ({ lacks, lastRefusal }: Pick<ResumeCommand, 'lacks' | 'lastRefusal'>): boolean =>
  lacks !== undefined || lastRefusal !== undefined;

/** That any start of the program deletes logs of other sessions. A session whose own log is deleted has no command. */
export const deletesText = (count: number): string =>
  `this log is safe, but any start of its program deletes ${count === 1 ? 'another log' : `${count} other logs`} in the same folder; copy ${count === 1 ? 'that one' : 'those'} away first with`;

/** What to do before a session is continued, each in a line. */
export const copiedFirst = ({ deletes }: Pick<ResumeCommand, 'deletes'>): string[] =>
  deletes === undefined ? [] : [deletesText(deletes.logs.length), ...deletes.copy];

/** That a session is continued in another folder than its own, which does not exist. */
const inAnyFolder = (missing: string): string =>
  `in any folder, because the session's own does not exist: ${missing}`;

/** In which folder a session is continued, if the command does not say it. */
export function whereContinued({
  missing,
  isFolderUnknown,
}: Pick<ResumeCommand, 'missing' | 'isFolderUnknown'>): string | undefined {
  if (missing !== undefined)
    return isFolderUnknown
      ? `only in the folder of its project, which does not exist: ${missing}`
      : inAnyFolder(missing);
  return isFolderUnknown && 'in the folder of its project, whose path the log does not have';
}
