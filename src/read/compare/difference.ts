import { firstLine } from '../../dialects/kit/excerpt.ts';
import type { FindPrices, Prices } from '../../dialects/kit/prices.ts';
import { type Behaviour, behaviourOfCopy, behaviourOfOne, compareBehaviour } from './behaviour.ts';
import { type PartPair, pairedParts, type RunLogs } from './compare-parts.ts';
import {
  asksForEvents,
  type CompareOptions,
  compareRuns,
  isOneFormat,
  type RunComparison,
} from './compare-runs.ts';
import { Incidental } from './incidental.ts';
import { hasLeftOut, type RunSource } from './read-run.ts';
import { contentOfRun, factsOf, type PartContent, type RunContent } from './run-content.ts';
import { type ComparedPart, type PartDifference, type RunDifferenceHead, sameEnd } from './run-difference.ts';

interface DifferenceOptions extends CompareOptions {
  readonly findPrices?: FindPrices | undefined;
}

/** The logs of a run, without the ids by which any of them names the run or its subagents. */
function logsOf(content: RunContent, parts: readonly PartContent[], names: ReadonlySet<string>): RunLogs {
  const ids = [content, ...parts].flatMap(({ details }) => details?.ids ?? []);
  return {
    content,
    parts,
    incidental: new Incidental([...ids, ...names, ...parts.map(({ name }) => name)]),
  };
}

/** What the run calls a part, or the title in the log of the part. */
function titleOf({ name, details, story }: PartContent, { content, parts }: RunLogs): string {
  const titles = [content, ...parts].map((log) => log.story.agents ?? {});
  const named = [name, ...(details?.own ?? [])].flatMap((id) =>
    titles.flatMap((all) => (Object.hasOwn(all, id) ? (all[id] ?? []) : [])),
  );
  return named[0] ?? firstLine(story.title ?? '');
}

function partOf(part: PartContent, run: RunLogs): ComparedPart {
  const {
    name,
    usage,
    damage,
    story: { status, time },
  } = part;
  const title = titleOf(part, run);
  return {
    name,
    kind: usage.is_part ? 'log' : 'subagent',
    ...(title !== '' && { title }),
    status,
    ...(time && { durationMs: time.lasted_ms }),
    ...(damage && { skipped: damage.skipped }),
  };
}

/** Compares the parts of two runs, each with its counterpart. */
class PartComparison {
  readonly #logs: { readonly a: RunLogs; readonly b: RunLogs };
  readonly #options: DifferenceOptions;
  readonly #prices: Prices | undefined;
  readonly #isOneFormat: boolean;

  constructor(a: RunLogs, b: RunLogs, options: DifferenceOptions, prices: Prices | undefined) {
    this.#logs = { a, b };
    this.#options = options;
    this.#prices = prices;
    this.#isOneFormat = isOneFormat(a.content, b.content);
  }

  async differences(): Promise<PartDifference[]> {
    const all: PartDifference[] = [];
    for (const pair of pairedParts(this.#logs.a, this.#logs.b)) all.push(await this.#difference(pair));
    return all;
  }

  async #difference({ a, b }: PartPair): Promise<PartDifference> {
    const { a: ofA, b: ofB } = this.#logs;
    const facts = (part: PartContent) => factsOf(part, part.story.time?.lasted_ms, this.#prices);
    const sides = {
      ...(a && { a: partOf(a, ofA) }),
      ...(b && { b: partOf(b, ofB) }),
      facts: { ...(a && { a: facts(a) }), ...(b && { b: facts(b) }) },
    };
    const sideA = a && { content: a, incidental: ofA.incidental };
    const sideB = b && { content: b, incidental: ofB.incidental };
    if (sideA === undefined || sideB === undefined)
      return { ...sides, equal: false, behaviour: await behaviourOfOne(sideA, sideB) };
    const behaviour = await compareBehaviour(sideA, sideB);
    const events = asksForEvents(this.#options)
      ? await compareRuns(sideA.content.source, sideB.content.source, this.#options)
      : undefined;
    return {
      ...sides,
      equal: events?.equal ?? (behaviour.same && (!this.#isOneFormat || sameEnd(sides)) && !hasLeftOut(a, b)),
      behaviour,
      ...(events && { events: events.counts }),
    };
  }
}

/**
 * Adds a comparison of what the runs and their subagents did. It alone decides whether sessions, or runs in different
 * formats, are equal, unless an option asks for events.
 */
export async function differenceOf(
  comparison: RunComparison,
  a: RunSource,
  b: RunSource,
  options: DifferenceOptions = {},
): Promise<RunDifferenceHead> {
  const { names, isCopy, parts } = comparison;
  const head = await comparison.head();
  const contentA = await contentOfRun(a);
  const contentB = isCopy ? contentA : await contentOfRun(b);
  const [logsA, logsB] = [logsOf(contentA, parts.a, names.a), logsOf(contentB, parts.b, names.b)];
  const models = [contentA, contentB, ...parts.a, ...parts.b].flatMap(({ usage }) => usage.usage ?? []);
  const prices = await options.findPrices?.(models.map(({ model }) => model));
  const facts = {
    a: factsOf(contentA, head.a.durationMs, prices, parts.a),
    b: factsOf(contentB, head.b.durationMs, prices, parts.b),
  };
  const did = isCopy
    ? behaviourOfCopy(contentA)
    : await compareBehaviour(
        { content: contentA, incidental: logsA.incidental },
        { content: contentB, incidental: logsB.incidental },
      );
  const behaviour: Behaviour = {
    ...did,
    facts,
    tokens: {
      ...(facts.a.tokens !== undefined && { a: facts.a.tokens }),
      ...(facts.b.tokens !== undefined && { b: facts.b.tokens }),
    },
  };
  const ofParts = await new PartComparison(logsA, logsB, options, prices).differences();
  const byEvents = isOneFormat(a, b) && (asksForEvents(options) || !a.dialect.storesMuch);
  const isEqual = byEvents
    ? comparison.equal
    : behaviour.same && (!isOneFormat(a, b) || sameEnd(head)) && !hasLeftOut(contentA, contentB);
  const stored = isOneFormat(a, b) && !byEvents ? await comparison.stored() : undefined;
  return {
    ...head,
    equal: isEqual && ofParts.every(({ equal }) => equal),
    ...(stored && { stored }),
    behaviour,
    ...(ofParts.length > 0 && { parts: ofParts }),
  };
}
