import type { Dialect } from '../../../../src/dialects/dialect.ts';
import { EvidenceMap } from '../../../../src/findings/projection/evidence.ts';
import { LogForm } from '../../../../src/log/log-form.ts';
import { field } from '../../../../src/log/record.ts';

// A dialect nobody has: what one more costs. A test copies this folder to where dialects lie and adds it to the list.

const AT = field('at');
const STONE = field('stone');
const HAND = field('hand');
const THROWN_BY = field('after');
const POND = field('pond');
const SHAPE = field('shape');

/** Logs of pebbles thrown into ponds. */
export const pebble: Dialect = {
  name: 'pebble',
  title: 'pebble log',
  detect: ({ records }) =>
    records.some(({ stone, pond }) => typeof stone === 'string' && typeof pond === 'string'),
  logFiles: (names) => names.filter((name) => name.endsWith('.pebbles')),
  form: LogForm.stored(),
  view: {
    id: (record) => record.string(STONE),
    time: (record) => record.string(AT),
    type: (record) => record.string(POND),
    phase: () => undefined,
    agent: (record) => record.string(HAND),
    cause: (record) => record.string(THROWN_BY),
  },
  eventTime: ({ at }) => (typeof at === 'string' ? at : undefined),
  columns: [
    { title: 'STONE', width: 10, cell: ({ stone }) => String(stone) },
    { title: 'POND', width: 20, cell: ({ pond }) => String(pond) },
  ],
  filters: [
    { name: 'run', value: (record) => record.string(POND) },
    { name: 'stone-shape', help: 'only stones of this shape', value: (record) => record.string(SHAPE) },
  ],
  stateFile: (log) => log.replace('.pebbles', '.ripples.json'),
  projector: async () => {
    const thrown: Record<string, number> = {};
    return {
      add(record) {
        const pond = record.string(POND);
        if (pond !== undefined) thrown[pond] = (thrown[pond] ?? 0) + 1;
      },
      result: () => ({ value: { thrown }, evidence: new EvidenceMap(), underivable: [] }),
      compare: () => ({ compared: ['thrown'], differences: [], not_compared: [], underivable: [] }),
    };
  },
  summary: ({ tail }) => ({ status: tail.at(-1)?.['last'] === true ? 'settled' : 'rippling' }),
  verify: async (target, options) => (await import('./verify.ts')).verifyPonds(target, options),
};
