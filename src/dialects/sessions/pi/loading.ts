import { basename } from 'node:path';
import type { JsonObject } from '../../../base/json/value.ts';
import { numberIn, objectIn, textIn } from '../../kit/members.ts';
import { Chain } from '../kit/loading/chain.ts';
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
import { messageParts, partOf } from '../kit/loading/parts.ts';
import { loadingOf } from '../kit/loading/result.ts';
import { rulesFor } from '../kit/loading/versions.ts';
import { sessionIn } from './records.ts';

/** The parts of an entry. */
export function piParts(event: JsonObject, line: number): readonly Part[] {
  const { type } = event;
  if (type === 'compaction' || type === 'branch_summary')
    return [partOf('other', line, textIn(event, 'summary') ?? '')];
  if (type === 'custom_message') return [partOf('other', line, JSON.stringify(event['content'] ?? ''))];
  if (type !== 'message') return [];
  const message = objectIn(event, 'message');
  const { role, content } = message;
  if (role === 'toolResult') return [partOf('result', line, '', { call: textIn(message, 'toolCallId') })];
  if (role === 'user') return messageParts(content, line, 'prompt', blockPart);
  if (role === 'assistant') return messageParts(content, line, 'text', blockPart);
  return role === 'bashExecution' ? [partOf('other', line, JSON.stringify(message))] : [];
}

function blockPart(block: JsonObject, line: number): Part | undefined {
  if (block['type'] === 'toolCall')
    return partOf('call', line, '', { call: textIn(block, 'id'), words: textIn(block, 'name') ?? '' });
  if (block['type'] === 'thinking')
    return partOf('thinking', line, textIn(block, 'thinking') ?? '', { words: '' });
  // Blocks of other types are not sent.
  return block['type'] === 'image' ? undefined : partOf('other', line, '', { isEmpty: true });
}

const looksSaid = (text: string): boolean => /"role"\s*:\s*"(?:user|assistant|toolResult)"/.test(text);

/** The entries that a compaction leaves: its summary, what it keeps, and what follows. */
function compacted(entries: readonly Entry[], kept: ReadonlyMap<number, string | undefined>): Entry[] {
  const at = entries.findLastIndex(({ line }) => kept.has(line));
  const summary = entries[at];
  if (summary === undefined) return [...entries];
  const from = entries.findIndex(({ id }) => id !== undefined && id === kept.get(summary.line));
  return [summary, ...(from < 0 ? [] : entries.slice(from, at)), ...entries.slice(at + 1)];
}

/** Before version 2, entries have neither ids nor parents: each follows the one before it. */
const isUnlinked = (header: JsonObject | undefined): boolean =>
  header !== undefined && (numberIn(header, 'version') ?? 1) < 2;

/** The ids that the program gives to the entries of an old session, which it rewrites when it opens it. */
const ownId = (line: number): string => `line ${line}`;

function load(lines: Iterable<FileLine>, { path, isFolder }: Surroundings, wanted: string): Loading {
  const entries: Entry[] = [];
  const skipped: Skipped[] = [];
  /** By the line of a compaction: the first entry that it keeps. */
  const kept = new Map<number, string | undefined>();
  let header: JsonObject | undefined;
  let isFirst = true;
  /** The lines of all records: an old compaction names the first entry that it keeps by its number. */
  const records: number[] = [];
  for (const line of lines) {
    const { values, fault, pieces } = contentOf(line, {});
    if (fault !== undefined) {
      skipped.push(skippedLine(line, fault, looksSaid, pieces));
      isFirst = false;
    }
    for (const event of values) {
      if (isFirst && event['type'] === 'session') header = event;
      isFirst = false;
      const at = line.line;
      records.push(at);
      const isOld = isUnlinked(header);
      const id = isOld ? ownId(at) : textIn(event, 'id');
      if (event['type'] === 'session' || id === undefined) continue;
      const parent = isOld ? entries.at(-1)?.id : event['parentId'];
      if (event['type'] === 'compaction') {
        const index = numberIn(event, 'firstKeptEntryIndex') ?? 0;
        // The header is no entry: then the program keeps nothing.
        const first = index > 0 ? records[index] : undefined;
        kept.set(at, isOld ? ownId(first ?? at) : textIn(event, 'firstKeptEntryId'));
      }
      entries.push({
        line: at,
        id,
        parent: typeof parent === 'string' ? parent : null,
        ...(header !== undefined && parent === header['id'] && { parentIs: 'the head of the log' }),
        time: Date.parse(textIn(event, 'timestamp') ?? ''),
        parts: piParts(event, at),
      });
    }
  }
  const chain = new Chain(entries);
  const leaf = chain.last;
  const real = leaf === undefined ? { path: [], cuts: [] } : chain.reached(leaf);
  const whole = leaf === undefined ? { path: [], cuts: [] } : chain.whole(leaf);
  const inOrder = (path: readonly number[]) => [...path].reverse().flatMap((index) => entries[index] ?? []);
  const reached = inOrder(real.path);
  const known = new Set(reached.map(({ id }) => id));
  const last = reached.findLast(({ line }) => kept.has(line));
  const first = last && kept.get(last.line);
  const lostStart = last && !known.has(first);
  const session = header && textIn(header, 'id');
  const cwd = header && textIn(header, 'cwd');
  const name = sessionIn(basename(path));
  const reason =
    header === undefined && name === undefined
      ? 'pi finds a session by its header, which is missing'
      : header === undefined || (name !== undefined && name !== session)
        ? `"No session found matching '${name ?? session}'"`
        : cwd !== undefined && isFolder?.(cwd) === false
          ? `"Stored session working directory does not exist: ${cwd}"`
          : undefined;
  return loadingOf({
    session,
    cwd,
    rules: rulesFor(piLoading.versions, wanted),
    refusal: reason === undefined ? undefined : { line: 1, message: reason },
    leaf: leaf === undefined ? undefined : entries[leaf]?.line,
    reached: compacted(reached, kept),
    whole: lostStart ? inOrder(whole.path) : compacted(inOrder(whole.path), kept),
    all: entries,
    compaction: lostStart ? undefined : last,
    cuts: [
      ...(lostStart
        ? [
            {
              line: last.line,
              message:
                first === undefined
                  ? 'the compaction does not say what it keeps, so all before it is forgotten'
                  : `the compaction keeps what follows ${first}, which is not ${entries.some(({ id }) => id === first) ? 'on its branch' : 'in the log'}`,
              isBridged: false,
            },
          ]
        : []),
      ...whole.cuts.map((cut) => real.cuts.find(({ line }) => line === cut.line) ?? cut),
    ],
    skipped,
    pairs: {
      open: 'close',
      orphan: 'send',
      repeated: 'send',
      says: ({ call }, fault) => (fault === 'orphan' ? `a result without its call ${call}` : undefined),
    },
  });
}

/** How pi loads a session. */
export const piLoading: LoadingRules = { program: 'pi', versions: ['1.5.0'], looksSaid, load };
