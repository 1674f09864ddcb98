import { valueAt } from '../json/path.ts';
import { isObject, type JsonObject } from '../json/value.ts';
import { writeJson } from '../json/write.ts';
import { escapeText } from './escape.ts';
import type { Paint, Style } from './style.ts';
import { displayWidth, truncateToWidth } from './width.ts';
import { wrap } from './wrap.ts';

/** How a state is shown. */
export interface StateViewOptions {
  readonly style: Style;
  /** Columns of the terminal. */
  readonly width: number;
}

/** The mark of a step, by its status; other words get a question mark. */
const MARKS: Readonly<Record<string, string>> = {
  pending: '·',
  running: '▸',
  done: '✓',
  skipped: '–',
  failed: '✗',
  vetoed: '⊘',
};

function paintOf(style: Style, status: unknown): Paint {
  switch (status) {
    case 'done':
    case 'ok':
      return style.green;
    case 'failed':
    case 'error':
      return style.red;
    case 'vetoed':
    case 'aborted':
    case 'partial':
      return style.yellow;
    default:
      return style.dim;
  }
}

const LABEL = 10;

class StateView {
  readonly #state: unknown;
  readonly #options: StateViewOptions;
  readonly #lines: string[] = [];

  constructor(state: unknown, options: StateViewOptions) {
    this.#state = state;
    this.#options = options;
  }

  render(): string {
    this.#head();
    this.#plan();
    this.#actions();
    this.#beliefs();
    this.#facts();
    this.#links();
    return `${this.#lines.join('\n')}\n`;
  }

  #text(...path: string[]): string | undefined {
    const value = valueAt(this.#state, path);
    if (value === undefined || value === null) return undefined;
    return escapeText(typeof value === 'string' ? value : writeJson(value));
  }

  #list(...path: string[]): JsonObject[] {
    const value = valueAt(this.#state, path);
    return Array.isArray(value) ? value.filter(isObject) : [];
  }

  /** A labelled text, wrapped beside its label. */
  #field(label: string, text: string | undefined, paint: Paint = (t) => t): void {
    if (text === undefined || text === '') return;
    const [first = '', ...rest] = wrap(text, this.#options.width - LABEL);
    this.#lines.push(this.#options.style.bold(label.padEnd(LABEL)) + paint(first));
    for (const line of rest) this.#lines.push(' '.repeat(LABEL) + paint(line));
  }

  #section(title: string): void {
    this.#lines.push('', this.#options.style.bold(title));
  }

  #row(text: string): void {
    this.#lines.push(truncateToWidth(`  ${text}`, this.#options.width));
  }

  #head(): void {
    const { style } = this.#options;
    this.#field('Episode', this.#text('episode', 'id'), style.cyan);
    this.#field('Started', this.#text('episode', 'started_at'));
    this.#field('Using', this.#text('episode', 'using'));
    this.#field('Goal', this.#text('goal', 'task'));
    const status = this.#text('outcomes', 'status');
    this.#field('Status', status, paintOf(style, status));
    this.#field('Summary', this.#text('outcomes', 'summary'));
    this.#field('Rationale', this.#text('plan', 'rationale'));
  }

  #plan(): void {
    const { style } = this.#options;
    const steps = this.#list('plan', 'steps');
    if (steps.length === 0) return;
    this.#section(`Plan (${this.#text('plan', 'source') ?? 'source unknown'})`);
    const ids = steps.reduce((most, { id }) => Math.max(most, displayWidth(escapeText(String(id)))), 0);
    for (const { id, kind, description, status } of steps) {
      // A plan that came as labels tells no status of its steps.
      const word = status === undefined ? 'unknown' : String(status);
      const mark = Object.hasOwn(MARKS, word) ? (MARKS[word] ?? '?') : '?';
      const plain = [
        escapeText(String(id)).padEnd(ids),
        escapeText(String(kind)).padEnd(7),
        escapeText(word).padEnd(7),
        escapeText(String(description)),
      ];
      const row = truncateToWidth(`  ${mark} ${plain.join(' ')}`, this.#options.width);
      this.#lines.push(row.replace(mark, paintOf(style, status)(mark)));
    }
  }

  #actions(): void {
    const actions = this.#list('outcomes', 'actions');
    if (actions.length === 0) return;
    this.#section('Actions');
    for (const { id, tool, step_id: step, result_status: status, input_excerpt: input } of actions) {
      const parts = [id, status, step, tool, input].filter((part) => part !== undefined && part !== null);
      this.#row(parts.map((part) => escapeText(String(part))).join('  '));
    }
  }

  #beliefs(): void {
    const beliefs = this.#list('beliefs');
    if (beliefs.length === 0) return;
    this.#section('Beliefs');
    for (const { statement, confidence, provenance } of beliefs) {
      const source = isObject(provenance) ? provenance['source'] : provenance;
      this.#row(
        `${String(confidence).padEnd(4)}  ${escapeText(String(statement))}  (${escapeText(String(source))})`,
      );
    }
  }

  #facts(): void {
    const facts = this.#list('memory', 'facts');
    if (facts.length > 0) this.#section('Facts');
    for (const { key, value } of facts)
      this.#row(`${escapeText(String(key))} = ${escapeText(writeJson(value) ?? 'nothing')}`);
    const notes = this.#text('memory', 'scratchpad');
    if (notes) {
      this.#section('Scratchpad');
      for (const line of wrap(notes, this.#options.width - 2)) this.#lines.push(`  ${line}`);
    }
  }

  #links(): void {
    const links = valueAt(this.#state, ['links']);
    if (!isObject(links) || Object.keys(links).length === 0) return;
    this.#section('Links');
    for (const [name, target] of Object.entries(links))
      this.#row(`${escapeText(name).padEnd(9)} ${escapeText(String(target))}`);
  }
}

/** A readable view of a state, stored or projected: goal, status, plan with a mark per step, actions, beliefs, facts, links. */
export function renderState(state: unknown, options: StateViewOptions): string {
  return new StateView(state, options).render();
}
