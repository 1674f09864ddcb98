import { isObject, type JsonObject } from '../../base/json/value.ts';
import { stringOf } from '../kit/members.ts';

/** The first phase of each built-in workflow type (exarchos.md §13). */
const INITIAL_PHASES: Readonly<Record<string, string>> = {
  feature: 'ideate',
  debug: 'triage',
  refactor: 'explore',
  oneshot: 'plan',
  discovery: 'gathering',
};

/** The first phase of a workflow type; undefined for custom types. */
export function initialPhase(workflowType: unknown): string | undefined {
  return typeof workflowType === 'string' && Object.hasOwn(INITIAL_PHASES, workflowType)
    ? INITIAL_PHASES[workflowType]
    : undefined;
}

/** The final phase that an event leads to without a transition (exarchos.md §12.5). A prune cancels stale workflows. */
export const FINAL_PHASES: Readonly<Record<string, string>> = {
  'workflow.cancel': 'cancelled',
  'workflow.cleanup': 'completed',
  'workflow.pruned': 'cancelled',
};

const FINAL: ReadonlySet<unknown> = new Set(Object.values(FINAL_PHASES));

/** Whether a workflow is over in a phase. */
export const isFinal = (phase: string | undefined): boolean => FINAL.has(phase);

/** The phase after an event; undefined if it does not change (exarchos.md §12.5). */
export function phaseAfter({ type, data }: JsonObject): string | undefined {
  const { to, workflowType, patch } = isObject(data) ? data : {};
  switch (type) {
    case 'workflow.started':
      return initialPhase(workflowType);
    case 'workflow.transition':
      return stringOf(to);
    case 'state.patched':
      return isObject(patch) ? stringOf(patch['phase']) : undefined;
    default:
      return typeof type === 'string' && Object.hasOwn(FINAL_PHASES, type) ? FINAL_PHASES[type] : undefined;
  }
}

/** The phases in which the program accepts a request for a synthesis. */
export const REQUEST_PHASES: ReadonlySet<string> = new Set(['plan', 'implementing']);

/** Members of a state that only events of the workflow set. */
const RESERVED: ReadonlySet<string> = new Set(['phase', 'workflowType', 'featureId', 'createdAt', 'version']);

/** Whether the program refuses a patch with this key. */
export function isReserved(key: string): boolean {
  const [first = '', ...rest] = key.split('.', 64);
  return RESERVED.has(first) || [first, ...rest].some((part) => part.startsWith('_'));
}

/** The artifacts of a workflow when it starts. */
export const noArtifacts = () => ({ design: null, plan: null, pr: null });

/** The synthesis of a workflow when it starts. */
export const noSynthesis = () => ({
  integrationBranch: null,
  mergeOrder: [],
  mergedBranches: [],
  prUrl: null,
  prFeedback: [],
});
