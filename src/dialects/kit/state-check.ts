import { type JsonPath, parsePath } from '../../base/json/path.ts';
import { writeJson } from '../../base/json/write.ts';
import { listed } from '../../base/text/listed.ts';
import type { FindingCode } from '../../findings/codes.ts';
import type { Document } from '../../findings/document.ts';
import type { Difference } from '../../findings/projection/difference.ts';
import type { NotCompared } from '../../findings/projection/projector.ts';

const MAX_LISTED = 20;

/** Says in one sentence what was not compared. Each reason comes once, after its parts. */
function reasonsFor(parts: readonly NotCompared[]): string {
  const byReason = new Map<string, string[]>();
  for (const { path, reason } of parts) byReason.set(reason, [...(byReason.get(reason) ?? []), path]);
  return [...byReason].map(([reason, paths]) => `${listed(paths, MAX_LISTED)} (${reason})`).join('; ');
}

const MAX_SHOWN = 200;

/** A value as JSON in a message, shortened. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : writeJson(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

/**
 * Reports a difference between a stored state and its log. `log`: words for what the log has there; `name`:
 * the target in the hint.
 */
export function reportDifference(
  state: Document,
  code: FindingCode,
  { path, projected, stored, evidence }: Difference,
  log: string,
  name: string,
): void {
  state.at({
    code,
    message: `${path} is ${shown(stored)}, but ${log}`,
    // Paths in comparisons can always be parsed.
    path: parsePath(path) as JsonPath,
    expected: shown(projected),
    actual: shown(stored),
    hint: `run noesis project <${name}> --diff to see every difference with its event`,
    ...(evidence?.eventId !== undefined && { eventId: evidence.eventId }),
  });
}

/** Reports the parts of a state that were not compared with the log, if there are any. */
export function reportNotCompared(state: Document, parts: readonly NotCompared[]): void {
  if (parts.length === 0) return;
  const message = `not compared with the log: ${reasonsFor(parts)}`;
  state.at({ code: 'projection/not-derivable', severity: 'info', message });
}
