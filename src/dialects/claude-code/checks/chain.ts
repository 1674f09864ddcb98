import { type EventReporter, type LogEnd, ReportingCheck } from '../../../findings/check.ts';
import { parseJson } from '../../../json/parse.ts';
import type { JsonObject } from '../../../json/value.ts';
import { bytesBetween } from '../../../log/read.ts';
import type { Row } from '../../../log/row.ts';
import { columnsBehind } from '../../../log/row-event.ts';
import { asObject, listIn, objectIn, textIn } from '../../excerpt.ts';
import { RepeatedIds } from '../../kit/repeated-ids.ts';
import { type Link as ChainLink, SessionChain } from '../../session-chain.ts';
import { type PairedCall, ToolPairs } from '../../tool-pairs.ts';
import { callBlocks, isPrompt, isStopgap, resultBlocks } from '../records.ts';
import { CHAIN, COLUMN } from '../rows.ts';

/** A record that has a parent, as the check keeps it. */
interface Link extends ChainLink {
  readonly type: string | undefined;
  /** The ordinal of the answer that it belongs to; -1 for none. */
  readonly answer: number;
  /** The calls that it answers. */
  readonly answered: readonly string[];
  /** The program was restarted here, or it was the user's turn. */
  readonly beginsAnew: boolean;
}

/** A call, and where its record is, because its content is only read again for a repeated id. */
class TranscriptCall implements PairedCall {
  readonly id: string;
  readonly tool: string;
  readonly line: number;
  readonly link: Link;
  readonly #log: string;
  readonly #from: number;
  readonly #to: number;
  readonly #index: number;

  /** `block`: the one with this index in the message of the current record. */
  constructor(log: string, { record }: Row, link: Link, id: string, block: JsonObject, index: number) {
    this.id = id;
    this.tool = textIn(block, 'name') ?? 'tool';
    this.line = link.line;
    this.link = link;
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

/** Shared by the records that answer nothing. */
const NO_IDS: readonly string[] = [];

/** How to find a record's place in the graph. */
interface Graph {
  readonly links: readonly Link[];
  readonly children: ReadonlyMap<number, readonly Link[]>;
}

/** A record for the checks: the whole record if somebody typed it, else its columns. */
function eventIn(row: Row): JsonObject {
  const isTyped = row.text(COLUMN.type) === 'user' && row.text(COLUMN.kind) !== 'tool_result';
  return isTyped ? row.event : columnsBehind(row);
}

const isSaid = ({ type }: Link): boolean => type === 'user' || type === 'assistant';

function graphOf(links: readonly Link[]): Graph {
  const children = new Map<number, Link[]>();
  for (const link of links) {
    if (link.parent < 0) continue;
    const siblings = children.get(link.parent);
    if (siblings) siblings.push(link);
    else children.set(link.parent, [link]);
  }
  return { links, children };
}

/**
 * Checks the graph of records and their calls (claude-code.md §5, §6, §9). The order of lines differs from
 * the graph.
 */
export class ChainCheck extends ReportingCheck {
  readonly types = CHAIN;
  readonly #log: string;
  readonly #ids = new RepeatedIds(this.report);
  readonly #tools = new ToolPairs<TranscriptCall>(this.report);
  readonly #chain: SessionChain<Link>;

  constructor(report: EventReporter, log: string) {
    super(report);
    this.#log = log;
    this.#chain = new SessionChain(report, 'parentUuid');
  }

  row(row: Row): void {
    const { line } = row;
    const id = row.ordinal(COLUMN.uuid);
    if (id < 0) return;
    const event = eventIn(row);
    const link = this.#linkOf(row, event, id);
    if (!this.#ids.addOrdinal(row, id, ['uuid'])) {
      for (const id of link.answered) this.#tools.answered(id, line);
      return;
    }
    this.#chain.add(row, link);
    this.#toolsIn(row, event, link);
  }

  end(log: LogEnd): void {
    this.#ids.end(log);
    // A corrupt line may have contained the missing record.
    if (!log.whole) return;
    this.#chain.end(this.#tools.reportOrphans());
    this.#unanswered();
  }

  #linkOf(row: Row, event: JsonObject, id: number): Link {
    const { line } = row;
    const type = row.text(COLUMN.type);
    const results = resultBlocks(event);
    const answered =
      results.length === 0 ? NO_IDS : results.flatMap((block) => textIn(block, 'tool_use_id') ?? []);
    const isAnswer = type === 'assistant' && !row.isText(COLUMN.answer, '');
    const parent = row.isText(COLUMN.parent, '') ? -1 : row.ordinal(COLUMN.parent);
    const prompt = isPrompt(event);
    return {
      id,
      parent,
      line,
      type,
      answer: isAnswer ? row.ordinal(COLUMN.answer) : -1,
      answered,
      beginsAnew: prompt || isStopgap(event),
      isPrompt: prompt,
      isAside: type === 'progress' || row.value(COLUMN.aside) === true,
      isNewStart: type === 'system',
      mayLoseParent: type === 'progress',
    };
  }

  /** Whether the record starts a log that continues another. */
  #beginsInside({ parent }: Link): boolean {
    return this.#chain.links.length === 1 && parent >= 0;
  }

  #toolsIn(row: Row, event: JsonObject, link: Link): void {
    const { content } = objectIn(event, 'message');
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
    for (const block of callBlocks(event)) {
      const id = textIn(block, 'id');
      if (id === undefined) continue;
      const index = blocks.indexOf(block);
      const call = new TranscriptCall(this.#log, row, link, id, block, index);
      this.#tools.call(row, call, ['message', 'content', index, 'id']);
    }
    for (const block of resultBlocks(event)) {
      const id = textIn(block, 'tool_use_id');
      if (id === undefined) continue;
      const path = ['message', 'content', blocks.indexOf(block), 'tool_use_id'];
      this.#tools.result(row, id, path, this.#beginsInside(link));
    }
  }

  #unanswered(): void {
    const open = this.#tools.unanswered();
    if (open.length === 0) return;
    const graph = graphOf(this.#chain.links);
    for (const call of open) this.#say(call, graph);
  }

  #say({ id, tool, link }: TranscriptCall, { links, children }: Graph): void {
    const siblings = new Set(
      [...this.#tools.calls.values()]
        .filter((other) => other.link.answer >= 0 && other.link.answer === link.answer)
        .map((other) => other.id),
    );
    // Other parts of the same answer, and results of its other calls, do not continue this call.
    const goesOn = (other: Link) =>
      isSaid(other) &&
      !(other.answer >= 0 && other.answer === link.answer) &&
      !(other.answered.length > 0 && other.answered.every((one) => siblings.has(one)));
    const name = `${tool} (${id}) has no result`;
    const { line } = link;
    const uuid = this.#chain.textOf(link.id);
    if (!links.some((other) => other.line > line && goesOn(other))) {
      this.report.onLine(line, uuid, { code: 'tool/open', message: `${name}: the log ends before it` });
      return;
    }
    const next = this.#nextFrom(link.id, children, goesOn);
    const isLost = next.some((other) => !other.beginsAnew);
    this.report.onLine(line, uuid, {
      code: 'tool/unanswered',
      ...(isLost && { severity: 'warn' as const }),
      message: isLost
        ? `${name}, but the conversation continues after it`
        : next.length > 0
          ? `${name}: the program was stopped there, and continues after it`
          : `${name}: it is on an abandoned branch, or was cut off by a compaction`,
    });
  }

  /** The first such records on each branch. */
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
