import type { LogRecord } from '../../log/record.ts';
import type { LogEnding } from '../dialect.ts';
import { FINAL_PHASES, phaseAfter } from './workflow-types.ts';

const FINAL: ReadonlySet<string | undefined> = new Set(Object.values(FINAL_PHASES));

/** A workflow is over in its final phase, whichever event leads there; a stream that is no workflow's never is. */
export function workflowEnding(): LogEnding {
  let phase: string | undefined;
  return {
    isOver(record: LogRecord): boolean {
      phase = phaseAfter(record.value) ?? phase;
      return FINAL.has(phase);
    },
  };
}
