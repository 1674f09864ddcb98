import { secretKind } from './names.ts';
import type { Span } from './spans.ts';
import { isHarmless } from './values.ts';

/** A line of a table: its cells, each with its offset. */
interface Row {
  readonly sign: string;
  readonly cells: readonly { readonly text: string; readonly start: number }[];
}

/** A header consists of names only. A line with a space after a comma may be code. */
const HEADER = /^(?=.*[|\t,])(?:[\w"*` .|\t-]+|[\w".-]+(?:,[\w".-]*)+)$/;
const RULE = /^[\s|:+-]+$/;
const MOST_CELLS = 64;

function rowOf(
  line: string,
  at: number,
  sign = ['|', '\t', ','].find((one) => line.includes(one)) ?? '',
): Row {
  let start = at;
  const cells = line.split(sign).map((raw) => {
    const text = raw.replace(/^[\s"*`]+|[\s"*`]+$/g, '');
    const cell = { text, start: start + raw.indexOf(text) };
    start += raw.length + 1;
    return cell;
  });
  return { sign, cells };
}

/** Finds the secrets in the columns of tables (CSV, Markdown, databases) whose header means a secret. */
export function* columnSecrets(text: string): Generator<Span> {
  if (!text.includes('\n')) return;
  let header: Row | undefined;
  let at = 0;
  for (const line of text.split('\n')) {
    const row = header && rowOf(line, at, header.sign);
    if (header && row?.cells.length === header.cells.length) {
      if (!RULE.test(line))
        for (const [column, { text: value, start }] of row.cells.entries()) {
          const name = header.cells[column]?.text ?? '';
          const kind = secretKind(name);
          if (kind !== undefined && /^\S{4,400}$/.test(value) && !isHarmless(value, name, ''))
            yield { start, end: start + value.length, rule: kind };
        }
    } else if (!RULE.test(line)) {
      const first = line.length < 1000 && HEADER.test(line.trimEnd()) ? rowOf(line, at) : undefined;
      const named = first?.cells.filter((cell) => cell.text !== '') ?? [];
      const isTable = named.length > 1 && named.length < MOST_CELLS;
      header = isTable && named.some((cell) => secretKind(cell.text) !== undefined) ? first : undefined;
    }
    at += line.length + 1;
  }
}
