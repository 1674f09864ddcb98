import type { JsonObject } from '../../../base/json/value.ts';
import { messageText, numberIn, objectIn, objectsIn, textIn } from '../../kit/members.ts';
import { contentOf, skippedLine } from '../kit/loading/lines.ts';
import type {
  Entry,
  FileLine,
  Loading,
  LoadingRemark,
  LoadingRules,
  Part,
  Skipped,
  Surroundings,
} from '../kit/loading/model.ts';
import { partOf, textPart } from '../kit/loading/parts.ts';
import { loadingOf } from '../kit/loading/result.ts';
import { rulesFor } from '../kit/loading/versions.ts';
import { threadInName } from './files.ts';
import { isBareHead, isContext } from './records.ts';
import { CALLS, HOSTED, OUTPUTS } from './vocabulary.ts';

/** The blocks of messages that the program knows. It drops a record with another one. */
const BLOCKS: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'input_image']);

/** The parts of an item of the conversation; a text says why the program cannot use it. */
export function codexParts(item: JsonObject, line: number): readonly Part[] | string {
  const { type, role } = item;
  if (type === 'reasoning')
    return [partOf('thinking', line, textIn(item, 'id') ?? JSON.stringify(item), { words: '' })];
  if (CALLS.has(type))
    return [
      partOf('call', line, '', {
        call: textIn(item, 'call_id'),
        words: textIn(item, 'name') ?? String(type),
      }),
    ];
  if (HOSTED.has(type)) return [partOf('other', line, JSON.stringify(item), { words: String(type) })];
  if (OUTPUTS.has(type)) return [partOf('result', line, '', { call: textIn(item, 'call_id') })];
  if (type !== 'message') return [];
  const blocks = objectsIn(item, 'content');
  const unknown = blocks.find((block) => !BLOCKS.has(block['type']));
  if (unknown) return `a block of the unknown type ${JSON.stringify(unknown['type'])}`;
  if (role === 'assistant') return blocks.map((block) => textPart('text', line, textIn(block, 'text') ?? ''));
  if (role !== 'user' || isContext(messageText(item['content']))) return [];
  return blocks.map((block) =>
    block['type'] === 'input_image'
      ? partOf('other', line, JSON.stringify(block), { words: 'image' })
      : textPart('prompt', line, textIn(block, 'text') ?? ''),
  );
}

const looksSaid = (text: string): boolean =>
  text.includes('"response_item"') &&
  !/"role"\s*:\s*"developer"|"text"\s*:\s*"<environment_context/.test(text);

/** In the form that the program no longer reads. */
const looksSaidBare = (text: string): boolean => !text.includes('"record_type"');

/** Reads a rollout as the program does: each record on its own. */
class Rollout {
  readonly entries: Entry[] = [];
  readonly skipped: Skipped[] = [];
  /** Where the history begins, after the last compaction. */
  start = 0;
  first: JsonObject | undefined;
  /** The first record of a log in the form that the program no longer reads. */
  head: JsonObject | undefined;
  version: string | undefined;
  last: JsonObject | undefined;
  isEmpty = true;
  /** Messages that are in the log twice, and sent twice. */
  readonly repeated: LoadingRemark[] = [];
  readonly #lines = new Map<string, number>();

  add(line: FileLine): void {
    const { values, fault, pieces } = contentOf(line, { isStrictUtf8: true, refusesHalves: true });
    const isFirst = this.isEmpty;
    if (fault !== undefined || values.length > 0) this.isEmpty = false;
    const [event] = values;
    const why = fault ?? (event && this.#record(event, line.line, isFirst));
    if (why !== undefined)
      this.skipped.push(skippedLine(line, why, this.head === undefined ? looksSaid : looksSaidBare, pieces));
  }

  #record(event: JsonObject, line: number, isFirst: boolean): string | undefined {
    if (textIn(event, 'timestamp') === undefined && 'payload' in event) return 'it has no timestamp';
    const payload = objectIn(event, 'payload');
    if (event['type'] === 'session_meta') {
      if (isFirst) this.first = payload;
      this.version = textIn(payload, 'cli_version') ?? this.version;
    }
    this.last = event;
    if (isFirst && isBareHead(event)) this.head = event;
    if (this.head !== undefined) return this.#item(event, line);
    if (event['type'] === 'compacted') this.#compacted(payload, line);
    if (payload['type'] === 'thread_rolled_back') this.#rollBack(numberIn(payload, 'num_turns') ?? 0);
    return event['type'] === 'response_item' ? this.#item(payload, line) : undefined;
  }

  #item(payload: JsonObject, line: number): string | undefined {
    const parts = codexParts(payload, line);
    if (typeof parts === 'string') return parts;
    const id = textIn(payload, 'id');
    const before = id === undefined ? undefined : this.#lines.get(id);
    if (id !== undefined && before === undefined) this.#lines.set(id, line);
    if (before !== undefined && parts.every(({ call }) => call === undefined))
      this.repeated.push({ line, message: `the item of line ${before} again: it is sent twice` });
    else if (parts.length > 0) this.entries.push({ line, time: Number.NaN, parts });
    return undefined;
  }

  #compacted(payload: JsonObject, line: number): void {
    this.start = this.entries.length;
    const history = objectsIn(payload, 'replacement_history').flatMap((item) => {
      const parts = codexParts(item, line);
      return typeof parts === 'string' ? [] : parts;
    });
    const summary = textIn(payload, 'message');
    this.entries.push({
      line,
      time: Number.NaN,
      isBeginning: true,
      parts: history.length > 0 || summary === undefined ? history : [partOf('other', line, summary)],
    });
  }

  #rollBack(turns: number): void {
    for (let left = turns; left > 0; left -= 1) {
      const at = this.entries.findLastIndex(({ parts }) => parts.some(({ kind }) => kind === 'prompt'));
      if (at < this.start) return;
      this.entries.length = at;
    }
  }
}

function refusalOf({ isEmpty, first, head, last }: Rollout, path: string): LoadingRemark | undefined {
  const says = (message: string) => ({ line: 1, message });
  if (isEmpty) return says('"rollout … is empty"');
  if (first === undefined) {
    const form = head === undefined ? '' : ': an old version wrote it, in a form that Codex no longer reads';
    return says(`"rollout … does not start with session metadata"${form}`);
  }
  const [id, name] = [textIn(first, 'id'), threadInName(path)];
  if (id !== undefined && name !== undefined && id !== name)
    return says(`"rollout … belongs to thread ${id}, expected ${name}"`);
  if (first['history_mode'] === 'paginated' && last && numberIn(last, 'ordinal') === undefined)
    return says('"final paginated rollout record … is missing an ordinal"');
  return undefined;
}

function load(lines: Iterable<FileLine>, { path }: Surroundings, wanted: string): Loading {
  const log = new Rollout();
  for (const line of lines) log.add(line);
  const history = log.entries.slice(log.start);
  return loadingOf({
    session: textIn(log.first ?? log.head, 'id'),
    cwd: log.first && textIn(log.first, 'cwd'),
    version: log.version,
    rules: rulesFor(codexLoading.versions, wanted),
    refusal: refusalOf(log, path),
    leaf: history.at(-1)?.line,
    reached: history,
    whole: history,
    all: log.entries,
    skipped: log.skipped,
    changed: log.repeated,
    pairs: {
      open: 'close',
      orphan: 'drop',
      repeated: 'send',
      early: 'send',
      second: 'refuse',
      says: ({ kind, call }, fault) =>
        fault === 'early'
          ? `the output of ${call} comes before its call`
          : fault === 'repeated'
            ? `a second ${kind === 'call' ? 'call' : 'output'} with the id ${call}`
            : undefined,
    },
  });
}

/** How Codex loads a session. */
export const codexLoading: LoadingRules = { program: 'Codex', versions: ['0.171.0'], looksSaid, load };
