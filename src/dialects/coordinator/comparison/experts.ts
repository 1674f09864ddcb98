import { isObject } from '../../../base/json/value.ts';
import { NOT_COMPARED } from '../../../findings/projection/projector.ts';
import { DEFINITION } from '../folds/experts.ts';
import type { LogFacts } from './log-facts.ts';
import { ABSENT, type StateParts } from './state-parts.ts';

/** Compares the experts: their results, their runs, what created them, and their files. */
export function compareExperts(parts: StateParts, facts: LogFacts): void {
  const { experts, delegations, change } = facts;
  const ofExpert = (id: string) => change('experts', id);
  parts.map('expert_stats', {
    must: new Map([...experts].filter(([, { completions, failures }]) => completions + failures > 0)),
    change: ofExpert,
    compare: (path, { completions, failures }, stored, changed) => {
      const row = isObject(stored) ? stored : {};
      if (!isObject(stored)) parts.found.differ(path, { completions, failures }, stored, changed);
      // A count of zero may be missing.
      for (const [key, count] of Object.entries({ completions, failures }))
        if (row[key] !== undefined || count > 0) parts.found.value([...path, key], count, row[key], changed);
        else parts.found.skip([...path, key], ABSENT);
    },
  });
  parts.map('active_experts', {
    must: new Map([...delegations].filter(([, { isActive }]) => isActive)),
    may: delegations,
    change: (run, stored) => {
      const expert = delegations.get(run)?.expert ?? (isObject(stored) ? stored['agent_id'] : undefined);
      return typeof expert === 'string' ? ofExpert(expert) : undefined;
    },
    compare: (path, { expert, task }, stored, changed) => {
      if (!isObject(stored)) return parts.found.skip(path, NOT_COMPARED.exceptIds);
      parts.stored([...path, 'agent_id'], expert, stored['agent_id'], changed);
      parts.stored([...path, 'task_id'], task, stored['task_id'], changed);
    },
  });
  compareExpertRows(parts, facts);
  compareDefinitions(parts, facts);
}

/** Compares the list of experts with the events that created them. */
function compareExpertRows(parts: StateParts, facts: LogFacts): void {
  const { experts, created, change } = facts;
  const name = 'experts';
  const entries = parts.required(name, [...created], name);
  if (entries === undefined) return;
  const isMap = !Array.isArray(parts.state[name]);
  const seen = new Set<string>();
  for (const { key, item } of entries) {
    const named = isObject(item) ? [item['agent_id'], item['name']] : [item];
    const id = [isMap ? key : undefined, ...named].find(
      (one): one is string => typeof one === 'string' && created.has(one) && !seen.has(one),
    );
    const row = id === undefined ? undefined : experts.get(id);
    if (id === undefined || row === undefined) {
      parts.found.differ([name, key], undefined, item, change(name));
      continue;
    }
    seen.add(id);
    const changed = change(name, id);
    if (!isObject(item)) parts.found.compared([name, key]);
    else {
      parts.stored([name, key, 'agent_id'], id, item['agent_id'], changed);
      for (const member of DEFINITION) parts.stored([name, key, member], row[member], item[member], changed);
    }
  }
  let next = entries.length;
  for (const id of created)
    if (!seen.has(id)) parts.found.differ([name, isMap ? id : next++], id, undefined, change(name, id));
}

/** Compares the hashes of the files that define agents. */
function compareDefinitions(parts: StateParts, facts: LogFacts): void {
  const { definitions, change } = facts;
  parts.map('agent_files_created', {
    must: definitions,
    change: (type) => change('definitions', type),
    compare: (path, hash, stored, changed) => {
      if (!isObject(stored)) parts.found.value(path, hash, stored, changed);
      else parts.found.value([...path, 'definition_hash'], hash, stored['definition_hash'], changed);
    },
  });
}
