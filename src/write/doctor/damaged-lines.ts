import type { Loading, Part } from '../../dialects/sessions/kit/loading/model.ts';
import type { DoctorReport } from '../../read/outputs/doctor.ts';
import { keysOf, type RepairPlan } from './plan.ts';

/** The parts that a repair takes out of damaged lines, with these lines. The program cannot read them, so it names none. */
export function partsInDamagedLines({ after, log }: RepairPlan, before: Loading): readonly Part[] {
  const damaged = new Set(before.skipped.map(({ line }) => line));
  const known = keysOf([...before.loaded, ...before.lost]);
  return after.loaded.flatMap((part) => {
    // The lines of the repaired log are its records.
    const record = log.records[part.line - 1];
    const isFound = record !== undefined && record.isAdded !== true && damaged.has(record.line);
    return isFound && !known.has(part.key) ? [{ ...part, line: record.line }] : [];
  });
}

/** The prompts of a session, with those in damaged lines, in the order of the log. */
export function promptsWith(
  { loaded, lost, loadedPrompts, prompts }: Loading,
  inDamaged: readonly Part[],
): DoctorReport['prompts'] {
  const isPrompt = ({ kind }: Part) => kind === 'prompt';
  const found = inDamaged.filter(isPrompt);
  const known = [...loaded, ...lost].filter(isPrompt).sort((a, b) => a.line - b.line);
  const withFound = (number: number): number => {
    const line = known[number - 1]?.line ?? 0;
    return number + found.filter((part) => part.line < line).length;
  };
  return {
    of: prompts + found.length,
    loaded: loadedPrompts.map(withFound),
    lost: [...lost.filter(isPrompt), ...found].sort((a, b) => a.line - b.line).map(({ words }) => words),
  };
}
