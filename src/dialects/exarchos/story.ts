import type { LogRecord } from '../../log/record.ts';
import { objectIn, textIn } from '../kit/members.ts';
import type { Story, StoryBuilder } from '../kit/story.ts';
import { noteOfSpan, type OpenTurn, storyOf } from '../kit/story-notes.ts';
import { type ExarchosAccount, spanOf } from './account.ts';
import { describeEvent } from './describe.ts';

/** Makes the story of a workflow, phase by phase (exarchos.md §7). */
export class ExarchosStory implements StoryBuilder {
  readonly #account: ExarchosAccount;
  readonly #turns: OpenTurn[] = [];

  constructor(account: ExarchosAccount) {
    this.#account = account;
  }

  add(record: LogRecord): void {
    this.#account.add(record);
    const { value: event, line } = record;
    const type = textIn(event, 'type') ?? 'event';
    const data = objectIn(event, 'data');
    const phase = type === 'workflow.transition' ? textIn(data, 'to') : undefined;
    const time = textIn(event, 'timestamp');
    if (phase !== undefined) this.#begin(phase, line, time);
    else if (this.#turns.length === 0) this.#begin('Start', line, time);
    const turn = this.#turns.at(-1);
    if (turn === undefined) return;
    turn.items.push(noteOfSpan(type, describeEvent(event), spanOf(event), line));
    turn.end = time ?? turn.end;
  }

  result(): Story {
    return storyOf(this.#account.result(), this.#turns);
  }

  #begin(title: string, line: number, time: string | undefined): void {
    const before = this.#turns.at(-1);
    if (before) before.end = time ?? before.end;
    this.#turns.push({ line, title, time, items: [], end: time });
  }
}
