import { defined } from '../../../base/json/defined.ts';
import type { JsonValue } from '../../../base/json/value.ts';
import { ownText } from '../../../base/text/own-text.ts';
import type { LogRecord } from '../../../log/record.ts';
import type { Charge } from '../../kit/charges.ts';
import { excerptOf } from '../../kit/excerpt.ts';
import type { FileChange, FileTexts } from '../../kit/file-change.ts';
import {
  type CallDetails,
  type CallItem,
  type ContextSize,
  FOLDED,
  type PartStory,
  type Story,
  type StoryBuilder,
  type StoryDetails,
  type StoryItem,
  type StoryTurn,
} from '../../kit/story.ts';
import { NO_TOKENS, plusTokens } from '../../kit/tokens.ts';
import type { LogUsage } from '../../kit/usage.ts';
import { agentsInLog } from './agents-in-log.ts';
import type { SessionReader } from './reader.ts';
import {
  type CallStatus,
  hasOnlyTotals,
  type Moment,
  type SessionCall,
  type SessionDocument,
  titleOfAgent,
  toneOfTurn,
  type UsageEntry,
} from './session.ts';
import { timeOfSession } from './time.ts';
import type { TurnCharges } from './usage.ts';

/** The longest input in UTF-16 units. A call may contain a script with its data. */
const LONGEST_INPUT = 20_000;

/** What a story shows of a call, and the call itself does not have. */
interface CallTexts {
  readonly input: string;
  readonly given: JsonValue | undefined;
  readonly time: string | undefined;
  output?: string;
  /** The lines that were taken off the output. */
  more?: number;
  /** The record has several calls, and the result says which of them started which subagent. */
  isOneOfSeveral: boolean;
  changes: FileChange[];
  files?: readonly FileTexts[];
}

interface TurnTexts {
  readonly items: (StoryItem | SessionCall)[];
}

const isCall = (item: StoryItem | SessionCall): item is SessionCall => 'tool' in item && !('kind' in item);

/** The first lines of an output, and the number of others. One that is not shown folded stays whole. */
function folded(output: string): [text: string, more: number] {
  const text = output.trimEnd();
  let [end, lines] = [text.length, 1];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (lines === FOLDED) end = at;
    lines += 1;
  }
  return lines <= FOLDED + 1 ? [output, 0] : [ownText(text.slice(0, end)), lines - FOLDED];
}

/** The statuses of calls that have no result, by call. */
type CallStatuses = ReadonlyMap<string, CallStatus>;

/** What is known of calls when the session is finished. `byCall`: the subagents in the log that they started. */
interface KnownOfCalls {
  readonly statuses: CallStatuses;
  readonly byCall: ReadonlyMap<string, readonly PartStory[]>;
}

const keyOf = ({ line, id }: SessionCall): string => `${line} ${id}`;

/**
 * Collects the texts of a session while it is built. Calls, statuses and durations come from the session, so
 * all commands show the same.
 */
export class SessionStory {
  readonly #turns: TurnTexts[] = [{ items: [] }];
  readonly #calls = new Map<SessionCall, CallTexts>();
  readonly #details = new Map<CallItem, CallDetails>();
  readonly #byId = new Map<string, SessionCall>();
  readonly #requests = new Map<string, ContextSize>();
  readonly #isFolded: boolean;
  /** The outputs in the last record with any. */
  #last: { readonly line: number; readonly texts: CallTexts[] } | undefined;

  /** `isFolded`: keep only the first lines of outputs, and no whole inputs. */
  constructor(isFolded = false) {
    this.#isFolded = isFolded;
  }

  turn(text: string, at: Moment): void {
    this.#turns.push({ items: [] });
    this.say('prompt', text, at);
  }

  say(kind: 'prompt' | 'answer' | 'thinking', text: string, { line, time }: Moment, agent?: string): void {
    if (text.trim() === '') return;
    this.#add({ kind, line, time, agent, text });
  }

  /** `isBad`: whether something went wrong. */
  divider(title: string, text: string, { line, time }: Moment, isBad = false): void {
    const tone = isBad ? 'bad' : 'doubtful';
    this.#add(defined({ kind: 'divider', line, time, title, tone, text: text || undefined }));
  }

  /** `input`: the input in full length, as a text. `given`: as stored. */
  call(call: SessionCall, { input, given, time }: Pick<CallTexts, 'input' | 'given' | 'time'>): void {
    const whole = this.#isFolded ? undefined : given;
    const before = this.#turns.at(-1)?.items.at(-1);
    const other = before !== undefined && isCall(before) ? this.#calls.get(before) : undefined;
    const isOneOfSeveral = before?.line === call.line;
    if (isOneOfSeveral && other) other.isOneOfSeveral = true;
    const kept = { input: excerptOf(input, LONGEST_INPUT), given: whole };
    this.#calls.set(call, { ...kept, changes: [], time, isOneOfSeveral });
    if (call.id !== undefined) this.#byId.set(call.id, call);
    this.#turns.at(-1)?.items.push(call);
  }

  output(call: SessionCall, text: string, { line }: Moment): void {
    const texts = this.#calls.get(call);
    if (texts === undefined || text.trim() === '') return;
    texts.output = text;
    if (!this.#isFolded) return;
    if (this.#last?.line === line) this.#last.texts.push(texts);
    else {
      this.#fold();
      this.#last = { line, texts: [texts] };
    }
  }

  /** Folds the output of a record, unless it has several, of which each says which subagent its call started. */
  #fold(): void {
    const [texts, ...others] = this.#last?.texts ?? [];
    if (texts?.output === undefined || texts.isOneOfSeveral || others.length > 0) return;
    const [output, more] = folded(texts.output);
    texts.output = output;
    texts.more = more;
  }

  #textsOf(id: string | undefined): CallTexts | undefined {
    const call = this.#byId.get(id ?? '');
    return call && this.#calls.get(call);
  }

  /** Sets the file changes of a call. Later changes of a file replace earlier ones. */
  changes(id: string | undefined, changes: readonly FileChange[]): void {
    const texts = this.#textsOf(id);
    if (texts === undefined || changes.length === 0) return;
    const paths = new Set(changes.map(({ path }) => path));
    texts.changes = [...texts.changes.filter(({ path }) => !paths.has(path)), ...changes];
  }

  /** What a call changed, as the program recorded it, in place of what the call asked for. */
  changed(id: string | undefined, changes: readonly FileChange[]): void {
    const texts = this.#textsOf(id);
    if (texts !== undefined && changes.length > 0) texts.changes = [...changes];
  }

  /** Keeps the whole files that the result of a call has. */
  files(id: string | undefined, files: readonly FileTexts[]): void {
    const texts = this.#textsOf(id);
    if (texts !== undefined && files.length > 0 && !this.#isFolded) texts.files = files;
  }

  /** Adds the changes in a result whose call is not in the log. */
  lostEdit(changes: readonly FileChange[], { line, time }: Moment): void {
    const text = `the call is not in the log; its result says what changed in ${changes.map(({ path }) => path).join(', ')}`;
    this.#add({ kind: 'divider', line, time, title: 'edit', tone: 'doubtful', text, changes });
  }

  /** Keeps the size of a request. A repeated key replaces the size, but keeps the line. */
  request(key: string, tokens: number, { line }: Moment): void {
    if (tokens > 0) this.#requests.set(key, { line: this.#requests.get(key)?.line ?? line, tokens });
  }

  /** The sizes of all requests, in order. */
  get context(): readonly ContextSize[] {
    return [...this.#requests.values()];
  }

  /** The story of the finished session. */
  result(session: SessionDocument, entries: readonly UsageEntry[], charges: TurnCharges): Story {
    const { status } = session;
    const all = Object.values(session.tokens);
    const titles = session.agents.map((agent) => [agent.id, titleOfAgent(agent)] as const);
    const agents = titles.filter(([, title]) => title !== '');
    const ended = session.calls.filter(({ status }) => status === 'no result' || status === 'unknown');
    const statuses = new Map(ended.map((call) => [keyOf(call), call.status] as const));
    const { byCall, others } = agentsInLog(session, entries, this.#agents(session));
    return defined({
      title: session.title ?? session.task,
      status,
      tone: toneOfTurn(status),
      time: timeOfSession(session, entries),
      tokens: all.length > 0 ? all.reduce(plusTokens, NO_TOKENS) : undefined,
      tokens_by_turn: hasOnlyTotals(session) ? false : undefined,
      unsure_tokens: session.unsure_tokens,
      copied: session.copied,
      tokens_by_model: all.length > 0 ? session.tokens : undefined,
      agents: agents.length > 0 ? Object.fromEntries(agents) : undefined,
      turns: this.#turns.flatMap((texts, index) =>
        this.#turn(texts, index, session, { statuses, byCall }, charges[index]),
      ),
      subagent_runs: others.length > 0 ? others : undefined,
    });
  }

  /** The subagents that steps of the story name. In the log of a subagent, its own steps have its name too. */
  #agents({ session }: SessionDocument): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { items } of this.#turns)
      for (const { agent } of items) if (agent !== undefined && agent !== session['agent']) names.add(agent);
    return names;
  }

  /** The whole input of a call of the story, and who made it. */
  detailsOf(item: CallItem): CallDetails | undefined {
    return this.#details.get(item);
  }

  #turn(
    { items }: TurnTexts,
    index: number,
    session: SessionDocument,
    known: KnownOfCalls,
    charges: readonly Charge[] | undefined,
  ): StoryTurn[] {
    const shown = items.map((item) => (isCall(item) ? this.#callItem(item, session, known) : item));
    const turn = session.turns[index - 1];
    const tokens = index === 0 ? session.early_tokens : turn?.tokens;
    const line = turn?.line ?? shown[0]?.line ?? (tokens && 1);
    if (line === undefined) return [];
    const { time, status, duration_ms, waited_ms, idle_ms, compacted_ms, unknown_ms, unsure_ms } = turn ?? {};
    const { is_unanswered, rolled_back, copied } = turn ?? {};
    const tone = status && toneOfTurn(status);
    const times = { duration_ms, waited_ms, idle_ms, compacted_ms, unknown_ms, unsure_ms };
    const usage = { tokens, charges, lacks: turn?.lacks };
    const marks = { is_unanswered, rolled_back, copied };
    const head = { turn: index, line, time, status, tone, ...times, ...usage, ...marks };
    return [defined({ ...head, items: shown })];
  }

  #callItem(call: SessionCall, { session }: SessionDocument, { statuses, byCall }: KnownOfCalls): CallItem {
    const texts = this.#calls.get(call);
    const { input = call.input, given, changes = [], files, output, more, time } = texts ?? {};
    const status = (statuses.size > 0 && statuses.get(keyOf(call))) || call.status;
    const { line, tool, exit_code, duration_ms, at_least_ms, at_most_ms, waited_ms, result_line, copied } =
      call;
    // In the log of a subagent, its own calls need no name.
    const agent = call.agent === session['agent'] ? undefined : call.agent;
    // V8 compiles code for objects of one shape only once, so members may be undefined. JSON does not have these.
    const item: CallItem = {
      kind: 'call',
      line,
      time,
      agent,
      tool,
      input,
      status,
      exit_code,
      duration_ms,
      at_least_ms,
      at_most_ms,
      waited_ms,
      result_line,
      output,
      more_lines: more === 0 ? undefined : more,
      changes: changes.length > 0 ? changes : undefined,
      copied,
      subagents: byCall.get(call.id ?? ''),
    };
    this.#details.set(item, { input: given, model: call.model, files });
    return item;
  }

  #add(item: StoryItem): void {
    this.#turns.at(-1)?.items.push(item);
  }
}

/** Makes the story of a session from its reader. */
export class SessionStoryBuilder implements StoryBuilder {
  readonly #story: SessionStory;
  readonly #reader: SessionReader;
  #session: SessionDocument | undefined;
  #entries: readonly UsageEntry[] = [];

  constructor(reader: (story: SessionStory) => SessionReader, isFolded = false) {
    this.#story = new SessionStory(isFolded);
    this.#reader = reader(this.#story);
  }

  add({ value, line }: LogRecord): void {
    this.#reader.add(value, line);
  }

  lost(): void {
    this.#reader.lost();
  }

  result(): Story {
    this.#session = this.#reader.document();
    this.#entries = this.#reader.entries();
    return this.#story.result(this.#session, this.#entries, this.#reader.turnCharges());
  }

  details(): StoryDetails {
    const document = this.#session ?? this.#reader.document();
    const { session, agents, models, started_at, ended_at } = document;
    const { id, agent, cwd, versions = [] } = session;
    return {
      models,
      versions: [versions].flat().map(String),
      ids: [id, agent, ...agents.map((one) => one.id)].filter((name) => typeof name === 'string'),
      entries: this.#entries,
      own: [agent ?? id].filter((name) => typeof name === 'string'),
      started: agents.map(({ id: name, line }) => ({ id: name, line })),
      ...(typeof cwd === 'string' && { cwd }),
      started_at,
      ended_at,
      context: this.#story.context,
      callOf: (item) => this.#story.detailsOf(item),
    };
  }

  usage(): LogUsage {
    const usage = this.#reader.entries().filter(({ tool }) => tool === undefined);
    return { usage, ...(this.#reader.isPart && { is_part: true }) };
  }
}
