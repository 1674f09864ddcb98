import { basename } from 'node:path';
import type { JsonObject } from '../../../base/json/value.ts';
import { asObject, objectIn, textIn } from '../../kit/members.ts';
import type { Chain } from '../kit/loading/chain.ts';
import { contentOf, skippedLine } from '../kit/loading/lines.ts';
import type {
  Entry,
  FileLine,
  Loading,
  LoadingRules,
  Part,
  Skipped,
  Surroundings,
} from '../kit/loading/model.ts';
import type { PairRules } from '../kit/loading/pairs.ts';
import { partOf, textPart } from '../kit/loading/parts.ts';
import { loadingOf } from '../kit/loading/result.ts';
import { isSince, rulesFor } from '../kit/loading/versions.ts';
import { Branches } from './branch.ts';
import { sessionInName } from './files.ts';
import { blocksOf, isPrompt } from './records.ts';

/** The attachments that become a text of the request. */
const SENT_ATTACHMENTS: ReadonlySet<unknown> = new Set([
  'deferred_tools_delta',
  'agent_listing_delta',
  'skill_listing',
]);

/** From this version on, the program follows `last-prompt`, joins records over short times, and repairs pairs. */
const MENDS = '2.1.121';
/** From this version on, it begins a new line after a last line without a newline. */
const BEGINS_LINE = '2.1.310';

/** The parts of a record of the conversation. */
export function claudeParts(event: JsonObject, line: number): readonly Part[] {
  const { type, message } = event;
  if (type === 'attachment') {
    const attachment = objectIn(event, 'attachment');
    return SENT_ATTACHMENTS.has(attachment['type'])
      ? [partOf('other', line, JSON.stringify(attachment), { words: textIn(attachment, 'type') ?? '' })]
      : [];
  }
  if (type !== 'user' && type !== 'assistant') return [];
  if (event['isApiErrorMessage'] === true) return [];
  const said = type === 'assistant' ? 'text' : isPrompt(event) ? 'prompt' : 'other';
  const { content } = asObject(message);
  if (typeof content === 'string') return [textPart(said, line, content)];
  return blocksOf(event).map((block) => partOfBlock(block, line, said));
}

function partOfBlock(block: JsonObject, line: number, said: Part['kind']): Part {
  switch (block['type']) {
    case 'text':
      return textPart(said, line, textIn(block, 'text') ?? '');
    case 'thinking': {
      const isSigned = textIn(block, 'signature') !== undefined;
      const fault = isSigned ? undefined : 'a thinking block has no signature';
      return partOf('thinking', line, textIn(block, 'thinking') ?? '', { fault, words: '' });
    }
    case 'redacted_thinking':
      return partOf('thinking', line, textIn(block, 'data') ?? '', { words: '' });
    case 'tool_use':
      return partOf('call', line, '', { call: textIn(block, 'id'), words: textIn(block, 'name') ?? '' });
    case 'tool_result':
      return partOf('result', line, '', { call: textIn(block, 'tool_use_id') });
    default:
      return partOf('other', line, JSON.stringify(block), { words: textIn(block, 'type') ?? '' });
  }
}

/** Reads the records of a log as far as the program does. */
class Transcript {
  readonly branches = new Branches();
  readonly skipped: Skipped[] = [];
  session: string | undefined;
  cwd: string | undefined;
  version: string | undefined;
  isEnded = true;
  readonly #mends: boolean;

  constructor(mends: boolean) {
    this.#mends = mends;
  }

  add(line: FileLine): void {
    this.isEnded = line.isEnded;
    const { values, fault, pieces } = contentOf(line, { splits: this.#mends, ignoresMark: true });
    if (fault !== undefined) this.skipped.push(skippedLine(line, fault, looksSaid, pieces));
    for (const value of values) this.#record(value, line.line);
  }

  #record(event: JsonObject, line: number): void {
    this.version = textIn(event, 'version') ?? this.version;
    this.session = textIn(event, 'sessionId') ?? this.session;
    this.cwd = textIn(event, 'cwd') ?? this.cwd;
    this.branches.add(event, line, () => claudeParts(event, line));
  }
}

const looksSaid = (text: string): boolean =>
  /"type"\s*:\s*"(?:user|assistant)"|"role"\s*:\s*"(?:user|assistant)"/.test(text);

/** The records on the path, the other records of their answers, and the results of their calls, in the order of the log. */
function withAnswers(chain: Chain, path: readonly number[], mends: boolean): Entry[] {
  const { entries } = chain;
  const on = new Set(path);
  const order = [...path].reverse();
  if (!mends) return order.flatMap((index) => entries[index] ?? []);
  const answers = new Map<string, number[]>();
  const results = new Map<string, number[]>();
  for (const [index, { id, answer, parts, isAside }] of entries.entries()) {
    if (isAside === true || chain.placeOf(id) !== index) continue;
    if (answer !== undefined) listIn(answers, answer).push(index);
    for (const { kind, call } of parts)
      if (kind === 'result' && call !== undefined) listIn(results, call).push(index);
  }
  const found: Entry[] = [];
  const take = (index: number) => {
    const entry = entries[index];
    if (entry) found.push(entry);
    for (const { kind, call } of entry?.parts ?? []) {
      if (kind !== 'call' || call === undefined) continue;
      const places = results.get(call) ?? [];
      if (places.some((place) => on.has(place))) continue;
      const [place] = places;
      if (place !== undefined) late.push(place);
    }
  };
  let late: number[] = [];
  for (const [place, index] of order.entries()) {
    const { answer } = entries[index] ?? {};
    take(index);
    if (answer === undefined || entries[order[place + 1] ?? -1]?.answer === answer) continue;
    for (const sibling of answers.get(answer) ?? []) {
      if (on.has(sibling)) continue;
      on.add(sibling);
      take(sibling);
    }
    for (const place of late) {
      const entry = entries[place];
      if (entry && !on.has(place)) found.push(entry);
      on.add(place);
    }
    late = [];
  }
  return found;
}

function listIn(map: Map<string, number[]>, key: string): number[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}

const SAYS: NonNullable<PairRules['says']> = ({ call }, fault) =>
  fault === 'open'
    ? `the call ${call} has no result`
    : fault === 'orphan'
      ? `a result without its call ${call}`
      : `a second call with the id ${call}`;

const pairsOf = (mends: boolean): PairRules =>
  mends
    ? { open: 'close-at-end', orphan: 'drop', repeated: 'drop' }
    : { open: 'send', orphan: 'send', repeated: 'send', says: SAYS };

/** An answer of which only the thinking is left is not sent. */
function emptyAnswers(
  entries: readonly Entry[],
): (parts: readonly Part[]) => (part: Part) => string | undefined {
  const answers = new Map<number, string>();
  for (const { line, answer } of entries) if (answer !== undefined) answers.set(line, answer);
  return (parts) => {
    const said = new Set<string | undefined>();
    for (const { kind, line } of parts) if (kind !== 'thinking') said.add(answers.get(line));
    return ({ kind, line }) =>
      kind === 'thinking' && answers.has(line) && !said.has(answers.get(line))
        ? 'thinking without an answer'
        : undefined;
  };
}

function load(lines: Iterable<FileLine>, { path }: Surroundings, wanted: string): Loading {
  const rules = rulesFor(claudeLoading.versions, wanted);
  const mends = isSince(rules, MENDS);
  const log = new Transcript(mends);
  for (const line of lines) log.add(line);
  const { entries } = log.branches;
  const { chain, leaf, namedBy, whole: newest } = log.branches.branch(mends);
  const name = sessionInName(path) ?? basename(path, '.jsonl');
  const real = leaf === undefined ? { path: [], cuts: [] } : chain.reached(leaf);
  const whole = newest === undefined ? { path: [], cuts: [] } : chain.whole(newest);
  const reached = withAnswers(chain, real.path, mends);
  const hasText = reached.some(({ parts }) => parts.length > 0);
  return loadingOf({
    session: log.session,
    cwd: log.cwd,
    version: log.version,
    rules,
    refusal: hasText ? undefined : { line: 1, message: `"No conversation found with session ID: ${name}"` },
    leaf: leaf === undefined ? undefined : entries[leaf]?.line,
    leafNamedBy: namedBy,
    reached,
    whole: withAnswers(chain, whole.path, mends),
    all: entries,
    cuts: whole.cuts.map((cut) => real.cuts.find(({ line }) => line === cut.line) ?? cut),
    skipped: log.skipped,
    pairs: pairsOf(mends),
    ...(mends && { drops: emptyAnswers(entries) }),
    *refuses() {
      const first = reached.find(({ speaker }) => speaker !== undefined);
      if (first?.speaker === 'model')
        yield { line: first.line, message: 'the first message is an answer, not one of the user' };
    },
    danger: log.isEnded || isSince(rules, BEGINS_LINE) ? [] : [GLUES],
  });
}

const GLUES = 'the next resume writes its first record behind the last line, because that has no newline';

/** How Claude Code loads a session. */
export const claudeLoading: LoadingRules = {
  program: 'Claude Code',
  versions: ['2.1.332', '2.1.310', '2.1.285', '2.1.260', '2.1.237', '2.1.121', '2.1.29', '2.0.55'],
  looksSaid,
  load,
};
