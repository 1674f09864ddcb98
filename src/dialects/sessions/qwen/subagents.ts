import type { JsonObject } from '../../../base/json/value.ts';
import { objectIn, textIn } from '../../kit/members.ts';
import type { SaidAgent } from '../kit/format.ts';
import { taskNotificationIn } from '../kit/task-notification.ts';

/** The subagent that a result says was started, or that has ended by now (qwen.md §3). */
export function startedAgents(event: JsonObject): SaidAgent[] {
  const stored = objectIn(event, 'toolCallResult');
  const [call, shown] = [textIn(stored, 'callId'), objectIn(stored, 'resultDisplay')];
  const name = textIn(shown, 'subagentName');
  if (shown['type'] !== 'task_execution' || call === undefined || name === undefined) return [];
  const description = textIn(shown, 'taskDescription');
  // The program names it after its call, in the notification too.
  return [{ id: `${name}-${call}`, name, description, status: textIn(shown, 'status'), isElsewhere: true }];
}

/** The subagent that a notification is about. */
export function notifiedAgents(text: string): SaidAgent[] {
  const notification = taskNotificationIn(text);
  if (notification === undefined) return [];
  const { task, ...facts } = notification;
  return [{ id: task, ...facts, isElsewhere: true }];
}
