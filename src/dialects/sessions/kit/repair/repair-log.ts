import { pushAll } from '../../../../base/files/push-all.ts';
import { locate } from '../../../../base/json/locate.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../../base/json/value.ts';

/** Why something was changed. */
export type RepairRule =
  | 'bytes'
  | 'head'
  | 'same-record'
  | 'new-id'
  | 'link'
  | 'compaction'
  | 'recovered'
  | 'open-call'
  | 'orphan-result'
  | 'unsigned'
  | 'order'
  | 'envelope'
  | 'responses'
  | 'moved'
  | 'newest'
  | 'copy';

/** One change. */
export interface RepairAct {
  readonly rule: RepairRule;
  /** The line of the original. */
  readonly line: number;
  readonly message: string;
  /** The log does not prove it. */
  readonly guess?: true;
}

/** Bytes of the original that are not in the repaired log. */
export interface Rejected {
  readonly line: number;
  /** Offsets into the original. */
  readonly start: number;
  readonly end: number;
  readonly why: string;
}

/** A record of the log that is being repaired. */
export interface RepairRecord {
  /** Where it comes from: a line, and offsets into the original. For an added record, the line before it. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly isAdded?: true;
  text: string;
  value: JsonObject;
}

/** A log that is being repaired, in memory. Each change is an act, and nothing is dropped without a trace. */
export class RepairLog {
  readonly records: RepairRecord[] = [];
  readonly rejected: Rejected[] = [];
  readonly acts: RepairAct[] = [];
  /** By a member, and by its text. */
  readonly #index = new Map<string, Map<string, Set<RepairRecord>>>();
  /** Where a record was found last. The next one is usually near. */
  #near = 0;

  /** The repaired log: a record per line. */
  bytes(): Buffer {
    return Buffer.from(this.records.map(({ text }) => `${text}\n`).join(''));
  }

  act(rule: RepairRule, line: number, message: string, guess = false): void {
    this.acts.push({ rule, line, message, ...(guess && { guess }) });
  }

  /** Sets a member. Everything else of the text stays as it is, numbers and spaces too. */
  set(record: RepairRecord, path: readonly (string | number)[], value: JsonValue): void {
    const bytes = Buffer.from(record.text);
    const { start, end, depth } = locate(bytes, 0, bytes.length, [...path]);
    const written = JSON.stringify(value);
    if (depth === path.length)
      record.text = `${bytes.toString('utf8', 0, start)}${written}${bytes.toString('utf8', end)}`;
    else if (depth === path.length - 1) {
      const parent = bytes.toString('utf8', start, end - 1).trimEnd();
      const comma = parent.endsWith('{') ? '' : ',';
      const member = `${comma}${JSON.stringify(path.at(-1))}:${written}}`;
      record.text = `${bytes.toString('utf8', 0, start)}${parent}${member}${bytes.toString('utf8', end)}`;
    } else return;
    const parsed: unknown = JSON.parse(record.text);
    if (!isObject(parsed)) return;
    this.#forget(record);
    record.value = parsed;
    this.#remember(record);
  }

  /** The records whose member is this text. A log may have many thousands of records that ask for those linked to them. */
  linked(member: string, to: string | undefined): readonly RepairRecord[] {
    if (to === undefined) return [];
    if (!this.#index.has(member)) {
      this.#index.set(member, new Map());
      for (const record of this.records) this.#remember(record, [member]);
    }
    return [...(this.#index.get(member)?.get(to) ?? [])];
  }

  /** Puts other records in the place of all. */
  replaceAll(records: readonly RepairRecord[]): void {
    this.#index.clear();
    this.records.length = 0;
    pushAll(this.records, records);
  }

  /** Leaves a record out. */
  reject(record: RepairRecord, why: string): void {
    const at = this.#placeOf(record);
    if (at < 0) return;
    this.records.splice(at, 1);
    this.#forget(record);
    if (record.isAdded) return;
    this.rejected.push({ line: record.line, start: record.start, end: record.end, why });
  }

  /** Adds a record behind another one, or at the start. */
  add(value: JsonObject, after: RepairRecord | undefined): RepairRecord {
    const at = after === undefined ? 0 : this.#placeOf(after) + 1;
    const { line, end } = after ?? { line: 1, end: 0 };
    const added: RepairRecord = { line, start: end, end, isAdded: true, text: JSON.stringify(value), value };
    this.records.splice(at, 0, added);
    this.#remember(added);
    return added;
  }

  /** The place of a record, which is sought from the last place in both directions; -1 if it was left out. */
  #placeOf(record: RepairRecord): number {
    const { length } = this.records;
    for (let away = 0; away <= length; away += 1)
      for (const at of [this.#near + away, this.#near - away]) {
        if (this.records[at] !== record) continue;
        this.#near = at;
        return at;
      }
    return -1;
  }

  #remember(record: RepairRecord, members: Iterable<string> = this.#index.keys()): void {
    for (const member of members) {
      const to = record.value[member];
      const byText = this.#index.get(member);
      if (typeof to !== 'string' || byText === undefined) continue;
      const known = byText.get(to);
      if (known) known.add(record);
      else byText.set(to, new Set([record]));
    }
  }

  #forget(record: RepairRecord): void {
    for (const [member, byText] of this.#index) {
      const to = record.value[member];
      if (typeof to === 'string') byText.get(to)?.delete(record);
    }
  }
}
