import { pushAll } from '../../base/files/push-all.ts';
import { largest } from '../../base/text/largest.ts';
import { firstLine } from '../../dialects/kit/excerpt.ts';
import { countText } from '../../dialects/kit/tokens.ts';
import type { Behaviour, ComparedStep, StepDifference } from '../../read/compare/behaviour.ts';
import type { ComparedRun } from '../../read/compare/run-difference.ts';
import { formatDuration } from './duration.ts';
import { escapeText } from './escape.ts';
import type { Style } from './style.ts';
import { placeText, plural } from './tally.ts';
import { truncateToWidth } from './width.ts';
import { hanging, wrap } from './wrap.ts';

interface BehaviourLayout {
  readonly style: Style;
  readonly width: number;
  /** The width at which rows are cut. */
  readonly cutWidth: number;
  /** The number of differences shown per part. */
  readonly limit: number;
}

const LABEL = 10;

/** `4 the same, 1 in A only`; if all are equal, `all`. */
export function counted(same: number, only: readonly StepDifference[], noun: string, all: string): string {
  if (same === 0 && only.length === 0) return 'none';
  if (only.length === 0) return `${plural(same, noun)}${all}`;
  const [ofA, ofB] = [only.filter(({ a }) => a).length, only.filter(({ b }) => b).length];
  return [
    [same, 'the same'],
    [ofA, 'in A only'],
    [ofB, 'in B only'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}

function stepText({ what, text }: ComparedStep): string {
  const said = firstLine(text);
  return said === '' ? what : `${what}  ${said}`;
}

/** Why only one of the runs ended as it did. A text that differs is shown once. */
function outcomesOf(a: ComparedRun, b: ComparedRun, texts: readonly StepDifference[]): StepDifference[] {
  const stepsOf = (one: ComparedRun, other: ComparedRun): ComparedStep[] =>
    one.why
      .filter(({ kind, text }) => !other.why.some((why) => why.kind === kind && why.text === text))
      .map(({ kind, text, line, resultLine, tone }) => ({
        what: kind,
        text,
        line,
        ...(resultLine !== undefined && { resultLine }),
        failed: tone === 'bad',
      }));
  return [
    ...stepsOf(a, b).map((step) => ({ a: step })),
    ...stepsOf(b, a).map((step) => ({ b: step })),
  ].filter(
    (one) => !texts.some((text) => ('a' in one ? text.a?.line === one.a.line : text.b?.line === one.b.line)),
  );
}

/** Which files both runs changed, and which only one of them. */
export const filesText = ({ both, a, b }: Behaviour['files']): string =>
  [
    ...(both.length > 0 ? [`${plural(both.length, 'file')} in both`] : []),
    ...a.map((path) => `${path} in A only`),
    ...b.map((path) => `${path} in B only`),
  ].join(', ');

/** Prints the steps of two runs, one part per line, each followed by its differences. */
export function behaviourText(
  behaviour: Behaviour,
  { a, b }: { readonly a: ComparedRun; readonly b: ComparedRun },
  { style, width, cutWidth, limit }: BehaviourLayout,
): string {
  const lines: string[] = [''];
  const part = (label: string, text: string): void => {
    const wrapped = wrap(escapeText(text), width - LABEL);
    pushAll(lines, hanging(style.bold(label.padEnd(LABEL)), wrapped, ' '.repeat(LABEL)));
  };
  const rows = (only: readonly StepDifference[], placeOf = ({ line: at }: ComparedStep) => `${at}`): void => {
    const shown = only
      .slice(0, limit)
      .flatMap(({ a: ofA, b: ofB }) => [
        ...(ofA ? [['- A', ofA, style.red] as const] : []),
        ...(ofB ? [['+ B', ofB, style.green] as const] : []),
      ]);
    const places = shown.map(([mark, step]) => `${mark}:${placeOf(step)}`);
    const longest = largest(
      places.map((place) => place.length),
      9,
    );
    for (const [index, [, step, paint]] of shown.entries()) {
      const text = `  ${(places[index] ?? '').padEnd(longest)} ${escapeText(stepText(step))}`;
      lines.push(paint(truncateToWidth(text, cutWidth)));
    }
    if (only.length > limit) lines.push(style.dim(`  and ${only.length - limit} more: --limit, or -j`));
  };
  const { unit, sameSteps, steps, renamed, failed, files, sameTexts, texts, tokens } = behaviour;
  const names = renamed.map((one) => `; ${one.a} in A is ${one.b} in B`).join('');
  part(
    unit === 'call' ? 'Calls' : 'Steps',
    counted(sameSteps, steps, unit, ', the same in the same order') + names,
  );
  rows(steps);
  part('Failed', counted(failed.both, failed.only, unit, ', in both'));
  rows(failed.only, placeText);
  const changed = filesText(files);
  if (changed !== '') part('Files', changed);
  const count = (value: number | undefined) => (value === undefined ? 'unknown' : countText(value));
  if (tokens.a !== undefined || tokens.b !== undefined)
    part(
      'Tokens',
      tokens.a === tokens.b ? `${count(tokens.a)} in both` : `${count(tokens.a)} → ${count(tokens.b)}`,
    );
  const took = [a, b].map(({ durationMs }) =>
    durationMs === undefined ? 'unknown' : formatDuration(durationMs),
  );
  part('Took', took.join(' → '));
  if (a.status !== b.status) part('Status', `${a.status} → ${b.status}`);
  const outcome = outcomesOf(a, b, texts);
  if (outcome.length > 0) part('Outcome', counted(0, outcome, 'reason', ''));
  rows(outcome, placeText);
  part('Texts', counted(sameTexts, texts, 'text', ', the same'));
  rows(texts);
  return `${lines.join('\n')}\n`;
}
