import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { escapeText } from '../../render/escape.ts';
import { endsFence, fenceIn } from '../../render/fence.ts';
import { Folded } from './folded.tsx';

// Markdown of a trace. Marks become elements, and everything else stays text: no HTML, no images, and only links to the
// web, each with its address. Only words in a line are nested, so the work is linear.

/** In UTF-16 units: how much of a text is shown at first. Each click shows ten times as much. */
const FIRST_UNITS = 20_000;

const HEADING = /^(#{1,6}) +(.*)$/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)]) +(.*)$/;
const QUOTE = /^> ?(.*)$/;
const TABLE = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^[\s|:-]+$/;
const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;
const INLINE =
  /(`[^`\n]+`|\*\*[^*\n]+\*\*|__[^_\n]+__|!?\[[^\][\n]{1,500}\]\([^\s()]{1,2000}\)|\bhttps?:\/\/[^\s<>"'`()[\]]{1,2000})/;
const LINK = /^(!?)\[(.*)\]\((.*)\)$/;

/** A web address in normal form; undefined for other addresses. */
function webAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  return new URL(text).href;
}

/** A link that shows its target. */
function Link({ href, text }: { href: string; text: string }) {
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer">
        {escapeText(text)}
      </a>
      {text !== href && `${text}/` !== href && <span class="address"> ({escapeText(href)})</span>}
    </>
  );
}

function inlinePart(part: string): ComponentChildren {
  if (part.startsWith('`') && part.length > 2) return <code>{escapeText(part.slice(1, -1))}</code>;
  if (/^(?:\*\*|__)/.test(part) && part.length > 4) return <strong>{escapeText(part.slice(2, -2))}</strong>;
  const [, image, label = '', target = ''] = LINK.exec(part) ?? [];
  if (image === '!') return escapeText(`[image: ${label}] (${target})`);
  const href = webAddress(image === undefined ? part : target);
  if (href !== undefined) return <Link href={href} text={image === undefined ? part : label} />;
  return escapeText(part);
}

/** The words of a line. In the split text, every second part matches the pattern. */
const inline = (line: string): ComponentChildren =>
  line.split(INLINE).map((part, index) => (index % 2 === 0 ? escapeText(part) : inlinePart(part)));

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

function Table({ lines }: { lines: readonly string[] }) {
  const [head = '', rule = '', ...body] = lines;
  const hasHead = TABLE_RULE.test(rule);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <div class="scroll" tabIndex={0}>
      <table>
        {hasHead && (
          <thead>
            <tr>
              {cellsOf(head).map((cell, index) => (
                <th key={index} scope="col">
                  {inline(cell)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {(hasHead ? body : lines).map((line, row) => (
            <tr key={row}>
              {cellsOf(line).map((cell, index) => (
                <td key={index}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The element for a line that is neither code nor part of a table. */
function lineOf(line: string, key: number): ComponentChildren {
  const [, marks, heading] = HEADING.exec(line) ?? [];
  if (heading !== undefined)
    return (
      <p key={key} class={`md-head md-head-${Math.min(3, marks?.length ?? 1)}`}>
        {inline(heading)}
      </p>
    );
  const [, indent = '', mark, item = ''] = ITEM.exec(line) ?? [];
  if (mark !== undefined)
    return (
      <p key={key} class={`md-item md-indent-${Math.min(3, Math.floor(indent.length / 2))}`}>
        <span class="md-mark">{/^\d/.test(mark) ? mark : '•'}</span>
        <span>{inline(item)}</span>
      </p>
    );
  const [, quote] = QUOTE.exec(line) ?? [];
  if (quote !== undefined)
    return (
      <p key={key} class="md-quote">
        {inline(quote)}
      </p>
    );
  if (RULE.test(line)) return <hr key={key} />;
  return <p key={key}>{inline(line)}</p>;
}

/** The blocks of a text, in order. Unlike in Markdown, line breaks in a paragraph are kept. */
function blocksOf(text: string): ComponentChildren[] {
  const lines = text.trim().split(/\r?\n/);
  const blocks: ComponentChildren[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const taken: string[] = [];
    const fence = fenceIn(line);
    if (fence !== undefined) {
      taken.push(...fence.rest.map(escapeText));
      for (at += 1; at < lines.length && !endsFence(lines[at] ?? '', fence); at += 1)
        taken.push(escapeText((lines[at] ?? '').replaceAll('\t', '  ')));
      blocks.push(
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <pre key={at} class="stored scroll" tabIndex={0}>
          {taken.join('\n')}
        </pre>,
      );
    } else if (TABLE.test(line)) {
      for (; TABLE.test(lines[at] ?? ''); at += 1) taken.push(lines[at] ?? '');
      at -= 1;
      blocks.push(<Table key={at} lines={taken} />);
    } else if (line.trim() !== '') blocks.push(lineOf(line, at));
    else blocks.push(<div key={at} class="md-gap" />);
  }
  return blocks;
}

export function Markdown({ text }: { text: string }) {
  const [shown, show] = useState(FIRST_UNITS);
  const blocks = useMemo(() => blocksOf(text.slice(0, shown)), [text, shown]);
  const rest = text.length - shown;
  return (
    <div class="markdown" dir="auto">
      {blocks}
      {rest > 0 && (
        <>
          <Folded text={text.slice(shown)} onFound={() => show(text.length)} />
          <button type="button" class="more" onClick={() => show(shown * 10)}>
            … {rest.toLocaleString('en')} characters more
          </button>
        </>
      )}
    </div>
  );
}
