import { type ExportColumn, TABLE_NAMES, TABLES } from '../export/tables.ts';

const TYPES: Readonly<Record<ExportColumn['type'], string>> = {
  text: 'text',
  integer: '64-bit integer',
  real: 'double',
  time: 'timestamp, microseconds, UTC',
  boolean: 'boolean',
  json: 'text (JSON)',
};

function tableOf(columns: readonly ExportColumn[]): string {
  const rows = columns.map(
    ({ name, type, what, required }) => `| ${name} | ${TYPES[type]} | ${required ? '' : 'maybe'} | ${what} |`,
  );
  return ['| column | type | | contents |', '|---|---|---|---|', ...rows].join('\n');
}

/** The table of columns in docs/formats/tables.md. */
export function tablesPage(): string {
  const sections = TABLE_NAMES.map((name) => `## ${name}\n\n${tableOf(TABLES[name])}\n`);
  return [
    '# The exported tables\n',
    '`noesis export --format parquet|ndjson|csv -o DIR` writes the tables DIR/events, DIR/episodes and DIR/findings.',
    '`scripts/make-docs.ts` generates this page from the code. `maybe` means that a row may have no value. Later versions',
    'may add columns at the end.\n',
    'In a CSV, a text that begins with `=`, `+`, `-`, `@`, a tab or a line end gets an apostrophe in front, so that no',
    'spreadsheet runs it. Numbers get none.\n',
    ...sections,
  ].join('\n');
}
