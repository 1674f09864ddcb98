import { plainShellWord } from '../../base/text/shell-word.ts';
import { isContinuable, type Verdict, verdictOn } from '../../dialects/sessions/kit/verdict.ts';
import type { DoctorReport } from '../../read/outputs/doctor.ts';
import type { Style } from './style.ts';

/** The session that the log is a part of; undefined if it is not a part. */
export function partOf({ part_of: session, is_further_log: isFurther, part_title: title }: DoctorReport) {
  return session === null ? undefined : { session, isFurther, ...(title !== null && { title }) };
}

/** The parts of the conversation, with those of newer turns that are on another branch. */
export const partsOf = ({ loads, turns, leaf, branches }: DoctorReport): number =>
  turns.newer.length === 0
    ? loads.of
    : branches
        .filter(({ line }) => line > (leaf?.line ?? 0))
        .reduce((sum, { parts }) => sum + parts, loads.of);

/** The option that the next repair of a session needs, or none; undefined if there is no repair now. */
export function repairOption({
  after,
  newest,
  needs_folder,
  can_move,
}: DoctorReport): RepairOption | undefined {
  if (needs_folder) return can_move ? '--cwd DIR' : undefined;
  if (after !== null) return 'none';
  return newest === null ? undefined : '--newest';
}

/** What a repair needs, and how many sessions have such a one, in words. */
export const REPAIRS = {
  none: (count: number) => `${count} can be repaired`,
  '--cwd DIR': (count: number) => `${count} can be repaired for a folder that exists, with --cwd DIR`,
  '--newest': (count: number) => `${count} can continue from the newest turn, with --newest`,
};

type RepairOption = keyof typeof REPAIRS;

/** The command of the repair that gives a session what it lacks; undefined for none. */
export const nextRepair = (report: DoctorReport, name: string, more = ''): string | undefined =>
  fixCommand(report, name, repairOption(report) === '--newest' ? `${more} --newest` : more);

/** The command that repairs a session, if one does. Without its folder, a copy opens only in another one. */
export function fixCommand(report: DoctorReport, name: string, more = ''): string | undefined {
  const option = repairOption(report);
  if (option === undefined) return undefined;
  return `noesis doctor --fix ${plainShellWord(name)}${more}${option === '--cwd DIR' ? ' --cwd DIR' : ''}`;
}

/** The verdict on a session before a repair. */
export const verdictOf = ({ found, refused, danger, loads, turns }: DoctorReport): Verdict =>
  verdictOn({
    ...loads,
    isFound: found.is_found,
    refused: refused.length,
    dangers: danger.length,
    newer: turns.newer.length,
  });

/** The verdict as people read it. A refused call is another thing: a person or a policy did not allow it. */
export function verdictWord(report: DoctorReport): string {
  const verdict = verdictOf(report);
  if (verdict !== 'refused') return verdict;
  if (report.found.is_found) return API_REFUSES;
  return report.needs_folder && report.place === null ? NO_FOLDER : NOT_OPENED;
}

const [API_REFUSES, NO_FOLDER, NOT_OPENED] = ['API refuses', 'no folder', 'not opened'];

/** Words of verdicts after a number of sessions, where they differ. */
const AFTER_ONE: Readonly<Record<string, string>> = {
  [API_REFUSES]: 'that the API refuses',
  [NO_FOLDER]: 'without its folder',
};
const AFTER_MANY: Readonly<Record<string, string>> = {
  ...AFTER_ONE,
  resumes: 'resume',
  [NO_FOLDER]: 'without their folders',
};

/** A verdict after a number of sessions. */
export const countedVerdict = (word: string, count: number): string =>
  `${count} ${(count === 1 ? AFTER_ONE : AFTER_MANY)[word] ?? word}`;

/** Why there is no repair of a session that needs one. */
export function whyNoRepair({ copy_of: original, further_logs: further }: DoctorReport): string {
  if (original !== null) return 'doctor has repaired it already';
  if (further.length > 0) return 'doctor repairs only sessions that are in one log';
  return 'no repair loads more';
}

export const paintOf = (verdict: Verdict, style: Style): ((text: string) => string) =>
  verdict === 'resumes' ? style.green : isContinuable(verdict) ? style.yellow : style.red;
