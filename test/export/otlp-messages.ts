/**
 * The messages of opentelemetry-proto (v1: trace, common, resource, collector/trace) that a request of traces is made of:
 * their fields with their types, as the .proto files have them. `[]` is repeated, `|` begins the members of a oneof.
 */
const MESSAGES: Readonly<Record<string, string>> = {
  ExportTraceServiceRequest: 'resource_spans:ResourceSpans[]',
  ExportTraceServiceResponse: 'partial_success:ExportTracePartialSuccess',
  ExportTracePartialSuccess: 'rejected_spans:int64 error_message:string',
  ResourceSpans: 'resource:Resource scope_spans:ScopeSpans[] schema_url:string',
  Resource: 'attributes:KeyValue[] dropped_attributes_count:uint32 entity_refs:EntityRef[]',
  EntityRef: 'schema_url:string type:string id_keys:string[] description_keys:string[]',
  ScopeSpans: 'scope:InstrumentationScope spans:Span[] schema_url:string',
  InstrumentationScope: 'name:string version:string attributes:KeyValue[] dropped_attributes_count:uint32',
  Span: [
    'trace_id:id16 span_id:id8 trace_state:string parent_span_id:id8 flags:fixed32 name:string kind:SpanKind',
    'start_time_unix_nano:fixed64 end_time_unix_nano:fixed64 attributes:KeyValue[]',
    'dropped_attributes_count:uint32 events:Event[] dropped_events_count:uint32 links:Link[]',
    'dropped_links_count:uint32 status:Status',
  ].join(' '),
  Event: 'time_unix_nano:fixed64 name:string attributes:KeyValue[] dropped_attributes_count:uint32',
  Link: 'trace_id:id16 span_id:id8 trace_state:string attributes:KeyValue[] dropped_attributes_count:uint32 flags:fixed32',
  Status: 'message:string code:StatusCode',
  KeyValue: 'key:string value:AnyValue',
  AnyValue:
    '| string_value:string bool_value:bool int_value:int64 double_value:double array_value:ArrayValue kvlist_value:KeyValueList bytes_value:bytes',
  ArrayValue: 'values:AnyValue[]',
  KeyValueList: 'values:KeyValue[]',
};

/** How many values an enum has, from 0. In OTLP/JSON they are numbers, never names. */
const ENUMS: Readonly<Record<string, number>> = { SpanKind: 6, StatusCode: 3 };

const isWhole = (value: unknown, least: bigint, most: bigint): boolean => {
  const isText = typeof value === 'string' && /^-?\d+$/.test(value);
  if (!isText && !(typeof value === 'number' && Number.isSafeInteger(value))) return false;
  return BigInt(value) >= least && BigInt(value) <= most;
};

/** An id is hexadecimal in OTLP/JSON, and zeroes are invalid; a missing parent is left out or empty. */
const isId = (value: unknown, bytes: number): boolean =>
  typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-f]+$/i.test(value) && /[^0]/.test(value);

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string' && Buffer.from(value).toString() === value,
  bool: (value) => typeof value === 'boolean',
  double: (value) => typeof value === 'number',
  bytes: (value) => typeof value === 'string',
  int64: (value) => isWhole(value, -(2n ** 63n), 2n ** 63n - 1n),
  fixed64: (value) => isWhole(value, 0n, 2n ** 64n - 1n),
  fixed32: (value) => isWhole(value, 0n, 2n ** 32n - 1n),
  uint32: (value) => isWhole(value, 0n, 2n ** 32n - 1n),
  id16: (value) => isId(value, 16),
  id8: (value) => isId(value, 8),
};

const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function* misfitsOf(type: string, value: unknown, path: string): Generator<string> {
  const scalar = SCALARS[type];
  const values = ENUMS[type];
  if (scalar) {
    if (!scalar(value)) yield `${path}: ${JSON.stringify(value)} is no ${type}`;
    return;
  }
  if (values !== undefined) {
    if (typeof value !== 'number' || !isWhole(value, 0n, BigInt(values) - 1n))
      yield `${path}: ${JSON.stringify(value)} is no number of ${type}`;
    return;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return yield `${path}: no ${type}`;
  const fields = (MESSAGES[type] ?? '').split(' ');
  const types = new Map(
    fields.flatMap((field) => {
      const [name = '', of] = field.split(':');
      return of === undefined ? [] : [[camel(name), of] as const];
    }),
  );
  if (fields[0] === '|' && Object.keys(value).length > 1) yield `${path}: more than one of a oneof`;
  for (const [name, member] of Object.entries(value)) {
    const of = types.get(name);
    if (of === undefined) yield `${path}: ${type} has no ${name}`;
    else if (!of.endsWith('[]')) yield* misfitsOf(of, member, `${path}.${name}`);
    else if (!Array.isArray(member)) yield `${path}.${name}: no list`;
    else
      for (const [at, one] of member.entries())
        yield* misfitsOf(of.slice(0, -2), one, `${path}.${name}[${at}]`);
  }
}

/** Where a value is not what the JSON form of a message of OTLP may be. */
export const misfits = (message: string, value: unknown): string[] => [...misfitsOf(message, value, message)];
