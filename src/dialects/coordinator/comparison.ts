import type { JsonPath } from '../../base/json/path.ts';
import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../base/json/value.ts';
import { type Comparison, NOT_COMPARED } from '../../findings/projection/projector.ts';
import { DEFINITION, type Delegation, type ExpertRow } from './folds/experts.ts';
import type { Usage } from './folds/facts.ts';
import type { GuidanceRow } from './folds/guidance.ts';
import type { Infrastructure } from './folds/infrastructure.ts';
import type { OpenedSession } from './folds/sessions.ts';
import type { TaskRow, TaskStatus } from './folds/tasks.ts';
import { type Change, ONLY_IN_PLAN, StateDifferences } from './state-differences.ts';
import { AGENTS, COUNTERS, LISTS, type TaskList, WORDS } from './state-lists.ts';

/** What a log says about the parts of a state file. */
interface LogFacts {
  readonly tasks: ReadonlyMap<string, TaskRow>;
  readonly experts: ReadonlyMap<string, ExpertRow>;
  /** The experts that an event created. */
  readonly created: ReadonlySet<string>;
  /** The delegations without a result, by run. */
  readonly delegations: ReadonlyMap<string, Delegation>;
  /** The tasks of the business analysts, also of those that are done. */
  readonly analysts: ReadonlyMap<string, string>;
  readonly infrastructure: Infrastructure;
  readonly lastRemedy: string | undefined;
  readonly questions: readonly GuidanceRow[];
  /** The indexes of the questions that an agent asked. */
  readonly asked: ReadonlySet<number>;
  /** What events say about the use of the session. The last check and the last pause may both have been stored. */
  readonly usage: readonly Usage[];
  readonly definitions: ReadonlyMap<string, JsonValue>;
  readonly isAssessed: boolean;
  readonly session: OpenedSession;
  readonly resumes: number;
  readonly compactions: { readonly started: number; readonly complete: number };
  /**
   * The last change of a part: `tasks`, `experts`, `infrastructure`, `guidance`, `usage`, `session` and others. With an id:
   * of one task, expert or question.
   */
  change(part: string, id?: string | number): Change | undefined;
  /** The time at which a session began, as stored. For an unknown session, the time at which the log began. */
  startOf(session: JsonValue | undefined): string | undefined;
}

/** Why a member is not compared. */
const ABSENT = 'state.json does not have it';
const NOT_IN_LOG = 'the event that gives the rest does not have it';
const SEVERAL_QUESTIONS =
  'the task has several questions, and the documents store every answer with the first';

const idOf = (item: JsonValue | undefined): string | undefined => {
  const id = isObject(item) ? (item['task_id'] ?? item['id']) : item;
  return typeof id === 'string' || isNumber(id) ? String(id) : undefined;
};

/** An entry of a list or map. */
interface Entry {
  readonly key: string | number;
  readonly item: JsonValue;
}

/** A map of a state file: which entries it must have, and which it may have. */
interface StoredMap<T> {
  readonly must: ReadonlyMap<string, T>;
  readonly may?: ReadonlyMap<string, T>;
  /** The last event that changed an entry. `stored`: its value, if the state has it. */
  readonly change: (key: string, stored?: JsonValue) => Change | undefined;
  readonly compare: (path: JsonPath, given: T, stored: JsonValue, change: Change | undefined) => void;
}

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
    this.#definitions();
    this.#questions();
    this.#expansions();
    this.#usage();
    return this.#found.result();
  }

  /** Compares a member, if the log determines it and the state has it. */
  #member(name: string, given: JsonValue | undefined, part: string): void {
    if (given === undefined) return;
    const stored = this.#state[name];
    if (stored === undefined) this.#found.skip([name], ABSENT);
    else this.#found.value([name], given, stored, this.#facts.change(part));
  }

  /** Compares a member that may have several values. */
  #oneOf(name: string, given: readonly JsonValue[], part: string): void {
    const stored = this.#state[name];
    const same = given.find((value) => stored !== undefined && jsonEqual(value, stored));
    this.#member(name, same ?? given[0], part);
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
    this.#member('task_quality_assessed', this.#facts.isAssessed, 'assessment');
  }

  /** The tasks in a list or in a map by id; undefined for other values. */
  #entries(name: string): Entry[] | undefined {
    const stored = this.#state[name];
    if (Array.isArray(stored)) return stored.map((item, key) => ({ key, item }));
    return isObject(stored) ? Object.entries(stored).map(([key, item]) => ({ key, item })) : undefined;
  }

  /** The entries of a member that should be a list or a map. Says so if it is neither. */
  #required(name: string, expected: JsonValue, part: string): Entry[] | undefined {
    const entries = this.#entries(name);
    if (entries === undefined) {
      if (this.#state[name] === undefined) this.#found.skip([name], ABSENT);
      else this.#found.differ([name], expected, this.#state[name], this.#facts.change(part));
    } else if (entries.length === 0) this.#found.compared([name]);
    return entries;
  }

  #list({ name, must, may }: TaskList): void {
    const { tasks, change } = this.#facts;
    const expected = [...tasks].filter(([, row]) => must(row)).map(([id]) => id);
    const entries = this.#required(name, expected, 'tasks');
    if (entries === undefined) return;
    const isMap = !Array.isArray(this.#state[name]);
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
      this.#found.skip(path, NOT_COMPARED.exceptIds);
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
    this.#map(name, {
      must: atWork,
      change: (agent, stored) => change('tasks', atWork.get(agent) ?? idOf(stored)),
      compare: (path, id, stored, changed) => {
        if (!isObject(stored)) this.#found.value(path, id, stored, changed);
        else this.#found.value([...path, 'task_id'], id, stored['task_id'], changed);
      },
    });
  }

  #counters(name: (typeof COUNTERS)[number]): void {
    const { tasks, change } = this.#facts;
    this.#map(name, {
      must: new Map(
        [...tasks].flatMap(([id, row]) => (row[name] === undefined ? [] : [[id, row[name]] as const])),
      ),
      change: (id) => change('tasks', id),
      compare: (path, count, stored, changed) => this.#found.value(path, count, stored, changed),
    });
  }

  #experts(): void {
    const { experts, delegations, change } = this.#facts;
    const ofExpert = (id: string) => change('experts', id);
    this.#map('expert_stats', {
      must: new Map([...experts].filter(([, { completions, failures }]) => completions + failures > 0)),
      change: ofExpert,
      compare: (path, { completions, failures }, stored, changed) => {
        const row = isObject(stored) ? stored : {};
        if (!isObject(stored)) this.#found.differ(path, { completions, failures }, stored, changed);
        // A count of zero may be missing.
        for (const [key, count] of Object.entries({ completions, failures }))
          if (row[key] !== undefined || count > 0)
            this.#found.value([...path, key], count, row[key], changed);
          else this.#found.skip([...path, key], ABSENT);
      },
    });
    this.#map('active_experts', {
      must: new Map([...delegations].filter(([, { isActive }]) => isActive)),
      may: delegations,
      change: (run, stored) => {
        const expert = delegations.get(run)?.expert ?? (isObject(stored) ? stored['agent_id'] : undefined);
        return typeof expert === 'string' ? ofExpert(expert) : undefined;
      },
      compare: (path, { expert, task }, stored, changed) => {
        if (!isObject(stored)) return this.#found.skip(path, NOT_COMPARED.exceptIds);
        this.#stored([...path, 'agent_id'], expert, stored['agent_id'], changed);
        this.#stored([...path, 'task_id'], task, stored['task_id'], changed);
      },
    });
    this.#expertRows();
  }

  /** Compares a member if both have it. */
  #stored(
    path: JsonPath,
    given: JsonValue | undefined,
    stored: JsonValue | undefined,
    change: Change | undefined,
  ) {
    if (stored === undefined) this.#found.skip(path, ABSENT);
    else if (given === undefined) this.#found.skip(path, NOT_IN_LOG);
    else this.#found.value(path, given, stored, change);
  }

  /** Compares the list of experts with the events that created them. */
  #expertRows(): void {
    const { experts, created, change } = this.#facts;
    const name = 'experts';
    const entries = this.#required(name, [...created], name);
    if (entries === undefined) return;
    const isMap = !Array.isArray(this.#state[name]);
    const seen = new Set<string>();
    for (const { key, item } of entries) {
      const named = isObject(item) ? [item['agent_id'], item['name']] : [item];
      const id = [isMap ? key : undefined, ...named].find(
        (one): one is string => typeof one === 'string' && created.has(one) && !seen.has(one),
      );
      const row = id === undefined ? undefined : experts.get(id);
      if (id === undefined || row === undefined) {
        this.#found.differ([name, key], undefined, item, change(name));
        continue;
      }
      seen.add(id);
      const changed = change(name, id);
      if (!isObject(item)) this.#found.compared([name, key]);
      else {
        this.#stored([name, key, 'agent_id'], id, item['agent_id'], changed);
        for (const member of DEFINITION)
          this.#stored([name, key, member], row[member], item[member], changed);
      }
    }
    let next = entries.length;
    for (const id of created)
      if (!seen.has(id)) this.#found.differ([name, isMap ? id : next++], id, undefined, change(name, id));
  }

  #definitions(): void {
    const { definitions, change } = this.#facts;
    this.#map('agent_files_created', {
      must: definitions,
      change: (type) => change('definitions', type),
      compare: (path, hash, stored, changed) => {
        if (!isObject(stored)) this.#found.value(path, hash, stored, changed);
        else this.#found.value([...path, 'definition_hash'], hash, stored['definition_hash'], changed);
      },
    });
  }

  /** Compares the open questions. An answered one may still be listed, with its answer. */
  #questions(): void {
    const { questions, asked, change } = this.#facts;
    const name = 'pending_divine_questions';
    const open = questions.flatMap(({ question, response }, index) =>
      response === null && asked.has(index) ? [{ question, index }] : [],
    );
    const entries = this.#required(
      name,
      open.map(({ question }) => question),
      'guidance',
    );
    if (entries === undefined) return;
    const seen = new Set<number>();
    for (const { key, item } of entries) {
      const row: JsonObject = isObject(item) ? item : { question: item };
      const { task_id: task, question, agent_id: agent, options, response } = row;
      const candidates = questions
        .map((given, index) => ({ given, index }))
        .filter(({ given, index }) => !seen.has(index) && (task === undefined || given.task === idOf(task)));
      const same = candidates.filter(
        ({ given }) => question !== undefined && jsonEqual(given.question, question),
      );
      const match =
        same.find(({ given }) => response !== undefined && jsonEqual(given.response, response)) ??
        same[0] ??
        candidates[0];
      if (match === undefined) {
        this.#found.differ([name, key], undefined, item, change('guidance'));
        continue;
      }
      const { given, index } = match;
      seen.add(index);
      const changed = change('guidance', index);
      if (!isObject(item)) {
        this.#found.value([name, key], given.question, item, changed);
        continue;
      }
      this.#stored([name, key, 'task_id'], given.task, task, changed);
      this.#stored([name, key, 'question'], given.question, question, changed);
      this.#stored([name, key, 'agent_id'], given.agent, agent, changed);
      this.#stored([name, key, 'options'], given.options, options, changed);
      const isOnly = questions.filter((other) => other.task === given.task).length === 1;
      if (isOnly || response === undefined)
        this.#stored([name, key, 'response'], given.response, response, changed);
      else this.#found.skip([name, key, 'response'], SEVERAL_QUESTIONS);
    }
    let next = entries.length;
    for (const { question, index } of open)
      if (!seen.has(index))
        this.#found.differ([name, next++], question, undefined, change('guidance', index));
  }

  /** Compares the expansions of tasks by business analysts, who may stay listed when they are done. */
  #expansions(): void {
    const { tasks, analysts, change } = this.#facts;
    const pending = new Map<string, JsonValue | undefined>();
    const atWork = new Map<string, string>();
    const done = new Map<string, JsonObject>();
    for (const [id, { expansion }] of tasks) {
      if (expansion === undefined) continue;
      const { status, agent } = expansion;
      if (status === 'done') done.set(id, expansion);
      else pending.set(id, agent);
      if (typeof agent === 'string' && status === 'pending') atWork.set(agent, id);
    }
    const ofTask = (id: string) => change('tasks', id);
    this.#map('pending_expansions', {
      must: new Map([...pending].filter(([id]) => tasks.get(id)?.expansion?.['status'] === 'pending')),
      may: pending,
      change: ofTask,
      compare: (path, agent, stored, changed) => this.#stored(path, agent, stored, changed),
    });
    this.#map('active_business_analysts', {
      must: atWork,
      may: analysts,
      change: (agent, stored) => change('tasks', idOf(analysts.get(agent) ?? stored)),
      compare: (path, task, stored, changed) => this.#found.value(path, task, idOf(stored), changed),
    });
    this.#map('expanded_tasks', {
      must: done,
      change: ofTask,
      compare: (path, { confidence, summary }, stored, changed) => {
        if (!isObject(stored)) return this.#found.skip(path, NOT_COMPARED.exceptIds);
        this.#stored([...path, 'confidence'], confidence, stored['confidence'], changed);
        this.#stored([...path, 'expansion_summary'], summary, stored['expansion_summary'], changed);
      },
    });
  }

  #usage(): void {
    const { usage } = this.#facts;
    const values = (name: keyof Usage): JsonValue[] =>
      usage.flatMap((one) => (one[name] === undefined ? [] : [one[name]]));
    this.#oneOf('session_utilisation', values('utilisation'), 'usage');
    this.#oneOf('session_remaining', values('remaining'), 'usage');
    this.#oneOf('session_resets_at', values('resetsAt'), 'usage');
  }

  /** Compares a map by its keys, and the values of those that it shares with the log. */
  #map<T>(name: string, { must, may = must, change, compare }: StoredMap<T>): void {
    const stored = this.#state[name];
    if (stored === undefined) {
      this.#found.skip([name], ABSENT);
      return;
    }
    if (!isObject(stored)) {
      const [key = ''] = must.keys();
      this.#found.differ([name], [...must.keys()], stored, change(key));
      return;
    }
    if (Object.keys(stored).length === 0) this.#found.compared([name]);
    for (const [key, item] of Object.entries(stored)) {
      const changed = change(key, item);
      if (may.has(key)) compare([name, key], may.get(key) as T, item, changed);
      else this.#found.differ([name, key], undefined, item, changed);
    }
    for (const key of must.keys())
      if (!Object.hasOwn(stored, key)) this.#found.differ([name, key], key, undefined, change(key));
  }

  #infrastructure(): void {
    const { infrastructure, lastRemedy = null } = this.#facts;
    const { blocked, issue, remediation } = infrastructure;
    this.#member('infrastructure_blocked', blocked, 'infrastructure');
    this.#member('infrastructure_issue', issue, 'infrastructure');
    this.#member('remediation_attempt_count', remediation?.attempt ?? 0, 'infrastructure');
    // The documents disagree about what ends a remediation, so its agent may stay listed.
    const isRunning = remediation?.agent !== undefined;
    this.#oneOf('active_remediation', isRunning ? [lastRemedy] : [null, lastRemedy], 'infrastructure');
  }
}

/**
 * Compares a state file with the log. The file is saved before its event is logged, and not after each event
 * (coordinator.md §8), so later changes are not compared.
 */
export function compareWithState(facts: LogFacts, stored: unknown): Comparison {
  return new StateComparison(facts, isObject(stored) ? stored : {}).result();
}
