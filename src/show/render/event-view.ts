import { formatDuration } from '../../base/time/duration.ts';
import {
  type StateView,
  tableSection,
  timeField,
  viewCell,
  viewFields,
} from '../../dialects/kit/state-view.ts';
import type { EventAccount, EventLink } from '../../read/describe/event-of-log.ts';
import { formatOffset } from './time.ts';

const toneOf = ({ span: { status } }: Pick<EventLink, 'span'>) =>
  status === 'error' ? 'bad' : status === 'veto' ? 'doubtful' : undefined;

const row = (link: EventLink) => [
  viewCell(String(link.span.line), 'muted'),
  viewCell(link.span.phase ?? link.span.name, toneOf(link)),
  viewCell(link.span.durationMs === undefined ? '' : formatDuration(link.span.durationMs), 'muted'),
  viewCell(link.text),
];

const TITLES = ['LINE', 'EVENT', 'TOOK', 'WHAT'];

/** The head of an event: line, time, status and so on. */
export function eventHead({ span, type, agent, time, offset }: EventAccount): StateView {
  return [
    {
      fields: [
        ...viewFields([
          ['Line', String(span.line)],
          ['Id', span.id, 'name'],
          ['Phase', span.phase],
          ['Type', type === span.phase ? undefined : type],
          ['Agent', agent],
          ['Status', span.status === 'ok' ? undefined : span.status, toneOf({ span })],
        ]),
        ...timeField('Time', time),
        ...viewFields([
          ['Offset', offset === undefined ? '' : formatOffset(offset)],
          ['Took', span.durationMs === undefined ? '' : formatDuration(span.durationMs)],
        ]),
      ],
    },
  ];
}

/** The causes and effects of an event as rows. */
export function eventNeighbours({ cause, missingCause, effects, moreEffects }: EventAccount): StateView {
  const missing =
    missingCause === undefined ? [] : [{ text: `${missingCause} (not in this log)`, tone: 'bad' as const }];
  const more = moreEffects === 0 ? [] : [{ text: `and ${moreEffects} more`, tone: 'muted' as const }];
  return [
    ...tableSection('Caused by', TITLES, cause === undefined ? [] : [row(cause)]),
    ...(missing.length === 0 ? [] : [{ title: 'Caused by', lines: missing }]),
    ...tableSection('Led to', TITLES, effects.map(row)).map((section) => ({ ...section, lines: more })),
  ];
}
