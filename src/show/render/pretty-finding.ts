import { pushAll } from '../../base/files/push-all.ts';
import type { Finding } from '../../findings/finding.ts';
import { escapeText } from './escape.ts';
import { frameLines } from './frame.ts';
import { type Style, severityPaint } from './style.ts';
import { displayWidth } from './width.ts';
import { clip, hanging, wrap } from './wrap.ts';

const MESSAGE_UNITS = 2000;
const VALUE_UNITS = 600;

/** `events.jsonl:7:120`, a form that editors and terminals link. */
export function placeOf({ file, line, column }: Finding): string {
  const place = [file, line, line === undefined ? undefined : column];
  return escapeText(place.filter((part) => part !== undefined).join(':'));
}

function title({ code, severity, message }: Finding, style: Style, width: number): string[] {
  const paint = severityPaint(style, severity);
  const name = escapeText(code);
  const start = displayWidth(`${severity}[${name}]: `);
  const [first = '', ...rest] = wrap(escapeText(clip(message, MESSAGE_UNITS)), width - 2, start - 2);
  const head = `${style.bold(`${paint(severity)}${paint(`[${name}]`)}`)}: ${style.bold(first)}`;
  return [head.trimEnd(), ...rest.map((line) => `  ${style.bold(line)}`)];
}

function note(name: string, value: string, gutter: string, style: Style, width: number): string[] {
  const start = displayWidth(gutter) + name.length + 5;
  const lines = wrap(escapeText(value), width - start);
  const bar = `${gutter} ${style.blue('=')} ${style.bold(name)}: `;
  return hanging(bar, lines, ' '.repeat(start));
}

/** A finding in the style of rustc and Biome: what, where, a code frame, the expectation, what to do. */
export function findingLines(finding: Finding, style: Style, width: number): string[] {
  const { line, column, byteStart, byteEnd, eventId, path, expected, actual, excerpt, hint } = finding;
  const number = line === undefined ? '' : `${line}`;
  const gutter = ' '.repeat(Math.max(1, number.length));
  const bar = style.blue('|');
  const lines = [...title(finding, style, width), `${gutter}${style.blue('-->')} ${placeOf(finding)}`];

  const framed = excerpt !== undefined && excerpt !== '';
  if (framed) {
    const [text = '', ...below] = frameLines({
      excerpt,
      width: width - gutter.length - 3,
      paint: severityPaint(style, finding.severity),
      ...(column !== undefined && { column }),
      ...(byteStart !== undefined && byteEnd !== undefined && { byteLength: byteEnd - byteStart }),
      ...(path !== undefined && { label: path }),
    });
    lines.push(`${gutter} ${bar}`, `${style.blue(number.padStart(gutter.length))} ${bar} ${text}`);
    for (const row of below) lines.push(`${gutter} ${bar} ${row}`);
  }
  const labelled = framed && column !== undefined;
  const notes: [string, string | undefined, number][] = [
    ['at', labelled ? undefined : path, VALUE_UNITS],
    ['event', eventId, VALUE_UNITS],
    ['expected', expected, VALUE_UNITS],
    ['actual', actual, VALUE_UNITS],
    ['help', hint, MESSAGE_UNITS],
  ];
  for (const [name, value, units] of notes) {
    if (value !== undefined) pushAll(lines, note(name, clip(value, units), gutter, style, width));
  }
  return lines;
}
