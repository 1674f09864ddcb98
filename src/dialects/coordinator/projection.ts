import { formatPath } from '../../base/json/path.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { EvidenceMap } from '../../findings/projection/evidence.ts';
import type { Comparison, Projection, Projector } from '../../findings/projection/projector.ts';
import type { LogRecord } from '../../log/record.ts';
import { compareWithState } from './comparison/index.ts';
import type { Change } from './comparison/state-differences.ts';
import { ExpertFold } from './folds/experts.ts';
import { FactFold } from './folds/facts.ts';
import { GuidanceFold } from './folds/guidance.ts';
import { InfrastructureFold } from './folds/infrastructure.ts';
import { SessionFold } from './folds/sessions.ts';
import { TaskFold, type TaskRow } from './folds/tasks.ts';
import { type CoordinatorEvent, readEvent } from './read.ts';
import { RevisionReader } from './upcasters.ts';

/** Types that change what a state file says about the session. */
const SESSION_PARTS: ReadonlyMap<string, string> = new Map([
  ['session_start', 'session'],
  ['session_resumed', 'session'],
  ['compaction_start', 'compactions'],
  ['compaction_complete', 'compactions'],
]);

/** Rebuilds what `project` prints: tasks, sessions, experts, infrastructure, questions. */
export class CoordinatorProjector implements Projector {
  readonly #revisions = new RevisionReader();
  readonly #tasks = new TaskFold();
  readonly #sessions = new SessionFold();
  readonly #experts = new ExpertFold();
  readonly #infrastructure = new InfrastructureFold();
  readonly #guidance = new GuidanceFold();
  readonly #facts = new FactFold();
  readonly #evidence = new EvidenceMap();
  /** By evidence path: the last event that changed the part. */
  readonly #changes = new Map<string, Change>();

  add(record: LogRecord): void {
    this.addEvent(record.exact, record.line);
  }

  /** Adds the event on `line`. The order of lines counts, not that of times (coordinator.md §5). */
  addEvent(stored: JsonObject, line: number): void {
    const event = readEvent(this.#revisions.read(stored));
    if (event) this.#fold(event, line);
  }

  /** The tasks by id, in the order in which the log mentions them. */
  tasks(): [string, TaskRow][] {
    return this.#tasks.rows();
  }

  result(): Projection {
    return {
      value: {
        // `fromEntries` also accepts a task named `__proto__`.
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

  compare(stored: unknown): Comparison {
    const opened = this.#sessions.opened;
    return compareWithState(
      {
        tasks: new Map(this.tasks()),
        experts: new Map(this.#experts.rows()),
        created: this.#experts.created,
        delegations: this.#experts.delegations,
        analysts: this.#tasks.analysts,
        lingering: this.#tasks.lingering,
        infrastructure: this.#infrastructure.state(),
        lastRemedy: this.#infrastructure.lastRemedy,
        questions: this.#guidance.rows(),
        asked: this.#guidance.asked,
        usage: [...this.#facts.usage.values()],
        definitions: this.#facts.definitions,
        isAssessed: this.#facts.isAssessed,
        session: opened,
        resumes: this.#sessions.resumes,
        compactions: this.#sessions.compactions,
        startOf: (session) => this.#sessions.startOf(session),
        change: (part, id) => this.#changes.get(id === undefined ? part : formatPath([part, id])),
      },
      stored,
    );
  }

  #fold(event: CoordinatorEvent, line: number): void {
    const source = { line };
    const change = { line, at: event.timestamp };
    const note = (...path: (string | number)[]) => {
      const text = formatPath(path);
      this.#evidence.set(text, source);
      if (path[0] === 'sessions') return;
      this.#changes.set(text, change);
      this.#changes.set(String(path[0]), change);
    };
    const { index, begins } = this.#sessions.add(event);
    const part = SESSION_PARTS.get(event.type);
    if (part !== undefined) this.#changes.set(part, change);
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
    const fact = this.#facts.add(event);
    if (fact === undefined) return;
    this.#changes.set(fact[0], change);
    this.#changes.set(formatPath(fact.filter((step) => step !== undefined)), change);
  }
}
