import { defined } from '../../base/json/defined.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import { numberIn, objectIn, textIn } from '../kit/members.ts';
import type { NoteItem, Story, StoryBuilder, StoryItem, StoryTurn } from '../kit/story.ts';
import { describeEvent } from './describe.ts';
import { joined, Runs, resultText, scoresText, toneOf } from './run.ts';

type Turn = Omit<StoryTurn, 'turn' | 'items'> & { readonly items: StoryItem[] };
type At = Pick<StoryItem, 'line' | 'time'>;

/** Makes a script of a run: who says what in which turn, then the verdict with its scores (fishbowl.md §6). */
export class FishbowlStory implements StoryBuilder {
  readonly #runs = new Runs();
  readonly #turns: Turn[] = [];

  add({ value: event, line }: LogRecord): void {
    this.#runs.add(event, line);
    const at = defined({ line, time: textIn(event, 'created_at') });
    // Each turn of the play is a turn of the story. In a ledger of many runs, its title names the run.
    const number = numberIn(event, 'turn');
    const turn = number === undefined ? 'No turn' : number === 0 ? 'Opening' : `Turn ${number}`;
    const run = textIn(event, 'run_id') ?? 'a run without an id';
    const title = this.#runs.isMany ? `${turn} of ${run}` : turn;
    if (this.#turns.at(-1)?.title !== title) this.#turns.push({ ...at, title, items: [] });
    this.#turns.at(-1)?.items.push(itemOf(event, at));
  }

  result(): Story {
    const { isMany, first } = this.#runs;
    const status = isMany ? 'several runs' : first.status;
    return defined({
      title: isMany ? undefined : first.task,
      status,
      tone: toneOf(status),
      turns: this.#turns.map((turn, index) => ({ turn: index + 1, ...turn })),
    });
  }
}

function itemOf(event: JsonObject, at: At): StoryItem {
  const payload = objectIn(event, 'payload');
  const kind = textIn(event, 'kind') ?? 'event';
  const actor = textIn(event, 'actor');
  const text = textIn(payload, 'text');
  if (kind === 'run.started') return opening(payload, at);
  if (kind === 'judge.verdict') return verdict(payload, actor, at);
  if (kind === 'run.finished') {
    const tone = toneOf(textIn(payload, 'reason') ?? 'finished') ?? 'muted';
    return { kind: 'divider', ...at, title: 'end', tone, text: describeEvent(event) };
  }
  if (text === undefined)
    return { kind: 'note', ...at, title: kind, tone: 'muted', text: describeEvent(event) };
  const how = joined(
    [kind === 'agent.spoke' ? undefined : kind.replace(/^.*\./, ''), textIn(payload, 'mood')],
    ', ',
  );
  const thought = textIn(payload, 'thought');
  return {
    kind: 'answer',
    ...at,
    speaker: `${actor ?? 'somebody'}${how === undefined ? '' : ` (${how})`}`,
    text: thought === undefined ? text : `${text}\n\n> thinks: ${thought}`,
  };
}

function opening(payload: JsonObject, at: At): NoteItem {
  const points = Object.entries(objectIn(payload, 'cast')).map(([name, seat]) => ({
    text: joined([name, textIn(seat, 'model') ?? textIn(seat, 'model_endpoint')], '  ') ?? '',
  }));
  const [goal, seed, scenario] = ['goal', 'seed', 'scenario'].map((key) => textIn(payload, key));
  const text = joined([seed ?? goal, seed && goal && `Goal: ${goal}`], '\n');
  return defined({ kind: 'note', ...at, title: scenario ?? 'start', text, points });
}

function verdict(payload: JsonObject, judge: string | undefined, at: At): NoteItem {
  const text = textIn(payload, 'text');
  const scores = scoresText(payload);
  const points = [resultText(payload), scores && `scores: ${scores}`].flatMap((point) =>
    point === undefined ? [] : [{ text: point, tone: 'good' as const }],
  );
  const title = judge === undefined ? 'verdict' : `verdict of ${judge}`;
  return defined({ kind: 'note', ...at, title, tone: 'good', text, points });
}
