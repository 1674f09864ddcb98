import type { CallItem, Story, StoryTurn } from '../../../dialects/kit/story.ts';
import type { Finding, Severity } from '../../../findings/finding.ts';
import { foldedStory } from '../../../read/describe/folded-story.ts';
import { type CallTime, callTook, callWaited } from '../../render/waits.ts';
import {
  type EpisodeDocument,
  type EventTable,
  type RowStatus,
  STATUSES,
  type WordColumn,
} from '../page-data.ts';
import { indexIn } from './sorted.ts';
import { StoredLines } from './stored-lines.ts';

/** The filters of a list of events. */
export interface Choice {
  readonly text: string;
  readonly phase: string;
  readonly type: string;
  readonly agent: string;
  readonly tool: string;
  /** `trouble` is every status but `ok`; `finding` are events with a finding. */
  readonly only: '' | 'trouble' | 'error' | 'veto' | 'finding';
}

export const EVERYTHING: Choice = { text: '', phase: '', type: '', agent: '', tool: '', only: '' };

export const wordOf = ({ words, at }: WordColumn, row: number): string => words[at[row] ?? -1] ?? '';

/** In UTF-16 units. */
const LONGEST_LABEL = 200;

const RANK: Readonly<Record<Severity, number>> = { error: 2, warn: 1, info: 0 };

/**
 * The table, with the status of each call that has no result: without it, such a call would look like one that went well,
 * because its own record does not say how it ended.
 */
function withStatusOfCalls({ table, story }: EpisodeDocument): EventTable {
  const own = story.turns.filter(({ part }) => part === undefined);
  const calls = own.flatMap(({ items }) => items.filter((item) => item.kind === 'call'));
  const without = new Map(
    calls.flatMap(({ line, status }) => (status === 'open' || status === 'unknown' ? [[line, status]] : [])),
  );
  if (without.size === 0) return table;
  const [ok, ...statuses] = [STATUSES.indexOf('ok'), ...table.status];
  return {
    ...table,
    status: statuses.map((status, row) => {
      const known = status === ok ? without.get(table.line[row] ?? 0) : undefined;
      return known === undefined ? status : STATUSES.indexOf(known);
    }),
  };
}

/** A run in the browser: its columns, its stored lines, and the effects of each event. */
export class Episode {
  readonly document: EpisodeDocument;
  readonly table: EventTable;
  readonly count: number;
  readonly #lines: StoredLines;
  #children: Map<number, number[]> | undefined;
  #findings: Map<number, Finding[]> | undefined;
  #calls: Map<number, CallItem> | undefined;
  #turns: Map<number, StoryTurn> | undefined;
  #folded: Story | undefined;

  constructor(document: EpisodeDocument, lines: string) {
    this.document = document;
    this.table = withStatusOfCalls(document);
    this.count = this.table.line.length;
    this.#lines = new StoredLines(lines, this.count);
  }

  /** The stored line of a row. */
  stored(row: number): string {
    return this.#lines.at(row);
  }

  status(row: number): RowStatus {
    return STATUSES[this.table.status[row] ?? 0] ?? 'ok';
  }

  /** The story with the steps of subagents below the calls that started these. */
  get folded(): Story {
    this.#folded ??= foldedStory(this.document.story, true);
    return this.#folded;
  }

  /** The call that a row starts or ends. */
  callOf(row: number): CallItem | undefined {
    this.#calls ??= new Map(
      this.document.story.turns
        .flatMap(({ items }) => items.filter((item) => item.kind === 'call'))
        .flatMap((call) => [[call.line, call] as const, [call.result_line ?? call.line, call] as const])
        .reverse(),
    );
    return this.#calls.get(this.table.line[row] ?? -1);
  }

  /** The turn that begins with a row. */
  turnOf(row: number): StoryTurn | undefined {
    this.#turns ??= new Map(this.document.story.turns.map((turn) => [turn.line, turn]));
    return this.#turns.get(this.table.line[row] ?? -1);
  }

  /** A row in a few words on one line: its tool and command, its prompt, else its text. */
  labelOf(row: number): string {
    const [call, turn] = [this.callOf(row), this.turnOf(row)];
    const prompt = turn?.items.find(({ kind }) => kind === 'prompt');
    const said = turn?.title ?? (prompt !== undefined && 'text' in prompt ? prompt.text : undefined);
    const [first = ''] = (call ? `${call.tool} ${call.input}` : (said ?? '')).trim().split('\n', 1);
    const text = first === '' ? (this.table.text[row] ?? '') : first;
    return text.slice(0, LONGEST_LABEL).replaceAll(/\s+/g, ' ');
  }

  #timeOf(row: number): CallTime {
    return { ...this.table.waits[row], duration_ms: this.table.took[row] ?? undefined };
  }

  /** When a record was written, in milliseconds after the start of the run; undefined without a time. */
  writtenAt(row: number): number | undefined {
    return this.table.written[row] ?? this.table.start[row] ?? undefined;
  }

  /** How long a row worked; empty if unknown. */
  tookText(row: number): string {
    return callTook(this.#timeOf(row));
  }

  /** How long a row waited for a person; empty if it did not. */
  waitedText(row: number): string {
    return callWaited(this.#timeOf(row));
  }

  /** From its start to its end in milliseconds; undefined if unknown. */
  lasted(row: number): number | undefined {
    const { duration_ms: took, at_least_ms: least, at_most_ms: most, waited_ms: waited } = this.#timeOf(row);
    const worked = most ?? least ?? took;
    return worked === undefined && waited === undefined ? undefined : (worked ?? 0) + (waited ?? 0);
  }

  /** The row of a log line; -1 if there is none. */
  rowOfLine(line: number): number {
    return indexIn(this.table.line, line);
  }

  /** The rows whose cause is this event. */
  effects(row: number): readonly number[] {
    if (this.#children === undefined) {
      this.#children = new Map();
      for (const [child, cause] of this.table.cause.entries()) {
        if (cause < 0 || cause === child) continue;
        const known = this.#children.get(cause);
        if (known) known.push(child);
        else this.#children.set(cause, [child]);
      }
    }
    return this.#children.get(row) ?? [];
  }

  /** The row of a finding; -1 for none. */
  rowOfFinding({ file, line, eventId }: Finding): number {
    if (file === this.document.file && line !== undefined) return this.rowOfLine(line);
    return eventId === undefined ? -1 : this.table.id.indexOf(eventId);
  }

  /** The rows with findings. */
  get foundRows(): readonly number[] {
    return [...this.#byRow().keys()];
  }

  findings(row: number): readonly Finding[] {
    return this.#byRow().get(row) ?? [];
  }

  #byRow(): Map<number, Finding[]> {
    if (this.#findings !== undefined) return this.#findings;
    this.#findings = new Map();
    for (const finding of this.document.verification?.findings ?? []) {
      const about = this.rowOfFinding(finding);
      if (about >= 0) this.#findings.set(about, [...(this.#findings.get(about) ?? []), finding]);
    }
    return this.#findings;
  }

  worstFinding(row: number): Severity | undefined {
    return this.findings(row).reduce<Severity | undefined>(
      (worst, { severity }) => (worst !== undefined && RANK[worst] >= RANK[severity] ? worst : severity),
      undefined,
    );
  }

  /** The rows that pass the filters, in order. Searches the stored lines for text, ignoring case. */
  choose({ text, phase, type, agent, tool, only }: Choice): readonly number[] {
    const { table } = this;
    const tests: ((row: number) => boolean)[] = [];
    const isWord = (column: WordColumn, word: string) => {
      const place = column.words.indexOf(word);
      if (word !== '') tests.push((row) => column.at[row] === place);
    };
    isWord(table.phase, phase);
    isWord(table.type, type);
    isWord(table.agent, agent);
    isWord(table.tool, tool);
    if (only === 'finding') tests.push((row) => this.findings(row).length > 0);
    else if (only === 'trouble') tests.push((row) => table.status[row] !== 0);
    else if (only !== '') tests.push((row) => this.status(row) === only);
    const chosen: number[] = [];
    const rows = text === '' ? this.#allRows() : this.#lines.with(text);
    for (const row of rows) if (tests.every((test) => test(row))) chosen.push(row);
    return chosen;
  }

  *#allRows(): Generator<number> {
    for (let row = 0; row < this.count; row += 1) yield row;
  }
}
