import { scriptOfShell } from '../describe/command-effect.ts';

/** A word of a command that means itself: without variables, patterns and text that a shell would change. */
const WORD = String.raw`(?:[\w./~@+:,-]+|'[^']*'|"[^"\\$\`]*")`;

const CHANGES_FOLDER = new RegExp(String.raw`^cd\s+(${WORD})\s*&&\s*`);

const unquoted = (word: string): string => word.replace(/^(['"])([\s\S]*)\1$/, '$2');

/** A command without what programs put around it: the shell that runs it, and the way to the working directory. */
export function plainCommand(text: string, cwd: string | undefined): string {
  const command = text.trim();
  const script = scriptOfShell(command);
  if (script !== undefined) return plainCommand(script, cwd);
  const [way, folder] = CHANGES_FOLDER.exec(command) ?? [];
  return way !== undefined && unquoted(folder ?? '') === cwd
    ? plainCommand(command.slice(way.length), cwd)
    : command;
}

const READS = new RegExp(String.raw`^(?:cat|type|Get-Content)\s+(?!-)(${WORD})$`);

/** The file that a command prints whole, if it does nothing else. */
export function fileReadBy(command: string): string | undefined {
  const [, file] = READS.exec(command) ?? [];
  return file === undefined ? undefined : unquoted(file);
}

/** A file and the text that a command writes to it. */
interface WrittenFile {
  readonly path: string;
  readonly text: string;
}

/** `cat > FILE <<'END'` with its redirections in either order; of a text with variables, the end is not quoted. */
const WRITES_LINES = new RegExp(
  String.raw`^cat\s*(?:>\s*(${WORD})\s*<<\s*(['"]?)(\w+)\2|<<\s*(['"]?)(\w+)\4\s*>\s*(${WORD}))[^\S\n]*\n(?:([\s\S]*)\n)?(?:\3|\5)$`,
);
const PRINTS = new RegExp(String.raw`^(echo|printf)\s+(${WORD}|"(?:[^"\\$\`]|\\[\\n])*")\s*>\s*(${WORD})$`);

/** What `printf` writes for a format without values. Undefined if it has others than the usual escapes. */
function printed(format: string): string | undefined {
  if (/%|\\[^nt\\]/.test(format)) return undefined;
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' };
  return format.replace(/\\(.)/g, (_, sign: string) => escapes[sign] ?? '');
}

/** The file that a command writes, if it does nothing else and its whole text is in the command. */
export function fileWrittenBy(command: string): WrittenFile | undefined {
  const [lines, first, quote, end, otherQuote, otherEnd, last, body = ''] = WRITES_LINES.exec(command) ?? [];
  if (lines !== undefined) {
    const isPlain = (quote ?? otherQuote ?? '') !== '' || !/[$`\\]/.test(body);
    const isWhole = !body.split('\n').includes(end ?? otherEnd ?? '');
    return isPlain && isWhole
      ? { path: unquoted(first ?? last ?? ''), text: body === '' ? '' : `${body}\n` }
      : undefined;
  }
  const [, by, word = '', path = ''] = PRINTS.exec(command) ?? [];
  if (by === undefined || /^-/.test(word)) return undefined;
  const given = unquoted(word);
  // Whether `echo` reads escapes depends on the shell.
  const text = by === 'printf' ? printed(given) : given.includes('\\') ? undefined : `${given}\n`;
  return text === undefined ? undefined : { path: unquoted(path), text };
}
