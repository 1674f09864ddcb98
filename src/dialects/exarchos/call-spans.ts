import type { JsonObject } from '../../base/json/value.ts';
import { parseInstant } from '../../base/time/instant.ts';
import { type EventSpan, NOT_YET, type SpanReader } from '../kit/account.ts';
import { objectIn, textIn } from '../kit/members.ts';
import { spanOf } from './account.ts';
import { causeOf, namesOf } from './identity.ts';

const BEGIN = 'tool.invoked';
const ENDS: ReadonlySet<string> = new Set(['tool.completed', 'tool.errored']);

/** Of the calls of one tool that have no result, and of its results without a call, so many last ones are kept. */
const MOST_WAITING = 100;

/** The record of a call or of a result that waits for the other one. */
interface Half {
  readonly line: number | undefined;
  /** The time as stored, and in milliseconds since 1970; NaN if it has none. */
  readonly time: string | undefined;
  readonly at: number;
  readonly agent: string | undefined;
  readonly correlation: string | undefined;
  readonly names: readonly string[];
  readonly cause: string | undefined;
}

function halfOf(event: JsonObject, line: number | undefined, at: number): Half {
  return {
    line,
    time: textIn(event, 'timestamp'),
    at,
    agent: textIn(event, 'agentId'),
    correlation: textIn(event, 'correlationId'),
    names: namesOf(event),
    cause: causeOf(event),
  };
}

const differ = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other;

const belong = (call: Half, result: Half): boolean =>
  !differ(call.agent, result.agent) && !differ(call.correlation, result.correlation);

const names = ({ cause }: Half, call: Half): boolean => cause !== undefined && call.names.includes(cause);

/**
 * The spans of a workflow's events. The two events of a call are one span, which belongs to its result. The format gives
 * calls no ids: a result ends the call that it names as its cause, else the one of its tool that began when its duration
 * says, and which no other agent made (exarchos.md §7.5).
 */
export class CallSpans implements SpanReader {
  /** By tool, in log order. */
  readonly #calls = new Map<string, Half[]>();
  readonly #results = new Map<string, Half[]>();

  hasCall({ type }: JsonObject): boolean {
    return type === BEGIN || (typeof type === 'string' && ENDS.has(type));
  }

  /** False, because both events name the tool. */
  readonly isWaiting = false;

  span(event: JsonObject, line?: number): EventSpan {
    const span = spanOf(event);
    const type = textIn(event, 'type') ?? '';
    const tool = textIn(objectIn(event, 'data'), 'tool');
    if (tool === undefined) return span;
    if (type === BEGIN)
      return { ...span, operation: { kind: 'tool', tool }, spanLine: this.#begin(tool, event, line) };
    return ENDS.has(type) ? this.#end(tool, event, line, span) : span;
  }

  /** The line of the result, if several writers put it before its call. */
  #begin(tool: string, event: JsonObject, line: number | undefined): number {
    const call = halfOf(event, line, timeIn(event));
    const results = this.#results.get(tool) ?? [];
    const index = results.findLastIndex(
      (result) => names(result, call) || (belong(call, result) && call.at < result.at),
    );
    const [result] = index === -1 ? [] : results.splice(index, 1);
    if (result?.line !== undefined) return result.line;
    keep(this.#calls, tool, call);
    return NOT_YET;
  }

  #end(tool: string, event: JsonObject, line: number | undefined, span: EventSpan): EventSpan {
    const began = timeIn(event) - (span.durationMs ?? Number.NaN);
    const result = halfOf(event, line, timeIn(event));
    const calls = this.#calls.get(tool) ?? [];
    const call = callOf(result, calls, began);
    if (call === undefined) {
      keep(this.#results, tool, result);
      return span;
    }
    calls.splice(calls.indexOf(call), 1);
    return {
      ...span,
      start: call.time ?? span.start,
      end: result.time,
      ...(call.line !== undefined && { callLine: call.line }),
    };
  }
}

const timeIn = (event: JsonObject): number => parseInstant(textIn(event, 'timestamp')) ?? Number.NaN;

/** The call that a result ends, among the open ones of its tool. `began`: when it began, as its duration says. */
function callOf(result: Half, calls: readonly Half[], began: number): Half | undefined {
  const named = calls.find((call) => names(result, call));
  if (named !== undefined) return named;
  let nearest: { readonly call: Half; readonly distance: number } | undefined;
  for (const call of calls) {
    if (!belong(call, result)) continue;
    const gap = Math.abs(call.at - began);
    // Without times, the first call that is open ends first.
    const distance = Number.isNaN(gap) ? Infinity : gap;
    if (nearest === undefined || distance < nearest.distance) nearest = { call, distance };
  }
  return nearest?.call;
}

function keep(halves: Map<string, Half[]>, tool: string, half: Half): void {
  const known = halves.get(tool) ?? [];
  known.push(half);
  if (known.length > MOST_WAITING) known.shift();
  halves.set(tool, known);
}
