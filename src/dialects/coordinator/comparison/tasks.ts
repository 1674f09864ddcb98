import type { JsonPath } from '../../../base/json/path.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { NOT_COMPARED } from '../../../findings/projection/projector.ts';
import type { TaskRow, TaskStatus } from '../folds/tasks.ts';
import type { LogFacts } from './log-facts.ts';
import { type Change, ONLY_IN_PLAN } from './state-differences.ts';
import { AGENTS, COUNTERS, LISTS, type TaskList, WORDS } from './state-lists.ts';
import { ABSENT, idOf, type StateParts } from './state-parts.ts';

/** Compares the lists of tasks, the agents at work on them, and the counts of each task. */
export function compareTasks(parts: StateParts, facts: LogFacts): void {
  for (const list of LISTS) compareList(parts, facts, list);
  compareAvailable(parts, facts);
  for (const [name, status] of AGENTS) compareAgents(parts, facts, name, status);
  for (const name of COUNTERS) compareCounters(parts, facts, name);
}

function compareList(parts: StateParts, facts: LogFacts, { name, must, may }: TaskList): void {
  const { tasks, change } = facts;
  const expected = [...tasks].filter(([, row]) => must(row)).map(([id]) => id);
  const entries = parts.required(name, expected, 'tasks');
  if (entries === undefined) return;
  const isMap = !Array.isArray(parts.state[name]);
  const seen = new Set<string>();
  for (const { key, item } of entries) {
    const id = isMap ? String(key) : idOf(item);
    const row = id === undefined || seen.has(id) ? undefined : tasks.get(id);
    if (id === undefined || row === undefined || !may(row))
      parts.found.differ([name, key], row?.status, item, id === undefined ? undefined : change('tasks', id));
    else {
      if (isObject(item)) compareIds(parts, [name, key], item, id, change('tasks', id));
      compareRow(parts, [name, key], item, row, change('tasks', id));
    }
    if (id !== undefined) seen.add(id);
  }
  let next = entries.length;
  for (const id of expected)
    if (!seen.has(id)) parts.found.differ([name, isMap ? id : next++], id, undefined, change('tasks', id));
}

/** Compares all ids of a row, because readers may use either. */
function compareIds(
  parts: StateParts,
  path: JsonPath,
  item: JsonValue,
  id: string,
  change: Change | undefined,
): void {
  for (const name of ['task_id', 'id']) {
    const stored = isObject(item) ? item[name] : undefined;
    if (stored === undefined || idOf(stored) === id) parts.found.compared([...path, name]);
    else parts.found.differ([...path, name], id, stored, change);
  }
}

/** Compares a task in a list where it belongs. It is an id, or a row with more members. */
function compareRow(
  parts: StateParts,
  path: JsonPath,
  item: JsonValue,
  row: TaskRow,
  change: Change | undefined,
): void {
  if (!isObject(item) && typeof path.at(-1) === 'number') {
    parts.found.compared(path);
    return;
  }
  if (!isObject(item) || path[0] !== 'in_progress_tasks') {
    parts.found.skip(path, NOT_COMPARED.exceptIds);
    return;
  }
  const { status, agent_id: agent } = item;
  const words = WORDS[row.status];
  if (status !== undefined) {
    const given = words.find((word) => word === status) ?? words[0] ?? row.status;
    parts.found.value([...path, 'status'], given, status, change);
  } else parts.found.skip([...path, 'status'], ABSENT);
  if (row.agent !== undefined && row.status === 'in_progress')
    parts.found.value([...path, 'agent_id'], row.agent, agent, change);
}

/** Compares the available tasks. The log only knows those that somebody has worked on. */
function compareAvailable(parts: StateParts, facts: LogFacts): void {
  const name = 'available_tasks';
  if (parts.state[name] === undefined) return;
  for (const { key, item } of parts.entries(name) ?? []) {
    const id = Array.isArray(parts.state[name]) ? idOf(item) : String(key);
    const row = id === undefined ? undefined : facts.tasks.get(id);
    // A task that was blocked before anybody began it may still be listed.
    if (row === undefined || row.status === 'available' || row.status === 'blocked') continue;
    parts.found.differ([name, key], row.status, item, facts.change('tasks', id));
  }
  parts.found.skip([name], ONLY_IN_PLAN);
}

function compareAgents(parts: StateParts, facts: LogFacts, name: string, status: TaskStatus): void {
  const { tasks, lingering, change } = facts;
  const atWork = new Map(
    [...tasks].flatMap(([id, row]) =>
      row.status === status && row.agent !== undefined ? [[row.agent, id] as const] : [],
    ),
  );
  const may = new Map([
    ...[...lingering].flatMap(([agent, last]) =>
      last.status === status ? [[agent, last.task] as const] : [],
    ),
    ...atWork,
  ]);
  parts.map(name, {
    must: atWork,
    may,
    change: (agent, stored) => change('tasks', may.get(agent) ?? idOf(stored)),
    compare: (path, id, stored, changed) => {
      if (!isObject(stored)) parts.found.value(path, id, stored, changed);
      else parts.found.value([...path, 'task_id'], id, stored['task_id'], changed);
    },
  });
}

function compareCounters(parts: StateParts, facts: LogFacts, name: (typeof COUNTERS)[number]): void {
  const { tasks, change } = facts;
  parts.map(name, {
    must: new Map(
      [...tasks].flatMap(([id, row]) => (row[name] === undefined ? [] : [[id, row[name]] as const])),
    ),
    change: (id) => change('tasks', id),
    compare: (path, count, stored, changed) => parts.found.value(path, count, stored, changed),
  });
}

/** Compares the expansions of tasks by business analysts, who may stay listed when they are done. */
export function compareExpansions(parts: StateParts, facts: LogFacts): void {
  const { tasks, analysts, change } = facts;
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
  parts.map('pending_expansions', {
    must: new Map([...pending].filter(([id]) => tasks.get(id)?.expansion?.['status'] === 'pending')),
    may: pending,
    change: ofTask,
    compare: (path, agent, stored, changed) => parts.stored(path, agent, stored, changed),
  });
  parts.map('active_business_analysts', {
    must: atWork,
    may: analysts,
    change: (agent, stored) => change('tasks', idOf(analysts.get(agent) ?? stored)),
    compare: (path, task, stored, changed) => parts.found.value(path, task, idOf(stored), changed),
  });
  parts.map('expanded_tasks', {
    must: done,
    change: ofTask,
    compare: (path, { confidence, summary }, stored, changed) => {
      if (!isObject(stored)) return parts.found.skip(path, NOT_COMPARED.exceptIds);
      parts.stored([...path, 'confidence'], confidence, stored['confidence'], changed);
      parts.stored([...path, 'expansion_summary'], summary, stored['expansion_summary'], changed);
    },
  });
}
