import { dirname } from 'node:path';
import { errorCode, FileError, LogError, NoesisError, reasonOf } from '../base/errors.ts';
import type { FileStatus } from '../base/files/port.ts';
import type { JsonObject } from '../base/json/value.ts';
import type { Draft, Writing, WritingPlace } from '../dialects/kit/writing.ts';
import { EventLogIntegrityError } from '../log/integrity-error.ts';
import type { LogForm } from '../log/log-form.ts';
import { type AppendedEvent, DraftedBatch } from './drafted-batch.ts';
import type { HeldLock } from './held-lock.ts';
import { acquireLock, removeLeftovers } from './lock.ts';
import type { Intent } from './lock-file.ts';
import type { LockOptions } from './lock-wait.ts';
import { LogScan } from './log-scan.ts';
import { holdPidLock } from './pid-lock.ts';
import { replaceFile } from './replace-file.ts';
import type { WriterSystem } from './system.ts';
import { retried, writeAll } from './system-calls.ts';
import { undoBatch } from './undo.ts';

export interface AppendOptions extends LockOptions {
  /** Refuse with `log-moved-on` unless the last event of the log has this number. */
  readonly expectSequence?: number | undefined;
  /** The reason for appending events that `verify` will report. It is shown in the remarks and not stored. */
  readonly force?: string | undefined;
}

export interface AppendResult {
  /** The events in order, as stored. */
  readonly events: readonly AppendedEvent[];
  /** The number of the last event in the log. */
  readonly sequence: number;
  /** Warnings for the caller. */
  readonly remarks: readonly string[];
  /** The number of bytes removed because a writer died before it acknowledged them. */
  readonly undone: number;
}

/** A log, and how to write to it. */
export interface WriterTarget {
  readonly place: WritingPlace;
  readonly writing: Writing;
  /** Converts events of older forms. */
  readonly form: LogForm;
}

/** A failed batch that could not be undone. The lock is kept until it is. */
interface Stuck {
  readonly lock: HeldLock;
  readonly intent: Intent;
  /** The number of the last event before the batch. */
  readonly sequence: number;
}

const isSame = (a: FileStatus, b: FileStatus): boolean =>
  a.dev === b.dev &&
  a.ino === b.ino &&
  a.size === b.size &&
  a.mtimeNs === b.mtimeNs &&
  a.ctimeNs === b.ctimeNs;

/**
 * Appends events to one log, all of a call or none. Validates the whole log before the first write, and again if somebody
 * else changed it. Acknowledged events are on disk. Writers in several processes take turns.
 */
export class EventWriter {
  readonly #log: string;
  readonly #target: WriterTarget;
  readonly #system: WriterSystem;
  /** The contents of the log when it was last read, and the status of its file at that time. */
  #scan: LogScan | undefined;
  #known: FileStatus | undefined;
  #stuck: Stuck | undefined;
  #hasCleaned = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(target: WriterTarget, system: WriterSystem) {
    this.#log = target.place.log;
    this.#target = target;
    this.#system = system;
  }

  /**
   * Appends a batch. Resolves when it is on disk.
   *
   * @throws EventLogIntegrityError if the log is corrupt anywhere; nothing is written.
   * @throws NoesisError `event-invalid`, `log-sealed`, `log-moved-on`, `log-locked`, `log-changed`,
   * `unwritable`; the log is unchanged.
   */
  append(events: readonly JsonObject[], options: AppendOptions = {}): Promise<AppendResult> {
    const turn = this.#turn.then(() => {
      options.signal?.throwIfAborted();
      return this.#append(events, options);
    });
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Waits for pending writes. Between batches the writer keeps nothing open. */
  async close(): Promise<void> {
    await this.#turn;
    await this.#mend();
  }

  async #append(events: readonly JsonObject[], options: AppendOptions): Promise<AppendResult> {
    try {
      await this.#mend();
      // Nothing is written to a sealed episode, not even a lock.
      const seal = await this.#seal();
      if (seal !== undefined) return await this.#refuseSealed(seal);
      if (!this.#hasCleaned) await removeLeftovers(this.#log, this.#system);
      this.#hasCleaned = true;
      const lock = await acquireLock(this.#log, this.#system, options);
      return await this.#held(lock, events, options);
    } catch (error) {
      throw this.#asFailure(error);
    }
  }

  /** Always releases the lock, unless a failed write could not be undone. */
  async #held(lock: HeldLock, events: readonly JsonObject[], options: AppendOptions): Promise<AppendResult> {
    let begun: Stuck | undefined;
    try {
      const release = await holdPidLock(this.#target.writing.pidLock?.(this.#log), this.#system, options);
      try {
        const { scan, isMissing } = await this.#catchUp(() => lock.beat());
        const batch = await this.#draft(scan, events, options);
        const seal = await this.#seal();
        if (seal !== undefined) throw this.#sealedBy(seal);
        if (batch.hasNew) this.#requireSequence(scan, options);
        if (batch.hasNew) {
          const bytes = batch.bytes(scan.lacksNewline);
          const intent = { length: scan.size, batch: bytes, created: isMissing };
          begun = { lock, intent, sequence: scan.memory.sequence };
          await lock.intend(intent);
          await this.#write(intent, batch.sequence);
        }
        await lock.release();
        begun = undefined;
        const result = {
          events: batch.appended(scan.lines),
          sequence: batch.sequence,
          remarks: batch.remarks,
          undone: lock.undone,
        };
        this.#take(scan, batch.lines);
        return result;
      } finally {
        await release();
      }
    } catch (error) {
      await this.#giveUp(lock, begun);
      throw error;
    }
  }

  #take(scan: LogScan, lines: Uint8Array): void {
    if (lines.length === 0) return;
    scan.endLine();
    scan.append(lines);
  }

  /** Undoes a failed write and releases the lock. */
  async #giveUp(lock: HeldLock, begun: Stuck | undefined): Promise<void> {
    if (begun) {
      this.#known = undefined;
      this.#stuck = begun;
      await this.#mend().catch(() => {});
    } else await lock.release().catch(() => lock.close());
  }

  async #mend(): Promise<void> {
    if (this.#stuck === undefined) return;
    const { lock, intent, sequence } = this.#stuck;
    if (await lock.isOwn()) await undoBatch(this.#system.files, this.#log, intent);
    await this.#writeCompanions(sequence).catch(() => {});
    await lock.release();
    this.#stuck = undefined;
  }

  /** Reads the part of the log that is new to this writer, if there is any. */
  async #catchUp(beat: () => Promise<void>): Promise<{ scan: LogScan; isMissing: boolean }> {
    const { files } = this.#system;
    const { writing, place, form } = this.#target;
    const status = await files.status(this.#log);
    const isCurrent = this.#scan !== undefined && this.#scan.memory.isStale !== true;
    if (this.#scan && isCurrent && status && this.#known && isSame(status, this.#known))
      return { scan: this.#scan, isMissing: false };
    const scan = new LogScan(this.#log, writing.memory(place), status?.size ?? 0, form);
    this.#scan = undefined;
    if (status) {
      const file = await retried(() => files.open(this.#log, 'read'));
      try {
        const opened = await file.status();
        await scan.read(file, opened.size, beat);
        this.#known = opened;
      } finally {
        await file.close();
      }
    }
    this.#scan = scan;
    return { scan, isMissing: status === undefined };
  }

  async #draft(
    scan: LogScan,
    events: readonly JsonObject[],
    { force }: AppendOptions,
  ): Promise<DraftedBatch> {
    const { newId, now } = this.#system;
    const batch = scan.memory.batch({ now: now(), newId, force });
    const drafts: Draft[] = [];
    for (const event of events) drafts.push(batch.add(event));
    return DraftedBatch.of(this.#log, drafts, batch.sequence, this.#system.files);
  }

  #requireSequence({ memory }: LogScan, { expectSequence }: AppendOptions): void {
    if (expectSequence === undefined || expectSequence === memory.sequence) return;
    throw new LogError(
      'log-moved-on',
      `the last event of ${this.#log} has the number ${memory.sequence}, and ${expectSequence} was expected: nothing was appended`,
      { place: { file: this.#log }, hint: 'read the new events, decide again, and expect the new number' },
    );
  }

  async #write(intent: Intent, sequence: number): Promise<void> {
    const { files } = this.#system;
    const file = await retried(() => files.open(this.#log, 'append'));
    try {
      const before = await file.status();
      if (before.size !== intent.length)
        throw new LogError(
          'log-changed',
          `${this.#log} was changed by a program that does not use the lock`,
          {
            place: { file: this.#log },
            hint: 'try again when that program has ended; nothing was appended',
          },
        );
      await writeAll(file, intent.batch);
      await retried(() => file.sync());
      this.#known = await file.status();
    } finally {
      await file.close();
    }
    if (intent.created) await retried(() => files.syncFolder(dirname(this.#log)));
    await this.#writeCompanions(sequence);
  }

  async #writeCompanions(sequence: number): Promise<void> {
    for (const { path, text } of this.#target.writing.companions?.(this.#log, sequence) ?? [])
      await replaceFile(path, Buffer.from(text), this.#system);
  }

  /** The file that seals the log, if it exists. */
  async #seal(): Promise<string | undefined> {
    const path = this.#target.writing.sealFile?.(this.#log);
    return path !== undefined && (await this.#system.files.status(path)) ? path : undefined;
  }

  #sealedBy(file: string): NoesisError {
    return new LogError('log-sealed', `${this.#log} is sealed by ${file}: nothing can be appended`, {
      place: { file },
      hint: 'start another run; a sealed one must not change',
    });
  }

  /** Reports corruption before it reports the seal. What the event says does not matter. */
  async #refuseSealed(seal: string): Promise<never> {
    await this.#catchUp(async () => {});
    throw this.#sealedBy(seal);
  }

  #asFailure(error: unknown): unknown {
    if (error instanceof NoesisError || error instanceof EventLogIntegrityError) return error;
    if (errorCode(error) === undefined) return error;
    const stuck = this.#stuck
      ? `; the incomplete batch could not be removed: the lock stays until it is`
      : ': the log is as it was';
    return new FileError('unwritable', `cannot append to ${this.#log} (${reasonOf(error)})${stuck}`, {
      place: { file: this.#log },
      hint: 'correct what the system reports, and append again',
      cause: error,
    });
  }
}
