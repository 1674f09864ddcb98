import { isObject, type JsonObject } from '../../json/value.ts';
import type { LogEnds, LogGist } from '../dialect.ts';
import { FINAL_PHASES, initialPhase } from './workflow-types.ts';

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The phase in which an event leaves its workflow; undefined where it leaves it as it was (exarchos.md §12.5). */
function phaseAfter({ type, data }: JsonObject): string | undefined {
  const { to, workflowType } = isObject(data) ? data : {};
  switch (type) {
    case 'workflow.started':
      return initialPhase(workflowType);
    case 'workflow.transition':
      return text(to);
    default:
      return typeof type === 'string' && Object.hasOwn(FINAL_PHASES, type) ? FINAL_PHASES[type] : undefined;
  }
}

/** A workflow's feature and its phase: the last one the log's end speaks of, else that of the state file. */
export function gistOf({ head, tail, state }: LogEnds): LogGist {
  const started = head.find(({ type }) => type === 'workflow.started')?.['data'];
  const phases = tail.map(phaseAfter).filter((phase) => phase !== undefined);
  return {
    task: isObject(started) ? text(started['featureId']) : undefined,
    status: phases.at(-1) ?? text(state()?.['phase']),
  };
}
