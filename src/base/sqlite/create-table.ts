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

/** A word, quoted name, text, number or character of a statement. */
interface Token {
  /** Upper case for a word; empty for what is in quotes, which is never a keyword. */
  readonly word: string;
  /** What it names, if it can be a name. */
  readonly name?: string;
  /** The value of a text or number. */
  readonly value?: string | number;
}

/** White space and comments, or one token. A word ends where quotes begin: K`a` is two tokens. */
const TOKEN =
  /[ \t\n\f\r]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|`[^`]*(?:``[^`]*)*`|"[^"]*(?:""[^"]*)*"|'[^']*(?:''[^']*)*'|\[[^\]]*\]|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|(?:0x[\da-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(?![\w$\u0080-\uffff])|[-+*/(),.;%=<>!|&~]/giy;

/** The tokens of a statement; undefined if it has a character that SQL does not have there. */
function tokensOf(sql: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < sql.length; ) {
    const part = TOKEN.exec(sql)?.[0];
    if (part === undefined) return undefined;
    const token = tokenOf(part);
    if (token !== undefined) tokens.push(token);
  }
  return tokens;
}

function tokenOf(part: string): Token | undefined {
  const first = part.charAt(0);
  if (/\s/.test(first) || /^(?:--|\/\*)/.test(part)) return undefined;
  if (first === '[') return { word: '', name: part.slice(1, -1) };
  if (first === '`' || first === '"' || first === "'") {
    const name = part.slice(1, -1).replaceAll(first + first, first);
    return first === "'" ? { word: '', name, value: name } : { word: '', name };
  }
  if (/[.\d]/.test(first) && part !== '.') return { word: part, value: Number(part) };
  return /[\w\u0080-\uffff]/.test(first) ? { word: part.toUpperCase(), name: part } : { word: part };
}

/** What is in the parentheses that begin at `start`, split at the commas outside of inner ones; and what follows. */
function listIn(
  tokens: readonly Token[],
  start: number,
): { readonly items: Token[][]; readonly rest: readonly Token[] } | undefined {
  if (tokens[start]?.word !== '(') return undefined;
  const items: Token[][] = [[]];
  let depth = 1;
  for (const [at, token] of tokens.entries()) {
    if (at <= start) continue;
    if (token.word === '(') depth += 1;
    else if (token.word === ')') depth -= 1;
    if (depth === 0) return { items, rest: tokens.slice(at + 1) };
    if (depth === 1 && token.word === ',') items.push([]);
    else items.at(-1)?.push(token);
  }
  return undefined;
}

/** Where the words follow each other outside of parentheses; -1 if nowhere. */
function placeOf(tokens: readonly Token[], ...words: readonly string[]): number {
  let depth = 0;
  for (const [at, { word }] of tokens.entries()) {
    if (word === '(') depth += 1;
    else if (word === ')') depth -= 1;
    if (depth === 0 && words.every((each, index) => tokens[at + index]?.word === each)) return at;
  }
  return -1;
}

const CONSTRAINTS: ReadonlySet<string> = new Set(['CONSTRAINT', 'PRIMARY', 'FOREIGN', 'UNIQUE', 'CHECK']);

/** What a column definition gives to rows that were written before the column, if it is a plain value. */
function defaultIn(definition: readonly Token[]): string | number | undefined {
  const start = placeOf(definition, 'DEFAULT');
  if (start < 0) return undefined;
  const list = listIn(definition, start + 1);
  const [first, second] = list === undefined ? definition.slice(start + 1) : (list.items[0] ?? []);
  if (first?.word === '-' && typeof second?.value === 'number') return -second.value;
  return first?.word === '+' ? second?.value : first?.value;
}

/** Whether a column of the type INTEGER, and no other, is the number of the row if it is the primary key. */
const isInteger = ([, type, next]: readonly Token[]): boolean =>
  type?.word === 'INTEGER' &&
  (next === undefined ||
    /^(?:CONSTRAINT|PRIMARY|NOT|NULL|UNIQUE|CHECK|DEFAULT|COLLATE|REFERENCES)$/.test(next.word));

/** Values of virtual columns are computed and not in the row. */
function isVirtual(definition: readonly Token[]): boolean {
  const start = placeOf(definition, 'AS', '(');
  return start >= 0 && listIn(definition, start + 1)?.rest[0]?.word !== 'STORED';
}

const sameName = (one: string, other: string | undefined): boolean =>
  one.toLowerCase() === other?.toLowerCase();

/** The columns of a table, from its statement. A text that says why not, if its rows cannot be read. */
export function shapeOfTable(statement: string): TableShape | string {
  const tokens = tokensOf(statement) ?? [];
  if (tokens[1]?.word === 'VIRTUAL') return 'it is a virtual table, whose rows are elsewhere';
  const list = listIn(
    tokens,
    tokens.findIndex(({ word }) => word === '('),
  );
  if (list === undefined) return 'its definition cannot be read';
  if (placeOf(list.rest, 'WITHOUT', 'ROWID') >= 0) return 'its rows have no numbers (WITHOUT ROWID)';
  const columns: string[] = [];
  const defaults: Record<string, string | number> = {};
  let rowid: string | undefined;
  for (const item of list.items) {
    const primary = placeOf(item, 'PRIMARY', 'KEY');
    if (CONSTRAINTS.has(item[0]?.word ?? '')) {
      // PRIMARY KEY(id) on an INTEGER column is the number of the row as well.
      const key = primary < 0 ? undefined : listIn(item, primary + 2)?.items;
      const only = key?.length === 1 ? key[0]?.[0]?.name : undefined;
      const column = list.items.find(([first]) => first?.name !== undefined && sameName(first.name, only));
      if (column !== undefined && isInteger(column)) rowid = column[0]?.name;
      continue;
    }
    const name = item[0]?.name;
    if (name === undefined) return 'its definition cannot be read';
    if (isVirtual(item)) continue;
    columns.push(name);
    const byDefault = defaultIn(item);
    if (byDefault !== undefined) defaults[name] = byDefault;
    // A descending key is a column like others.
    if (isInteger(item) && primary >= 0 && item[primary + 2]?.word !== 'DESC') rowid = name;
  }
  return { columns, rowid, defaults };
}

/** An index from its statement; undefined if it does not cover all rows, or has another order. */
export function shapeOfIndex(statement: string): IndexShape | undefined {
  const tokens = tokensOf(statement) ?? [];
  const on = placeOf(tokens, 'ON');
  const table = tokens[on + 1]?.name;
  const list = on < 0 ? undefined : listIn(tokens, on + 2);
  if (table === undefined || list === undefined || list.rest.some(({ word }) => word !== ';'))
    return undefined;
  const [column, ...order] = list.items[0] ?? [];
  return column?.name === undefined || order.length > 0 ? undefined : { table, column: column.name };
}
