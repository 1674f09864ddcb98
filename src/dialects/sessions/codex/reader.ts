import type { JsonObject } from '../../../base/json/value.ts';
import { messageText, numberIn, numbersIn, objectIn, textIn } from '../../kit/members.ts';
import { dayOf } from '../../kit/tokens.ts';
import { SessionBuilder } from '../kit/builder.ts';
import type { SessionReader } from '../kit/reader.ts';
import type { Moment, SessionDocument, SessionOutline, UsageEntry } from '../kit/session.ts';
import type { SessionStory } from '../kit/story.ts';
import type { TurnCharges } from '../kit/usage.ts';
import { RolloutCalls } from './calls.ts';
import {
  errorOfTurn,
  type Item,
  isBareHead,
  isCall,
  isError,
  isHosted,
  isOutput,
  isOutputOfModel,
  isTurnStart,
  itemOf,
  NO_ANSWER,
  promptInEvent,
  promptInItem,
  thinkingOf,
} from './records.ts';
import { isFurther, ThreadHistory } from './thread-history.ts';
import { type TurnEnd, TurnEnds } from './turn-ends.ts';
import { COUNTS, shared, type TokenCounts, Usage } from './usage.ts';
import { WrittenAgain } from './written-again.ts';

/** A request whose tokens were counted. */
interface CountedRequest {
  readonly key: string;
  readonly model: string;
  readonly day: string | undefined;
}

/** Builds a session from a rollout (codex.md §4 to §7). */
export class RolloutReader implements SessionReader {
  readonly #session: SessionBuilder;
  readonly #usage = new Usage();
  readonly #history = new ThreadHistory();
  readonly #written = new WrittenAgain();
  readonly #ends = new TurnEnds();
  readonly #calls: RolloutCalls;
  #model: string | undefined;
  /** The last one. */
  #request: CountedRequest | undefined;
  #thread: string | undefined;
  #isPart = false;
  /** The first and the last number of the records, as far as they are numbered. */
  #numbers: { readonly from: number; to: number } | undefined;
  /** The time of the head. A thread may have several logs. */
  #began: string | undefined;
  /** For a subagent, its parent thread. */
  #parent: string | undefined;
  #prompt: { readonly text: string; readonly byEvent: boolean; doubled: boolean } | undefined;
  #promptsInEvents = false;
  #hasTurns = false;
  /** The last answer, and whether a call or a turn came after it. */
  #answer = { text: '', isBefore: true };
  /** Whether the growth of the next total belongs to the current turn: no total before it can be missing. */
  #isCountSure = true;
  /** Whether the log has tokens of the current turn. */
  #isTurnCounted = false;
  /** Whether the model answered since the last prompt. */
  #hasOutput = true;

  /** `story`: collect texts too. */
  constructor(story?: SessionStory) {
    this.#session = new SessionBuilder(story);
    this.#calls = new RolloutCalls(this.#session, this.#history);
  }

  add(event: JsonObject, line: number): void {
    const item = itemOf(event);
    const time = textIn(event, 'timestamp');
    this.#numbered(numberIn(event, 'ordinal'));
    if (this.#written.isAgain(event, item, this.#history.isCopy)) return;
    const end = this.#ends.next(item);
    this.#further(event, item, time);
    if (this.#history.add(item, time)) this.#usage.goesOn();
    const { timesOfCopy } = this.#history;
    if (timesOfCopy) this.#session.facts.copied(line);
    // The time of the copying says nothing about the record.
    const at: Moment = timesOfCopy === 'copying' ? { line } : { line, time };
    this.#began ??= time;
    this.#prompts(item, at);
    if (isTurnStart(item)) this.#session.turnBegins(at);
    if (isOutputOfModel(item)) this.#answers(item);
    this.#session.moment(at);
    this.#calls.approvals(item, at);
    if (item.type === 'session_meta') this.#meta(item.payload);
    else if (isBareHead(event)) this.#head(event);
    else if (item.type === 'turn_context') {
      this.#model = textIn(item.payload, 'model') ?? this.#model;
      this.#session.usage.model(this.#model);
      this.#session.facts.about('cwd', textIn(item.payload, 'cwd'));
    } else if (item.type === 'compacted') this.#session.compaction(at);
    else if (item.type === 'token_usage_record') {
      const { payload } = item;
      this.#tokens('record', objectIn(payload, 'thread_token_usage'), objectIn(payload, 'usage'), at);
    } else if (item.type === 'response_item') this.#item(item, at);
    else if (end !== undefined) this.#endOfTurn(item, end, at);
    else if (item.type === 'event_msg') this.#event(item, at);
  }

  lost(): void {
    this.#session.lost();
    this.#numbered(undefined);
    this.#isCountSure = false;
    // Without the head, nobody knows whether the totals go on from another log.
    if (this.#thread === undefined) this.#usage.goesOn();
  }

  /** Whether the log continues a thread that begins in another one. */
  get isPart(): boolean {
    return this.#isPart;
  }

  document(): SessionDocument {
    this.#count();
    return this.#session.document();
  }

  outline(): SessionOutline {
    this.#count();
    return this.#session.outline();
  }

  /** Each record has a number, but that of a damaged or shortened one is not known. */
  #numbered(number: number | undefined): void {
    if (this.#numbers) this.#numbers.to = number ?? this.#numbers.to + 1;
    else if (number !== undefined) this.#numbers = { from: number, to: number };
  }

  /** Adds the tokens so far. Sums that were added before are replaced. */
  #count(): void {
    if (this.#thread !== undefined && this.#numbers !== undefined)
      this.#session.usage.numbered({ session: this.#thread, ...this.#numbers });
    for (const [key, { tokens, ...of }] of this.#usage.sums)
      this.#session.usage.add(key, of.model, shared(tokens), of);
  }

  get lastAnswer(): string | undefined {
    return this.#session.lastAnswer;
  }

  turnCharges(): TurnCharges {
    this.#count();
    return this.#session.usage.charges();
  }

  entries(): UsageEntry[] {
    this.#count();
    return this.#session.entries(this.#owner);
  }

  answers(): UsageEntry[] {
    this.#count();
    return this.#session.answers(this.#owner);
  }

  /** Makes the keys of its answers unique. */
  get #owner(): string {
    return [this.#thread ?? 'unknown', this.#began].join(' ').trim();
  }

  #head(event: JsonObject): void {
    this.#session.facts.about('id', textIn(event, 'id'));
    this.#session.facts.about('branch', textIn(objectIn(event, 'git'), 'branch'));
  }

  /** Notes whether the log goes on with a thread, as its first head shows. Its totals go on then too. */
  #further(event: JsonObject, item: Item, time: string | undefined): void {
    if (this.#thread !== undefined || item.type !== 'session_meta') return;
    this.#isPart = isFurther(item, { number: numberIn(event, 'ordinal'), time });
    if (!this.#isPart) return;
    this.#usage.goesOn();
    const end = numberIn(objectIn(item.payload, 'history_base'), 'end_ordinal_exclusive');
    const thread = textIn(item.payload, 'id');
    if (end !== undefined && thread !== undefined) this.#session.usage.goesOnFrom(thread, end - 1);
  }

  #meta(payload: JsonObject): void {
    const session = this.#session;
    const id = textIn(payload, 'id');
    if (this.#thread !== undefined && id !== this.#thread) {
      // The history of another thread is copied here.
      session.facts.about('copied_from', id);
      if (this.#parent === undefined) session.facts.about('forked_from', id);
      return;
    }
    this.#thread ??= id;
    if (id !== undefined) session.usage.recordsOf(id);
    session.facts.about('id', id);
    session.facts.about('cwd', textIn(payload, 'cwd'));
    session.facts.about('branch', textIn(objectIn(payload, 'git'), 'branch'));
    session.facts.about('originator', textIn(payload, 'originator'));
    session.facts.about('forked_from', textIn(payload, 'forked_from_id'));
    const { source } = payload;
    const spawned = objectIn(objectIn(source, 'subagent'), 'thread_spawn');
    session.facts.about('source', typeof source === 'string' ? source : textIn(source, 'subagent'));
    this.#parent ??= textIn(spawned, 'parent_thread_id');
    session.facts.about('subagent_of', this.#parent);
    session.facts.about('nickname', textIn(payload, 'agent_nickname') ?? textIn(spawned, 'agent_nickname'));
    session.facts.aboutOneOf('versions', textIn(payload, 'cli_version'));
  }

  /** The model answered, and not with what was copied from another thread. A list does not read thoughts. */
  #answers({ type, kind }: Item): void {
    this.#hasOutput = true;
    if (type === 'response_item' && kind !== 'reasoning' && !this.#history.isCopy)
      this.#session.usage.requested();
  }

  /** Adds a prompt once. It is in an item and in an event, in either order. */
  #prompts(item: Item, at: Moment): void {
    const inEvent = promptInEvent(item);
    const text = inEvent ?? promptInItem(item);
    if (text === undefined) return;
    const byEvent = inEvent !== undefined;
    const before = this.#prompt;
    if (before && !before.doubled && before.byEvent !== byEvent && before.text.trim() === text.trim()) {
      before.doubled = true;
      this.#promptsInEvents = true;
      return;
    }
    if (byEvent) this.#promptsInEvents = true;
    else if (this.#promptsInEvents && before?.byEvent) return;
    this.#prompt = { text, byEvent, doubled: false };
    this.#hasOutput = this.#session.turn === 0;
    this.#session.prompt(text, at);
  }

  #item(item: Item, at: Moment): void {
    const { kind, payload } = item;
    // The turn went on after an error.
    const isWork = kind !== 'message' || payload['role'] === 'assistant';
    if (isWork && this.#hasTurns && this.#session.status === 'error') this.#session.turnIs('open');
    if (isCall(item) || isHosted(item)) {
      this.#answer.isBefore = true;
      this.#calls.call(item, at, { model: this.#model, hasTurns: this.#hasTurns });
    } else if (isOutput(item)) this.#calls.output(item, at);
    else if (kind === 'message' && payload['role'] === 'assistant') {
      this.#answered(messageText(payload['content']), at);
      if (!this.#hasTurns) this.#session.turnIs('done');
    } else if (kind === 'reasoning') {
      this.#session.story?.say('thinking', thinkingOf(item), at);
    } else if (kind === 'message' && !this.#hasTurns) this.#session.turnIs('open');
  }

  #answered(text: string, at: Moment): void {
    this.#session.answer(text, at);
    if (text.trim() !== '') this.#answer = { text: text.trim(), isBefore: false };
  }

  #event(item: Item, at: Moment): void {
    const { kind, payload } = item;
    if (isTurnStart(item)) {
      this.#hasTurns = true;
      this.#usage.turnBegins();
      this.#isTurnCounted = false;
      this.#answer = { text: '', isBefore: true };
      this.#session.turnIs('open');
    } else if (kind === 'token_count') {
      const info = objectIn(payload, 'info');
      if (payload['info'] === null && !this.#history.isCopy) this.#usage.startsAgain();
      this.#tokens('event', objectIn(info, 'total_token_usage'), objectIn(info, 'last_token_usage'), at);
    } else if (kind === 'thread_name_updated')
      this.#session.facts.title(textIn(payload, 'thread_name') ?? textIn(payload, 'name'), 0, at.line);
    else if (kind === 'thread_rolled_back') this.#session.rollBack(numberIn(payload, 'num_turns') ?? 0);
    else if (isError(item)) {
      this.#session.problem('error', textIn(payload, 'message') ?? 'no message', at);
      // The end of the turn may not be in the log any more.
      this.#session.turnIs('error');
    } else this.#calls.details(item, at);
  }

  #endOfTurn(item: Item, end: TurnEnd, at: Moment): void {
    const { payload } = item;
    this.#hasTurns = true;
    this.#session.tookUntil(numberIn(payload, 'duration_ms'), at);
    if (end === 'aborted') {
      // Codex gives this reason if nobody gave another one.
      const reason = textIn(payload, 'reason') ?? 'interrupted';
      const why = reason === 'interrupted' ? '' : `: ${reason}`;
      this.#session.problem('interrupted', `the turn was aborted${why}`, at);
      this.#session.turnIs('interrupted');
    } else if (end === 'failed') {
      this.#session.failed('failed turn', errorOfTurn(item), NO_ANSWER, at);
      this.#session.turnIs('error');
    } else if (end === 'compacted') {
      this.#session.compactedFor(numberIn(payload, 'duration_ms'), at);
      // Only some versions write what the request used.
      if (!this.#isTurnCounted && !this.#session.facts.isCopy(at))
        this.#session.usage.uncounted(`line ${at.line}`);
      this.#session.turnIs('done');
    } else {
      // The record of the answer may be missing; the end of the turn repeats its text.
      const last = textIn(payload, 'last_agent_message')?.trim() ?? '';
      if (this.#answer.isBefore && last !== this.#answer.text) this.#answered(last, at);
      this.#session.turnIs('done');
    }
  }

  #tokens(stated: 'record' | 'event', total: JsonObject, last: JsonObject, { line, time }: Moment): void {
    const counted = { total: numbersIn(total, COUNTS), last: numbersIn(last, COUNTS) };
    if (Object.keys(counted.total).length === 0) return;
    if (stated === 'event' && this.#usage.saysAgain(counted)) return;
    const { isCopy, hasTurn } = this.#history;
    if (isCopy || !(hasTurn || this.#usage.hasTotal)) return this.#usage.baseline(counted);
    const [model, day] = [this.#model ?? 'unknown', dayOf(time)];
    const { grown, before } = this.#usage[stated]({ model, day }, counted);
    if (before && this.#request) this.#used(this.#request, before);
    this.#session.usage.recorded(shared(counted.last));
    if (grown === undefined) return;
    // A program that is killed writes the total of its last request only with the next turn, or not at all.
    const isUnsure = !this.#isCountSure || !this.#hasOutput;
    this.#isCountSure = true;
    this.#isTurnCounted = true;
    this.#request = { key: `line ${line}`, model, day };
    this.#used(this.#request, grown, isUnsure);
    this.#session.request(`line ${line}`, shared(counted.last), { line, time });
  }

  #used({ key, model, day }: CountedRequest, tokens: TokenCounts, isUnsure = false): void {
    this.#session.usage.used(key, model, shared(tokens), { day, isUnsure });
  }
}
