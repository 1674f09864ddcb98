import { layoutOf } from '../../log/row-layout.ts';
import { ANY, anyString, type Member, NEVER, type Shape } from '../../log/schema/shape.ts';
import { shapeOf } from '../../log/schema/zod-shape.ts';
import { detailSchema, eventSchema } from './schema/event.ts';
import { ALIASES, ENVELOPE, EVENT_TYPES, IDS, type TypeSpec } from './vocabulary.ts';

/** All members of an envelope. */
const COLUMNS = {
  timestamp: ['timestamp', 'time'],
  sequence: ['sequence', 'number'],
  session_id: ['session_id', 'word'],
  event_type: ['event_type', 'word'],
  agent_id: ['agent_id', 'id'],
  task_id: ['task_id', 'id'],
  details: 'details',
} as const;

const object = (members: Iterable<readonly [string, Member]>, others: Shape): Shape => [
  { kind: 'object', members: new Map(members), others },
];
const needed = (shape: Shape): Member => ({ shape, required: true });

const forbidden: Member = { shape: NEVER, required: false };

/** Members that must not be in the details: those of the envelope, and other names of ids. */
const ELSEWHERE = [
  ...ENVELOPE,
  ...[...ALIASES].flatMap(([name, others]) => (IDS.includes(name) ? others : [])),
];

/** The shape of an event that has everything its type lists, exactly once and in the documented place. */
function plainShape({ fields }: TypeSpec): Shape {
  const details = fields.filter((name) => !ENVELOPE.has(name));
  const ids = fields.filter((name) => IDS.includes(name));
  return object(
    [
      ...[...ENVELOPE].map((name): [string, Member] => [name, { shape: ANY, required: false }]),
      ...ids.map((name): [string, Member] => [name, needed([{ ...anyString, min: 1 }])]),
      [
        'details',
        needed(
          object(
            [
              ...ELSEWHERE.map((name): [string, Member] => [name, forbidden]),
              ...details.map((name): [string, Member] => [name, needed(shapeOf(detailSchema(name)))]),
            ],
            ANY,
          ),
        ),
      ],
    ],
    NEVER,
  );
}

/** The build replaces this with the table of the layout (scripts/tables.ts). */
declare const NOESIS_TABLE_COORDINATOR: string | undefined;

/**
 * How verification reads records. It rejects undocumented types and misplaced members, so that such records are parsed
 * and reported.
 */
export const LAYOUT = layoutOf(
  'event_type',
  COLUMNS,
  [...EVENT_TYPES].map(([type, spec]) => [type, () => [shapeOf(eventSchema), plainShape(spec)]] as const),
  () => [NEVER],
  /* v8 ignore next -- only the build puts it in place */
  typeof NOESIS_TABLE_COORDINATOR === 'string' ? NOESIS_TABLE_COORDINATOR : undefined,
);

/** The numbers of the columns. */
export const COLUMN = LAYOUT.at;
