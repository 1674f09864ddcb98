import { createHash } from 'node:crypto';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { escapeText } from '../render/escape.ts';
import { PARTS } from './app.generated.ts';
import type { PageDocument } from './page-data.ts';

/** The parts of a page. */
interface PageParts {
  readonly title: string;
  readonly document: PageDocument;
  /** The stored lines of each run, each with its newline. */
  readonly lines?: readonly Uint8Array[];
  /** What a reader sees without the script of the page. */
  readonly glance?: string;
}

/** The output of scripts/build-page.mjs. */
interface App {
  readonly style: string;
  readonly scripts: Readonly<Record<PageDocument['kind'], string>>;
  readonly states: Readonly<Record<string, string>>;
}

let unpacked: App | undefined;

/** Decompressed once, when a page is made. */
function unpackedApp(): App {
  unpacked ??= JSON.parse(brotliDecompressSync(Buffer.from(PARTS, 'base64')).toString('utf8')) as App;
  return unpacked;
}

/** Whether a page has the code that rebuilds the states of a dialect. */
export const canRebuild = (dialect: string): boolean => Object.hasOwn(unpackedApp().states, dialect);

/** This level takes half the usual time, and makes the page a tenth larger. */
const GZIP = { level: 4, chunkSize: 1 << 20 };

/** Base64 has no `<`, so the data cannot end its element. */
const packed = (bytes: Uint8Array | string): string => gzipSync(bytes, GZIP).toString('base64');

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** An escaped text as markup. */
const asMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The title of the page, escaped, from trace text. */
const titleText = (title: string): string => asMarkup(escapeText(title.slice(0, 200)));

/** What is shown where the script does not run, such as in a preview of a mail. */
const withoutScript = (glance: string | undefined): string => {
  const summary = glance === undefined ? '' : `<p>This is its summary:</p><pre>${asMarkup(glance)}</pre>`;
  return `<noscript><p>This page shows its data with its own script, which is not run here.</p>${summary}</noscript>`;
};

/** The page may only run its own script and style, load nothing, and not make markup from texts. */
function policyOf(script: string, style: string): string {
  return [
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** Yields the pieces of a page: one HTML file that loads nothing. */
export function* pageHtml({ title, document, lines = [], glance }: PageParts): Generator<string> {
  const { style, scripts, states } = unpackedApp();
  const rebuilding = document.kind === 'episode' && document.states ? states[document.dialect] : undefined;
  const script = `${rebuilding ?? ''}${scripts[document.kind]}`;
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(script, style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${titleText(title)}</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
${withoutScript(glance)}
<script type="application/gzip" id="document">${packed(JSON.stringify(document))}</script>
`;
  for (const [index, part] of lines.entries()) {
    yield `<script type="application/gzip" id="lines-${index}">`;
    yield packed(part);
    yield '</script>\n';
  }
  yield `<script>${script}</script>\n</body>\n</html>\n`;
}
