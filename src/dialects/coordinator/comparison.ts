import type { JsonPath } from '../../base/json/path.ts';
import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../base/json/value.ts';
import type { Comparison } from '../../findings/projection/projector.ts';
import type { ExpertRow } from './folds/experts.ts';
import type { Infrastructure } from './folds/infrastructure.ts';
import type { OpenedSession } from './folds/sessions.ts';
import type { TaskRow, TaskStatus } from './folds/tasks.ts';
import { type Change, ONLY_IN_PLAN, StateDifferences } from './state-differences.ts';
import { AGENTS, COUNTERS, LISTS, type TaskList, WORDS } from './state-lists.ts';

/** What a log says about the parts of a state file. */
interface LogFacts {
  readonly tasks: ReadonlyMap<string, TaskRow>;
  readonly experts: ReadonlyMap<string, ExpertRow>;
  readonly infrastructure: Infrastructure;
  readonly session: OpenedSession;
  readonly resumes: number;
  readonly compactions: { readonly started: number; readonly complete: number };
  /**
   * The last change of a part: `tasks`, `experts`, `infrastructure`, `session` or `compactions`. With an id: of one task
   * or expert.
   */
  change(part: string, id?: string): Change | undefined;
  /** The time at which a session began, as stored. For an unknown session, the time at which the log began. */
  startOf(session: JsonValue | undefined): string | undefined;
}

/** Why a member is not compared. */
const ABSENT = 'state.json does not have it';
const ONLY_IDS = 'only the ids are compared';

const idOf = (item: JsonValue): string | undefined => {
  const id = isObject(item) ? (item['task_id'] ?? item['id']) : item;
  return typeof id === 'string' || isNumber(id) ? String(id) : undefined;
};

/** The compared parts of a state file. */
class StateComparison {
  readonly #facts: LogFacts;
  readonly #state: JsonObject;
  readonly #found: StateDifferences;

  constructor(facts: LogFacts, state: JsonObject) {
    this.#facts = facts;
    this.#state = state;
    this.#found = new StateDifferences(state, facts.startOf(state['session_id']));
  }

  result(): Comparison {
    this.#session();
    for (const list of LISTS) this.#list(list);
    this.#available();
    for (const [name, status] of AGENTS) this.#agents(name, status);
    for (const name of COUNTERS) this.#counters(name);
    this.#infrastructure();
    this.#experts();
    return this.#found.result();
  }

  /** Compares a member, if the log determines it and the state has it. */
  #member(name: string, given: JsonValue | undefined, part: string): void {
    if (given === undefined) return;
    const stored = this.#state[name];
    if (stored === undefined) this.#found.skip([name], ABSENT);
    else this.#found.value([name], given, stored, this.#facts.change(part));
  }

  #session(): void {
    const { session, resumes, compactions } = this.#facts;
    const { previous_session_id: previous, compaction_count: count } = this.#state;
    // After a loss, the rebuilt log has a session that no event names (coordinator.md §4).
    if (previous === 'recovered') {
      for (const name of ['session_id', 'previous_session_id', 'session_resume_count'])
        if (name in this.#state) this.#found.skip([name], 'the state was rebuilt after a loss');
    } else {
      this.#member('session_id', session.id ?? undefined, 'session');
      this.#member('previous_session_id', session.previous, 'session');
      this.#member('session_resume_count', resumes, 'session');
    }
    this.#member('plan_file', session.planFile, 'session');
    this.#member('total_tasks', session.totalTasks, 'session');
    // The file is saved between the start and the end of a compaction.
    const { started, complete } = compactions;
    this.#member('compaction_count', jsonEqual(count, started) ? started : complete, 'compactions');
  }

  /** The tasks in a list or in a map by id; undefined for other values. */
  #entries(name: string): { readonly key: string | number; readonly item: JsonValue }[] | undefined {
    const stored = this.#state[name];
    if (Array.isArray(stored)) return stored.map((item, key) => ({ key, item }));
    return isObject(stored) ? Object.entries(stored).map(([key, item]) => ({ key, item })) : undefined;
  }

  #list({ name, must, may }: TaskList): void {
    const { tasks, change } = this.#facts;
    const entries = this.#entries(name);
    const expected = [...tasks].filter(([, row]) => must(row)).map(([id]) => id);
    if (entries === undefined) {
      if (this.#state[name] === undefined) this.#found.skip([name], ABSENT);
      else this.#found.differ([name], expected, this.#state[name], change('tasks'));
      return;
    }
    const isMap = !Array.isArray(this.#state[name]);
    if (entries.length === 0) this.#found.compared([name]);
    const seen = new Set<string>();
    for (const { key, item } of entries) {
      const id = isMap ? String(key) : idOf(item);
      const row = id === undefined || seen.has(id) ? undefined : tasks.get(id);
      if (id === undefined || row === undefined || !may(row))
        this.#found.differ(
          [name, key],
          row?.status,
          item,
          id === undefined ? undefined : change('tasks', id),
        );
      else {
        if (isObject(item)) this.#ids([name, key], item, id, change('tasks', id));
        this.#row([name, key], item, row, change('tasks', id));
      }
      if (id !== undefined) seen.add(id);
    }
    let next = entries.length;
    for (const id of expected)
      if (!seen.has(id)) this.#found.differ([name, isMap ? id : next++], id, undefined, change('tasks', id));
  }

  /** Compares all ids of a row, because readers may use either. */
  #ids(path: JsonPath, item: JsonValue, id: string, change: Change | undefined): void {
    for (const name of ['task_id', 'id']) {
      const stored = isObject(item) ? item[name] : undefined;
      if (stored === undefined || idOf(stored) === id) this.#found.compared([...path, name]);
      else this.#found.differ([...path, name], id, stored, change);
    }
  }

  /** Compares a task in a list where it belongs. It is an id, or a row with more members. */
  #row(path: JsonPath, item: JsonValue, row: TaskRow, change: Change | undefined): void {
    if (!isObject(item) && typeof path.at(-1) === 'number') {
      this.#found.compared(path);
      return;
    }
    if (!isObject(item) || path[0] !== 'in_progress_tasks') {
      this.#found.skip(path, ONLY_IDS);
      return;
    }
    const { status, agent_id: agent } = item;
    const words = WORDS[row.status];
    if (status !== undefined) {
      const given = words.find((word) => word === status) ?? words[0] ?? row.status;
      this.#found.value([...path, 'status'], given, status, change);
    } else this.#found.skip([...path, 'status'], ABSENT);
    if (row.agent !== undefined && row.status === 'in_progress')
      this.#found.value([...path, 'agent_id'], row.agent, agent, change);
  }

  /** Compares the available tasks. The log only knows those that somebody has worked on. */
  #available(): void {
    const name = 'available_tasks';
    if (this.#state[name] === undefined) return;
    for (const { key, item } of this.#entries(name) ?? []) {
      const id = Array.isArray(this.#state[name]) ? idOf(item) : String(key);
      const row = id === undefined ? undefined : this.#facts.tasks.get(id);
      // A task that was blocked before anybody began it may still be listed.
      if (row === undefined || row.status === 'available' || row.status === 'blocked') continue;
      this.#found.differ([name, key], row.status, item, this.#facts.change('tasks', id));
    }
    this.#found.skip([name], ONLY_IN_PLAN);
  }

  #agents(name: string, status: TaskStatus): void {
    const { tasks, change } = this.#facts;
    const atWork = new Map(
      [...tasks].flatMap(([id, row]) =>
        row.status === status && row.agent !== undefined ? [[row.agent, id] as const] : [],
      ),
    );
    this.#map(name, atWork, (path, id, stored) => {
      if (!isObject(stored)) this.#found.value(path, id, stored, change('tasks', id));
      else this.#found.value([...path, 'task_id'], id, stored['task_id'], change('tasks', id));
    });
  }

  #counters(name: (typeof COUNTERS)[number]): void {
    const { tasks, change } = this.#facts;
    const counts = new Map(
      [...tasks].flatMap(([id, row]) => (row[name] === undefined ? [] : [[id, row[name]] as const])),
    );
    this.#map(name, counts, (path, count, stored) =>
      this.#found.value(path, count, stored, change('tasks', String(path.at(-1)))),
    );
  }

  #experts(): void {
    const { experts, change } = this.#facts;
    const done = new Map([...experts].filter(([, { completions, failures }]) => completions + failures > 0));
    this.#map('expert_stats', done, (path, { completions, failures }, stored) => {
      const row = isObject(stored) ? stored : {};
      if (!isObject(stored)) this.#found.differ(path, { completions, failures }, stored, change('experts'));
      // A count of zero may be missing.
      for (const [key, count] of Object.entries({ completions, failures }))
        if (row[key] !== undefined || count > 0)
          this.#found.value([...path, key], count, row[key], change('experts', String(path.at(-1))));
        else this.#found.skip([...path, key], ABSENT);
    });
  }

  /** Compares a map, which must have exactly these keys. */
  #map<T>(
    name: string,
    expected: ReadonlyMap<string, T>,
    compare: (path: JsonPath, given: T, stored: JsonValue) => void,
  ): void {
    const stored = this.#state[name];
    if (stored === undefined) {
      this.#found.skip([name], ABSENT);
      return;
    }
    if (!isObject(stored)) {
      this.#found.differ([name], [...expected.keys()], stored, this.#facts.change('tasks'));
      return;
    }
    if (Object.keys(stored).length === 0) this.#found.compared([name]);
    for (const [key, item] of Object.entries(stored)) {
      const given = expected.get(key);
      if (given === undefined) this.#found.differ([name, key], undefined, item, this.#facts.change('tasks'));
      else compare([name, key], given, item);
    }
    for (const key of expected.keys())
      if (!Object.hasOwn(stored, key))
        this.#found.differ([name, key], key, undefined, this.#facts.change('tasks', key));
  }

  #infrastructure(): void {
    const { blocked, issue, remediation } = this.#facts.infrastructure;
    this.#member('infrastructure_blocked', blocked, 'infrastructure');
    this.#member('infrastructure_issue', issue, 'infrastructure');
    this.#member('remediation_attempt_count', remediation?.attempt ?? 0, 'infrastructure');
  }
}

/**
 * Compares a state file with the log: tasks by list, agents, counts, sessions. The file is saved before its event is
 * logged, and not after each event (coordinator.md §8), so later changes are not compared.
 */
export function compareWithState(facts: LogFacts, stored: unknown): Comparison {
  return new StateComparison(facts, isObject(stored) ? stored : {}).result();
}
