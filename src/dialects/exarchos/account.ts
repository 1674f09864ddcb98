import type { JsonObject } from '../../base/json/value.ts';
import type { Projector } from '../../findings/projection/projector.ts';
import type { LogRecord } from '../../log/record.ts';
import { PlainTextIndex } from '../../log/text-index.ts';
import {
  type Account,
  type AccountBuilder,
  type AccountStep,
  type EventSpan,
  type SpanOperation,
  type SpanStatus,
  SubjectTimes,
} from '../kit/account.ts';
import { objectIn, objectsIn, textIn } from '../kit/members.ts';
import { tableSection, viewCell } from '../kit/state-view.ts';
import { Troubles } from '../kit/troubles.ts';
import { describeEvent } from './describe.ts';
import { toneOf } from './phase.ts';
import { FAILURES, REFUSALS } from './reasons.ts';
import { type TaskSoFar, WorkflowRun, workflowEvent } from './run.ts';
import { fillIn } from './sentence.ts';
import { isFinal } from './workflow-types.ts';

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
  const status = statusOf(type, data);
  const reason = FAILURES.get(type) ?? REFUSALS.get(type) ?? '{gateName|message|reason}';
  return {
    name: detail === undefined ? type : `${type} ${detail}`,
    // An event with a duration was written when the work was over.
    ...(typeof duration === 'number' ? { end: time, durationMs: duration } : { start: time }),
    status,
    subject: textIn(data, 'taskId'),
    reason: wordsFor(reason, data) ?? (status === 'ok' ? undefined : describeEvent(event) || undefined),
    operation: operationOf(type, data),
  };
}

/** The words of a state file for a task that only the log has. */
const WORDS: Readonly<Record<TaskSoFar['status'], string>> = {
  pending: 'pending',
  claimed: 'claimed',
  'in-progress': 'in-progress',
  complete: 'complete',
  failed: 'failed',
};

/** Makes the account of a workflow: its phase, its tasks, its gates, and what stopped it. */
export class ExarchosAccount implements AccountBuilder {
  readonly #projector: Projector;
  #run: WorkflowRun | undefined;
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
    this.#run ??= new WorkflowRun(new PlainTextIndex(), event);
    const read = workflowEvent(event, this.#run);
    this.#run.take(read, line);
    this.#run.takeReasons(read, line);
    const { subject, durationMs } = spanOf(event);
    if (subject !== undefined) this.#times.add(subject, line, durationMs);
    if (type === 'gate.executed') this.#gate(data, line);
  }

  result(): Account {
    const { value } = this.#projector.result();
    const status = textIn(value, 'phase') ?? 'unknown';
    return {
      task: textIn(value, 'featureId'),
      status,
      tone: toneOf(status),
      isOver: isFinal(status),
      ...(this.#run?.troubles ?? new Troubles()).account(this.#run?.end),
      steps: this.#steps(objectsIn(value, 'tasks')),
      ...(this.#gates.size > 0 && {
        facts: { gates: [...this.#gates].map(([gate, counts]) => ({ gate, ...counts })) },
      }),
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

  /** The tasks of the state, then those that no event assigned. */
  #steps(stored: readonly JsonObject[]): AccountStep[] {
    const run = this.#run;
    const tasks = new Map([...(run?.tasks ?? [])].map(([id, task]) => [run?.texts.textOf(id) ?? '', task]));
    const steps = stored.map((row): AccountStep => {
      const id = textIn(row, 'id') ?? '';
      const task = tasks.get(id);
      tasks.delete(id);
      const status = textIn(row, 'status') ?? 'unknown';
      // A claim, progress and the words of a teammate do not change the state.
      const isFurther = task !== undefined && (task.ended === undefined || task.endType?.startsWith('team.'));
      const further = status === 'pending' && isFurther ? WORDS[task.status] : status;
      return this.#step(id, further, textIn(row, 'title') ?? '', task);
    });
    const others = [...tasks].map(([id, task]) =>
      this.#step(id, WORDS[task.status], task.isKnown ? '' : 'never assigned', task),
    );
    return [...steps, ...others];
  }

  #step(id: string, status: string, title: string, task: TaskSoFar | undefined): AccountStep {
    const name = task?.holder ?? task?.teammate;
    const holder = name === undefined ? [] : [`held by ${name}`];
    const text = [title, ...holder].filter((part) => part !== '').join(', ');
    return { id, status, tone: toneOf(status), text, ...this.#times.of(id) };
  }
}
