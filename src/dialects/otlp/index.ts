import { StateError } from '../../base/errors.ts';
import { field } from '../../log/record.ts';
import { defineDialect } from '../kit/define.ts';
import { textIn } from '../kit/members.ts';
import { toolFilter } from '../kit/record-filters.ts';
import {
  agentOf,
  describeSpan,
  eventSpanOf,
  isRequest,
  isSpan,
  parentOf,
  spansOf,
  startOf,
  statusOf,
  toneOf,
  toolOf,
} from './spans.ts';
import { summarizeSpans } from './summary.ts';

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
    cause: (record) => parentOf(record.string(PARENT)),
  },
  eventTime: startOf,
  isUnordered: true,
  columns: [
    { title: 'STATUS', width: 6, cell: statusOf },
    { title: 'NAME', width: 24, cell: (event) => textIn(event, 'name') ?? '' },
    { title: 'DETAIL', width: 24, cell: describeSpan },
  ],
  filters: [toolFilter(({ value }) => toolOf(value))],
  summary: summarizeSpans,
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
