import { basename, dirname } from 'node:path';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { objectIn, objectsIn, textIn, textsOf } from '../../kit/members.ts';
import { Chain } from '../kit/loading/chain.ts';
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
import { projectSlug } from '../kit/project-slug.ts';

/** The history with which a compaction replaces what was said before; undefined for other records. */
function compressedIn(event: JsonObject): readonly JsonObject[] | undefined {
  const { compressedHistory: history } = objectIn(event, 'systemPayload');
  const isCompaction = event['subtype'] === 'chat_compression' && Array.isArray(history);
  return isCompaction ? history.filter(isObject) : undefined;
}

/** The parts of a record. The texts of a message of the user are one part. */
export function qwenParts(event: JsonObject, line: number): readonly Part[] {
  const { type } = event;
  const blocks = objectsIn(event['message'], 'parts');
  const history = compressedIn(event);
  if (history !== undefined) return history.map((content) => partOf('other', line, JSON.stringify(content)));
  if (type === 'user') {
    const kind = event['subtype'] === 'notification' ? 'other' : 'prompt';
    const others = blocks.filter((block) => !('text' in block));
    return [
      textPart(kind, line, textsOf(blocks, 'text')),
      ...others.map((block) => partOf('other', line, JSON.stringify(block))),
    ];
  }
  if (type === 'assistant') return blocks.map((block) => answerPart(block, line));
  if (type !== 'tool_result') return [];
  return blocks.flatMap(({ functionResponse }) =>
    isObject(functionResponse) ? partOf('result', line, '', { call: textIn(functionResponse, 'id') }) : [],
  );
}

function answerPart(block: JsonObject, line: number): Part {
  const call = block['functionCall'];
  if (isObject(call))
    return partOf('call', line, '', { call: textIn(call, 'id'), words: textIn(call, 'name') ?? '' });
  const text = textIn(block, 'text') ?? '';
  if ('text' in block)
    return block['thought'] === true
      ? partOf('thinking', line, text, { words: '' })
      : textPart('text', line, text);
  // Blocks of other types are not sent.
  return partOf('other', line, JSON.stringify(block), {
    isEmpty: !('inlineData' in block || 'fileData' in block),
  });
}

const looksSaid = (text: string): boolean => /"type"\s*:\s*"(?:user|assistant|tool_result)"/.test(text);

/** The slug in the path of a log; undefined if it is not in a folder of the program. */
function slugIn(path: string): string | undefined {
  const chats = dirname(path);
  const project = dirname(chats);
  const isProgram = basename(chats) === 'chats' && basename(dirname(project)) === 'projects';
  return isProgram ? basename(project) : undefined;
}

/** The lines of records that have the id of another record of the chain: the program joins their texts. */
function joinedTexts(chain: Chain, path: readonly number[]): LoadingRemark[] {
  const first = new Map<string, number>();
  const doubled = new Map<string, LoadingRemark>();
  for (const [index, { id, parts, line }] of chain.entries.entries()) {
    if (id === undefined || !parts.some(({ kind }) => kind === 'text' || kind === 'prompt')) continue;
    const before = first.get(id);
    if (before === undefined) first.set(id, line);
    else if (path.includes(index))
      doubled.set(id, { line, message: `the text of line ${before} is added to it: both have the id ${id}` });
  }
  return [...doubled.values()];
}

function load(lines: Iterable<FileLine>, { path }: Surroundings, wanted: string): Loading {
  const entries: Entry[] = [];
  const skipped: Skipped[] = [];
  /** The entries that are compactions, by their indexes. */
  const compactions = new Set<number>();
  let [session, cwd, version]: (string | undefined)[] = [];
  let end: { isEnded: boolean; isSkipped: boolean } = { isEnded: true, isSkipped: false };
  for (const line of lines) {
    const habits = { splits: true, ignoresNul: true, endsAtSeparators: true, ignoresMark: true };
    const { values, fault, pieces } = contentOf(line, habits);
    if (fault !== undefined) skipped.push(skippedLine(line, fault, looksSaid, pieces));
    end = { isEnded: line.isEnded, isSkipped: fault !== undefined };
    for (const event of values) {
      const { parentUuid } = event;
      version = textIn(event, 'version') ?? version;
      session ??= textIn(event, 'sessionId');
      cwd = textIn(event, 'cwd') ?? cwd;
      const id = textIn(event, 'uuid');
      if (id === undefined) continue;
      entries.push({
        line: line.line,
        id,
        parent: typeof parentUuid === 'string' ? parentUuid : null,
        time: Date.parse(textIn(event, 'timestamp') ?? ''),
        parts: qwenParts(event, line.line),
        ...(event['subtype'] === 'chat_compression' && parentUuid === null && { isBeginning: true }),
      });
      if (compressedIn(event) !== undefined) compactions.add(entries.length - 1);
    }
  }
  const chain = new Chain(entries);
  const leaf = chain.last;
  const real = leaf === undefined ? { path: [], cuts: [] } : chain.reached(leaf);
  const whole = leaf === undefined ? { path: [], cuts: [] } : chain.whole(leaf);
  const compactionIn = (found: readonly number[]) => found.findIndex((index) => compactions.has(index));
  // From the last record backwards: what comes before the last compaction is replaced by it.
  const inOrder = (found: readonly number[]) => {
    const at = compactionIn(found);
    const left = at < 0 ? found : found.slice(0, at + 1);
    return [...left].reverse().flatMap((index) => entries[index] ?? []);
  };
  const slug = slugIn(path);
  const isElsewhere = slug !== undefined && cwd !== undefined && projectSlug(cwd) !== slug;
  const name = basename(path, '.jsonl');
  const isNone = entries.length === 0 || isElsewhere;
  return loadingOf({
    session,
    cwd,
    version,
    rules: rulesFor(qwenLoading.versions, wanted),
    refusal: isNone
      ? {
          line: 1,
          message: `"No saved session found with ID ${name}"${isElsewhere ? `: its records are of ${cwd}` : ''}`,
        }
      : undefined,
    leaf: leaf === undefined ? undefined : entries[leaf]?.line,
    reached: inOrder(real.path),
    whole: inOrder(whole.path),
    all: entries,
    compaction: entries[real.path[compactionIn(real.path)] ?? -1],
    cuts: whole.cuts.map((cut) => real.cuts.find(({ line }) => line === cut.line) ?? cut),
    skipped,
    changed: joinedTexts(chain, real.path),
    pairs: { open: 'close', orphan: 'drop', repeated: 'drop' },
    drops: (parts) => {
      const last = parts.at(-1);
      return (part) =>
        part === last && part.kind === 'prompt' ? 'a prompt without an answer at the end' : undefined;
    },
    danger: end.isEnded || !end.isSkipped ? [] : [GLUES],
  });
}

const GLUES =
  'the next resume writes its first record behind the torn last line; the resume after that loses everything before it';

/** How Qwen Code loads a session. */
export const qwenLoading: LoadingRules = { program: 'Qwen Code', versions: ['0.24.4'], looksSaid, load };
