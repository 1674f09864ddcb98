import type { JsonObject } from '../../json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import { numberIn, objectIn, textIn } from '../excerpt.ts';
import type { NoteItem, SaidItem, Story, StoryBuilder, StoryItem, StoryPoint, StoryTurn } from '../story.ts';
import { describeEvent } from './describe.ts';
import { taskOf, toneOf } from './log-summary.ts';
import { resultText, scoresText } from './outcome.ts';

interface Turn {
  readonly line: number;
  readonly title: string;
  readonly time: string | undefined;
  readonly items: StoryItem[];
}

/** A play as a script: who says what in which turn, then the verdict with its scores (fishbowl.md §6). */
export class FishbowlStory implements StoryBuilder {
  readonly #turns: Turn[] = [];
  readonly #runs = new Set<string>();
  #title: string | undefined;
  #status = 'running';

  add({ value: event, line }: LogRecord): void {
    const payload = objectIn(event, 'payload');
    const time = textIn(event, 'created_at');
    this.#heading(event, line, time);
    const at = { line, ...(time !== undefined && { time }) };
    this.#turns.at(-1)?.items.push(this.#item(event, payload, at));
  }

  result(): Story {
    const status = this.#runs.size > 1 ? 'several runs' : this.#status;
    const tone = toneOf(status);
    return {
      ...(this.#runs.size === 1 && this.#title !== undefined && { title: this.#title }),
      status,
      ...(tone && { tone }),
      turns: this.#turns.map(
        ({ time, ...turn }, index): StoryTurn => ({
          turn: index + 1,
          ...turn,
          ...(time !== undefined && { time }),
        }),
      ),
    };
  }

  /** A new stretch begins with each turn of the play; in a ledger of many runs it names its run. */
  #heading(event: JsonObject, line: number, time: string | undefined): void {
    const run = textIn(event, 'run_id') ?? 'a run without an id';
    this.#runs.add(run);
    const number = numberIn(event, 'turn');
    const turn = number === undefined ? 'No turn' : number === 0 ? 'Opening' : `Turn ${number}`;
    const title = this.#runs.size > 1 ? `${turn} of ${run}` : turn;
    if (this.#turns.at(-1)?.title !== title) this.#turns.push({ line, title, time, items: [] });
  }

  #item(event: JsonObject, payload: JsonObject, at: Pick<StoryItem, 'line' | 'time'>): StoryItem {
    const kind = textIn(event, 'kind') ?? 'event';
    const actor = textIn(event, 'actor');
    const text = textIn(payload, 'text');
    switch (kind) {
      case 'run.started':
        this.#title ??= taskOf(payload);
        return this.#opening(payload, at);
      case 'judge.verdict':
        return this.#verdict(payload, actor, at);
      case 'run.finished': {
        this.#status = textIn(payload, 'reason') ?? 'finished';
        const tone = toneOf(this.#status) ?? 'muted';
        return { kind: 'divider', ...at, title: 'end', tone, text: describeEvent(event) };
      }
      default:
    }
    if (text === undefined)
      return { kind: 'note', ...at, title: kind, tone: 'muted', text: describeEvent(event) };
    return this.#speech(kind, actor ?? 'somebody', text, payload, at);
  }

  #speech(
    kind: string,
    actor: string,
    text: string,
    payload: JsonObject,
    at: Pick<StoryItem, 'line' | 'time'>,
  ): SaidItem {
    const how = kind === 'agent.spoke' ? undefined : kind.replace(/^.*\./, '');
    const named = [how, textIn(payload, 'mood')].filter((word) => word !== undefined);
    const speaker = named.length === 0 ? actor : `${actor} (${named.join(', ')})`;
    const thought = textIn(payload, 'thought');
    return {
      kind: 'answer',
      ...at,
      speaker,
      text: thought === undefined ? text : `${text}\n\n> thinks: ${thought}`,
    };
  }

  #opening(payload: JsonObject, at: Pick<StoryItem, 'line' | 'time'>): NoteItem {
    const seats = Object.entries(objectIn(payload, 'cast'));
    const points: StoryPoint[] = seats.map(([name, seat]) => ({
      text: [name, textIn(seat, 'model') ?? textIn(seat, 'model_endpoint')].filter(Boolean).join('  '),
    }));
    const [goal, seed, scenario] = ['goal', 'seed', 'scenario'].map((key) => textIn(payload, key));
    const text = [seed ?? goal, seed !== undefined && goal !== undefined ? `Goal: ${goal}` : undefined]
      .filter((part) => part !== undefined)
      .join('\n');
    return { kind: 'note', ...at, title: scenario ?? 'start', ...(text !== '' && { text }), points };
  }

  #verdict(payload: JsonObject, judge: string | undefined, at: Pick<StoryItem, 'line' | 'time'>): NoteItem {
    const text = textIn(payload, 'text');
    const points = [resultText(payload), scoresText(payload)?.replace(/^/, 'scores: ')].flatMap((point) =>
      point === undefined ? [] : [{ text: point, tone: 'good' as const }],
    );
    const title = judge === undefined ? 'verdict' : `verdict of ${judge}`;
    return { kind: 'note', ...at, title, tone: 'good', ...(text !== undefined && { text }), points };
  }
}
