// Writes the declarations of the library: node scripts/types.mjs [FOLDER] (default dist/types).
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const out = resolve(process.argv[2] ?? 'dist/types');
// The compiler declares every module; users need only those that the library's declarations name.
mkdirSync('node_modules/.cache', { recursive: true });
const all = mkdtempSync('node_modules/.cache/types-');

/** Of a catalogue, only codes and severities are types that users can name. Its texts are data. */
const withoutTexts = (path, text) =>
  /catalogue/.test(path)
    ? text.replace(
        /^\s*readonly (?:varies|meaning|why|example|fix): (?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*");\n/gm,
        '',
      )
    : text;

/** Tabs instead of the compiler's four spaces, which are a large part of the text. */
const withTabs = (text) => text.replace(/^(?: {4})+/gm, (blanks) => '\t'.repeat(blanks.length / 4));

const declarationOf = (from, specifier) => join(dirname(from), specifier.replace(/\.(?:ts|js)$/, '.d.ts'));

function copyReachable(entry) {
  const waiting = [join(all, entry)];
  const seen = new Set(waiting);
  for (const path of waiting) {
    const text = readFileSync(path, 'utf8').replaceAll(
      /((?:from|import\() ?['"]\.[^'"]*)\.ts(?=['"])/g,
      '$1.js',
    );
    for (const [, specifier] of text.matchAll(/(?:from|import\() ?['"](\.[^'"]+)['"]/g)) {
      const next = declarationOf(path, specifier);
      if (!seen.has(next)) waiting.push(next);
      seen.add(next);
    }
    const target = join(out, relative(all, path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, withTabs(withoutTexts(path, text)));
  }
  return waiting.length;
}

try {
  const tsc = 'node_modules/typescript/bin/tsc';
  const args = [tsc, '-p', 'tsconfig.build.json', '--outDir', all];
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
  rmSync(out, { recursive: true, force: true });
  console.error(`declared ${copyReachable('src/library/index.d.ts')} modules`);
} finally {
  rmSync(all, { recursive: true, force: true });
}
