import type { PortFile } from '../base/files/port.ts';
import type { WritingMemory } from '../dialects/kit/writing.ts';
import type { Corruption } from '../log/corruption.ts';
import { feed } from '../log/feed.ts';
import { EventLogIntegrityError } from '../log/integrity-error.ts';
import type { LogForm } from '../log/log-form.ts';
import { LogParser } from '../log/parser.ts';
import { retried } from './system-calls.ts';

const SMALLEST = 4096;
const LARGEST = 1024 * 1024;

/** A writer's view of a log. Every byte was validated and every record was read. */
export class LogScan {
  readonly memory: WritingMemory;
  readonly #log: string;
  readonly #form: LogForm;
  #parser: LogParser;
  #corruption: Corruption | undefined;
  #size = 0;
  #lacksNewline = false;

  /** `size`: the expected length of the log. */
  constructor(log: string, memory: WritingMemory, size: number, form: LogForm) {
    this.#log = log;
    this.#form = form;
    this.memory = memory;
    this.#parser = this.#parserFrom(0, 0, Math.min(LARGEST, Math.max(SMALLEST, size)));
  }

  get size(): number {
    return this.#size;
  }

  /** The number of physical lines, including an unfinished one. */
  get lines(): number {
    return this.#parser.lines;
  }

  /** The last record is complete but has no newline. */
  get lacksNewline(): boolean {
    return this.#lacksNewline;
  }

  /** Reads a whole file. Calls `between` from time to time. Throws EventLogIntegrityError. */
  async read(file: PortFile, size: number, between: () => Promise<void>): Promise<void> {
    while (this.#size < size) {
      const room = this.#parser.room();
      const wanted = room.subarray(0, Math.min(room.length, size - this.#size));
      const count = await retried(() => file.read(wanted, this.#size));
      if (count === 0) break;
      this.#parser.filled(count);
      this.#size += count;
      await between();
    }
    this.#finish();
  }

  /** Adds whole lines that were written at the end. */
  append(lines: Uint8Array): void {
    feed(this.#parser, lines);
    this.#size += lines.length;
    this.#finish();
  }

  #finish(): void {
    const parser = this.#parser;
    this.#lacksNewline = false;
    if (parser.pending > 0 || parser.isWaiting) {
      parser.end();
      this.#lacksNewline = parser.missingFinalNewline;
      this.#parser = this.#parserFrom(this.#size + 1, parser.lines, SMALLEST);
    }
    if (this.#corruption) throw new EventLogIntegrityError(this.#log, this.#corruption);
  }

  #parserFrom(offset: number, lines: number, capacity: number): LogParser {
    const visitor = {
      record: this.memory.take.bind(this.memory),
      corrupt: (found: Corruption) => {
        this.#corruption ??= found;
      },
    };
    return new LogParser(this.#form, visitor, { offset, lines, capacity });
  }

  /** Counts the newline that is added to an unterminated last line. */
  endLine(): void {
    if (!this.#lacksNewline) return;
    this.#lacksNewline = false;
    this.#size += 1;
  }
}
