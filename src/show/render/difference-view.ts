import { pushAll } from '../../base/files/push-all.ts';
import { countText } from '../../base/text/count.ts';
import { grouped } from '../../base/text/grouped.ts';
import { formatDuration } from '../../base/time/duration.ts';
import {
  AS_READABLE,
  type ComparedEvent,
  type ComparedRun,
  type DifferenceCounts,
  type EventDifference,
  type FieldDifference,
  type RunDifferenceHead,
  SAME,
  type StoredDifference,
  type StoredRest,
  sameText,
} from '../../read/compare/run-difference.ts';
import { escapeText } from './escape.ts';
import { countRows, durationRows, type MetricRow } from './metric-rows.ts';
import type { Paint, Style } from './style.ts';
import { plural } from './tally.ts';
import { shownValues } from './value-difference.ts';
import { displayWidth, truncateToWidth } from './width.ts';
import { hanging, wrap } from './wrap.ts';

interface DifferenceViewOptions {
  readonly style: Style;
  /** The width at which values are wrapped. */
  readonly width: number;
  /** The width at which rows are cut; Infinity: do not cut. */
  readonly cutWidth: number;
  /** The runs are sessions: no state is stored, and what follows from their events repeats what they did. */
  readonly isSession?: boolean;
  /** Ids, times and digests are compared too. */
  readonly isExact?: boolean;
}

/** The number of result differences shown. */
const MOST_FIELDS = 30;
const EVENTS = 'Events    ';
const LISTS_THEM = '--limit 50 lists them';

/** The mark and colour of each kind of difference. */
const MARKS = { changed: '~', missing: '-', added: '+' } as const;

function paintOf(style: Style, kind: EventDifference['kind']): Paint {
  return { changed: style.yellow, missing: style.red, added: style.green }[kind];
}

/** The name of an event, with its phase if that adds something. */
const nameOf = ({ phase, name }: ComparedEvent): string =>
  escapeText(phase === undefined || phase === name ? name : `${phase} ${name}`);

/** The lines of an event in both runs. */
function placesOf(difference: EventDifference): string {
  if (difference.kind === 'missing') return `line ${difference.a.line} of A`;
  if (difference.kind === 'added') return `line ${difference.b.line} of B`;
  return `line ${difference.a.line} of A, line ${difference.b.line} of B`;
}

const WHAT = {
  changed: (event: string) => `${event} differs`,
  missing: (event: string) => `${event} is in A only`,
  added: (event: string) => `${event} is in B only`,
} as const;

const eventOf = (difference: EventDifference): ComparedEvent =>
  difference.kind === 'added' ? difference.b : difference.a;

/** Lays out the differences between two runs, part by part. */
export class DifferenceView {
  readonly #options: DifferenceViewOptions;

  constructor(options: DifferenceViewOptions) {
    this.#options = options;
  }

  runs({ a, b }: StoredDifference): string {
    return `${[...this.#run('A', a), ...this.#run('B', b)].join('\n')}\n`;
  }

  /** The first difference, and the number of events that differ. */
  head({ counts, first }: StoredDifference, isExact: boolean): string {
    const { style, width } = this.#options;
    const lines: string[] = [''];
    if (first !== undefined) {
      const text = `${WHAT[first.kind](nameOf(eventOf(first)))} (${placesOf(first)})`;
      const label = 'First difference';
      const [head = '', ...rest] = wrap(`${label}: ${text}`, width);
      lines.push(style.bold(label) + head.slice(label.length), ...rest, '');
    }
    const [head = '', ...more] = wrap(
      countsText(counts) + (isExact || counts.same === 0 ? '' : loose(counts)),
      width,
    );
    lines.push(style.bold('Events') + head.slice('Events'.length), ...more);
    return `${lines.join('\n')}\n`;
  }

  /** The number of differing events that are not listed. */
  unlisted(head: RunDifferenceHead): string {
    const { a, b, counts, equal, stored: rest, state, moreState, metrics } = head;
    const { style, width, isSession = false } = this.#options;
    const text =
      a.dialect === b.dialect
        ? `${countsText(counts).slice('Events: '.length)}${loose(counts) || ` (${LISTS_THEM})`}${restText(rest)}`
        : 'not compared, because the dialects differ';
    const stored = hanging(EVENTS, wrap(escapeText(text), width - EVENTS.length)).map(style.dim);
    const rows = [
      ...(isSession ? [] : [['State', stateText(state, moreState)] as const]),
      ...(isSession || differing(counts) > 0 ? [] : [['Counts', metricsText(metrics)] as const]),
    ];
    for (const [label, what] of rows)
      if (what !== '')
        pushAll(
          stored,
          hanging(
            label.padEnd(EVENTS.length),
            wrap(escapeText(`${what} (${LISTS_THEM})`), width - EVENTS.length),
          ).map(style.dim),
        );
    const verdict = sameText(head);
    const painted = verdict === undefined ? [] : [(equal ? style.green : style.yellow)(verdict)];
    return `${[...stored, ...painted].join('\n')}\n`;
  }

  /** A differing event with its differing fields. */
  event(difference: EventDifference): string {
    const { style, cutWidth } = this.#options;
    const { kind } = difference;
    const event = eventOf(difference);
    const lines = [
      kind === 'added' ? '' : `A:${difference.a.line}`,
      kind === 'missing' ? '' : `B:${difference.b.line}`,
    ];
    const row = `${MARKS[kind]} ${lines.map((text) => text.padEnd(7)).join(' ')} ${nameOf(event)}`;
    const text = kind === 'changed' ? '' : `  ${escapeText(event.text)}`;
    const fields = kind === 'changed' ? difference.fields : [];
    const whole = truncateToWidth(row + text, cutWidth - 2);
    return `  ${[paintOf(style, kind)(whole), ...this.#fields(fields, 6)].join('\n')}\n`;
  }

  /** Other differences: results by part of the state, then counts and durations. */
  rest(
    { equal, a, b, counts, outcome, state: ofState, moreState: moreOfState, metrics }: StoredDifference,
    moreEvents: number,
  ): string {
    const { style, isSession = false } = this.#options;
    const lines =
      moreEvents > 0 ? [style.dim(`  and ${plural(moreEvents, 'more event')}: --limit, or -j`)] : [];
    const isRepeated = isSession && differing(counts) > 0;
    const [state, moreState] = isRepeated ? [[], 0] : [ofState, moreOfState];
    if (moreState > 0) lines.push(style.dim(`  and ${plural(moreState, 'more difference')} in the state`));
    const fieldLines = (fields: readonly FieldDifference[]) =>
      fields.map((field) => this.#field(field, '  '));
    const byPart = [...grouped(state, partOfState)].map(
      ([part, fields]) => [`State: ${escapeText(part)}`, fieldLines(fields)] as const,
    );
    const sections: readonly (readonly [title: string, rows: readonly string[][]])[] = [
      ['Outcome', fieldLines(outcome.map(reasonNamed))],
      ...byPart,
      ['Counts', isRepeated ? [] : countRows(metrics).map((row) => this.#metric(row))],
      ['Durations', durationRows(metrics).map((row) => this.#metric(row))],
    ];
    for (const [title, rows] of sections) {
      if (rows.length === 0) continue;
      lines.push('', style.bold(title));
      pushAll(lines, rows.slice(0, MOST_FIELDS).flat());
      if (rows.length > MOST_FIELDS)
        lines.push(style.dim(`  and ${plural(rows.length - MOST_FIELDS, 'more difference')}: -j`));
    }
    const isDamaged = [a, b].some(({ skipped }) => skipped !== undefined && skipped.count > 0);
    if (equal) lines.push(style.green(SAME));
    else if (isDamaged && lines.length === 0 && differing(counts) === 0)
      lines.push(style.yellow(`${SAME}, ${AS_READABLE}`));
    return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  }

  #run(letter: string, { episode, events, status, durationMs, task }: ComparedRun): string[] {
    const { style, width } = this.#options;
    const facts = [
      status,
      plural(events, 'event'),
      durationMs === undefined ? undefined : formatDuration(durationMs),
      task,
    ];
    const text = [episode, facts.filter((fact) => fact !== undefined).join(', ')].join('  ');
    return wrap(escapeText(text), width - 3).map((line, index) =>
      index === 0 ? `${style.bold(letter)}  ${line.trimEnd()}` : `   ${line}`,
    );
  }

  #fields(fields: readonly FieldDifference[], indent: number): string[] {
    return fields.flatMap((field) => this.#field(field, ' '.repeat(indent)));
  }

  #field({ path, a, b }: FieldDifference, indent: string): string[] {
    const { style, width, isExact = false } = this.#options;
    const name = escapeText(path);
    const shown = shownValues(a, b, {
      room: width - indent.length - 4,
      isInline: (...sides) => displayWidth(`${indent}${name}: ${sides.join(' → ')}`) <= width,
      exact: isExact,
    });
    if ('inline' in shown) return this.#sides(name, shown.inline, indent);
    const rowStyles: Readonly<Record<(typeof shown.rows)[number]['in'], readonly [string, Paint]>> = {
      a: ['-', style.red],
      b: ['+', style.green],
      both: [' ', style.dim],
      gap: [' ', style.dim],
    };
    const rows = shown.rows.map(({ in: side, text, continues = false }) => {
      const [mark, paint] = rowStyles[side];
      return paint(`${indent}  ${continues ? ' ' : mark} ${text}`.trimEnd());
    });
    const more = shown.more > 0 ? [style.dim(`${indent}    and ${plural(shown.more, 'more line')}: -j`)] : [];
    return [...this.#name(name, indent), ...rows, ...more];
  }

  #metric({ name, a, b }: MetricRow): string[] {
    return this.#sides(escapeText(name), [a, b], '  ');
  }

  #name(name: string, indent: string): string[] {
    return hanging(indent, wrap(name, this.#options.width - indent.length - 2), `${indent}  `);
  }

  /** Puts both values on one line if they fit, else on two. */
  #sides(name: string, [before, after]: readonly [string, string], indent: string): string[] {
    const { style, width } = this.#options;
    if (displayWidth(`${indent}${name}: ${before} → ${after}`) <= width)
      return [`${indent}${name}: ${style.red(before)} → ${style.green(after)}`];
    const side = (mark: string, text: string, paint: Paint) =>
      hanging(`${indent}  ${mark} `, wrap(text, width - indent.length - 4)).map(paint);
    return [...this.#name(name, indent), ...side('-', before, style.red), ...side('+', after, style.green)];
  }
}

/** The part of a state that a path is in. */
const partOfState = ({ path }: FieldDifference): string => /^[^.[]+/.exec(path)?.[0] ?? '';

/** `8 differences in plan, outcomes and provenance`; empty without any. */
function stateText(state: readonly FieldDifference[], more: number): string {
  if (state.length === 0) return '';
  const parts = new Set(state.map(partOfState).filter((part) => part !== ''));
  const where = parts.size === 0 ? '' : ` in ${[...parts].join(', ')}`;
  return `${plural(state.length + more, 'difference')}${where}`;
}

const metricsText = (metrics: readonly FieldDifference[]): string =>
  metrics.length === 0 ? '' : plural(metrics.length, 'difference');

/** A reason by its number, instead of its index. */
const reasonNamed = (field: FieldDifference): FieldDifference => ({
  ...field,
  path: field.path.replace(/^why\[(\d+)\]$/, (_, index: string) => `reason ${Number(index) + 1}`),
});

/** The number of names that are printed; `-j` has all. */
const MOST_NAMED = 2;

/** `a (3 events), b (1) and 4 more (-j)`. */
function namesText(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  const more = rest > 0 ? ` and ${countText(rest)} more (-j)` : '';
  return names.slice(0, MOST_NAMED).join(', ') + more;
}

const differing = ({ changed, missing, added }: DifferenceCounts): number => changed + missing + added;

/** What differs in the stored events of sessions. */
function restText({ fields, only }: StoredRest = { fields: [], only: [] }): string {
  const changed = fields.map(({ path, events }, at) =>
    at === 0 ? `${path} (${plural(events, 'event')})` : `${path} (${countText(events)})`,
  );
  const alone = only.map(({ name, a, b }) => {
    const counts = [a > 0 ? `${countText(a)} in A` : '', b > 0 ? `${countText(b)} in B` : ''];
    return `${name} (${counts.filter((count) => count !== '').join(', ')})`;
  });
  const field = changed.length === 1 ? 'field' : 'fields';
  return [
    changed.length === 0 ? '' : `; the changed ones differ in the ${field} ${namesText(changed)}`,
    alone.length === 0 ? '' : `; events without a counterpart, by type: ${namesText(alone)}`,
  ].join('');
}

/** A remark about events without a difference. */
const loose = (counts: DifferenceCounts): string =>
  differing(counts) > 0 ? '' : '; ids and times not compared (--exact)';

function countsText({ same, changed, missing, added }: DifferenceCounts): string {
  const parts = [
    [same, 'same'],
    [changed, 'changed'],
    [missing, 'only in A'],
    [added, 'only in B'],
  ] as const;
  const there = parts.filter(([count]) => count > 0).map(([count, word]) => `${countText(count)} ${word}`);
  return `Events: ${there.length === 0 ? 'none' : there.join(', ')}`;
}
