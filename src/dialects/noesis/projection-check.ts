import type { FindingCode } from '../../findings/codes.ts';
import type { Document } from '../../findings/document.ts';
import { type JsonPath, parsePath, valueAt } from '../../json/path.ts';
import { writeJson } from '../../json/write.ts';
import type { Difference } from '../../projection/difference.ts';
import { compareParts } from './comparison.ts';
import { type DerivablePart, type NoesisEvidence, underivableParts } from './state-fold.ts';

const CODES = {
  plan: 'projection/plan',
  outcomes: 'projection/outcomes',
  links: 'projection/links',
  actions: 'projection/actions',
  started_at: 'projection/started-at',
} as const satisfies Partial<Record<DerivablePart, FindingCode>>;

const MAX_SHOWN = 200;

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : writeJson(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function reportDifference(state: Document, part: keyof typeof CODES, difference: Difference): void {
  const { path, projected, stored, evidence } = difference;
  const gives =
    evidence === undefined
      ? 'no event of the log tells of it'
      : `the event on line ${evidence.line} gives ${show(projected)}`;
  state.at({
    code: CODES[part],
    message: `${path} is ${show(stored)}, and ${gives}`,
    // Whoever compares writes its paths in the one form that is read back.
    path: parsePath(path) as JsonPath,
    expected: show(projected),
    actual: show(stored),
    hint: 'noesis project <episode> --diff shows every difference with its event',
    ...(evidence?.eventId !== undefined && { eventId: evidence.eventId }),
  });
}

/** Where the state holds what a part is about. */
const PLACES: Readonly<Record<DerivablePart, JsonPath>> = {
  plan: ['plan'],
  'plan.steps.status': ['plan', 'steps', 0, 'status'],
  'plan.updated_at': ['plan', 'updated_at'],
  outcomes: ['outcomes'],
  links: ['links'],
  actions: ['outcomes', 'actions', 0],
  started_at: ['episode', 'started_at'],
};

const isHeld = (part: DerivablePart, state: unknown): boolean => valueAt(state, PLACES[part]) !== undefined;

/** What the log cannot say, and why, as far as that can be known. */
function lacking({ plan, persisted, hasActions, terminated }: NoesisEvidence, parts: string): string {
  if (plan.fromLabels && !hasActions && persisted === undefined)
    return `an older runtime wrote this log: it holds no evidence for ${parts}`;
  return terminated
    ? `the log holds no evidence for ${parts}, as the runtime did not write it down`
    : `the run has not ended: its log holds no evidence yet for ${parts}`;
}

/**
 * state.json against what the log gives (noesis.md §5). `finished`: the run has written its last state, so that all of
 * the log must be in it. Gives the paths that differ.
 */
export function checkProjection(
  evidence: NoesisEvidence,
  state: Document,
  finished: boolean,
): ReadonlySet<string> {
  const told = new Set<string>();
  for (const { part, differences } of compareParts(evidence, state.comparable, finished)) {
    for (const difference of differences) {
      told.add(difference.path);
      reportDifference(state, part, difference);
    }
  }
  const underivable = underivableParts(evidence).filter((part) => isHeld(part, state.value));
  if (underivable.length > 0)
    state.at({ code: 'projection/not-derivable', message: lacking(evidence, underivable.join(', ')) });
  return told;
}
