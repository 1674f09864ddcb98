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
  return ['| column | type | | |', '|---|---|---|---|', ...rows].join('\n');
}

/** The table of columns in docs/formats/tables.md. */
export function tablesPage(): string {
  const sections = TABLE_NAMES.map((name) => `## ${name}\n\n${tableOf(TABLES[name])}\n`);
  return [
    '# The exported tables\n',
    'What `noesis export --format parquet|ndjson|csv -o DIR` writes to DIR/events, DIR/episodes and DIR/findings. This',
    'page is made from the code by `scripts/make-docs.ts`. `maybe`: a row may have no value. Further columns may be added',
    'at the end.\n',
    'In a CSV, a text that begins with `=`, `+`, `-`, `@`, a tab or a line end has an apostrophe in front, so that no',
    'spreadsheet runs it. Numbers have none.\n',
    ...sections,
  ].join('\n');
}
