import { formatPath } from '../../json/path.ts';
import type { JsonObject } from '../../json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import { EvidenceMap } from '../../projection/evidence.ts';
import { leftOut } from '../../projection/left-out.ts';
import type { Comparison, Projection, Projector } from '../../projection/projector.ts';
import { ExpertFold } from './folds/experts.ts';
import { GuidanceFold } from './folds/guidance.ts';
import { InfrastructureFold } from './folds/infrastructure.ts';
import { SessionFold } from './folds/sessions.ts';
import { TaskFold, type TaskRow } from './folds/tasks.ts';
import { type CoordinatorEvent, readEvent } from './read.ts';
import { RevisionReader } from './upcasters.ts';

/** What `project` says of a coordinator's log: what is true of tasks, sessions, experts, infrastructure, guidance. */
export class CoordinatorProjector implements Projector {
  readonly #revisions = new RevisionReader();
  readonly #tasks = new TaskFold();
  readonly #sessions = new SessionFold();
  readonly #experts = new ExpertFold();
  readonly #infrastructure = new InfrastructureFold();
  readonly #guidance = new GuidanceFold();
  readonly #evidence = new EvidenceMap();

  add(record: LogRecord): void {
    this.addEvent(record.exact, record.line);
  }

  /** Takes in the next event of the log, which stands on `line`. The order of the file is the order of events (§5). */
  addEvent(stored: JsonObject, line: number): void {
    const event = readEvent(this.#revisions.read(stored));
    if (event) this.#fold(event, line);
  }

  /** The tasks by their ids, in the order in which they came up. */
  tasks(): [string, TaskRow][] {
    return this.#tasks.rows();
  }

  result(): Projection {
    return {
      value: {
        // `fromEntries` makes own members, even of a task named __proto__.
        tasks: Object.fromEntries(this.tasks()),
        sessions: this.#sessions.rows(),
        experts: Object.fromEntries(this.#experts.rows()),
        infrastructure: this.#infrastructure.state(),
        guidance: this.#guidance.rows(),
      },
      evidence: this.#evidence,
      underivable: [],
    };
  }

  /**
   * The state file holds what a plan, a clock and a running session know: it is ahead of the log by rule
   * (coordinator.md §4, §8). Nothing in it can be held against the log, and that is all this says.
   */
  compare(stored: unknown): Comparison {
    return {
      compared: [],
      differences: [],
      not_compared: leftOut(stored, [], () => ({ reason: 'the state file is ahead of the log' })),
      underivable: ['tasks', 'sessions', 'experts', 'infrastructure', 'guidance'],
    };
  }

  #fold(event: CoordinatorEvent, line: number): void {
    const source = { line };
    const note = (...path: (string | number)[]) => this.#evidence.set(formatPath(path), source);
    const { index, begins } = this.#sessions.add(event);
    note('sessions', index);
    if (begins && index > 0) {
      for (const id of this.#tasks.newSession(event.timestamp)) note('tasks', id);
      this.#experts.newSession();
    }
    for (const id of this.#tasks.add(event)) note('tasks', id);
    const expert = this.#experts.add(event);
    if (expert !== undefined) note('experts', expert);
    if (this.#infrastructure.add(event)) note('infrastructure');
    const question = this.#guidance.add(event);
    if (question !== undefined) note('guidance', question);
  }
}
