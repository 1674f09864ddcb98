import Table from 'cli-table3';
import type { DialectEventType } from '../../read/describe/event-types.ts';
import type { Style } from './style.ts';
import { displayWidth, truncateToWidth } from './width.ts';

/** A cli-table3 style without borders and one space between columns. */
const BARE_TABLE = {
  chars: {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: ' ',
  },
  style: { head: [] as string[], border: [] as string[], 'padding-left': 0, 'padding-right': 0 },
};

interface EventTypesOptions {
  readonly style: Style;
  /** The width of the terminal; Infinity: do not cut. */
  readonly width: number;
}

type Cell = (type: DialectEventType) => string;

const COLUMNS: readonly { readonly title: string; readonly cell: Cell }[] = [
  { title: 'TYPE', cell: ({ type }) => type },
  { title: 'GROUP', cell: ({ group = '' }) => group },
  { title: 'SOURCE', cell: ({ source = '' }) => source },
  { title: 'DOC', cell: ({ documented = false }) => (documented ? 'yes' : '') },
  { title: 'MEANING', cell: ({ meaning = '' }) => meaning },
  { title: 'FIELDS', cell: ({ fields = [] }) => fields.join(' ') },
];

/** A narrower last column is useless. */
const LEAST_COLUMN = 12;

/** The types of one dialect, with the columns that are not empty and fit. The last one is cut. */
function table(types: readonly DialectEventType[], { style, width }: EventTypesOptions): string {
  const columns = COLUMNS.filter(({ cell }) => types.some((type) => cell(type) !== ''));
  const widths = columns.map(({ title, cell }) => Math.max(...[title, ...types.map(cell)].map(displayWidth)));
  const before = (count: number) => widths.slice(0, count).reduce((sum, size) => sum + size + 1, 0);
  while (columns.length > 1 && before(columns.length - 1) + LEAST_COLUMN > width) {
    columns.pop();
    widths.pop();
  }
  const fixed = widths.slice(0, -1).reduce((sum, size) => sum + size + 1, 0);
  const last = Math.max(1, Math.min(...widths.slice(-1), width - fixed));
  const colWidths = [...widths.slice(0, -1), last];
  const rows = new Table({ ...BARE_TABLE, colWidths });
  const cut = (text: string, index: number) => truncateToWidth(text, colWidths[index] as number);
  rows.push(columns.map(({ title }, index) => style.bold(cut(title, index))));
  for (const type of types) rows.push(columns.map(({ cell }, index) => cut(cell(type), index)));
  return rows
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** A table of event types per dialect, with headings if there are several; ends with a newline. */
export function renderEventTypes(types: readonly DialectEventType[], options: EventTypesOptions): string {
  const names = [...new Set(types.map(({ dialect }) => dialect))];
  const tables = names.map((name) => {
    const own = types.filter(({ dialect }) => dialect === name);
    const title = names.length > 1 ? `${options.style.cyan(`${name}: ${own.length} types`)}\n` : '';
    return title + table(own, options);
  });
  return `${tables.join('\n\n')}\n`;
}
