import type { JsonObject } from '../../base/json/value.ts';
import type { Projector } from '../../findings/projection/projector.ts';
import type { LogRecord } from '../../log/record.ts';
import {
  type Account,
  type AccountBuilder,
  type AccountStep,
  type EndingReason,
  type EventSpan,
  endingOf,
  type SpanOperation,
  type SpanStatus,
  SubjectTimes,
} from '../kit/account.ts';
import { objectIn, objectsIn, textIn } from '../kit/excerpt.ts';
import { tableSection, viewCell } from '../kit/state-view.ts';
import { describePruned } from './describe.ts';
import { toneOf } from './phase.ts';
import { fillIn } from './sentence.ts';
import { isFinal } from './workflow-types.ts';

/** Types that end work with a failure, each with a sentence that says why. */
const FAILURES: ReadonlyMap<string, string> = new Map([
  ['task.failed', '{error}'],
  ['team.task.failed', '{failureReason}'],
  ['tool.errored', '{errorMessage}'],
  ['workflow.cas-failed', '[{retries} retries ][in phase {phase}]'],
]);

/** Types that refuse a step of the workflow, each with a sentence that names the rule. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['workflow.guard-failed', '{guard}'],
  ['workflow.circuit-open', '{compoundId}'],
  ['preflight.blocked', '{reason}'],
]);

/** Types that always report something bad. */
const BAD: ReadonlySet<string> = new Set(['quality.regression', 'merge.rollback', 'provider.parse-error']);

/** For other types: members of the data that show the result, with the values that mean a failure. */
const BAD_VALUES: ReadonlyMap<string, ReadonlySet<unknown>> = new Map<string, ReadonlySet<unknown>>([
  ['passed', new Set([false])],
  ['testsPassed', new Set([false])],
  ['merged', new Set([false])],
  ['status', new Set(['failed', 'failing'])],
  ['verdict', new Set(['fail'])],
]);

const hasBadValue = (data: JsonObject): boolean =>
  Object.keys(data).some((name) => BAD_VALUES.get(name)?.has(data[name]) === true);

function statusOf(type: string, data: JsonObject): SpanStatus {
  if (FAILURES.has(type) || BAD.has(type)) return 'error';
  if (REFUSALS.has(type) || data['verdict'] === 'blocked') return 'veto';
  const parts = [data, objectIn(data, 'evidence'), ...objectsIn(data, 'results')];
  return parts.some(hasBadValue) ? 'error' : 'ok';
}

const wordsFor = (sentence: string, data: JsonObject): string | undefined =>
  fillIn(sentence, data) || undefined;

function operationOf(type: string, data: JsonObject): SpanOperation | undefined {
  const tool = textIn(data, 'tool');
  // Only the event at the end of a call is its span. `tool.invoked` is a moment.
  if (type.startsWith('tool.') && type !== 'tool.invoked' && tool !== undefined)
    return { kind: 'tool', tool };
  const name = textIn(data, 'gateName');
  const { passed } = data;
  if (name === undefined || typeof passed !== 'boolean') return undefined;
  return { kind: 'evaluation', name, label: passed ? 'passed' : 'failed' };
}

/** The time of a workflow event, and the duration of its work if known (exarchos.md §7). */
export function spanOf(event: JsonObject): EventSpan {
  const data = objectIn(event, 'data');
  const type = textIn(event, 'type') ?? '';
  const duration = data['durationMs'] ?? data['duration'] ?? data['totalDurationMs'];
  const time = textIn(event, 'timestamp');
  const detail = textIn(data, 'tool') ?? textIn(data, 'gateName');
  const reason = FAILURES.get(type) ?? REFUSALS.get(type) ?? '{gateName|message|reason}';
  return {
    name: detail === undefined ? type : `${type} ${detail}`,
    // An event with a duration was written when the work was over.
    ...(typeof duration === 'number' ? { end: time, durationMs: duration } : { start: time }),
    status: statusOf(type, data),
    subject: textIn(data, 'taskId'),
    reason: wordsFor(reason, data),
    operation: operationOf(type, data),
  };
}

/** The slot for a cancel without a reason. Any other reason for the end replaces it. */
const UNEXPLAINED = 'unexplained end';

/** The reason for the end in an event, if it has one. Of each slot, only the last reason is kept. */
function reasonOf(
  type: string,
  data: JsonObject,
  line: number,
): [slot: string, reason: EndingReason] | undefined {
  const words = (sentence: string) => wordsFor(sentence, data) ?? 'no reason given';
  const factsOf = (labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).map(([label, member]) => [label, data[member]] as const);
  const failure = FAILURES.get(type);
  if (failure !== undefined) {
    const facts = factsOf({ task: 'taskId', tool: 'tool' });
    return ['failure', { kind: type, text: words(failure), tone: 'bad', line, facts }];
  }
  const refusal = REFUSALS.get(type);
  if (refusal !== undefined) {
    const facts = factsOf({ from: 'from', to: 'to' });
    return ['refusal', { kind: type, text: words(refusal), tone: 'doubtful', line, facts }];
  }
  switch (type) {
    case 'gate.executed': {
      const text = textIn(data, 'gateName') ?? 'a gate';
      const facts = factsOf({ layer: 'layer' });
      return data['passed'] === false
        ? ['gate', { kind: 'gate failed', text, tone: 'bad', line, facts }]
        : undefined;
    }
    case 'workflow.cancel': {
      const text = textIn(data, 'reason') ?? words('trigger {trigger}');
      // A cancel is written as two events. Only the second has the reason.
      const slot = textIn(data, 'reason') === undefined ? UNEXPLAINED : 'end';
      return [slot, { kind: 'cancelled', text, tone: 'doubtful', line }];
    }
    case 'workflow.pruned': {
      const facts = factsOf({ skipped: 'skippedSafeguards' });
      return ['end', { kind: 'pruned', text: describePruned(data), tone: 'doubtful', line, facts }];
    }
    case 'workflow.cleanup': {
      const merged = `merged ${textIn(data, 'prUrl') ?? ''}`.trim();
      const text = data['mergeVerified'] === true ? merged : 'completed';
      return ['end', { kind: 'cleanup', text, tone: 'good', line }];
    }
    default:
      return undefined;
  }
}

/** Makes the account of a workflow: its phase, its tasks, its gates, and what stopped it. */
export class ExarchosAccount implements AccountBuilder {
  readonly #projector: Projector;
  readonly #reasons = new Map<string, EndingReason>();
  readonly #times = new SubjectTimes();
  readonly #gates = new Map<string, { passed: number; failed: number; line: number }>();

  constructor(projector: Projector) {
    this.#projector = projector;
  }

  add(record: LogRecord): void {
    this.#projector.add(record);
    const { value: event, line } = record;
    const data = objectIn(event, 'data');
    const type = textIn(event, 'type') ?? '';
    const found = reasonOf(type, data, line);
    if (found !== undefined) this.#reasons.set(...found);
    if (this.#reasons.has('end')) this.#reasons.delete(UNEXPLAINED);
    const { subject, durationMs } = spanOf(event);
    if (subject !== undefined) this.#times.add(subject, line, durationMs);
    if (type === 'gate.executed') this.#gate(data, line);
  }

  result(): Account {
    const { value } = this.#projector.result();
    const status = textIn(value, 'phase') ?? 'unknown';
    const how = { tone: toneOf(status), isOver: isFinal(status) };
    return {
      task: textIn(value, 'featureId'),
      status,
      ...how,
      ...endingOf(how, [...this.#reasons.values()]),
      steps: objectsIn(value, 'tasks').map((task) => this.#step(task)),
      sections: tableSection(
        'Gates',
        ['LINE', 'PASSED', 'FAILED', 'GATE'],
        [...this.#gates].map(([name, { passed, failed, line }]) => [
          viewCell(String(line), 'muted'),
          viewCell(String(passed)),
          viewCell(String(failed), failed > 0 ? 'bad' : undefined),
          viewCell(name),
        ]),
      ),
    };
  }

  #gate(data: JsonObject, line: number): void {
    const name = textIn(data, 'gateName') ?? 'unnamed';
    const { passed = 0, failed = 0 } = this.#gates.get(name) ?? {};
    const ok = data['passed'] === true;
    this.#gates.set(name, { passed: passed + Number(ok), failed: failed + Number(!ok), line });
  }

  #step(task: JsonObject): AccountStep {
    const id = textIn(task, 'id') ?? '';
    const status = textIn(task, 'status') ?? 'unknown';
    return { id, status, tone: toneOf(status), text: textIn(task, 'title') ?? '', ...this.#times.of(id) };
  }
}
