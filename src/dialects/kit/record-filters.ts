import type { RecordFilter, RecordSource } from '../dialect.ts';

/** The filter by tools. It includes the results of calls. */
export const toolFilter = (value: RecordFilter['value']): RecordFilter => ({
  name: 'tool',
  help: 'show only calls of this tool, with their results',
  value,
});

export const filterNamed = (
  { filters }: Pick<RecordSource, 'filters'>,
  name: string,
): RecordFilter | undefined => filters?.find((filter) => filter.name === name);

/** Returns the run of a record in a log with many; undefined if logs of the dialect have one run. */
export const runOfRecord = (source: Pick<RecordSource, 'filters'>): RecordFilter['value'] | undefined =>
  filterNamed(source, 'run')?.value;
