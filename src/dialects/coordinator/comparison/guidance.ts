import { isObject, type JsonObject, jsonEqual } from '../../../base/json/value.ts';
import type { LogFacts } from './log-facts.ts';
import { idOf, type StateParts } from './state-parts.ts';

/** Why an answer is not compared. */
const SEVERAL_QUESTIONS =
  'the task has several questions, and the documents store every answer with the first';

/** Compares the open questions. An answered one may still be listed, with its answer. */
export function compareQuestions(parts: StateParts, facts: LogFacts): void {
  const { questions, asked, change } = facts;
  const name = 'pending_divine_questions';
  const open = questions.flatMap(({ question, response }, index) =>
    response === null && asked.has(index) ? [{ question, index }] : [],
  );
  const entries = parts.required(
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
      parts.found.differ([name, key], undefined, item, change('guidance'));
      continue;
    }
    const { given, index } = match;
    seen.add(index);
    const changed = change('guidance', index);
    if (!isObject(item)) {
      parts.found.value([name, key], given.question, item, changed);
      continue;
    }
    parts.stored([name, key, 'task_id'], given.task, task, changed);
    parts.stored([name, key, 'question'], given.question, question, changed);
    parts.stored([name, key, 'agent_id'], given.agent, agent, changed);
    parts.stored([name, key, 'options'], given.options, options, changed);
    const isOnly = questions.filter((other) => other.task === given.task).length === 1;
    if (isOnly || response === undefined)
      parts.stored([name, key, 'response'], given.response, response, changed);
    else parts.found.skip([name, key, 'response'], SEVERAL_QUESTIONS);
  }
  let next = entries.length;
  for (const { question, index } of open)
    if (!seen.has(index)) parts.found.differ([name, next++], question, undefined, change('guidance', index));
}
