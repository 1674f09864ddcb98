import { hash } from 'node:crypto';
import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import type { JsonObject } from '../../../json/value.ts';
import { CauseCircles } from '../../cause-circles.ts';
import { objectIn, textIn } from '../../excerpt.ts';
import { RepeatedIds } from '../../kit/repeated-ids.ts';
import { type PairedCall, ToolPairs } from '../../tool-pairs.ts';
import { callBlocks, isPrompt, isStopgap, resultBlocks } from '../records.ts';
import { IS_CHAIN } from '../vocabulary.ts';

/** What is remembered of a record that hangs on another. */
interface Link {
  readonly uuid: string;
  readonly parent: string | undefined;
  readonly line: number;
  readonly type: string;
  /** The answer it is a part of. */
  readonly answer: string | undefined;
  /** The calls that it answers. */
  readonly answered: readonly string[];
  /** The program was begun again here, or the user had the word. */
  readonly beginsAnew: boolean;
}

interface TranscriptCall extends PairedCall {
  readonly link: Link;
}

/** How a record stands in the log, for those who look for its place in the graph. */
interface Graph {
  readonly links: readonly Link[];
  readonly children: ReadonlyMap<string, readonly Link[]>;
}

const isSaid = ({ type }: Link): boolean => type === 'user' || type === 'assistant';

function graphOf(links: readonly Link[]): Graph {
  const children = new Map<string, Link[]>();
  for (const link of links) {
    if (link.parent === undefined) continue;
    const siblings = children.get(link.parent);
    if (siblings) siblings.push(link);
    else children.set(link.parent, [link]);
  }
  return { links, children };
}

/** The graph of records and the calls in it (claude-code.md §5, §6, §9). The line order is not that of the graph. */
export class ChainCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #ids: RepeatedIds;
  readonly #tools: ToolPairs<TranscriptCall>;
  /** The first record of each id: its place here is what `#ids` finds. */
  readonly #links: Link[] = [];

  constructor(report: EventReporter) {
    this.#report = report;
    this.#ids = new RepeatedIds(report);
    this.#tools = new ToolPairs(report);
  }

  row(logged: LoggedEvent): void {
    const { event, line } = logged;
    const { type, uuid } = event;
    if (typeof type !== 'string' || !IS_CHAIN.has(type) || typeof uuid !== 'string') return;
    const link = this.#linkOf(event, type, uuid, line);
    if (!this.#ids.add(logged, uuid, ['uuid'])) {
      for (const id of link.answered) this.#tools.answered(id, line);
      return;
    }
    this.#links.push(link);
    this.#toolsIn(logged, link);
  }

  end(log: LogEnd): void {
    this.#ids.end(log);
    // A corrupt line may have held what is missing.
    if (!log.whole) return;
    const orphans = this.#tools.reportOrphans();
    this.#parents(orphans);
    this.#circles();
    this.#unanswered();
  }

  #linkOf(event: JsonObject, type: string, uuid: string, line: number): Link {
    const answered = resultBlocks(event).flatMap((block) => textIn(block, 'tool_use_id') ?? []);
    const answer = type === 'assistant' ? textIn(objectIn(event, 'message'), 'id') : undefined;
    const parent = textIn(event, 'parentUuid');
    const beginsAnew = isPrompt(event) || isStopgap(event);
    return { uuid, parent, line, type, answer, answered, beginsAnew };
  }

  /** Whether the record begins a log whose beginning is elsewhere. */
  #beginsInside({ parent }: Link): boolean {
    return this.#links.length === 1 && parent !== undefined;
  }

  #toolsIn(logged: LoggedEvent, link: Link): void {
    const { event, line } = logged;
    const { content } = objectIn(event, 'message');
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
    for (const block of callBlocks(event)) {
      const id = textIn(block, 'id');
      if (id === undefined) continue;
      const content = hash('sha1', JSON.stringify([block['name'], block['input']]));
      const call = { id, tool: textIn(block, 'name') ?? 'tool', line, eventId: link.uuid, link, content };
      this.#tools.call(logged, call, ['message', 'content', blocks.indexOf(block), 'id']);
    }
    for (const block of resultBlocks(event)) {
      const id = textIn(block, 'tool_use_id');
      if (id === undefined) continue;
      const path = ['message', 'content', blocks.indexOf(block), 'tool_use_id'];
      this.#tools.result(logged, id, path, this.#beginsInside(link));
    }
  }

  #parents(hidden: ReadonlySet<number>): void {
    let early: { readonly first: Link; count: number } | undefined;
    for (const [index, link] of this.#links.entries()) {
      const { parent, line, uuid, type } = link;
      if (parent === undefined) continue;
      const there = this.#ids.find(parent);
      if (there > index) {
        early ??= { first: link, count: 0 };
        early.count += 1;
      }
      if (there >= 0 || hidden.has(line)) continue;
      const first = index === 0;
      this.#report.onLine(line, uuid, {
        code: first ? 'lineage/begins-inside' : 'lineage/missing-parent',
        ...(!first && type === 'progress' && { severity: 'info' as const }),
        message: first
          ? `the first record hangs on ${parent}, which is not in this log: it is the end of a longer one`
          : `the record hangs on ${parent}, which is not in this log`,
      });
    }
    if (early === undefined) return;
    const { first, count } = early;
    const many = count === 1 ? '1 record stands' : `${count} records stand`;
    this.#report.onLine(first.line, first.uuid, {
      code: 'lineage/forward-cause',
      severity: 'info',
      message: `${many} before the one they hang on: several writers append, and the graph is right`,
    });
  }

  #circles(): void {
    const parentOf = (child: number) => {
      const parent = this.#links[child]?.parent;
      return parent === undefined ? -1 : this.#ids.find(parent);
    };
    const circles = new CauseCircles({ parentOf });
    for (const [number, { line, uuid }] of this.#links.entries()) {
      const members = circles.cycleThrough(number);
      if (members === undefined || members === 'told') continue;
      const message =
        members.length === 1
          ? 'the record hangs on itself'
          : `following parentUuid from this record leads back to it over ${members.length} records`;
      this.#report.onLine(line, uuid, { code: 'lineage/cycle', message });
    }
  }

  #unanswered(): void {
    const open = this.#tools.unanswered();
    if (open.length === 0) return;
    const graph = graphOf(this.#links);
    for (const call of open) this.#say(call, graph);
  }

  #say({ id, tool, link }: TranscriptCall, { links, children }: Graph): void {
    const siblings = new Set(
      [...this.#tools.calls.values()]
        .filter((other) => other.link.answer !== undefined && other.link.answer === link.answer)
        .map((other) => other.id),
    );
    // Other parts of the same answer, and the results of its other calls, do not go on from this call.
    const goesOn = (other: Link) =>
      isSaid(other) &&
      !(other.answer !== undefined && other.answer === link.answer) &&
      !(other.answered.length > 0 && other.answered.every((one) => siblings.has(one)));
    const name = `${tool} (${id}) has no result`;
    const { line, uuid } = link;
    if (!links.some((other) => other.line > line && goesOn(other))) {
      this.#report.onLine(line, uuid, { code: 'tool/open', message: `${name}: the log ends with it open` });
      return;
    }
    const next = this.#nextFrom(uuid, children, goesOn);
    const isLost = next.some((other) => !other.beginsAnew);
    this.#report.onLine(line, uuid, {
      code: 'tool/unanswered',
      ...(isLost && { severity: 'warn' as const }),
      message: isLost
        ? `${name}, and the conversation goes on from it`
        : next.length > 0
          ? `${name}: the program was stopped there, and begins anew behind it`
          : `${name}: it stands on a branch that was given up, or was cut off by a compaction`,
    });
  }

  /** The first such records on each branch that descends from another. */
  #nextFrom(
    uuid: string,
    children: ReadonlyMap<string, readonly Link[]>,
    test: (link: Link) => boolean,
  ): Link[] {
    const next: Link[] = [];
    const seen = new Set<string>([uuid]);
    const waiting = [uuid];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const child of children.get(at) ?? []) {
        if (seen.has(child.uuid)) continue;
        seen.add(child.uuid);
        if (test(child)) next.push(child);
        else waiting.push(child.uuid);
      }
    }
    return next;
  }
}
