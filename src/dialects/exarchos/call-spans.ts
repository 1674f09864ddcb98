import type { JsonObject } from '../../base/json/value.ts';
import { parseInstant } from '../../base/time/instant.ts';
import { type EventSpan, NOT_YET, type SpanReader } from '../kit/account.ts';
import { objectIn, textIn } from '../kit/members.ts';
import { spanOf } from './account.ts';
import { causeOf, namesOf } from './identity.ts';

const BEGIN = 'tool.invoked';
const ENDS: ReadonlySet<string> = new Set(['tool.completed', 'tool.errored']);

/** How many calls of one tool without a result, and results without a call, are kept at most: the last ones. */
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

interface Result extends Half {
  /** When its call began, as its duration says; NaN if it has none. */
  readonly began: number;
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
  readonly #results = new Map<string, Result[]>();

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
    const result =
      results.find((one) => names(one, call)) ??
      nearest(results, (one) => (belong(call, one) && call.at <= one.at ? call.at - one.began : undefined));
    if (result !== undefined) results.splice(results.indexOf(result), 1);
    if (result?.line !== undefined) return result.line;
    keep(this.#calls, tool, call);
    return NOT_YET;
  }

  #end(tool: string, event: JsonObject, line: number | undefined, span: EventSpan): EventSpan {
    const at = timeIn(event);
    const result = { ...halfOf(event, line, at), began: at - (span.durationMs ?? Number.NaN) };
    const calls = this.#calls.get(tool) ?? [];
    const call =
      calls.find((one) => names(result, one)) ??
      nearest(calls, (one) => (belong(one, result) ? one.at - result.began : undefined));
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

/** The half with the least gap; undefined if none has one. Without times, the first one. */
function nearest<One extends Half>(
  halves: readonly One[],
  gapTo: (half: One) => number | undefined,
): One | undefined {
  let found: { readonly half: One; readonly distance: number } | undefined;
  for (const half of halves) {
    const gap = gapTo(half);
    if (gap === undefined) continue;
    const distance = Number.isNaN(gap) ? Infinity : Math.abs(gap);
    if (found === undefined || distance < found.distance) found = { half, distance };
  }
  return found?.half;
}

function keep<One extends Half>(halves: Map<string, One[]>, tool: string, half: One): void {
  const known = halves.get(tool) ?? [];
  known.push(half);
  if (known.length > MOST_WAITING) known.shift();
  halves.set(tool, known);
}
