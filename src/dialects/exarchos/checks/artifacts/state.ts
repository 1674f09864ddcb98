import type { Document } from '../../../../findings/document.ts';
import type { JsonObject } from '../../../../json/value.ts';
import type { Difference } from '../../../../projection/difference.ts';
import { reportDifference, reportNotCompared, shown } from '../../../kit/state-check.ts';
import type { ExarchosProjector } from '../../projection/projector.ts';

const inLog = ({ projected, evidence }: Difference): string =>
  `${evidence === undefined ? 'the log' : `the event on line ${evidence.line}`} gives ${shown(projected)}`;

/**
 * Compares the state file with the log (exarchos.md §12). The program writes the file alongside the log, not
 * from it. `waiting`: events to be merged. Returns whether one of them may explain a difference.
 */
export function checkStateContent(
  state: Document,
  projector: ExarchosProjector,
  waiting: readonly JsonObject[],
): boolean {
  const { differences, not_compared: parts, isOpen } = projector.compareWaiting(state.exact, waiting);
  for (const difference of differences)
    reportDifference(state, 'projection/state', difference, inLog(difference), 'log');
  reportNotCompared(state, parts);
  return isOpen;
}
