import type { LogRecord } from '../../log/record.ts';
import { textIn } from '../kit/members.ts';
import type { Story, StoryBuilder } from '../kit/story.ts';
import { noteOfSpan, type OpenTurn, storyOf } from '../kit/story-notes.ts';
import { type CoordinatorAccount, spanOf } from './account.ts';
import { describeEvent } from './describe.ts';

/** Makes the story of a plan, task by task (coordinator.md §6). Events without a task come first. */
export class CoordinatorStory implements StoryBuilder {
  readonly #account: CoordinatorAccount;
  /** By task. The empty name has events without a task. */
  readonly #tasks = new Map<string, OpenTurn>();

  constructor(account: CoordinatorAccount) {
    this.#account = account;
  }

  add(record: LogRecord): void {
    this.#account.add(record);
    const { value: event, line } = record;
    const span = spanOf(event);
    const task = span.subject ?? '';
    const turn = this.#tasks.get(task) ?? {
      line,
      title: task === '' ? 'Sessions' : `Task ${task}`,
      time: span.start,
      items: [],
      end: span.start,
    };
    this.#tasks.set(task, turn);
    const agent = textIn(event, 'agent_id');
    const type = span.name === '' ? 'event' : span.name;
    const title = agent === undefined ? type : `${type} (${agent})`;
    turn.items.push(noteOfSpan(title, describeEvent(event), span, line));
    turn.end = span.start ?? turn.end;
  }

  result(): Story {
    const tasks = [...this.#tasks].sort(([a], [b]) => Number(a !== '') - Number(b !== ''));
    return storyOf(
      this.#account.result(),
      tasks.map(([, turn]) => turn),
    );
  }
}
