import type { StateView, ViewSection, ViewTable } from '../../dialects/kit/state-view.ts';

/** The sizes to which parts of a view are cut, until it fits. */
const SIZES = [12, 8, 6, 5, 4, 3, 2];

/** The number of parts that are never left out: what the run is, and why it ended. */
const MOST_IMPORTANT = 2;

/** The lines of a long reason that are kept. */
const LONGEST_TEXT = 300;

const clipped = (text: string): string =>
  text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1).toWellFormed()}…`;

/** A part without what another part says too. */
function withoutRepeated(section: ViewSection): ViewSection {
  const { lines = [] } = section;
  const left = lines.filter(({ is_repeated: isRepeated }) => !isRepeated);
  if (left.length === lines.length) return section;
  const { lines: _, ...rest } = section;
  return left.length === 0 ? rest : { ...rest, lines: left };
}

/** The first rows of a table, and the last one if the table keeps it. */
function cutTable(table: ViewTable, most: number): ViewTable {
  const { rows, keeps_last: keepsLast } = table;
  const cut =
    keepsLast && most > 1 && rows.length > most ? [...rows.slice(0, most - 1), ...rows.slice(-1)] : rows;
  return { ...table, rows: cut.slice(0, most) };
}

/** A part with at most `most` fields, rows and lines each; says how many are left out. */
function cutPart({ title, fields = [], table, lines = [] }: ViewSection, most: number): ViewSection {
  const rows = table?.rows ?? [];
  const without = (size: number) =>
    [fields, rows, lines].reduce((sum, list) => sum + Math.max(0, list.length - size), 0);
  // To say that one is left out takes a line, like the one itself.
  const size = without(most) === 1 ? most + 1 : most;
  const left = without(size);
  const more = left === 0 ? [] : [{ text: `and ${left} more: --full`, tone: 'muted' as const }];
  return {
    ...(title !== undefined && { title }),
    ...(fields.length > 0 && {
      fields: fields.slice(0, size).map((field) => ({ ...field, text: clipped(field.text) })),
    }),
    ...(table && { table: cutTable(table, size) }),
    ...(lines.length + more.length > 0 && { lines: [...lines.slice(0, size), ...more] }),
  };
}

/**
 * A view in at most `most` lines. The first part stays whole; of the others first what is said twice is left out, then the
 * long ones get shorter, then the last ones are left out and named.
 */
export function shortView(view: StateView, most: number, heightOf: (view: StateView) => number): StateView {
  if (heightOf(view) <= most) return view;
  const [head, ...whole] = view;
  if (head === undefined) return view;
  const parts = whole.map(withoutRepeated);
  if (heightOf([head, ...parts]) <= most) return [head, ...parts];
  for (const size of SIZES) {
    const short = [head, ...parts.map((part) => cutPart(part, size))];
    if (heightOf(short) <= most) return short;
  }
  // What is left out first is what fewest need: the parts at the end.
  for (let count = parts.length - 1; count >= 0; count -= 1) {
    const named = parts.slice(count).flatMap(({ title }) => title ?? []);
    const rest: ViewSection = {
      lines: [{ text: `not shown: ${named.join(', ')}; --full shows all`, tone: 'muted' }],
    };
    for (const size of count < MOST_IMPORTANT ? [1] : [3, 2]) {
      const short = [head, ...parts.slice(0, count).map((part) => cutPart(part, size)), rest];
      if (heightOf(short) <= most) return short;
    }
  }
  return [{ ...head, fields: (head.fields ?? []).map((field) => ({ ...field, text: clipped(field.text) })) }];
}
