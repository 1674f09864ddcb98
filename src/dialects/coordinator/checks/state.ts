import { type Document, openArtifact } from '../../../findings/document.ts';
import type { Findings } from '../../../findings/findings.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { STATE_FILE } from '../names.ts';
import { stateSchema } from '../schema/state.ts';
import { idsIn } from '../task-ids.ts';
import type { ReadCheck, ReadLoggedEvent } from './log-check.ts';

/** Which tasks the log completes at some time; a checkpoint of a log made anew counts. */
export class CompletedTasks implements ReadCheck {
  readonly ids = new Set<string>();

  event({ event, task, texts }: ReadLoggedEvent): void {
    const { type } = event;
    if (type === 'task_complete' && task >= 0) this.ids.add(texts.textOf(task));
    if (type === 'state_checkpoint')
      for (const id of idsIn(event.detail('completed_tasks'))) this.ids.add(id);
  }
}

/** Reads `state.json` beside the log, or says why there is none to check. */
export function openState(dir: string, findings: Findings): Document | string {
  const state = openArtifact(dir, STATE_FILE, 'state/invalid-json', findings);
  if (typeof state === 'string' || isObject(state.value)) return state;
  state.at({ code: 'state/invalid-json', message: 'a state must be a JSON object' });
  return `no readable ${STATE_FILE}`;
}

/** What the reference asks of a state. Its writer follows prose, so that what is missing is a doubt and no more. */
export function checkStateShape(state: Document): void {
  for (const { path, message, expected, actual } of schemaIssues(stateSchema, state.value)) {
    state.at({ code: 'state/schema', severity: 'warn', message, path, expected, actual });
  }
}

/** More tasks than this are told as a number. */
const MAX_TOLD = 20;

/** The completed tasks of a state, each with where it stands. */
function completedIn(tasks: JsonValue | undefined): { id: string; key: string | number }[] {
  if (isObject(tasks)) return Object.keys(tasks).map((id) => ({ id, key: id }));
  if (!Array.isArray(tasks)) return [];
  return tasks.flatMap((item, key) => idsIn([item]).map((id) => ({ id, key })));
}

/**
 * A task that the state calls complete, and that the log never completed. The state is saved before its event is
 * logged (coordinator.md §8), so that a crash in between leaves one: no error. The rest of the state is not held
 * against the log: it knows the plan and the clock.
 */
export function checkStateContent(state: Document, completed: ReadonlySet<string>): void {
  // An object: {@link openState} gives no other.
  const { completed_tasks: stored } = state.value as JsonObject;
  const unknown = completedIn(stored).filter(({ id }) => !completed.has(id));
  for (const { id, key } of unknown.slice(0, MAX_TOLD)) {
    const message = `task ${id} is complete here, and the log has no task_complete of it`;
    state.at({ code: 'projection/state', message, path: ['completed_tasks', key], actual: id });
  }
  if (unknown.length > MAX_TOLD) {
    const message = `${unknown.length - MAX_TOLD} more tasks are complete here, and not in the log`;
    state.at({ code: 'projection/state', message, path: ['completed_tasks'] });
  }
}
