import { parseDocument } from '../../../json/document.ts';
import { JsonScanner } from '../../../json/scanner.ts';
import { isObject, type JsonValue } from '../../../json/value.ts';
import { walkJson } from '../../../json/walk.ts';
import { type FishbowlEvent, type Reading, readEvent } from './event.ts';

/** Whether every string in a value, keys too, is a text that UTF-8 can hold. */
function isWellFormed(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (!isObject(value)) return true;
  return Object.keys(value).every((key) => key.isWellFormed() && isWellFormed(value[key] as JsonValue));
}

/** The line with `null` in place of NaN and the infinities, which the engine reads and writes so (fishbowl.md §1). */
function withoutNonFinite(line: string): string {
  const bytes = Buffer.from(`${line}\n`);
  const scanner = new JsonScanner();
  if (!scanner.scan(bytes, 0, bytes.length - 1) || scanner.nonFiniteAt < 0) return line;
  const parts: string[] = [];
  let from = 0;
  walkJson(bytes, scanner.valueStart, scanner.valueEnd, ({ kind, start, end }) => {
    if (kind !== 'scalar' || !/^-?[NI]/.test(bytes.toString('latin1', start, Math.min(end, start + 2))))
      return;
    parts.push(bytes.toString('utf8', from, start), 'null');
    from = end;
  });
  return parts.join('') + bytes.toString('utf8', from, bytes.length - 1);
}

/**
 * One line of an exported ledger as an event; undefined where the reading refuses it. The compatible reading agrees
 * with the engine's validator on JSON as well: it takes NaN, and refuses half surrogate pairs (fishbowl.md §1).
 */
export function readEventLine(line: string, reading: Reading = 'compatible'): FishbowlEvent | undefined {
  const text = reading === 'compatible' ? withoutNonFinite(line) : line;
  const outcome = parseDocument(Buffer.from(text));
  if (!outcome.ok || !isObject(outcome.value) || !isWellFormed(outcome.value)) return undefined;
  return readEvent(outcome.value, reading);
}
