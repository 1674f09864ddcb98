import { pushAll } from '../../base/files/push-all.ts';
import { largest } from '../../base/text/largest.ts';
import { firstLine } from '../../dialects/kit/excerpt.ts';
import type {
  Behaviour,
  ComparedStep,
  FileDifference,
  LogBehaviour,
  PartingPoint,
  StepDifference,
} from '../../read/compare/behaviour.ts';
import type { FieldDifference } from '../../read/compare/content.ts';
import type { PartDifference, RunDifferenceHead } from '../../read/compare/run-difference.ts';
import {
  counted,
  damagedText,
  failedText,
  filesText,
  isBoth,
  modelText,
  notWholeText,
  partingText,
  partsLabel,
  partsText,
  partTitle,
  resultsText,
  stepsText,
} from './behaviour-words.ts';
import { escapeCode, escapeText } from './escape.ts';
import { factRows, sourceOfCosts } from './fact-rows.ts';
import { fieldsOnce, outcomesOf, withHow } from './shown-once.ts';
import type { Paint, Style } from './style.ts';
import { placeText, plural } from './tally.ts';
import { shownValues } from './value-difference.ts';
import { displayWidth, truncateToWidth } from './width.ts';
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
/** The columns before a value of a call. */
const VALUE_MARGIN = 11;
/** The columns before a line of a file. */
const FILE_MARGIN = 7;
/** The lines of a file that are shown. */
const MOST_LINES = 24;

function stepText({ what, text }: ComparedStep): string {
  const said = firstLine(text);
  return said === '' ? what : `${what}  ${said}`;
}

/** The mark of each run. The colours do not judge: neither run is the right one. */
const SIDES = { a: 'A', b: 'B' } as const;

/** Lays out the steps of two runs. */
class BehaviourText {
  readonly lines: string[] = [];
  readonly #layout: BehaviourLayout;
  readonly #paints: Readonly<Record<'a' | 'b', Paint>>;

  constructor(layout: BehaviourLayout) {
    this.#layout = layout;
    this.#paints = { a: layout.style.cyan, b: layout.style.magenta };
  }

  /** The number of differences shown per part. */
  get limit(): number {
    return this.#layout.limit;
  }

  /** Whether a line of a file fits. */
  isWhole(line: string): boolean {
    return displayWidth(escapeCode(line)) <= this.#layout.cutWidth - FILE_MARGIN;
  }

  part(label: string, text: string): void {
    const { style, width } = this.#layout;
    const wrapped = wrap(escapeText(text), width - LABEL);
    pushAll(this.lines, hanging(style.bold(label.padEnd(LABEL)), wrapped, ' '.repeat(LABEL)));
  }

  table(rows: ReturnType<typeof factRows>): void {
    const { style, width, cutWidth } = this.#layout;
    const most = Math.max(12, Math.floor((width - LABEL - 2) / 2));
    const first = Math.min(
      most,
      largest(
        rows.map(([, a]) => displayWidth(escapeText(a))),
        1,
      ),
    );
    const row = (name: string, a: string, b: string, paint: Paint) => {
      const left = wrap(escapeText(a), first);
      const right = wrap(escapeText(b), Math.max(12, cutWidth - LABEL - first - 2));
      for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
        const [ofA = '', ofB = ''] = [left[at], right[at]];
        const gap = ' '.repeat(Math.max(0, first - displayWidth(ofA)) + 2);
        const label = at === 0 ? paint(name.padEnd(LABEL)) : ' '.repeat(LABEL);
        this.lines.push(`${label}${ofA}${gap}${ofB}`.trimEnd());
      }
    };
    this.lines.push(`${' '.repeat(LABEL)}${this.#paints.a('A'.padEnd(first))}  ${this.#paints.b('B')}`);
    for (const [name, a, b] of rows) row(name, a, b, style.bold);
  }

  #row(side: 'a' | 'b', place: string, longest: number, text: string): void {
    const whole = `  ${place.padEnd(longest)} ${escapeText(text)}`;
    this.lines.push(this.#paints[side](truncateToWidth(whole, this.#layout.cutWidth)));
  }

  /** Differences, one line per step. A step that both runs have is one line, and below it what differs. */
  rows(
    only: readonly StepDifference[],
    placeIn = ({ line }: ComparedStep) => `${line}`,
    fieldsOf = ({ fields = [] }: StepDifference): readonly FieldDifference[] => fields,
  ): void {
    const { style, limit } = this.#layout;
    const shown = only.slice(0, limit).map((one) => ({
      one,
      places: (['a', 'b'] as const).flatMap((side) => {
        const step = one[side];
        return step ? [{ side, step, place: `${side === 'a' ? '- A' : '+ B'}:${placeIn(step)}` }] : [];
      }),
    }));
    const longest = largest(
      shown.flatMap(({ one, places }) => (isBoth(one) ? [] : places.map(({ place }) => place.length))),
      9,
    );
    for (const { one, places } of shown) {
      const { a, b, fields } = one;
      if (a && b && fields) {
        const text = `  ≠ A:${placeIn(a)} B:${placeIn(b)} ${escapeText(stepText(a))}`;
        this.lines.push(truncateToWidth(text, this.#layout.cutWidth));
        this.#fields(fieldsOf(one));
      } else for (const { side, step, place } of places) this.#row(side, place, longest, stepText(step));
    }
    if (only.length > limit) this.lines.push(style.dim(`  and ${only.length - limit} more: --limit, or -j`));
  }

  #fields(fields: readonly FieldDifference[]): void {
    const { style, width } = this.#layout;
    for (const { path, a, b } of fields) {
      const name = path === '' ? 'the input' : escapeText(path);
      const shown = shownValues(a, b, {
        room: width - VALUE_MARGIN,
        isInline: (...sides) => displayWidth(`      ${name}: ${sides.join(' | ')}`) <= width,
        exact: false,
      });
      if ('inline' in shown) {
        const [before, after] = shown.inline;
        this.lines.push(`      ${name}: ${this.#paints.a(before)} | ${this.#paints.b(after)}`);
        continue;
      }
      this.lines.push(`      ${name}`);
      for (const { in: side, text, continues = false } of shown.rows) {
        const isOneSide = side === 'a' || side === 'b';
        const mark = isOneSide && !continues ? SIDES[side] : ' ';
        const row = `        ${mark}  ${text}`.trimEnd();
        this.lines.push(isOneSide ? this.#paints[side](row) : style.dim(row));
      }
      if (shown.more > 0) this.lines.push(style.dim(`           and ${plural(shown.more, 'more line')}: -j`));
    }
  }

  /** `fields`: those that are not shown elsewhere. */
  parting(point: PartingPoint, behaviour: LogBehaviour, fields: readonly FieldDifference[]): void {
    this.part('They part', partingText(point, behaviour));
    for (const side of ['a', 'b'] as const) {
      const step = point[side];
      this.#row(side, `${SIDES[side]}:${step?.line ?? ''}`, 6, step ? stepText(step) : 'nothing more');
    }
    this.#fields(fields);
  }

  file(file: FileDifference): void {
    const { path, pathInB, of, lines, more } = file;
    const { style, cutWidth } = this.#layout;
    const title = (text: string) => `  ${style.bold(truncateToWidth(escapeText(text), cutWidth - 2))}`;
    this.lines.push(title(pathInB === undefined ? path : `A ${path}`));
    if (pathInB !== undefined) this.lines.push(title(`B ${pathInB}`));
    const shown = lines.slice(0, MOST_LINES);
    for (const { in: side, text } of shown) {
      const row = truncateToWidth(
        `    ${side === 'both' ? ' ' : SIDES[side]}  ${escapeCode(text)}`,
        cutWidth,
      );
      this.lines.push(side === 'both' ? style.dim(row) : this.#paints[side](row));
    }
    const rest = lines.length - shown.length + more;
    if (rest > 0) this.lines.push(style.dim(`    and ${plural(rest, 'more line')}: -j`));
    if (of === 'changes' && shown.some(({ in: side }) => side !== 'both'))
      this.lines.push(style.dim(`    (${['the changes', notWholeText(file)].filter(Boolean).join('; ')})`));
  }

  /** The line of a subagent: `=` if it did the same in both runs, `≠` if not, `-` and `+` if only one run has it. */
  partTitle(part: PartDifference): void {
    const { width } = this.#layout;
    const { a, b, equal } = part;
    const mark = a && b ? (equal ? '=' : '≠') : a ? '- A' : '+ B';
    const head = `  ${mark} `;
    const paint: Paint = a && b ? (text) => text : this.#paints[a ? 'a' : 'b'];
    pushAll(this.lines, hanging(head, wrap(escapeText(partTitle(part)), width - head.length)).map(paint));
  }

  files(differ: readonly FileDifference[]): void {
    const { style, limit } = this.#layout;
    for (const file of differ.slice(0, limit)) this.file(file);
    if (differ.length > limit)
      this.lines.push(style.dim(`  and ${plural(differ.length - limit, 'more file')}: -j`));
  }
}

/** Prints what two logs did: where they part, how they left each file, then their calls and texts. */
function printSteps(
  out: BehaviourText,
  behaviour: LogBehaviour,
  outcome: readonly StepDifference[],
  parts: readonly PartDifference[] = [],
): void {
  const { unit, steps, results, failed, files, sameTexts, texts, parting } = behaviour;
  const fieldsOf = fieldsOnce(behaviour, {
    files: out.limit,
    lines: MOST_LINES,
    isWhole: (text) => out.isWhole(text),
  });
  const line = ({ line: at }: ComparedStep) => `${at}`;
  if (parting) out.parting(parting, behaviour, fieldsOf(parting, true));
  const damaged = damagedText(behaviour);
  if (damaged !== '') out.part('Damaged', damaged);
  const changed = filesText(files, parts);
  if (changed !== '') out.part('Files', changed);
  out.files(files.differ);
  out.part(unit === 'call' ? 'Calls' : 'Steps', stepsText(behaviour, parts));
  out.rows(steps, line, fieldsOf);
  const models = modelText(behaviour);
  if (models !== '') out.part('Model', models);
  if (results.same + results.differ.length > 0) {
    out.part('Results', resultsText(behaviour));
    out.rows(results.differ, line, fieldsOf);
  }
  const failures = failedText(behaviour, parts);
  if (failures !== '') out.part('Failed', failures);
  out.rows(failed.only.map(withHow), placeText);
  if (outcome.length > 0) out.part('Outcome', counted(0, outcome, 'reason', ''));
  out.rows(outcome, placeText);
  out.part('Texts', counted(sameTexts, texts, 'text', ', the same'));
  out.rows(texts);
}

/** Prints two runs: their numbers, and what their logs did. */
export function behaviourText(
  behaviour: Behaviour,
  runs: Pick<RunDifferenceHead, 'a' | 'b' | 'parts'>,
  layout: BehaviourLayout,
): string {
  const out = new BehaviourText(layout);
  out.lines.push('');
  out.table(factRows(behaviour.facts, runs));
  const source = sourceOfCosts(behaviour.facts);
  if (source !== '') out.lines.push(layout.style.dim(escapeText(source)));
  out.lines.push('');
  printSteps(out, behaviour, outcomesOf(runs, behaviour), runs.parts);
  return `${out.lines.join('\n')}\n`;
}

/** The space before what a part of a run did. */
const INDENT = '    ';

/** Prints the subagents of two runs: a line for each, and below it what differs. */
export function partsOfRunsText(parts: readonly PartDifference[] = [], layout: BehaviourLayout): string {
  if (parts.length === 0) return '';
  const out = new BehaviourText(layout);
  out.part(partsLabel(parts), partsText(parts));
  for (const part of parts) {
    out.partTitle(part);
    const { a, b, facts, behaviour } = part;
    if (behaviour.same) continue;
    const { width, cutWidth } = layout;
    const below = new BehaviourText({
      ...layout,
      width: width - INDENT.length,
      cutWidth: cutWidth - INDENT.length,
    });
    if (a && b && facts.a && facts.b) below.table(factRows({ a: facts.a, b: facts.b }, { a, b }));
    printSteps(below, behaviour, []);
    pushAll(
      out.lines,
      below.lines.map((line) => `${INDENT}${line}`),
    );
  }
  return `${out.lines.join('\n')}\n`;
}
