import type { RecordFilter, RecordSource } from './dialect.ts';

/** The filter by tools: it also takes the results of the calls, by their spans. */
export const toolFilter = (value: RecordFilter['value']): RecordFilter => ({
  name: 'tool',
  help: 'only calls of this tool, with their results',
  value,
});

/** The filter that a dialect has under a name. */
export const filterNamed = (
  { filters }: Pick<RecordSource, 'filters'>,
  name: string,
): RecordFilter | undefined => filters?.find((filter) => filter.name === name);

/** Of which run a record is, in logs that hold many; undefined where a log of the dialect is one run. */
export const runOfRecord = (source: Pick<RecordSource, 'filters'>): RecordFilter['value'] | undefined =>
  filterNamed(source, 'run')?.value;
