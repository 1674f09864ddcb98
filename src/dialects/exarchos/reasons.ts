import type { JsonObject } from '../../base/json/value.ts';
import type { EndingReason } from '../kit/account.ts';
import { textIn } from '../kit/members.ts';
import { describePruned } from './describe.ts';
import { fillIn } from './sentence.ts';

/** Types that end work with a failure, each with a sentence that says why. */
export const FAILURES: ReadonlyMap<string, string> = new Map([
  ['task.failed', '{error}'],
  ['team.task.failed', '{failureReason}'],
  ['tool.errored', '{errorMessage}'],
  ['workflow.cas-failed', '[{retries} retries ][in phase {phase}]'],
]);

/** Types that refuse a step of the workflow, each with a sentence that names the rule. */
export const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['workflow.guard-failed', '{guard}'],
  ['workflow.circuit-open', '{compoundId}'],
  ['preflight.blocked', '{reason}'],
]);

/** Types that end a workflow. */
export const END_TYPES: ReadonlySet<string> = new Set([
  'workflow.cancel',
  'workflow.cleanup',
  'workflow.pruned',
]);

/** The reason in an event that ends a workflow. `says`: whether it says more than that it ended. */
export function endReasonOf(
  type: string,
  data: JsonObject,
  line: number,
): EndingReason & { readonly says: boolean } {
  switch (type) {
    case 'workflow.cancel': {
      const reason = textIn(data, 'reason');
      const text = reason ?? (fillIn('trigger {trigger}', data) || 'no reason given');
      return { kind: 'cancelled', text, tone: 'doubtful', line, says: reason !== undefined };
    }
    case 'workflow.pruned': {
      const facts = [['skipped', data['skippedSafeguards']] as const];
      return { kind: 'pruned', text: describePruned(data), tone: 'doubtful', line, facts, says: true };
    }
    default: {
      const isMerged = data['mergeVerified'] === true;
      const text = isMerged ? `merged ${textIn(data, 'prUrl') ?? ''}`.trim() : 'completed';
      return { kind: 'cleanup', text, tone: 'good', line, says: isMerged };
    }
  }
}

/** Trouble that an event reports, and the key by which a later event ends it. */
export function troubleOf(
  type: string,
  data: JsonObject,
  line: number,
): { readonly key: string; readonly reason: EndingReason } | undefined {
  const words = (sentence: string) => fillIn(sentence, data) || 'no reason given';
  const factsOf = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([label, member]) => [label, data[member]] as const);
  const failure = FAILURES.get(type);
  if (failure !== undefined) {
    const facts = factsOf({ task: 'taskId', tool: 'tool' });
    const key = keyOf(type, data);
    return { key, reason: { kind: type, text: words(failure), tone: 'bad', line, facts } };
  }
  const refusal = REFUSALS.get(type);
  if (refusal !== undefined) {
    const facts = factsOf({ from: 'from', to: 'to' });
    return {
      key: keyOf(type, data),
      reason: { kind: type, text: words(refusal), tone: 'doubtful', line, facts },
    };
  }
  if (type !== 'gate.executed' || data['passed'] !== false) return undefined;
  const text = textIn(data, 'gateName') ?? 'a gate';
  return {
    key: keyOf(type, data),
    reason: { kind: 'gate failed', text, tone: 'bad', line, facts: factsOf({ layer: 'layer' }) },
  };
}

/** The key of the trouble that an event of a type reports. */
function keyOf(type: string, data: JsonObject): string {
  const what = (name: string) => textIn(data, name) ?? '';
  switch (type) {
    case 'task.failed':
    case 'team.task.failed':
      return `task ${what('taskId')}`;
    case 'tool.errored':
      return `tool ${what('tool')}`;
    case 'gate.executed':
      return `gate ${what('gateName')}`;
    case 'preflight.blocked':
      return 'preflight';
    default:
      return 'step';
  }
}

/** The keys of the troubles that an event shows to be over. */
export function recoveryKeys(type: string, data: JsonObject): readonly string[] {
  switch (type) {
    case 'task.completed':
    case 'team.task.completed':
      return [keyOf('task.failed', data)];
    case 'tool.completed':
      return [keyOf('tool.errored', data)];
    case 'gate.executed':
      return data['passed'] === true ? [keyOf(type, data)] : [];
    case 'preflight.executed':
      return data['passed'] === true ? ['preflight'] : [];
    // The step that was refused, or another one, was made.
    case 'workflow.transition':
      return ['step', 'preflight'];
    default:
      return [];
  }
}
