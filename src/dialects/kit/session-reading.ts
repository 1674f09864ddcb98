import { isObject, type JsonObject } from '../../json/value.ts';
import { inputExcerpt, textIn } from '../excerpt.ts';
import { changesOfArguments } from '../file-change.ts';
import type { SessionDocument, TurnStatus, UsageEntry } from '../session.ts';
import { type Moment, SessionBuilder } from '../session-builder.ts';
import type { SessionReader } from '../session-reader.ts';
import type { SessionStory } from '../session-story.ts';
import { dayOf } from '../tokens.ts';
import type { Said, SaidResult, SessionReading } from './session.ts';

/** What is kept of a record to find the status of the session. */
interface Word {
  readonly status: TurnStatus | undefined;
  readonly isStop: boolean | undefined;
  readonly parent: string | undefined;
}

/** Builds a session from what its records say. */
export class FormatReader implements SessionReader {
  readonly #format: SessionReading;
  readonly #session: SessionBuilder;
  /** By the id of a record, or by its line. */
  readonly #words = new Map<string, Word>();
  /** The arguments of calls that write a file, until their result. */
  readonly #written = new Map<string, JsonObject>();
  #last: string | undefined;
  #model = 'unknown';
  #cost: number | undefined;

  /** `story`: collect texts too. */
  constructor(format: SessionReading, story?: SessionStory) {
    this.#format = format;
    this.#session = new SessionBuilder(story);
  }

  add(event: JsonObject, line: number): void {
    const { members, said: read } = this.#format;
    const session = this.#session;
    const said = read(event);
    const at: Moment = { line, time: textIn(event, members.time) };
    for (const [name, value] of Object.entries(said.about ?? {})) session.about(name, value);
    session.aboutOneOf('versions', said.version);
    if (said.title) session.title(...said.title);
    if (said.prompt !== undefined) session.prompt(said.prompt || '(no text)', at);
    if (said.isHead) return;
    session.moment(at);
    session.story?.say('thinking', said.thinking ?? '', at);
    if (said.problem) session.problem(...said.problem, at);
    if (said.note) session.story?.divider(...said.note, at);
    if (said.compaction) session.compaction(at);
    session.answer(said.answer ?? '', at);
    this.#used(said, event, at);
    this.#work(said, at);
    this.#word(said, event, line);
  }

  document(): SessionDocument {
    const document = this.#session.document(this.#status());
    if (this.#cost === undefined) return document;
    const cost_usd = Math.round(this.#cost * 1e9) / 1e9;
    return { ...document, session: { ...document.session, cost_usd } };
  }

  entries(): UsageEntry[] {
    return this.#session.entries();
  }

  #used({ usage, cost }: Said, event: JsonObject, { line, time }: Moment): void {
    if (cost !== undefined) this.#cost = (this.#cost ?? 0) + cost;
    if (usage === undefined) return;
    const { tokens, model = this.#model, answers = 1 } = usage;
    this.#model = model;
    const key = usage.key ?? `${textIn(event, this.#format.members.id) ?? `line ${line}`} ${time}`;
    this.#session.usage(key, model, tokens, { answers, day: dayOf(time) });
    this.#session.used(key, tokens);
    this.#session.recorded(tokens);
  }

  #work({ calls = [], results = [], took, usage }: Said, at: Moment): void {
    const session = this.#session;
    for (const { id, tool, input } of calls) {
      session.call({ id, tool, input: inputExcerpt(input), model: usage?.model }, at);
      if (id !== undefined && isObject(input) && this.#format.writers.has(tool)) this.#written.set(id, input);
    }
    if (took) session.correct(took.id, took);
    for (const result of results) this.#result(result, at);
  }

  #result({ id, status, text, exitCode }: SaidResult, at: Moment): void {
    this.#session.result(id, { status, text, exitCode }, at);
    const changes = status === 'ok' ? changesOfArguments(this.#written.get(id ?? '')) : [];
    for (const { path } of changes) this.#session.file(path, at);
    this.#session.story?.changes(id, changes);
    this.#written.delete(id ?? '');
  }

  #word({ status, isStop }: Said, event: JsonObject, line: number): void {
    const { id: idMember, parent: parentMember } = this.#format.members;
    const id = textIn(event, idMember);
    const isLinked = id !== undefined && parentMember !== undefined;
    const parent = isLinked ? textIn(event, parentMember) : this.#last;
    this.#last = id ?? `line ${line}`;
    if (!this.#words.has(this.#last)) this.#words.set(this.#last, { status, isStop, parent });
    if (status !== undefined) this.#session.turnIs(status);
  }

  /** The last word on the way from the last record to the first. */
  #status(): TurnStatus {
    let isStopped = false;
    const words = new Map(this.#words);
    for (let at = this.#last; at !== undefined; ) {
      const word = words.get(at);
      words.delete(at);
      isStopped ||= word?.isStop === true;
      if (word?.status !== undefined)
        return isStopped && word.status === 'open' ? 'interrupted' : word.status;
      at = word?.parent;
    }
    return 'open';
  }
}
