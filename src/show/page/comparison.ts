import { writeJson } from '../../base/json/write.ts';
import { version } from '../../base/version.ts';
import { firstLine } from '../../dialects/kit/excerpt.ts';
import type { FindPrices } from '../../dialects/kit/prices.ts';
import type { ComparedStep, LogBehaviour, StepDifference } from '../../read/compare/behaviour.ts';
import type { RunComparison } from '../../read/compare/compare-runs.ts';
import type { FieldDifference } from '../../read/compare/content.ts';
import { differenceOf } from '../../read/compare/difference.ts';
import type { RunSource } from '../../read/compare/read-run.ts';
import type { PartDifference, RunDifferenceHead } from '../../read/compare/run-difference.ts';
import { behaviourText, partsOfRunsText } from '../render/behaviour-view.ts';
import { DifferenceView } from '../render/difference-view.ts';
import { clip } from '../render/wrap.ts';
import { GLANCE } from './glance.ts';
import type { ComparisonDocument, ValueChange } from './page-data.ts';
import { readRows, type ViewedLog } from './read-rows.ts';

/** The number of changed events whose fields are compared. For others the page only shows both events. */
const MOST_COMPARED = 5000;

const changeOf = ({ path, a, b }: FieldDifference): ValueChange => ({
  path,
  ...(a !== undefined && { before: writeJson(a) }),
  ...(b !== undefined && { after: writeJson(b) }),
});

/** In UTF-16 units: longer values of fields are cut. */
const LONGEST_VALUE = 4000;

const clipped = (value: unknown): unknown => (typeof value === 'string' ? clip(value, LONGEST_VALUE) : value);

/** Cuts texts to their first line, because the stored lines have them in full. */
export function behaviourForPage<Of extends LogBehaviour>(behaviour: Of): Of {
  const { steps, failed, texts, results, parting } = behaviour;
  const cut = (step: ComparedStep): ComparedStep => ({ ...step, text: firstLine(step.text) });
  const field = ({ path, a, b }: FieldDifference): FieldDifference => ({
    path,
    ...(a !== undefined && { a: clipped(a) }),
    ...(b !== undefined && { b: clipped(b) }),
  });
  const one = <Kind extends StepDifference>(difference: Kind): Kind => {
    const { a, b, fields } = difference;
    return {
      ...difference,
      ...(a && { a: cut(a) }),
      ...(b && { b: cut(b) }),
      ...(fields && { fields: fields.map(field) }),
    };
  };
  const all = (only: readonly StepDifference[]): StepDifference[] => only.map(one);
  return {
    ...behaviour,
    ...(parting && { parting: one(parting) }),
    steps: all(steps),
    results: { ...results, differ: all(results.differ) },
    failed: { ...failed, only: all(failed.only) },
    texts: all(texts),
  };
}

const partForPage = (part: PartDifference): PartDifference => ({
  ...part,
  behaviour: behaviourForPage(part.behaviour),
});

async function fieldsOf(comparison: RunComparison): Promise<ComparisonDocument['fields']> {
  const fields: Record<number, readonly ValueChange[]> = {};
  let compared = 0;
  for await (const event of comparison.events()) {
    if (event.kind !== 'changed') continue;
    fields[event.a.line] = event.fields.map(changeOf);
    compared += 1;
    if (compared === MOST_COMPARED) break;
  }
  return fields;
}

interface ComparisonParts {
  readonly document: ComparisonDocument;
  readonly lines: readonly Buffer[];
  /** What `diff` says of the runs. */
  readonly glance: string;
}

/** The number of differences in each part of the text. */
const MOST_ROWS = 50;

/** What `diff` says of two runs, as text. */
function glanceOf(head: RunDifferenceHead, isSession: boolean): string {
  const view = new DifferenceView({ ...GLANCE, isSession });
  const layout = { ...GLANCE, limit: MOST_ROWS };
  return [
    view.runs(head),
    behaviourText(head.behaviour, head, layout),
    partsOfRunsText(head.parts, layout),
    view.unlisted(head),
  ].join('');
}

/**
 * Makes the page of two runs side by side. `label`: the path of a log for display. Throws `usage` for a log that is too
 * long. Events of two formats have no pairs.
 */
export async function comparisonPage(
  comparison: RunComparison,
  first: ViewedLog & RunSource & { readonly label: string },
  second: ViewedLog & RunSource & { readonly label: string },
  findPrices?: FindPrices,
): Promise<ComparisonParts> {
  const head = await differenceOf(comparison, first, second, { findPrices });
  const { a, b, counts, equal, first: divergence, behaviour, stored, state, moreState, parts } = head;
  const isSession = first.dialect.storesMuch ?? false;
  const [left, right] = [await readRows(first), await readRows(second)];
  const document: ComparisonDocument = {
    kind: 'comparison',
    version,
    head: {
      equal,
      a: { ...a, path: first.label },
      b: { ...b, path: second.label },
      counts,
      moreState,
      ...(divergence && { first: divergence }),
      ...(parts && { parts: parts.map(partForPage) }),
    },
    behaviour: behaviourForPage(behaviour),
    ...(stored && { stored }),
    blocks: [...comparison.blocks()],
    a: left.table,
    b: right.table,
    state: isSession ? [] : state.map(changeOf),
    fields: await fieldsOf(comparison),
  };
  return { document, lines: [left.lines, right.lines], glance: glanceOf(head, isSession) };
}
