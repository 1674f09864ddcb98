import { isNumber, isSameNumber } from '../../../base/json/stored-number.ts';
import { named, writeJson } from '../../../base/json/write.ts';
import { ReportingCheck } from '../../../findings/check.ts';
import { idsIn } from '../read.ts';
import type { ReadCheck, ReadLoggedEvent } from './log-check.ts';

/** At most this many open tasks are named. */
const MAX_NAMED = 5;

/** Compares `workflow_complete` with the events before it: all tasks must be complete, and the numbers must be right. */
export class TotalsCheck extends ReportingCheck implements ReadCheck {
  readonly #begun = new Set<number>();
  readonly #complete = new Set<number>();
  #resumes = 0;
  #compactions = 0;
  row(read: ReadLoggedEvent): void {
    const { event, task, texts } = read;
    switch (event.type) {
      case 'session_resumed':
        this.#resumes += 1;
        break;
      case 'compaction_complete':
        this.#compactions += 1;
        break;
      case 'state_checkpoint':
        for (const id of idsIn(event.detail('completed_tasks'))) this.#complete.add(texts.intern(id));
        break;
      case 'task_complete':
        if (task >= 0) this.#complete.add(task);
        this.#begun.delete(task);
        break;
      case 'workflow_complete':
        this.#compare(read);
        break;
      default:
        if (task >= 0 && STARTS.has(event.type)) this.#start(task);
    }
  }

  #start(task: number): void {
    this.#begun.add(task);
    this.#complete.delete(task);
  }

  #compare(read: ReadLoggedEvent): void {
    const { logged, event, texts } = read;
    if (this.#begun.size > 0) {
      const names = [...this.#begun].slice(0, MAX_NAMED).map((task) => named(texts.textOf(task)));
      const more = this.#begun.size - names.length;
      const which = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
      const message = `the workflow is complete, but these tasks were begun and not completed: ${which}`;
      this.report.at(logged, { code: 'projection/totals', message, path: [event.typeKey] });
    }
    this.#count(read, 'total_tasks', this.#complete.size, 'complete tasks');
    this.#count(read, 'compactions', this.#compactions, 'complete compactions');
    this.#count(read, 'session_resumes', this.#resumes, 'resumed sessions');
  }

  #count({ logged, event }: ReadLoggedEvent, name: string, counted: number, what: string): void {
    const said = event.detail(name);
    if (!isNumber(said) || isSameNumber(said, counted)) return;
    this.report.at(logged, {
      code: 'projection/totals',
      message: `${name} is ${writeJson(said)}, but the log has ${counted} ${what}`,
      path: ['details', name],
      expected: String(counted),
      actual: String(said),
    });
  }
}

/** Types after which a task must be worked on, or audited, again. */
const STARTS: ReadonlySet<string> = new Set([
  'developer_dispatched',
  'developer_redispatched',
  'developer_rework_dispatched',
  'task_restarted_on_resume',
  'task_reverification_required',
]);
