import { StateError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { field } from '../../log/record.ts';
import { defineDialect } from '../kit/define.ts';
import { textIn } from '../kit/members.ts';
import { toolFilter } from '../kit/record-filters.ts';
import {
  agentOf,
  describeSpan,
  eventSpanOf,
  isRequest,
  isRoot,
  isSpan,
  mayHaveRoot,
  nanosOfStart,
  outcomeOf,
  spansOf,
  startOf,
  statusOf,
  toneOf,
  toolOf,
} from './spans.ts';

const PARENT = field('parentSpanId');

const NAME_OF_LOG = /\.(?:jsonl|ndjson)$|(?:otlp|otel|trace|span)[^/]*\.json$/i;

/** OpenTelemetry spans in OTLP/JSON, one per record (docs/formats/otlp.md). */
export const otlp = defineDialect({
  name: 'otlp',
  title: 'OpenTelemetry spans (OTLP/JSON)',
  detect: ({ records }) => records.some((record) => isSpan(record) || isRequest(record)),
  recordsIn: spansOf,
  // Only the content identifies a log. Documents are opened only if their names are usual for exporters.
  logFiles: () => [],
  candidates: (names) => names.filter((name) => NAME_OF_LOG.test(name)),
  members: { id: 'spanId', cause: 'parentSpanId', type: 'name' },
  view: {
    time: ({ value }) => startOf(value),
    agent: ({ value }) => agentOf(value),
    // Some exporters write an empty parent for a root.
    cause: (record) => record.string(PARENT) || undefined,
  },
  eventTime: startOf,
  columns: [
    { title: 'STATUS', width: 6, cell: statusOf },
    { title: 'NAME', width: 24, cell: (event) => textIn(event, 'name') ?? '' },
    { title: 'DETAIL', width: 24, cell: describeSpan },
  ],
  filters: [toolFilter(({ value }) => toolOf(value))],
  summary: ({ backwards }) => {
    // As for every other command, the root that started first. It may be anywhere in the log.
    let root: JsonObject | undefined;
    for (const span of backwards(undefined, mayHaveRoot))
      if (isRoot(span) && (root === undefined || nanosOfStart(span) <= nanosOfStart(root))) root = span;
    return root === undefined ? {} : { task: textIn(root, 'name'), status: outcomeOf(root) };
  },
  statusTone: toneOf,
  span: eventSpanOf,
  account: async () => new (await import('./account.ts')).TraceAccount(),
  projector: async () => {
    throw new StateError('projection-unsupported', 'spans contain no state that could be rebuilt', {
      hint: 'run noesis timeline to see them in time, noesis show for one of them',
    });
  },
  verify: async (target, options) => (await import('./verify.ts')).verifySpans(target, options),
});
