import { parseJson } from '../../../../base/json/parse.ts';
import { named } from '../../../../base/json/write.ts';
import { type EventReporter, type LogEnd, ReportingCheck } from '../../../../findings/check.ts';
import { bytesBetween } from '../../../../log/bytes-between.ts';
import type { Row } from '../../../../log/row.ts';
import { asObject, listIn, objectIn, textIn } from '../../../kit/members.ts';
import { RepeatedIds } from '../../../kit/repeated-ids.ts';
import { type Link as ChainLink, SessionChain } from '../../kit/chain.ts';
import { type PairedCall, ToolPairs } from '../../kit/tool-pairs.ts';
import { callBlocks, isPrompt, isStopgap, NO_MODEL, resultBlocks, TOOL_BLOCK } from '../records.ts';
import { CHAIN, COLUMN } from '../rows.ts';

/** A block that calls a tool, or is a result. */
interface ToolBlock {
  readonly index: number;
  /** The ordinal of the id of the call. */
  readonly id: number;
  readonly tool: string | undefined;
}

/** A record in the chain. */
interface Link extends ChainLink {
  readonly type: string | undefined;
  /** The ordinal of its answer; -1 for none. */
  readonly answer: number;
  /** Its results. */
  readonly answered: readonly ToolBlock[];
  /** Whether it is a prompt, or the program restarted here. */
  readonly isFreshStart: boolean;
}

/** A call with the place of its record. Its content is only read again if its id is repeated. */
class TranscriptCall implements PairedCall<number> {
  /** The ordinal of its id. */
  readonly id: number;
  readonly tool: string;
  readonly line: number;
  readonly link: Link;
  readonly answer: number | undefined;
  readonly #log: string;
  readonly #from: number;
  readonly #to: number;
  readonly #index: number;

  /** `block`: of the current record. */
  constructor(log: string, { record }: Row, link: Link, { id, index, tool = 'tool' }: ToolBlock) {
    this.id = id;
    this.tool = tool;
    this.line = link.line;
    this.link = link;
    this.answer = link.answer < 0 ? undefined : link.answer;
    this.#log = log;
    this.#from = record.json.from;
    this.#to = record.json.to;
    this.#index = index;
  }

  content(): string {
    const event = parseJson(bytesBetween(this.#log, this.#from, this.#to).toString('utf8'));
    const { name, input } = asObject(listIn(objectIn(event, 'message'), 'content')[this.#index]);
    return JSON.stringify([name, input]);
  }
}

/** Shared by records without tools. */
const NO_TOOLS: readonly ToolBlock[] = [];

/** The records of a session, and the children of each. */
interface Graph {
  readonly links: readonly Link[];
  readonly children: ReadonlyMap<number, readonly Link[]>;
  /** The line of the last record whose parent is missing, or 0. */
  readonly lastOrphan: number;
}

/** The calls of an answer, or the results in a message of the user. Nearly every message has one block, which has columns. */
function toolsIn(row: Row): readonly ToolBlock[] {
  const type = row.text(COLUMN.type);
  if (type !== 'assistant' && type !== 'user') return NO_TOOLS;
  if (row.kind(COLUMN.second) !== undefined) return toolsAmong(row, type);
  if (row.text(COLUMN.kind) !== TOOL_BLOCK[type] || row.kind(COLUMN.content) !== 'array') return NO_TOOLS;
  const column = type === 'user' ? COLUMN.answered : COLUMN.call;
  const id = row.isText(column, '') ? -1 : row.ordinal(column);
  return id < 0 ? NO_TOOLS : [{ index: 0, id, tool: row.text(COLUMN.tool) || undefined }];
}

function toolsAmong({ event, texts }: Row, type: keyof typeof TOOL_BLOCK): readonly ToolBlock[] {
  const blocks = listIn(event['message'], 'content');
  const tools = type === 'user' ? resultBlocks(event) : callBlocks(event);
  return tools.flatMap((block) => {
    const id = textIn(block, type === 'user' ? 'tool_use_id' : 'id');
    if (id === undefined) return [];
    return [{ index: blocks.indexOf(block), id: texts.intern(id), tool: textIn(block, 'name') }];
  });
}

/** Only what a user typed can be a prompt. */
const isPromptIn = (row: Row): boolean =>
  row.text(COLUMN.type) === 'user' && row.text(COLUMN.kind) !== TOOL_BLOCK.user && isPrompt(row.event);

/** A record at which the conversation was replaced by its summary. */
interface Compaction {
  /** Its index among the records. */
  readonly index: number;
  /** The ordinal of the record that it continues; -1 for none. */
  readonly from: number;
}

const isCompaction = ({ event }: Row, { type }: Link): boolean =>
  type === 'system' && event['subtype'] === 'compact_boundary';

const isSaid = ({ type }: Link): boolean => type === 'user' || type === 'assistant';

/** Why a call may have no result although nothing is wrong. `isOrphaned`: a later record lacks its parent. */
function whyHarmless(goesOn: boolean, isOrphaned: boolean): string {
  if (goesOn) return 'the program was stopped there, and continues after it';
  if (isOrphaned) return 'a record after it is missing, or it is on an abandoned branch';
  return 'it is on an abandoned branch, or was cut off by a compaction';
}

function graphOf(links: readonly Link[]): Graph {
  const children = new Map<number, Link[]>();
  for (const link of links) {
    if (link.parent < 0) continue;
    const siblings = children.get(link.parent);
    if (siblings) siblings.push(link);
    else children.set(link.parent, [link]);
  }
  const ids = new Set(links.map(({ id }) => id));
  const lastOrphan = links.findLast(({ parent }) => parent >= 0 && !ids.has(parent))?.line ?? 0;
  return { links, children, lastOrphan };
}

/**
 * Checks the graph of records, and pairs calls with results (claude-code.md §5, §6, §9). Lines need not be in the order
 * of the graph.
 */
export class ChainCheck extends ReportingCheck {
  readonly types = CHAIN;
  readonly #log: string;
  readonly #ids = new RepeatedIds(this.report);
  readonly #chain = new SessionChain<Link>(this.report, 'parentUuid');
  readonly #tools = new ToolPairs<TranscriptCall, number>(this.report, 'error', (id) =>
    this.#chain.textOf(id),
  );

  /** The line of the last record that is in the log again, until something new is said. */
  #copiedTo: number | undefined;
  /** The last lines of such records that a compaction explains. */
  readonly #compacted = new Set<number>();
  /** The compactions of the conversation, in the order of the lines. */
  readonly #compactions: Compaction[] = [];

  constructor(report: EventReporter, log: string) {
    super(report);
    this.#log = log;
  }

  row(row: Row): void {
    const { line } = row;
    const id = row.ordinal(COLUMN.uuid);
    if (id < 0) return;
    const tools = toolsIn(row);
    const link = this.#linkOf(row, id, tools);
    if (!this.#ids.addOrdinal(row, id, ['uuid'])) {
      this.#copiedTo = line;
      for (const { id } of link.answered) this.#tools.answered(id, line);
      return;
    }
    this.#noteCopies(row, link);
    this.#chain.add(row, link);
    // The first record after a compaction has no parent.
    if (link.parent < 0 && isCompaction(row, link)) this.#noteCompaction(row);
    this.#pair(row, link, tools);
  }

  /** Whether a continued session may lack something. */
  mayLack = false;

  end(log: LogEnd): void {
    this.mayLack = !log.whole || this.#chain.mayLack;
    this.#ids.end(log, (lastLine) => this.#compacted.has(lastLine));
    // A corrupt line may have contained the missing record.
    if (!log.whole) return;
    this.#tools.reportOrphans();
    this.#chain.end();
    this.#unanswered();
    this.#orphaned();
  }

  /** At a second compaction, the program writes the conversation before it again. */
  #noteCopies(row: Row, link: Link): void {
    if (this.#copiedTo === undefined) return;
    if (isSaid(link)) this.#copiedTo = undefined;
    else if (isCompaction(row, link)) this.#compacted.add(this.#copiedTo);
  }

  #noteCompaction({ event, texts }: Row): void {
    if (event['isSidechain'] === true) return;
    const from = textIn(event, 'logicalParentUuid');
    this.#compactions.push({
      index: this.#chain.links.length - 1,
      from: from === undefined ? -1 : texts.intern(from),
    });
  }

  /** Reports compactions that do not continue the conversation after the compaction before them. */
  #orphaned(): void {
    for (const [at, { index, from }] of this.#compactions.entries()) {
      const before = this.#compactions[at - 1];
      const start = this.#chain.placeOf(from);
      if (before === undefined || start < 0 || this.#leadsTo(before.index, start)) continue;
      const lost = this.#messagesAfter(before.index, index);
      const [first, last] = [lost[0], lost.at(-1)];
      const [link, earlier] = [this.#chain.links[index], this.#chain.links[before.index]];
      if (first === undefined || last === undefined || link === undefined || earlier === undefined) continue;
      const messages =
        first === last
          ? `its message (line ${first.line}) is`
          : `its ${lost.length} messages (lines ${first.line} to ${last.line}) are`;
      this.report.onLine(link.line, this.#chain.textOf(link.id), {
        code: 'session/orphaned-branch',
        message: `this compaction leaves out the conversation after the compaction on line ${earlier.line}: ${messages} on no branch that continues`,
      });
    }
  }

  /** Whether the conversation that ends with a record contains another one, across compactions. */
  #leadsTo(wanted: number, last: number): boolean {
    const compactions = new Map(this.#compactions.map(({ index, from }) => [index, from]));
    let steps = this.#chain.links.length;
    for (let at = last; at >= 0 && steps > 0; steps -= 1) {
      if (at === wanted) return true;
      const from = compactions.get(at);
      at = from === undefined ? this.#chain.parentOf(at) : this.#chain.placeOf(from);
    }
    return false;
  }

  /** What was said between two records on branches that begin at the first. */
  #messagesAfter(from: number, to: number): readonly Link[] {
    const branch = new Set([from]);
    const said: Link[] = [];
    for (const [index, link] of this.#chain.links.entries()) {
      if (index <= from || index >= to || !branch.has(this.#chain.parentOf(index))) continue;
      branch.add(index);
      if (link.type === 'assistant' || link.isPrompt) said.push(link);
    }
    return said;
  }

  #linkOf(row: Row, id: number, tools: readonly ToolBlock[]): Link {
    const { line } = row;
    const type = row.text(COLUMN.type);
    const isAnswer = type === 'assistant' && !row.isText(COLUMN.answer, '');
    const parent = row.isText(COLUMN.parent, '') ? -1 : row.ordinal(COLUMN.parent);
    const prompt = isPromptIn(row);
    const isMadeUp = row.text(COLUMN.model) === NO_MODEL && isStopgap(row.event);
    return {
      id,
      parent,
      line,
      type,
      answer: isAnswer ? row.ordinal(COLUMN.answer) : -1,
      answered: type === 'user' ? tools : NO_TOOLS,
      isFreshStart: prompt || isMadeUp,
      isPrompt: prompt,
      isAside: type === 'progress' || row.value(COLUMN.aside) === true,
      isNewStart: type === 'system',
      mayLoseParent: type === 'progress',
    };
  }

  /** Whether this is the first record of a log that continues another. */
  #beginsInside({ parent }: Link): boolean {
    return this.#chain.links.length === 1 && parent >= 0;
  }

  #pair(row: Row, link: Link, tools: readonly ToolBlock[]): void {
    for (const tool of tools) {
      const { id, index } = tool;
      const path = ['message', 'content', index];
      if (link.type === 'user')
        this.#tools.result(row, id, [...path, 'tool_use_id'], this.#beginsInside(link));
      else this.#tools.call(row, new TranscriptCall(this.#log, row, link, tool), [...path, 'id']);
    }
  }

  #unanswered(): void {
    const open = this.#tools.unanswered();
    if (open.length === 0) return;
    const graph = graphOf(this.#chain.links);
    for (const call of open) this.#reportOpen(call, graph);
  }

  #reportOpen({ id, tool, link }: TranscriptCall, { links, children, lastOrphan }: Graph): void {
    const siblings = new Set(
      [...this.#tools.calls.values()]
        .filter((other) => other.link.answer >= 0 && other.link.answer === link.answer)
        .map((other) => other.id),
    );
    // Other parts of the same answer, and results of its other calls, do not show that the conversation continued.
    const continues = (other: Link) =>
      isSaid(other) &&
      !(other.answer >= 0 && other.answer === link.answer) &&
      !(other.answered.length > 0 && other.answered.every((one) => siblings.has(one.id)));
    const name = `${named(tool)} (${named(this.#chain.textOf(id))}) has no result`;
    const { line } = link;
    const uuid = this.#chain.textOf(link.id);
    if (!links.some((other) => other.line > line && continues(other))) {
      this.report.onLine(line, uuid, { code: 'tool/open', message: `${name}: the log ends before it` });
      return;
    }
    const next = this.#nextFrom(link.id, children, continues);
    const isLost = next.some((other) => !other.isFreshStart);
    this.report.onLine(line, uuid, {
      code: 'tool/unanswered',
      ...(isLost && { severity: 'warn' as const }),
      message: isLost
        ? `${name}, but the conversation continues after it`
        : `${name}: ${whyHarmless(next.length > 0, lastOrphan > line)}`,
    });
  }

  /** On each branch after a record, the first record that passes the test. */
  #nextFrom(
    id: number,
    children: ReadonlyMap<number, readonly Link[]>,
    test: (link: Link) => boolean,
  ): Link[] {
    const next: Link[] = [];
    const seen = new Set<number>([id]);
    const waiting = [id];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const child of children.get(at) ?? []) {
        if (seen.has(child.id)) continue;
        seen.add(child.id);
        if (test(child)) next.push(child);
        else waiting.push(child.id);
      }
    }
    return next;
  }
}
