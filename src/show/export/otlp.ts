import { version } from '../../base/version.ts';
import type { ExportLog, ExportRun } from './runs.ts';
import { eachTraceEvent, type TraceEvent, traceIds } from './trace.ts';

type AttributeValue = string | number | boolean | undefined;

/** An attribute in OTLP/JSON, where 64-bit integers are strings. */
interface Attribute {
  readonly key: string;
  readonly value:
    | { readonly stringValue: string }
    | { readonly intValue: string }
    | { readonly doubleValue: number }
    | { readonly boolValue: boolean };
}

/** A span in OTLP/JSON (opentelemetry-proto, trace/v1). */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1: internal. */
  readonly kind: 1;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  /** Always present, like `links`: some receivers require both, because every SDK writes them. */
  readonly events: readonly {
    readonly timeUnixNano: string;
    readonly name: string;
    readonly attributes: readonly Attribute[];
  }[];
  readonly links: readonly [];
  /** 0: unset; 2: failed. */
  readonly status: { readonly code: 0 | 2; readonly message?: string };
}

/** A request to a collector, and a line of an OTLP/JSON file. */
export interface OtlpRequest {
  readonly resourceSpans: readonly unknown[];
}

/** The maximum number of spans per request. The number of record characters is limited too. */
const BATCH_SPANS = 512;
const BATCH_CHARACTERS = 1024 * 1024;

/**
 * In characters. Longer records are cut, because backends refuse long attributes; the line number shows where
 * the whole record is.
 */
const LONGEST_RECORD = 16 * 1024;

/** Collectors refuse texts that are not valid Unicode. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

function attributeValue(value: string | number | boolean): Attribute['value'] {
  switch (typeof value) {
    case 'string':
      return { stringValue: wellFormed(value) };
    case 'boolean':
      return { boolValue: value };
    default:
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
}

function attributes(values: Readonly<Record<string, AttributeValue>>): Attribute[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: attributeValue(value) }],
  );
}

const nanos = (micros: bigint): string => String(micros * 1000n);

const FAILED: ReadonlySet<string> = new Set(['error', 'veto']);

const statusOf = (status: string, reason: string | undefined): OtlpSpan['status'] =>
  FAILED.has(status)
    ? { code: 2, ...(reason !== undefined && { message: wellFormed(reason) }) }
    : { code: 0 };

/** The attributes of an event under the conventions for generative AI. */
function genAiOf({ operation }: TraceEvent): { name?: string; values: Record<string, AttributeValue> } {
  if (operation?.kind !== 'tool') return { values: {} };
  return {
    name: `execute_tool ${operation.tool}`,
    values: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': operation.tool,
      'gen_ai.tool.call.id': operation.callId,
    },
  };
}

/** The result of an evaluation, as an event of the span that made it. */
function evaluationOf({ operation, end }: TraceEvent): OtlpSpan['events'] {
  if (operation?.kind !== 'evaluation') return [];
  const values = attributes({
    'gen_ai.evaluation.name': operation.name,
    'gen_ai.evaluation.score.label': operation.label,
    'gen_ai.evaluation.score.value': operation.score,
    'gen_ai.evaluation.explanation': operation.explanation,
  });
  return [{ timeUnixNano: nanos(end), name: 'gen_ai.evaluation.result', attributes: values }];
}

/** Options for the spans of a run. */
interface OtlpOptions {
  /** Put the stored record into each span. */
  readonly records: boolean;
}

function spanOf(
  event: TraceEvent,
  ids: { readonly trace: string; readonly span: string; readonly parent: string },
  { records }: OtlpOptions,
): OtlpSpan {
  const { name, values } = genAiOf(event);
  const isLong = event.record.length > LONGEST_RECORD;
  const record = isLong ? event.record.slice(0, LONGEST_RECORD) : event.record;
  return {
    traceId: ids.trace,
    spanId: ids.span,
    parentSpanId: ids.parent,
    name: wellFormed(name ?? event.name),
    kind: 1,
    startTimeUnixNano: nanos(event.start),
    endTimeUnixNano: nanos(event.end),
    attributes: attributes({
      ...values,
      'noesis.line': event.line,
      'noesis.waited_ms': event.waitedMs,
      'noesis.id': event.id,
      'noesis.cause': event.cause,
      'noesis.type': event.type,
      'noesis.phase': event.phase,
      'noesis.agent': event.agent,
      'noesis.outcome': event.status,
      'noesis.untimed': event.timed ? undefined : true,
      'noesis.copied': event.copied ? true : undefined,
      'noesis.record': records ? record : undefined,
      'noesis.record.cut': records && isLong ? true : undefined,
    }),
    events: evaluationOf(event),
    links: [],
    status: statusOf(event.status, event.reason),
  };
}

/** The span of the run, the ancestor of all others. */
function rootOf(
  { dialect }: ExportLog,
  { episode, run, account }: ExportRun,
  ids: { readonly trace: string; readonly root: string },
): OtlpSpan {
  const { start = 0, end = start, account: runAccount } = account;
  const reasons = runAccount?.why ?? [];
  const why = reasons.map(({ kind, text }) => `${kind}: ${text}`).join('; ');
  const failed = runAccount?.tone === 'bad';
  return {
    traceId: ids.trace,
    spanId: ids.root,
    name: `invoke_agent ${wellFormed(episode)}`,
    kind: 1,
    startTimeUnixNano: nanos(BigInt(Math.round(start * 1000))),
    endTimeUnixNano: nanos(BigInt(Math.round(end * 1000))),
    attributes: attributes({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': dialect.name,
      'gen_ai.conversation.id': run ?? episode,
      'noesis.episode': episode,
      'noesis.run': run,
      'noesis.dialect': dialect.name,
      'noesis.task': runAccount?.task,
      'noesis.status': runAccount?.status,
      'noesis.why': why === '' ? undefined : why,
      'noesis.events': account.events,
    }),
    events: [],
    links: [],
    status: failed ? { code: 2, message: wellFormed(why) } : { code: 0 },
  };
}

/**
 * Passes on a run as OTLP/JSON requests with some spans each, starting with the span of the run. The parent
 * of an event is its cause, or the run. The ids derive from the name of the run (docs/formats/traces.md).
 */
export async function otlpOf(
  log: ExportLog,
  run: ExportRun,
  options: OtlpOptions,
  send: (request: OtlpRequest) => Promise<void>,
): Promise<void> {
  const ids = traceIds(log.dialect.name, run);
  let spans: OtlpSpan[] = [rootOf(log, run, ids)];
  let characters = 0;
  const resource = { attributes: attributes({ 'service.name': log.dialect.name }) };
  const flush = async (): Promise<void> => {
    const batch = spans;
    spans = [];
    characters = 0;
    while (batch.length > 0) {
      const scope = { name: 'noesis', version };
      const scopeSpans = [{ scope, spans: batch.splice(0, BATCH_SPANS) }];
      await send({ resourceSpans: [{ resource, scopeSpans }] });
    }
  };
  await eachTraceEvent(
    log,
    run,
    (event) => {
      // An event without an earlier cause is a child of the run.
      const parent = event.causeLine === undefined ? ids.root : ids.ofLine(event.causeLine);
      spans.push(spanOf(event, { trace: ids.trace, span: ids.ofLine(event.line), parent }, options));
      characters += event.record.length;
    },
    async () => {
      if (spans.length >= BATCH_SPANS || characters >= BATCH_CHARACTERS) await flush();
    },
  );
  await flush();
}
