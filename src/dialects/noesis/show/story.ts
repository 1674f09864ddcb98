import { defined } from '../../../base/json/defined.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { textOf } from '../../../base/json/write.ts';
import type { LogRecord } from '../../../log/record.ts';
import { objectIn, objectsIn, textIn } from '../../kit/members.ts';
import type {
  CallItem,
  NoteItem,
  Story,
  StoryBuilder,
  StoryItem,
  StoryPoint,
  StoryTurn,
} from '../../kit/story.ts';
import type { CallStatus } from '../../sessions/kit/session.ts';
import { isSynthetic, isTerminate, timeOf } from '../event/kinds.ts';
import { errorOf, isFailure, resultOf, toneOf } from '../event/outcome.ts';
import { PlanFold, type PlanState } from '../plan/plan-fold.ts';
import { NoesisRun } from '../run.ts';
import { describeEvent } from './describe.ts';
import { spanOf } from './span.ts';

/** A candidate, and the decisions about it, until its act. */
interface Candidate {
  readonly item: CallItem;
  readonly id: string | undefined;
  readonly points: StoryPoint[];
  isVetoed: boolean;
}

interface Turn {
  readonly line: number;
  readonly title: string;
  readonly time: string | undefined;
  readonly items: (StoryItem | Candidate | Plan)[];
}

/** A plan as made. The last plan gets the statuses of its steps at the end. */
interface Plan {
  readonly line: number;
  readonly time: string | undefined;
  readonly rationale: string | undefined;
  readonly state: PlanState | undefined;
}

const words = (...parts: (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' ');

function stepPoints({ steps }: PlanState): StoryPoint[] {
  return steps.map(({ id, kind, description, status }) => {
    return defined({ text: `${id} ${status}  ${kind}: ${description}`, tone: toneOf(status) });
  });
}

/** Makes the story of a run. A candidate, its decision and its act become one item (noesis.md §2.2). */
export class NoesisStory implements StoryBuilder {
  readonly #turns: Turn[] = [];
  readonly #plan = new PlanFold();
  /** By the id of the proposing event, and by the id of the candidate. */
  readonly #candidates = new Map<string, Candidate>();
  /** The last candidate. */
  #last: Candidate | undefined;
  #lastPlan: Plan | undefined;
  readonly #run = new NoesisRun();
  #hasTask = false;

  add({ value: event, line }: LogRecord): void {
    this.#plan.add(event, { line });
    const payload = isObject(event['payload']) ? event['payload'] : {};
    this.#run.take(event, line);
    if (this.#turns.length === 0) this.#turn('Run', event, line);
    if (isTerminate(event)) return this.#terminate(event, payload, line);
    switch (event['phase']) {
      case 'start':
      case 'observe':
        return this.#asked(event, payload, line);
      case 'plan':
        return this.#planned(event, payload, line);
      case 'action_candidate':
        return this.#proposed(event, payload, line);
      case 'governance':
        return this.#decided(event, payload, line);
      case 'act':
        return isSynthetic(payload) ? undefined : this.#acted(event, payload, line);
      case 'runtime':
        return this.#runtime(event, payload, line);
      default:
        return this.#noted(event, payload, line);
    }
  }

  result(): Story {
    const { task, status, tone } = this.#run;
    return defined({
      title: task,
      status,
      tone,
      turns: this.#turns.map((turn, index) => this.#storyTurn(turn, index)),
    });
  }

  #turn(title: string, event: JsonObject, line: number): void {
    this.#turns.push({ line, title, time: timeOf(event), items: [] });
  }

  #add(item: Turn['items'][number]): void {
    this.#turns.at(-1)?.items.push(item);
  }

  #note(event: JsonObject, line: number, title: string, more: Omit<Partial<NoteItem>, 'kind'> = {}): void {
    this.#add(defined({ kind: 'note', line, time: timeOf(event), title, ...more }));
  }

  #asked(event: JsonObject, payload: JsonObject, line: number): void {
    const task = textIn(payload, 'task');
    if (task === undefined || this.#hasTask) return;
    this.#hasTask = true;
    this.#add(defined({ kind: 'prompt', line, time: timeOf(event), speaker: 'Task', text: task }));
  }

  #planned(event: JsonObject, payload: JsonObject, line: number): void {
    const alone = new PlanFold();
    alone.add(event, { line });
    const rationale = textIn(payload, 'rationale');
    this.#lastPlan = { line, time: timeOf(event), rationale, state: alone.result() ?? undefined };
    this.#add(this.#lastPlan);
  }

  #proposed(event: JsonObject, payload: JsonObject, line: number): void {
    const given = objectIn(payload, 'payload');
    const provenance = objectIn(payload, 'provenance');
    const tool =
      textIn(payload, 'tool') ?? textIn(provenance, 'adapter') ?? textIn(payload, 'kind') ?? 'action';
    const input = textIn(given, 'goal') ?? textIn(given, 'input') ?? textIn(payload, 'input_excerpt') ?? '';
    const candidate: Candidate = {
      item: defined({ kind: 'call', line, time: timeOf(event), tool, input, status: 'open' }),
      id: textIn(payload, 'action_candidate_id'),
      points: [],
      isVetoed: false,
    };
    this.#last = candidate;
    for (const name of [textIn(event, 'id'), candidate.id])
      if (name !== undefined) this.#candidates.set(name, candidate);
    this.#add(candidate);
  }

  #decided(event: JsonObject, payload: JsonObject, line: number): void {
    const isVeto = payload['decision'] === 'veto';
    const isEnforced = payload['enforced'] === true;
    const by = words(textIn(payload, 'policy_id'), textIn(payload, 'rule_id'));
    const why = textIn(payload, 'message') ?? textIn(payload, 'reason');
    const decision = words(
      textIn(payload, 'decision') ?? 'decision',
      isVeto && !isEnforced ? '(not enforced)' : '',
    );
    const text = `${decision}${by === '' ? '' : ` by ${by}`}${why === undefined ? '' : `: ${why}`}`;
    const tone = isVeto ? (isEnforced ? 'bad' : 'doubtful') : 'muted';
    const candidate = this.#candidates.get(textIn(event, 'caused_by') ?? '') ?? this.#last;
    if (candidate === undefined) return this.#note(event, line, 'governance', { text, tone });
    candidate.points.push({ text: `${text}, line ${line}`, tone, line });
    if (isVeto && isEnforced) candidate.isVetoed = true;
  }

  #acted(event: JsonObject, payload: JsonObject, line: number): void {
    const candidate = this.#candidates.get(textIn(payload, 'action_candidate_id') ?? '');
    const { durationMs, start } = spanOf(event);
    const result = resultOf(payload);
    const failed = isFailure(result);
    const step = textIn(payload, 'step_id');
    const status: CallStatus = failed ? 'error' : 'ok';
    const done: CallItem = defined({
      kind: 'call',
      line,
      time: start,
      tool: textIn(payload, 'tool') ?? textIn(payload, 'adapter') ?? candidate?.item.tool ?? 'act',
      input: textIn(payload, 'input_excerpt') ?? candidate?.item.input ?? '',
      status,
      duration_ms: durationMs,
      output: failed ? errorOf(payload) : undefined,
      points: [
        ...(candidate?.points ?? []),
        ...(step === undefined
          ? []
          : [{ text: words(step, textIn(payload, 'step_status')), tone: 'muted' as const }]),
      ],
    });
    this.#add(done);
    if (candidate !== undefined) this.#remove(candidate);
  }

  /** Removes a candidate, because its act is shown in its place. */
  #remove(candidate: Candidate): void {
    for (const { items } of this.#turns) {
      const at = items.indexOf(candidate);
      if (at !== -1) items.splice(at, 1);
    }
    if (candidate.id !== undefined) this.#candidates.delete(candidate.id);
    if (this.#last === candidate) this.#last = undefined;
  }

  #runtime(event: JsonObject, payload: JsonObject, line: number): void {
    const type = textIn(event, 'event_type');
    // A projection only repeats what other events say.
    if (type === 'run.state_projection') return;
    const text = words(textIn(payload, 'reason'), textIn(payload, 'checkpoint_id'));
    if (type === 'run.resume') this.#turn('Resumed', event, line);
    const title = type?.replace(/^run\./, '') ?? 'runtime';
    const tone = type === 'run.resume' ? 'good' : 'doubtful';
    this.#add(defined({ kind: 'divider', line, time: timeOf(event), title, tone, text: text || undefined }));
  }

  #terminate(event: JsonObject, payload: JsonObject, line: number): void {
    const status = textIn(payload, 'status') ?? 'ended';
    const tone = toneOf(status) ?? 'muted';
    const text = words(status, textIn(payload, 'message'));
    this.#add(defined({ kind: 'divider', line, time: timeOf(event), title: 'end', tone, text }));
  }

  #noted(event: JsonObject, payload: JsonObject, line: number): void {
    const phase = textIn(event, 'phase') ?? 'event';
    const text = describeEvent(event);
    const about = text === '' || text === '{}' ? {} : { text };
    if (phase === 'intuition') {
      const isBlocking = payload['blocking'] === true;
      const title = words('intuition:', textIn(payload, 'kind'), isBlocking ? '(blocking)' : '');
      const tone = isBlocking ? 'bad' : undefined;
      return this.#note(event, line, title, defined({ text: textIn(payload, 'advice'), tone }));
    }
    if (phase === 'direction') {
      const points = objectsIn(payload, 'diff').map((change) => ({
        text: `${textOf(change['key'] ?? '?')}: ${textOf(change['before'] ?? null)} → ${textOf(change['after'] ?? null)}`,
      }));
      const tone = payload['status'] === 'blocked' ? ('bad' as const) : ('muted' as const);
      return this.#note(event, line, 'direction', { ...about, points, tone });
    }
    if (phase === 'reflect') {
      const isGood = payload['success'] === true;
      return this.#note(event, line, 'reflection', { ...about, tone: isGood ? 'good' : 'bad' });
    }
    this.#note(event, line, phase, { ...about, tone: phase === 'error' ? 'bad' : 'muted' });
  }

  #storyTurn({ line, title, time, items }: Turn, index: number): StoryTurn {
    return defined({ turn: index + 1, line, title, time, items: items.map((item) => this.#item(item)) });
  }

  #item(item: Turn['items'][number]): StoryItem {
    if ('kind' in item) return item;
    if ('item' in item) {
      const { item: call, points, isVetoed } = item;
      return { ...call, status: isVetoed ? 'denied' : 'open', points };
    }
    const { line, time, rationale, state } = item;
    const isLast = this.#lastPlan === item;
    const shown = isLast ? (this.#plan.result() ?? state) : state;
    const title = isLast ? 'plan' : 'plan, replaced later';
    return defined({ kind: 'note', line, time, title, text: rationale, points: shown && stepPoints(shown) });
  }
}
