import type { Dialect } from '../../../../src/dialects/dialect.ts';
import { Findings } from '../../../../src/findings/findings.ts';
import { checkLog } from '../../../../src/findings/log-stage.ts';
import { runStages, stage } from '../../../../src/findings/stages.ts';
import { field } from '../../../../src/log/record.ts';
import { EvidenceMap } from '../../../../src/projection/evidence.ts';

// A dialect nobody has: what one more costs. A test copies this folder to where dialects lie and adds it to the list.

const AT = field('at');
const STONE = field('stone');
const HAND = field('hand');
const THROWN_BY = field('after');
const POND = field('pond');

/** Logs of pebbles thrown into ponds. */
export const pebble: Dialect = {
  name: 'pebble',
  title: 'pebble log',
  detect: ({ records }) =>
    records.some(({ stone, pond }) => typeof stone === 'string' && typeof pond === 'string'),
  logFiles: (names) => names.filter((name) => name.endsWith('.pebbles')),
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
  filters: [{ name: 'run', value: (record) => record.string(POND) }],
  stateFile: (log) => log.replace('.pebbles', '.ripples.json'),
  projector: async () => {
    const thrown: Record<string, number> = {};
    return {
      add(record) {
        const pond = record.string(POND);
        if (pond !== undefined) thrown[pond] = (thrown[pond] ?? 0) + 1;
      },
      result: () => ({ value: { thrown }, evidence: new EvidenceMap(), underivable: [] }),
      compare: () => ({ differences: [], underivable: [] }),
    };
  },
  async verify(target, { policy }) {
    const findings = new Findings(policy);
    let extent = { records: 0, bytes: 0 };
    const reading = stage({
      names: ['log'],
      needs: () => undefined,
      run: async () => {
        extent = await checkLog({ path: target.log ?? '', file: target.name, checks: [] }, findings);
      },
    });
    const facts = () => ({ target, dialect: 'pebble', events: extent.records, bytes: extent.bytes });
    return runStages([reading], facts, findings);
  },
};
