// Reads the statements that made the tables and indexes of a database. They are in its first table.

/** The columns of a table. */
export interface TableShape {
  /** In the order of their values in a row. */
  readonly columns: readonly string[];
  /** The column whose value is the number of the row; its own value is null. */
  readonly rowid: string | undefined;
  /** What a row has in columns that were added after it was written, if that is a plain text or number. */
  readonly defaults: Readonly<Record<string, string | number>>;
}

/** An index that can find a text: ascending, by bytes, over all rows. */
export interface IndexShape {
  readonly table: string;
  /** The column of its keys that comes first. */
  readonly column: string;
}

/** A name in any of the quotes of SQL, or none. */
const NAME = /^\s*(?:`((?:[^`]|``)*)`|"((?:[^"]|"")*)"|\[([^\]]*)\]|'((?:[^']|'')*)'|([^\s(),]+))\s*/;

function nameIn(text: string): { readonly name: string; readonly rest: string } | undefined {
  const found = NAME.exec(text);
  if (found === null) return undefined;
  const [whole, tick, double, bracket, single, plain] = found;
  const name =
    tick?.replaceAll('``', '`') ??
    double?.replaceAll('""', '"') ??
    bracket ??
    single?.replaceAll("''", "'") ??
    plain ??
    '';
  return { name, rest: text.slice(whole.length) };
}

/** Comments become a space, which they count as. Quoted texts stay. */
const withoutComments = (sql: string): string =>
  sql.replace(
    /`(?:[^`]|``)*`|"(?:[^"]|"")*"|'(?:[^']|'')*'|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
    (part) => (/^(?:--|\/\*)/.test(part) ? ' ' : part),
  );

/** The text in the first parentheses, split at the commas outside of inner ones; and what follows. */
function listIn(text: string): { readonly items: string[]; readonly rest: string } | undefined {
  const start = text.indexOf('(');
  if (start < 0) return undefined;
  const items: string[] = [];
  let from = start + 1;
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (char === '`' || char === '"' || char === "'" || char === '[') {
      const end = text.indexOf(char === '[' ? ']' : char, at + 1);
      if (end < 0) return undefined;
      at = end;
    } else if (char === '(') depth += 1;
    else if (char === ')') {
      depth -= 1;
      if (depth > 0) continue;
      items.push(text.slice(from, at));
      return { items, rest: text.slice(at + 1) };
    } else if (char === ',' && depth === 1) {
      items.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return undefined;
}

/** What a column definition gives to rows that were written before the column. */
function defaultIn(definition: string): string | number | undefined {
  const found = /\bdefault\s+(?:\(\s*)?(?:'((?:[^']|'')*)'|([+-]?\d+(?:\.\d+)?)\b)/i.exec(definition);
  if (found?.[1] !== undefined) return found[1].replaceAll("''", "'");
  return found?.[2] === undefined ? undefined : Number(found[2]);
}

const isConstraint = (item: string): boolean =>
  /^\s*(?:constraint\b|primary\s+key\b|foreign\s+key\b|unique\s*\(|check\s*\()/i.test(item);

/** The columns of a table, from its statement. A text that says why not, if its rows cannot be read. */
export function shapeOfTable(statement: string): TableShape | string {
  const sql = withoutComments(statement);
  if (/^\s*create\s+virtual\b/i.test(sql)) return 'it is a virtual table, whose rows are elsewhere';
  const list = listIn(sql);
  if (list === undefined) return 'its definition cannot be read';
  if (/\bwithout\s+rowid\b/i.test(list.rest)) return 'its rows have no numbers (WITHOUT ROWID)';
  const columns: string[] = [];
  const defaults: Record<string, string | number> = {};
  let rowid: string | undefined;
  for (const item of list.items) {
    if (isConstraint(item)) {
      // PRIMARY KEY(id) on an INTEGER column is the number of the row as well.
      const key = /\bprimary\s+key\s*\(/i.test(item) ? listIn(item)?.items : undefined;
      const only = key?.length === 1 ? nameIn(key[0] ?? '')?.name : undefined;
      const at = columns.find((name) => name.toLowerCase() === only?.toLowerCase());
      if (at !== undefined && isInteger(list.items, at)) rowid = at;
      continue;
    }
    const column = nameIn(item);
    if (column === undefined) return 'its definition cannot be read';
    if (/\bgenerated\s+always\b|\bas\s*\(/i.test(column.rest)) {
      // Values of virtual columns are computed and not in the row.
      if (!/\bstored\b/i.test(column.rest)) continue;
    }
    columns.push(column.name);
    const byDefault = defaultIn(column.rest);
    if (byDefault !== undefined) defaults[column.name] = byDefault;
    // A descending key is a column like others.
    if (/^integer\b/i.test(column.rest) && /\bprimary\s+key\b(?!\s+desc)/i.test(column.rest))
      rowid = column.name;
  }
  return { columns, rowid, defaults };
}

const isInteger = (items: readonly string[], name: string): boolean =>
  items.some((item) => {
    const column = nameIn(item);
    return (
      column?.name === name &&
      /^integer\s*(?:,|$|\b(?:not|constraint|default|unique|check|references)\b)/i.test(column.rest)
    );
  });

/** An index from its statement; undefined if it does not cover all rows, or has another order. */
export function shapeOfIndex(statement: string): IndexShape | undefined {
  const sql = withoutComments(statement);
  const head = /^\s*create\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?/i.exec(sql);
  const name = head && nameIn(sql.slice(head[0].length));
  const on = name && /^on\s+/i.exec(name.rest);
  const table = on && nameIn(name.rest.slice(on[0].length));
  const list = table ? listIn(table.rest) : undefined;
  if (!table || list === undefined || list.rest.trim().replace(';', '') !== '') return undefined;
  const column = nameIn(list.items[0] ?? '');
  return column === undefined || column.rest.trim() !== ''
    ? undefined
    : { table: table.name, column: column.name };
}
