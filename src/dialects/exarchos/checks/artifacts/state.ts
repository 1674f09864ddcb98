import { type Document, openArtifact } from '../../../../findings/document.ts';
import type { Findings } from '../../../../findings/findings.ts';
import { schemaIssues } from '../../../../findings/schema-issues.ts';
import { type JsonPath, parsePath } from '../../../../json/path.ts';
import type { JsonObject } from '../../../../json/value.ts';
import { writeJson } from '../../../../json/write.ts';
import type { Difference } from '../../../../projection/difference.ts';
import { reasonsFor } from '../../../../projection/reasons.ts';
import type { StreamFiles } from '../../names.ts';
import type { ExarchosProjector } from '../../projection/projector.ts';
import { stateSchema } from '../../schema/artifacts.ts';

/** Reads `<stream>.state.json`, or returns why there is nothing to check. */
export function openState({ dir, state }: StreamFiles, findings: Findings): Document | string {
  return openArtifact(dir, state, 'state/invalid-json', findings);
}

/** The parts of the state that a log may speak of; the program refuses a file that does not have them (§11). */
export function checkStateShape(state: Document): void {
  for (const { path, message, expected, actual } of schemaIssues(stateSchema, state.value)) {
    state.at({ code: 'state/schema', message, path, expected, actual });
  }
}

const MAX_SHOWN = 200;

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : writeJson(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function reportDifference(state: Document, { path, projected, stored, evidence }: Difference): void {
  const source = evidence === undefined ? 'the log' : `the event on line ${evidence.line}`;
  state.at({
    code: 'projection/state',
    message: `${path} is ${show(stored)}, and ${source} gives ${show(projected)}`,
    path: parsePath(path) as JsonPath,
    expected: show(projected),
    actual: show(stored),
    hint: 'noesis project <log> --diff shows every difference with its event',
    ...(evidence?.eventId !== undefined && { eventId: evidence.eventId }),
  });
}

/**
 * Compares the state file with the log (exarchos.md §12). The program writes the file alongside the log, not
 * from it. `waiting`: events to be merged. Returns whether one of them may explain a difference.
 */
export function checkStateContent(
  state: Document,
  projector: ExarchosProjector,
  waiting: readonly JsonObject[],
): boolean {
  const { differences, not_compared: parts, isOpen } = projector.compareWaiting(state.exact, waiting);
  for (const difference of differences) reportDifference(state, difference);
  if (parts.length === 0) return isOpen;
  const message = `not compared with the log: ${reasonsFor(parts)}`;
  state.at({ code: 'projection/not-derivable', severity: 'info', message });
  return isOpen;
}
