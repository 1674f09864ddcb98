import { createHash } from 'node:crypto';
import { type IdRegistry, type Ledger, phaseNumber } from '../ledger.ts';
import type { FastModule } from './module.ts';

/** The bit of a length that says that a UUID is kept as its 16 bytes. */
const PACKED = 0x8000_0000;

/** Longer texts than this are no time the module could have read. */
const TIME_LENGTH = 32;
const EPISODE_LENGTH = 256;

/** Half a surrogate pair has no UTF-8; see {@link IdIndex}. */
const encode = (id: string): Buffer => Buffer.from(id.isWellFormed() ? id : JSON.stringify(id));

/** One of the module's tables. */
class FastRegistry implements IdRegistry {
  readonly #module: FastModule;
  readonly #table: number;

  constructor(module: FastModule, table: number) {
    this.#module = module;
    this.#table = table;
  }

  get size(): number {
    return this.#module.idCount(this.#table);
  }

  find(id: string): number {
    return this.#module.findId(this.#table, this.#put(id));
  }

  add(id: string, line: number, parent = -1): number {
    const result = this.#module.addId(this.#table, this.#put(id), line, parent);
    return result < 0 ? -1 - result : -1;
  }

  lineOf(ordinal: number): number {
    return this.#module.lineOf(this.#table, ordinal);
  }

  parentOf(ordinal: number): number {
    return this.#module.parentOf(this.#table, ordinal);
  }

  setParent(ordinal: number, parent: number): void {
    this.#module.setParent(ordinal, parent);
  }

  idOf(ordinal: number): string {
    const { memory } = this.#module;
    const at = this.#module.addressOf(this.#table, ordinal);
    const length = new DataView(memory.buffer).getUint32(at, true);
    if (length < PACKED) return Buffer.from(memory.buffer, at + 4, length).toString('utf8');
    const hex = Buffer.from(memory.buffer, at + 4, length - PACKED).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  /** Puts an id where the module looks for it; its length in bytes. */
  #put(id: string): number {
    const { memory } = this.#module;
    let bytes = encode(id);
    // Ids of this size are no ids; what is compared of them is enough to tell them apart.
    if (bytes.length > this.#module.scratchSize()) bytes = shorten(bytes, this.#module.scratchSize());
    bytes.copy(Buffer.from(memory.buffer, this.#module.scratch(), bytes.length));
    return bytes.length;
  }
}

function shorten(bytes: Buffer, size: number): Buffer {
  const digest = createHash('sha256').update(bytes).digest();
  return Buffer.concat([bytes.subarray(0, size - digest.length), digest]);
}

/** What is remembered of a log in the module's memory, where the fast lane writes to it as well. */
export class FastLedger implements Ledger {
  readonly ids: IdRegistry;
  readonly candidates: IdRegistry;
  readonly decisions: IdRegistry;
  readonly #module: FastModule;
  /** A time that the module has no room for. */
  #oddTime: Ledger['previousTime'];
  #last: Ledger['last'];
  readonly #unknownPhases = new Map<string, number>();

  constructor(module: FastModule) {
    this.#module = module;
    this.ids = new FastRegistry(module, 0);
    this.candidates = new FastRegistry(module, 1);
    this.decisions = new FastRegistry(module, 2);
  }

  get previousTime(): Ledger['previousTime'] {
    const length = this.#module.previousTextLength();
    if (length === 0) return this.#oddTime;
    const text = Buffer.from(this.#module.memory.buffer, this.#module.previousText(), length).toString(
      'utf8',
    );
    return { text, line: this.#module.previousTextLine() };
  }

  get last(): Ledger['last'] {
    const line = this.#module.lastRecordLine();
    if (line <= (this.#last?.line ?? 0)) return this.#last;
    return { line, id: this.ids.idOf(this.#module.lastRecordOrdinal()) };
  }

  get acts(): number {
    return this.#module.actCount();
  }

  notePreviousTime(text: string, line: number): void {
    const bytes = Buffer.from(text);
    this.#oddTime = { text, line };
    if (bytes.length > TIME_LENGTH) return this.#module.setPrevious(0, line);
    bytes.copy(Buffer.from(this.#module.memory.buffer, this.#module.previousText(), bytes.length));
    this.#module.setPrevious(bytes.length, line);
  }

  noteLast(line: number, id: string | undefined): void {
    this.#last = { line, id };
  }

  noteEpisode(id: string): void {
    const bytes = Buffer.from(id);
    if (bytes.length > EPISODE_LENGTH) return;
    bytes.copy(Buffer.from(this.#module.memory.buffer, this.#module.episodeReference(), bytes.length));
    this.#module.setEpisode(bytes.length);
  }

  noteEnd(): void {
    this.#module.setEnded();
  }

  noteVeto(): void {
    this.#module.setVetoed();
  }

  countPhase(phase: string): void {
    const number = phaseNumber(phase);
    if (number >= 0) this.#module.countPhase(number);
    else this.#unknownPhases.set(phase, (this.#unknownPhases.get(phase) ?? 0) + 1);
  }

  phaseCount(phase: string): number {
    const number = phaseNumber(phase);
    return number >= 0 ? this.#module.phaseCount(number) : (this.#unknownPhases.get(phase) ?? 0);
  }
}
