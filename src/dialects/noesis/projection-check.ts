import type { FindingCode } from '../../findings/catalogue/index.ts';
import type { Document } from '../../findings/document.ts';
import { parsePath } from '../../json/path.ts';
import { writeJson } from '../../json/write.ts';
import type { Difference } from '../../projection/difference.ts';
import { compareParts } from './comparison.ts';
import { type DerivablePart, type NoesisEvidence, underivableParts } from './projection.ts';

const CODES: Readonly<Record<DerivablePart, FindingCode>> = {
  plan: 'projection/plan',
  outcomes: 'projection/outcomes',
  links: 'projection/links',
  actions: 'projection/actions',
  started_at: 'projection/started-at',
};

const MAX_SHOWN = 200;

function show(value: unknown): string {
  const text = value === undefined ? 'nothing' : writeJson(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function reportDifference(state: Document, part: DerivablePart, difference: Difference): void {
  const { path, projected, stored, evidence } = difference;
  const source = evidence === undefined ? 'the log' : `the event on line ${evidence.line}`;
  state.at({
    code: CODES[part],
    message: `${path} is ${show(stored)}, and ${source} gives ${show(projected)}`,
    path: parsePath(path) ?? [],
    expected: show(projected),
    actual: show(stored),
    hint: 'noesis project <episode> --diff shows every difference with its event',
    ...(evidence?.eventId !== undefined && { eventId: evidence.eventId }),
  });
}

/** Whether the state holds anything of a part that the log cannot give. */
function isHeld(part: DerivablePart, state: unknown): boolean {
  const document = state as Record<string, Record<string, unknown> | undefined>;
  switch (part) {
    case 'plan':
      return document['plan'] !== undefined;
    case 'actions': {
      const actions = document['outcomes']?.['actions'];
      return Array.isArray(actions) && actions.length > 0;
    }
    case 'started_at':
      return document['episode']?.['started_at'] !== undefined;
    default:
      return document[part] !== undefined;
  }
}

/** state.json against what the log gives, where it holds the evidence that newer runtimes write (noesis.md §5). */
export function checkProjection(evidence: NoesisEvidence, state: Document): void {
  for (const { part, differences } of compareParts(evidence, state.exact)) {
    for (const difference of differences) reportDifference(state, part, difference);
  }
  const underivable = underivableParts(evidence).filter((part) => isHeld(part, state.value));
  if (underivable.length === 0) return;
  const isOlder =
    !evidence.planDerivable && evidence.actions.length === 0 && evidence.persisted === undefined;
  const parts = underivable.join(', ');
  const message = isOlder
    ? `an older runtime wrote this log: it holds no evidence for ${parts}`
    : `the log holds no evidence for ${parts}, though it does for others: its runtime writes none, or events are missing`;
  state.at({ code: 'projection/not-derivable', message });
}
