import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { inputText } from '../../kit/call-input.ts';
import type { StoredCost } from '../../kit/charges.ts';
import { dollars, plainDecimal } from '../../kit/decimals.ts';
import { changesOfArguments } from '../../kit/file-change.ts';
import type { DialectStates } from '../../kit/states.ts';
import {
  dayOf,
  missingTokens,
  NO_TOKENS,
  plusTokens,
  type Tokens,
  tokensText,
  totalTokens,
} from '../../kit/tokens.ts';
import { BranchStatus } from './branch-status.ts';
import { SessionBuilder } from './builder.ts';
import { type CopyReader, olderCopies } from './copies-in.ts';
import { EditedMessages } from './edited-messages.ts';
import type { Said, SaidCall, SaidResult, SessionReading } from './format.ts';
import { textAt, timeAt } from './member.ts';
import { sessionStates } from './members.ts';
import { MessagePlaces } from './message-places.ts';
import { MissingParents } from './missing-parents.ts';
import type { SessionReader } from './reader.ts';
import { RequestPairs } from './request-pairs.ts';
import { SeenRecords } from './seen-records.ts';
import {
  asksIn,
  type Moment,
  ownTurnsOf,
  type SessionDocument,
  type SessionOutline,
  type TurnStatus,
  type UsageEntry,
} from './session.ts';
import type { SessionStory } from './story.ts';
import type { TurnCharges } from './usage.ts';

/** Recognises records that were copied from another session: those that say so, and those that are older than the session. */
export function copiesIn({
  said,
  members,
  copiesAreOlder,
}: Pick<SessionReading, 'said' | 'members' | 'copiesAreOlder'>): CopyReader {
  if (!copiesAreOlder) return (event) => (said(event).isCopy ? 'original' : undefined);
  return olderCopies((event) => {
    const { isHead = false, began } = said(event);
    return { isHead, began, time: timeAt(event, members.time) };
  });
}

/** Recognises records of a format that are in the log again. One without an id is known by its content and its time. */
export function againIn({ members }: Pick<SessionReading, 'members'>): (event: JsonObject) => boolean {
  const seen = new SeenRecords();
  return (event) => {
    const time = timeAt(event, members.time);
    const content = () => (time === undefined ? undefined : JSON.stringify(event));
    return seen.isAgain(textAt(event, members.id) ?? content(), time);
  };
}

/** Builds a session from what its records say. */
export class FormatReader implements SessionReader {
  readonly #format: SessionReading;
  readonly #session: SessionBuilder;
  readonly #isAgain: (event: JsonObject) => boolean;
  readonly #timesOfCopy: CopyReader;
  /** The arguments of calls that write a file, until their result. */
  readonly #written = new Map<string, JsonObject>();
  /** The messages so far, if the format can take them back. */
  readonly #edited: EditedMessages | undefined;
  readonly #branch: BranchStatus;
  readonly #parents = new MissingParents();
  /** The messages so far, if their ids are in the order of time. */
  readonly #places = new MessagePlaces();
  /** When the session began, as its head says. */
  #head: string | undefined;
  #model = 'unknown';
  #cost: number | undefined;
  #totals: Said['totals'];
  #isPart = false;
  readonly #counts = new Map<string, number>();
  /** The files that were written so far. */
  readonly #files = new Set<string>();
  /** The message from which on all were taken back, and the turns of these. */
  #takesBack: string | undefined;
  readonly #taken = new Set<number>();
  #turns = 0;
  #ends: TurnStatus | undefined;
  /** The tokens of all answers, and the day of the last one. */
  #sum = NO_TOKENS;
  /** Whether the request of the next compaction was noted. */
  #isRequested = false;
  /** When the model last answered, a result came, or the user sent a prompt; and when the last problem was. */
  #worked: string | undefined;
  #stopped: string | undefined;
  /** The answers and compactions without tokens. */
  readonly #uncounted: (readonly [key: string, turn: number])[] = [];
  #day: string | undefined;
  readonly #pairs = new RequestPairs();

  /** `story`: collect texts too. */
  constructor(format: SessionReading, story?: SessionStory) {
    this.#format = format;
    this.#session = new SessionBuilder(story);
    this.#edited = format.isEdited && new EditedMessages();
    this.#branch = new BranchStatus(this.#edited?.history);
    this.#isAgain = format.isEdited ? () => false : againIn(format);
    this.#timesOfCopy = copiesIn(format);
  }

  add(event: JsonObject, line: number): void {
    if (this.#isAgain(event)) return;
    const { members } = this.#format;
    const session = this.#session;
    const id = textAt(event, members.id);
    const at: Moment = { line, time: timeAt(event, members.time) };
    const read = this.#format.said(event);
    const isCopy = this.#timesOfCopy(event) !== undefined;
    if (isCopy) this.#copied(read, line);
    const said = this.#edited?.apply(read, id, line) ?? read;
    this.#took(said, id);
    this.#chain(event, id, at);
    if (said.isStart) session.restarted(at.time);
    session.moment({ line, time: said.began });
    if (said.isHead) session.headAt(at.time);
    if (said.totals) this.#totals = said.totals;
    if (said.isPart) this.#isPart = true;
    if (said.model !== undefined) this.#model = said.model;
    if (said.ends) this.#ends = said.ends;
    for (const [name, value] of Object.entries(said.about ?? {})) session.facts.about(name, value);
    session.facts.aboutOneOf('versions', said.version);
    if (said.isUnread) session.usage.unread(line);
    for (const [name, count] of Object.entries(said.counts ?? {}))
      if (count > 0) this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
    for (const { id, name, description, status, tokens, calls } of said.agents ?? [])
      if (id !== undefined) session.facts.agent(id, { name, description, status, tokens, calls }, at);
    if (said.title) session.facts.title(...said.title, line);
    if (said.prompt !== undefined) session.prompt(said.prompt || '(no text)', at, said.isQueued);
    if (said.isHead) {
      this.#head ??= said.began ?? at.time;
      return;
    }
    if (said.missing) this.#missing(said.missing);
    else if (this.#format.hasOrderedIds && id !== undefined)
      this.#places.add({ id, time: at.time, ended: said.ended, turn: session.turn });
    for (const time of [at.time, said.ended]) session.moment({ line, time });
    session.story?.say('thinking', said.thinking ?? '', at);
    if (said.note) session.story?.divider(...said.note, at);
    if (said.compaction) session.compaction(at);
    session.answer(said.answer ?? '', at);
    if (!isCopy) this.#requested(said, event, at);
    if (said.requested && !isCopy) this.#askedFor(said.requested, this.#keyOf(event, at), event, at);
    this.#used(said, event, at, isCopy);
    this.#work(said, at);
    if (said.prompt !== undefined || said.usage || said.results) this.#worked = at.time ?? this.#worked;
    if (said.problem) this.#stopped = at.time;
    const end = { line, time: said.ended ?? at.time };
    if (said.problem) session.problem(...said.problem, end);
    // A request that failed has no answer, but its model was asked.
    if (said.problem) session.usage.model(said.model, 0);
    if (said.isStop && session.status === 'open') session.stopped(end.time);
    for (const path of said.changed ?? []) if (!this.#files.has(path)) this.#file(path, at);
    this.#keepStatus(said, event, line);
  }

  lost(): void {
    this.#edited?.lost();
    // A call that was cancelled may be on the line.
    if (this.#session.status === 'interrupted') this.#session.untold(this.#worked, this.#stopped);
    this.#session.lost();
  }

  /** The time in which a missing message was written is unknown, and its tokens are not counted. */
  #missing({ id, isPart }: NonNullable<Said['missing']>): void {
    const { own, before, after } = this.#places.around(id);
    if (own === undefined || !isPart)
      this.#uncounted.push([`missing ${id}`, before?.turn ?? this.#session.turn]);
    const until = (isPart ? own?.ended : undefined) ?? after?.time;
    const since = (isPart ? own?.time : undefined) ?? before?.ended ?? before?.time ?? this.#head;
    // It may be the newest message, which says how far the session came.
    if (until === undefined) this.lost();
    else if (isPart) this.#session.untold(since, until);
    else this.#session.missing(before?.turn ?? 0, since, until);
  }

  document(): SessionDocument {
    if (this.#edited) this.#session.takenBack(this.#edited.takenBack);
    else if (this.#taken.size > 0) this.#session.takenBack(this.#taken);
    const hasRest = this.#totals !== undefined && this.#addRest(this.#totals.tokens);
    // A total counts every request.
    if (this.#totals === undefined) for (const one of this.#uncounted) this.#session.usage.uncounted(...one);
    const document = this.#session.document(this.#status());
    const facts: Record<string, string | number | undefined> = {
      ...Object.fromEntries(this.#counts),
      ...(hasRest && { tokens_of_answers: tokensText(this.#sum), cost_of_answers: dollars(this.#cost) }),
      cost_usd: dollars(this.#totals?.cost ?? this.#cost),
    };
    const session = { ...document.session };
    for (const [name, value] of Object.entries(facts)) if (value !== undefined) session[name] = value;
    return { ...document, session };
  }

  outline(): SessionOutline {
    const document = this.document();
    const { turns, calls } = document;
    const hasCopies = this.#session.facts.copiedLines !== undefined;
    return { ...document, turns: ownTurnsOf({ turns }).length, asks: asksIn(calls), hasCopies };
  }

  get lastAnswer(): string | undefined {
    return this.#session.lastAnswer;
  }

  turnCharges(): TurnCharges {
    return this.#session.usage.charges();
  }

  entries(): UsageEntry[] {
    if (!this.#format.isSelfContained) return this.#session.entries(undefined, this.#status());
    // Other logs may use the same ids, so keys include the session.
    const { session, started_at, agents } = this.document();
    const { id, part } = session;
    const own = `${id} ${started_at}`;
    const runs = [own, id, part].filter((name) => typeof name === 'string');
    const of = [this.#isPart && typeof id === 'string' ? id : own, ...agents.map(({ id }) => id)];
    const total = this.#totals && { of, tokens: this.#totals.tokens };
    return this.#session
      .entries(undefined, this.#status())
      .map((entry) =>
        entry.key === 'rest' && total
          ? { ...entry, key: `rest of ${of[0]}`, runs, total }
          : { ...entry, key: `${own} ${entry.key}`, runs },
      );
  }

  answers(): UsageEntry[] {
    return this.entries().filter(({ call }) => call === undefined);
  }

  /**
   * Adds tokens of the totals that no answer has, for example of subagents. Returns whether there are any.
   */
  #addRest(totals: Tokens): boolean {
    const rest = missingTokens(totals, this.#sum);
    if (totalTokens(rest) === 0) return false;
    const stored = this.#stored((this.#totals?.cost ?? 0) - (this.#cost ?? 0));
    this.#session.usage.add('rest', this.#model, rest, { answers: 0, day: this.#day, stored });
    return true;
  }

  /** The cost that the program stored. Programs store 0 for models whose prices they do not know. */
  #stored(cost: number | undefined): StoredCost | undefined {
    const amount = plainDecimal(dollars(cost) ?? 0);
    return amount === '0' ? undefined : { amount, by: this.#format.name };
  }

  /** Keeps what a copied record adds to the other session. */
  #copied({ usage }: Said, line: number): void {
    this.#session.facts.copied(line);
    const { tokens = NO_TOKENS, answers = 1 } = usage ?? { answers: 0 };
    const counts = { copied_messages: 1, copied_answers: answers, copied_tokens: totalTokens(tokens) };
    for (const [name, count] of Object.entries(counts))
      if (count > 0) this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** Keeps what the head says about later records, and the turns that it takes back. */
  #took({ takesBack, prompt }: Said, id: string | undefined): void {
    this.#takesBack ??= takesBack;
    if (prompt === undefined) return;
    if (this.#taken.size > 0 || (id !== undefined && id === this.#takesBack)) this.#taken.add(this.#turns);
    this.#turns += 1;
  }

  /** Notes where a record is missing that this one names. Edited messages have no parents. */
  #chain(event: JsonObject, id: string | undefined, { time }: Moment): void {
    const { parent } = this.#format.members;
    if (parent === undefined || id === undefined) return;
    const gap = this.#parents.next(id, textAt(event, parent));
    if (gap) this.#session.gap(gap, time);
  }

  #file(path: string, at: Moment, call?: string): void {
    this.#files.add(path);
    this.#session.file(path, at, call);
  }

  /** How much of an edited session the program would load. */
  mayLack(): boolean {
    return this.#edited?.history.mayLack() ?? false;
  }

  /** The key of the usage of a record. */
  #keyOf(event: JsonObject, { line, time }: Moment): string {
    return `${textAt(event, this.#format.members.id) ?? `line ${line}`} ${time}`;
  }

  /** Notes requests whose tokens no answer has. A compaction has one, whether or not the log has a record of it. */
  #requested({ request, usage, compaction }: Said, event: JsonObject, at: Moment): void {
    const isCompaction = compaction === true && usage === undefined;
    if ((request && usage === undefined) || (isCompaction && !this.#isRequested))
      this.#uncounted.push([this.#keyOf(event, at), this.#session.turn]);
    if (isCompaction) this.#isRequested = false;
    else if (request?.isCompaction) this.#isRequested = true;
  }

  #used({ usage, cost, status, request }: Said, event: JsonObject, at: Moment, isCopy: boolean): void {
    const { time } = at;
    if (cost !== undefined && !isCopy) this.#cost = (this.#cost ?? 0) + cost;
    if (usage === undefined) return;
    const { tokens, model = this.#model, answers = 1 } = usage;
    // A request besides the conversation may have another model, and its size is not that of the conversation.
    const isAside = request !== undefined;
    if (!isAside) this.#model = model;
    if (isCopy) return;
    const key = usage.key ?? this.#keyOf(event, at);
    const facts = { day: dayOf(time), stored: this.#stored(cost) };
    // The model of an answer that was cut off worked too.
    if (!isAside) this.#answered(tokens, event);
    if (totalTokens(tokens) === 0 && status !== 'error') this.#uncounted.push([key, this.#session.turn]);
    this.#session.usage.add(key, model, tokens, { answers, ...facts });
    this.#session.usage.used(key, model, tokens, facts);
    if (!isAside) this.#session.request(key, tokens, at);
    this.#sum = plusTokens(this.#sum, tokens);
    this.#day = dayOf(time);
    if (!this.#edited) this.#session.usage.recorded(tokens);
  }

  /** Counts the tokens of a request, unless an answer has them. */
  #askedFor(
    { model, tokens }: NonNullable<Said['requested']>,
    key: string,
    event: JsonObject,
    { time }: Moment,
  ): void {
    const id = textAt(event, this.#format.members.id);
    if (totalTokens(tokens) === 0 || this.#pairs.request(tokens, key, id)) return;
    const facts = { day: dayOf(time) };
    this.#session.usage.add(key, model, tokens, { answers: 0, ...facts });
    this.#session.usage.used(key, model, tokens, facts);
  }

  /** Takes back the tokens of the request of an answer. */
  #answered(tokens: Tokens, event: JsonObject): void {
    const request = this.#pairs.answer(tokens, textAt(event, this.#format.members.parent ?? ''));
    if (request !== undefined) this.#session.usage.remove(request);
  }

  #work({ calls = [], results = [], took, usage }: Said, at: Moment): void {
    const session = this.#session;
    const isUntimed = ({ id, time, isLate }: SaidCall): boolean =>
      isLate === true ||
      (time === undefined && results.some((result) => result.id === id && result.time === undefined));
    for (const call of calls) {
      const { id, tool, input, time = at.time, until } = call;
      if (isUntimed(call)) session.untold(this.#worked, time);
      session.call(
        { id, tool, input: inputText(input), given: input, model: usage?.model, until },
        { ...at, time },
      );
      if (id !== undefined && isObject(input) && this.#format.writers.has(tool)) this.#written.set(id, input);
    }
    if (took) session.correct(took.id, took);
    // The time of a record with a call and its result is that of the call.
    const isOwn = ({ id }: SaidResult) => calls.some((call) => call.id === id);
    for (const result of results)
      this.#result(result, { ...at, time: result.time ?? (isOwn(result) ? undefined : at.time) });
  }

  #result({ id, status, text, exitCode, byPerson, diff, files = [] }: SaidResult, at: Moment): void {
    this.#session.result(id, { status, text, exitCode, byPerson }, at);
    const changes = status === 'ok' ? changesOfArguments(this.#written.get(id ?? ''), diff) : [];
    for (const { path } of changes) this.#file(path, at, id);
    this.#session.story?.changes(id, changes);
    this.#session.story?.files(id, files);
    this.#written.delete(id ?? '');
  }

  #keepStatus({ status, isStop }: Said, event: JsonObject, line: number): void {
    const { id: idMember, parent: parentMember } = this.#format.members;
    const id = textAt(event, idMember);
    const isLinked = id !== undefined && parentMember !== undefined;
    const link = isLinked ? { parent: textAt(event, parentMember) } : undefined;
    this.#branch.add(id ?? `line ${line}`, link, { status, isStop });
    if (status !== undefined) this.#session.turnIs(status);
  }

  #status(): TurnStatus {
    return this.#ends ?? this.#edited?.statusWithoutPrompt ?? this.#branch.status;
  }
}

/** Projects sessions of a format on a page. */
export const statesOf = (format: SessionReading): DialectStates =>
  sessionStates(() => new FormatReader(format));
