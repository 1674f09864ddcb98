import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { EventSpan, SpanOperation, SpanStatus } from '../kit/account.ts';
import { firstLine } from '../kit/excerpt.ts';
import { objectIn, objectsIn, textIn } from '../kit/members.ts';
import type { Tone } from '../kit/state-view.ts';

/** Whether a record is a span. Other logs have trace and span ids too, but no start in nanoseconds. */
export const isSpan = (record: JsonObject): boolean =>
  textIn(record, 'traceId') !== undefined &&
  textIn(record, 'spanId') !== undefined &&
  record['startTimeUnixNano'] !== undefined;

/** Whether a record is an export request: spans by resource and scope. */
export const isRequest = (record: JsonObject): boolean => Array.isArray(record['resourceSpans']);

/** The elements of a list. Undefined stands for an element that is not an object, or for a value that is not a list. */
function partsOf(holder: JsonObject | undefined, key: string): readonly (JsonObject | undefined)[] {
  if (holder === undefined) return [undefined];
  const list = holder[key] ?? [];
  return Array.isArray(list) ? list.map((part) => (isObject(part) ? part : undefined)) : [undefined];
}

/** Exporters for protocol versions before 1.0 use the second name. */
const SCOPES = ['scopeSpans', 'instrumentationLibrarySpans'];

/** The spans of a request, each with its resource and scope. Undefined stands for anything that is not a span. */
export const partsOfRequest = (request: JsonObject): readonly (JsonObject | undefined)[] =>
  partsOf(request, 'resourceSpans').flatMap((ofResource) =>
    SCOPES.flatMap((name) => partsOf(ofResource, name)).flatMap((ofScope) => {
      const around = { resource: objectIn(ofResource, 'resource'), scope: objectIn(ofScope, 'scope') };
      return partsOf(ofScope, 'spans').map((span) => span && { ...around, ...span });
    }),
  );

/**
 * The spans of a request. Undefined if it is not a request or contains anything else, because nothing may be dropped
 * silently.
 */
export function spansOf(request: JsonValue): readonly JsonObject[] | undefined {
  if (!isObject(request) || !isRequest(request)) return undefined;
  const spans = partsOfRequest(request);
  return spans.length > 0 && spans.every((span) => span !== undefined) ? spans : undefined;
}

/** The text of the first attribute that exists, of those with these names. */
export function attribute(holder: JsonValue | undefined, ...keys: readonly string[]): string | undefined {
  const attributes = objectsIn(holder, 'attributes');
  for (const key of keys) {
    const value = objectIn(
      attributes.find((one) => one['key'] === key),
      'value',
    );
    for (const kind of ['stringValue', 'intValue', 'doubleValue', 'boolValue']) {
      const plain = value[kind];
      if (typeof plain === 'string' || typeof plain === 'boolean' || isNumber(plain)) return String(plain);
    }
  }
  return undefined;
}

/**
 * A member of a span as nanoseconds since 1970: a text of digits, or a number in older exporters. Twenty digits suffice
 * until the year 5138.
 */
export function nanosIn(span: JsonObject, key: string): bigint | undefined {
  const value = span[key];
  const text = typeof value === 'string' || isNumber(value) ? String(value) : '';
  return /^\d{1,20}$/.test(text) && text !== '0' ? BigInt(text) : undefined;
}

const NANOS = 1_000_000n;

/** A member that is a time, in ISO 8601 with nanoseconds; undefined if it is not a time. */
function timeIn(span: JsonObject, key: string): string | undefined {
  const nanos = nanosIn(span, key);
  if (nanos === undefined) return undefined;
  const rest = String(nanos % NANOS)
    .padStart(6, '0')
    .replace(/(?:000)+$/, '');
  return new Date(Number(nanos / NANOS)).toISOString().replace('Z', `${rest}Z`);
}

const START = 'startTimeUnixNano';
const END = 'endTimeUnixNano';

export const startOf = (span: JsonObject): string | undefined => timeIn(span, START);

export const endOf = (span: JsonObject): string | undefined => timeIn(span, END);

/** Whether the status is a failure: code 2, or its name. */
function isFailed(span: JsonObject): boolean {
  const { code } = objectIn(span, 'status');
  return code === 2 || code === 'STATUS_CODE_ERROR';
}

export function statusOf(span: JsonObject): SpanStatus {
  if (isFailed(span)) return 'error';
  return endOf(span) === undefined ? 'open' : 'ok';
}

/** The status of a trace, from its root span. */
export function outcomeOf(root: JsonObject): string {
  const status = statusOf(root);
  return status === 'error' ? 'failed' : status;
}

/** What a status means to a reader. */
export function toneOf(status: string): Tone | undefined {
  return status === 'failed' ? 'bad' : status === 'ok' ? 'good' : undefined;
}

/** Why a span failed: its status message, else the exception. */
export function reasonOf(span: JsonObject): string | undefined {
  if (!isFailed(span)) return undefined;
  const thrown = objectsIn(span, 'events').find(({ name }) => name === 'exception');
  return (
    textIn(objectIn(span, 'status'), 'message') ??
    attribute(thrown, 'exception.message', 'exception.type') ??
    attribute(span, 'error.type')
  );
}

/** The tool that a span called. */
export const toolOf = (span: JsonObject): string | undefined => attribute(span, 'gen_ai.tool.name');

/** The model of a span: the one that answered, else the one that was requested. */
export const modelOf = (span: JsonObject): string | undefined =>
  attribute(span, 'gen_ai.response.model', 'gen_ai.request.model');

/** The agent that a span names, else the service that sent it. */
export const agentOf = (span: JsonObject): string | undefined =>
  attribute(span, 'gen_ai.agent.name') ?? attribute(objectIn(span, 'resource'), 'service.name');

function operationOf(span: JsonObject): SpanOperation | undefined {
  const tool = toolOf(span);
  return tool === undefined
    ? undefined
    : { kind: 'tool', tool, callId: attribute(span, 'gen_ai.tool.call.id') };
}

/** A span for timelines and traces. */
export const eventSpanOf = (span: JsonObject): EventSpan => ({
  name: textIn(span, 'name') ?? '',
  start: startOf(span),
  end: endOf(span),
  status: statusOf(span),
  reason: reasonOf(span),
  operation: operationOf(span),
});

/** The DETAIL cell: why a span failed, else what it was about. */
export function describeSpan(record: JsonObject): string {
  if (isRequest(record)) return 'a request of spans';
  const said = reasonOf(record) ?? attribute(record, 'gen_ai.tool.call.arguments', 'gen_ai.prompt');
  const facts = [modelOf(record), toolOf(record), said, agentOf(record)].filter((fact) => fact !== undefined);
  return firstLine(facts.join('  '));
}

/** The id of the parent of a span. Some exporters write an empty one, or one of zeros, for a root. */
export function parentOf(id: string | undefined): string | undefined {
  return id === undefined || /^0*$/.test(id) ? undefined : id;
}

/** Whether a span has no parent. */
export const isRoot = (span: JsonObject): boolean =>
  isSpan(span) && parentOf(textIn(span, 'parentSpanId')) === undefined;

/** When a span started, in nanoseconds since 1970. */
export const nanosOfStart = (span: JsonObject): bigint => nanosIn(span, 'startTimeUnixNano') ?? 0n;
