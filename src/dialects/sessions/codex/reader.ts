import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { changesOfPatch } from '../../kit/file-change.ts';
import { messageText, numberIn, numbersIn, objectIn, textIn } from '../../kit/members.ts';
import { dayOf } from '../../kit/tokens.ts';
import { SessionBuilder } from '../kit/builder.ts';
import type { SessionReader } from '../kit/reader.ts';
import type { Moment, SessionDocument, SessionOutline, UsageEntry } from '../kit/session.ts';
import type { SessionStory } from '../kit/story.ts';
import type { TurnCharges } from '../kit/usage.ts';
import { changesDone } from './patches.ts';
import {
  callIdOf,
  durationIn,
  errorOfTurn,
  givenOf,
  type Item,
  inputOf,
  isBareHead,
  isCall,
  isDeclined,
  isError,
  isHosted,
  isOutput,
  isOutputOfModel,
  isTurnStart,
  itemOf,
  NO_ANSWER,
  outcomeOf,
  parsedText,
  promptInEvent,
  promptInItem,
  thinkingOf,
  toolOf,
  withoutFrame,
} from './records.ts';
import { isFurther, ThreadHistory } from './thread-history.ts';
import { type TurnEnd, TurnEnds } from './turn-ends.ts';
import { COUNTS, shared, Usage } from './usage.ts';
import { WrittenAgain } from './written-again.ts';

/** Events that ask the user to approve a call. */
const APPROVAL_REQUESTS: ReadonlySet<unknown> = new Set([
  'exec_approval_request',
  'apply_patch_approval_request',
]);

const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm;

/** The text of a patch. In JSON arguments its newlines are escaped. */
const patchIn = (text: string): string => (/^\s*[{["]/.test(text) ? text.replaceAll('\\n', '\n') : text);

/** Builds a session from a rollout (codex.md §4 to §7). */
export class RolloutReader implements SessionReader {
  readonly #session: SessionBuilder;
  readonly #usage = new Usage();
  readonly #history = new ThreadHistory();
  readonly #written = new WrittenAgain();
  readonly #ends = new TurnEnds();
  readonly #patches = new Map<string, { readonly paths: readonly string[]; readonly at: Moment }>();
  /** The calls that start subagents, and their lines. */
  readonly #spawns = new Map<string, number>();
  readonly #waits = new Set<string>();
  /** Calls that wait for the user, and since when. */
  readonly #asked = new Map<string, string | undefined>();
  #model: string | undefined;
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
    this.#approvals(item, at);
    if (item.type === 'session_meta') this.#meta(item.payload);
    else if (isBareHead(event)) this.#head(event);
    else if (item.type === 'turn_context') {
      this.#model = textIn(item.payload, 'model') ?? this.#model;
      this.#session.model(this.#model);
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
      this.#session.numbered({ session: this.#thread, ...this.#numbers });
    for (const [key, { tokens, ...of }] of this.#usage.sums)
      this.#session.usage(key, of.model, shared(tokens), of);
  }

  get lastAnswer(): string | undefined {
    return this.#session.lastAnswer;
  }

  turnCharges(): TurnCharges {
    this.#count();
    return this.#session.turnCharges();
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
    if (end !== undefined && thread !== undefined) this.#session.goesOnFrom(thread, end - 1);
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
    if (id !== undefined) session.recordsOf(id);
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
    if (type === 'response_item' && kind !== 'reasoning' && !this.#history.isCopy) this.#session.requested();
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
    if (isCall(item) || isHosted(item)) this.#call(item, at);
    else if (isOutput(item)) this.#output(item, at);
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

  #call(item: Item, at: Moment): void {
    this.#answer.isBefore = true;
    const id = callIdOf(item) ?? (isHosted(item) ? `line ${at.line}` : undefined);
    const [tool, input] = [toolOf(item), inputOf(item)];
    this.#session.call({ id, tool, input, given: givenOf(item), model: this.#model }, at);
    if (!this.#hasTurns) this.#session.turnIs('open');
    if (isHosted(item)) this.#session.result(id, { status: 'ok' }, at);
    if (id === undefined) return;
    if (tool === 'spawn_agent') this.#spawns.set(id, at.line);
    if (tool === 'wait_agent') this.#waits.add(id);
    const patch = textIn(item.payload, 'input') ?? textIn(item.payload, 'arguments') ?? '';
    this.#session.story?.changes(id, changesOfPatch(patchIn(patch)));
    const paths = Array.from(patchIn(patch).matchAll(PATCHED), ([, path = '']) => path.trim());
    if (paths.length > 0) this.#patches.set(id, { paths, at });
  }

  #output(item: Item, at: Moment): void {
    const id = callIdOf(item);
    const { exitCode, status, text, byPerson } = outcomeOf(item);
    this.#session.result(
      id,
      { status, exitCode, text: withoutFrame(text), ...(byPerson && { byPerson }) },
      at,
    );
    if (id === undefined) return;
    if (status === 'ok') this.#patched(id);
    this.#agentsIn(id, text, at);
  }

  /** A call changed files as its patch says. */
  #patched(id: string): void {
    const patch = this.#patches.get(id);
    if (patch === undefined) return;
    for (const path of patch.paths) this.#session.file(path, patch.at);
    this.#patches.set(id, { paths: [], at: patch.at });
  }

  /** Adds the subagent that a call started, or those that it waited for. */
  #agentsIn(id: string, text: string, at: Moment): void {
    const started = this.#spawns.get(id);
    if (started === undefined && !this.#waits.has(id)) return;
    const answer = parsedText(text);
    const agent = textIn(answer, 'agent_id');
    if (agent !== undefined && started !== undefined)
      this.#started(agent, textIn(answer, 'nickname'), started);
    for (const [thread, ended] of Object.entries(objectIn(answer, 'status'))) {
      const [status] = isObject(ended) ? Object.keys(ended) : [ended];
      if (typeof status === 'string') this.#session.facts.agent(thread, { status }, at);
    }
  }

  #started(agent: string, name: string | undefined, line: number): void {
    this.#session.facts.agent(agent, { name }, { line });
    // A copied history names the subagents of another thread.
    if (!this.#history.isCopy) this.#session.started(agent);
  }

  /** Notes when the user was asked about a call. The next record of the call shows that the user answered. */
  #approvals({ kind, payload }: Item, { time }: Moment): void {
    const id = textIn(payload, 'call_id');
    if (id === undefined) return;
    if (APPROVAL_REQUESTS.has(kind)) {
      this.#asked.set(id, time);
      this.#session.asks(id, time);
    } else if (this.#asked.has(id)) {
      this.#session.asked(id, this.#asked.get(id), time);
      this.#asked.delete(id);
    }
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
    } else this.#detailsOfCall(item, at);
  }

  #endOfTurn(item: Item, end: TurnEnd, at: Moment): void {
    const { payload } = item;
    this.#hasTurns = true;
    this.#session.tookUntil(numberIn(payload, 'duration_ms'), at);
    if (end === 'aborted') {
      this.#session.problem(
        'interrupted',
        `the turn was aborted: ${textIn(payload, 'reason') ?? 'no reason'}`,
        at,
      );
      this.#session.turnIs('interrupted');
    } else if (end === 'failed') {
      this.#session.failed('failed turn', errorOfTurn(item), NO_ANSWER, at);
      this.#session.turnIs('error');
    } else if (end === 'compacted') {
      this.#session.compactedFor(numberIn(payload, 'duration_ms'), at);
      // Only some versions write what the request used.
      if (!this.#isTurnCounted && !this.#session.facts.isCopy(at)) this.#session.uncounted(`line ${at.line}`);
      this.#session.turnIs('done');
    } else {
      // The record of the answer may be missing; the end of the turn repeats its text.
      const last = textIn(payload, 'last_agent_message')?.trim() ?? '';
      if (this.#answer.isBefore && last !== this.#answer.text) this.#answered(last, at);
      this.#session.turnIs('done');
    }
  }

  /** Adds to a call what events say about it. */
  #detailsOfCall({ kind, payload }: Item, at: Moment): void {
    if (kind === 'patch_apply_end') {
      this.#patchEnds(textIn(payload, 'call_id') ?? '', payload, at);
    } else if (kind === 'exec_command_end') {
      this.#command(textIn(payload, 'call_id'), payload);
    } else if (kind === 'item_completed') {
      const item = objectIn(payload, 'item');
      if (item['type'] === 'CommandExecution') this.#command(textIn(item, 'id'), item);
    }
  }

  /** The program records which files a patch changed, with whole paths. */
  #patchEnds(id: string, end: JsonObject, at: Moment): void {
    const asked = this.#patches.get(id);
    const done = changesDone(end);
    if (end['success'] === false) this.#session.correct(id, { status: isDeclined(end) ? 'denied' : 'error' });
    else if (done.length === 0) return this.#patched(id);
    // If the result of the call came first, its files are known.
    else if (asked?.paths.length !== 0) {
      for (const { path } of done) this.#session.file(path, asked?.at ?? at, id);
      this.#session.story?.changed(id, done);
    }
    this.#patches.set(id, { paths: [], at });
  }

  #command(id: string | undefined, item: JsonObject): void {
    const exitCode = numberIn(item, 'exit_code');
    const durationMs = durationIn(item);
    if (id === undefined) return;
    // What was not allowed did not run, so its exit code says nothing.
    if (isDeclined(item)) return this.#session.correct(id, { status: 'denied' });
    const status = exitCode === undefined ? undefined : exitCode === 0 ? 'ok' : 'error';
    this.#session.correct(id, { status, exitCode, durationMs });
  }

  #tokens(stated: 'record' | 'event', total: JsonObject, last: JsonObject, { line, time }: Moment): void {
    const counted = { total: numbersIn(total, COUNTS), last: numbersIn(last, COUNTS) };
    if (Object.keys(counted.total).length === 0) return;
    if (stated === 'event' && this.#usage.saysAgain(counted)) return;
    const { isCopy, hasTurn } = this.#history;
    if (isCopy || !(hasTurn || this.#usage.hasTotal)) return this.#usage.baseline(counted);
    const [model, day] = [this.#model ?? 'unknown', dayOf(time)];
    const grown = this.#usage[stated]({ model, day }, counted);
    this.#session.recorded(shared(counted.last));
    if (grown === undefined) return;
    // A program that is killed writes the total of its last request only with the next turn, or not at all.
    const isUnsure = !this.#isCountSure || !this.#hasOutput;
    this.#isCountSure = true;
    this.#isTurnCounted = true;
    this.#session.used(`line ${line}`, model, shared(grown), { day, isUnsure });
    this.#session.request(`line ${line}`, shared(counted.last), { line, time });
  }
}
