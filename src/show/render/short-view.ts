import type {
  StateView,
  ViewField,
  ViewSection,
  ViewTable,
  ViewText,
} from '../../dialects/kit/state-view.ts';

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

/** A part whose long texts take two lines each at most. */
const briefly = (part: ViewSection): ViewSection =>
  part.fields === undefined
    ? part
    : {
        ...part,
        fields: part.fields.map((field) =>
          field.is_brief ? { ...field, is_cut: true, has_two_lines: true } : field,
        ),
      };

/** A longer id of a row is no number, and does not say where a gap is. */
const LONGEST_ID = 6;

/** A row for the rows that are left out at its place: `turns 2 to 4 are not shown (--full)`. */
function gapRow({ columns }: ViewTable, what: string, left: readonly (readonly ViewText[])[]): ViewText[] {
  const at = columns.findIndex((title) => title === 'ID' || title === 'TURN');
  const [first, last] = [left.at(0), left.at(-1)].map((row) => row?.[at]?.text ?? '');
  const isShort = [first, last].every((id = '') => id !== '' && id.length <= LONGEST_ID);
  const which = isShort ? `${what} ${first} to ${last}` : `${left.length} ${what}`;
  return [{ text: `${which} are not shown (--full)`, tone: 'muted', is_wide: true }];
}

/** The first rows of a table. If the table keeps the last one or those of failures, the others are left out first. */
function cutTable(table: ViewTable, most: number, title: string): ViewTable {
  const { rows, keeps_last: keepsLast, keeps_bad: keepsBad } = table;
  if (rows.length <= most) return table;
  if (keepsLast) {
    const last = most > 1 ? rows.slice(-1) : [];
    const from = most - last.length;
    const left = rows.slice(from, rows.length - last.length);
    return { ...table, rows: [...rows.slice(0, from), gapRow(table, title.toLowerCase(), left), ...last] };
  }
  if (!keepsBad) return { ...table, rows: rows.slice(0, most) };
  const isBad = (row: readonly ViewText[]) => row.some(({ tone }) => tone === 'bad');
  const kept = new Set([...rows.filter(isBad), ...rows.filter((row) => !isBad(row))].slice(0, most));
  return { ...table, rows: rows.filter((row) => kept.has(row)) };
}

/** At most `most` fields. A time among them stays: that of the last event says how far a run has come. */
function cutFields(fields: readonly ViewField[], most: number): ViewField[] {
  const times = fields.slice(most).filter((field) => field.is_time);
  return [...fields.slice(0, Math.max(1, most - times.length)), ...times];
}

/** A part with at most `most` fields, rows and lines each; says how many are left out. */
function cutPart({ title, fields = [], table, lines = [], ...part }: ViewSection, most: number): ViewSection {
  const rows = table?.rows ?? [];
  const without = (size: number, lists: readonly (readonly unknown[])[]) =>
    lists.reduce((sum, list) => sum + Math.max(0, list.length - size), 0);
  // To say that one is left out takes a line, like the one itself.
  const size = without(most, [fields, rows, lines]) === 1 ? most + 1 : most;
  // A table that keeps its last row says itself where rows are left out.
  const left = without(size, table?.keeps_last ? [fields, lines] : [fields, rows, lines]);
  const more = left === 0 ? [] : [{ text: `and ${left} more: --full`, tone: 'muted' as const }];
  return {
    ...part,
    ...(title !== undefined && { title }),
    ...(fields.length > 0 && {
      fields: cutFields(fields, size).map((field) => ({ ...field, text: clipped(field.text) })),
    }),
    ...(table && { table: cutTable(table, size, title ?? 'rows') }),
    ...(lines.length + more.length > 0 && { lines: [...lines.slice(0, size), ...more] }),
  };
}

/** Parts in the order in which they are kept: the most important ones, those that say what failed, the others. */
function byUrgency(parts: readonly ViewSection[]): ViewSection[] {
  const rest = parts.slice(MOST_IMPORTANT);
  return [
    ...parts.slice(0, MOST_IMPORTANT),
    ...rest.filter((part) => part.is_urgent),
    ...rest.filter((part) => !part.is_urgent),
  ];
}

/** What is left out: a line for each part that has a short form, if there is room, and the names of the others. */
function restOf(parts: readonly ViewSection[], hasRoom: boolean): ViewSection {
  const fields = parts.flatMap(({ title: label = '', short: text }): ViewField[] =>
    hasRoom && text !== undefined ? [{ label, text, is_cut: true }] : [],
  );
  const named = parts
    .filter(({ short }) => !hasRoom || short === undefined)
    .flatMap(({ title }) => title ?? []);
  const names = named.length === 0 ? '' : `not shown: ${named.join(', ')}; `;
  return {
    ...(fields.length > 0 && { fields }),
    lines: [{ text: `${names}--full shows all`, tone: 'muted' }],
  };
}

/**
 * A view in at most `most` lines. First what is said twice is left out, then long texts take two lines each, then the long
 * parts get shorter, then the last ones are left out and named. The first part keeps all its fields.
 */
export function shortView(view: StateView, most: number, heightOf: (view: StateView) => number): StateView {
  if (heightOf(view) <= most) return view;
  const parts = view.map(withoutRepeated);
  if (heightOf(parts) <= most) return parts;
  const [head, ...brief] = parts.map(briefly);
  if (head === undefined) return view;
  if (heightOf([head, ...brief]) <= most) return [head, ...brief];
  for (const size of SIZES) {
    const short = [head, ...brief.map((part) => cutPart(part, size))];
    if (heightOf(short) <= most) return short;
  }
  // What is left out first is what fewest need: the parts at the end.
  const ordered = byUrgency(brief);
  for (let count = brief.length - 1; count >= 0; count -= 1) {
    const kept = new Set(ordered.slice(0, count));
    const rest = restOf(
      brief.filter((part) => !kept.has(part)),
      count >= MOST_IMPORTANT,
    );
    for (const size of count < MOST_IMPORTANT ? [1] : [3, 2]) {
      const shown = brief.filter((part) => kept.has(part)).map((part) => cutPart(part, size));
      const short = [head, ...shown, rest];
      if (heightOf(short) <= most) return short;
    }
  }
  return [{ ...head, fields: (head.fields ?? []).map((field) => ({ ...field, text: clipped(field.text) })) }];
}
