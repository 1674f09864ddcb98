import type { FastLane, LanePosition } from '../../../log/fast-lane.ts';
import type { ActTexts } from '../outcome-projection.ts';
import { isOneOf, PHASES, type Phase } from '../vocabulary.ts';
import { borrow, type FastModule, giveBack } from './module.ts';

const PROJECT = 2;
const RUN_EVENTS = 1 << 17;
const ALL_LINES = 0x7fffffff;

/** What a lane is asked to do. */
export interface LaneSettings {
  /** Hold each record against the rules that verification knows, and remember it; else only check that it is JSON. */
  readonly verify: boolean;
  /** Phases whose records are never accepted, so that the visitor sees them. */
  readonly seen: readonly Phase[];
  /** Of the runtime's events, those that tell of the run itself are not accepted either. */
  readonly runEvents?: boolean;
  /** Nothing that begins at or after this offset of the file is accepted. */
  readonly stopAtByte?: number | undefined;
  /** The numbers of records, from 1 and ascending, that are not accepted. */
  readonly stopAtRecords?: readonly number[];
}

/** The fast lane for Noēsis logs, in WebAssembly (wasm/). */
export class NoesisLane implements FastLane {
  accepted = 0;
  projectEnd = -1;
  readonly module: FastModule;
  readonly #input: number;
  readonly #size: number;
  readonly #stopAtByte: number;
  readonly #stopAtRecords: readonly number[];
  #buffer: Buffer;

  private constructor(module: FastModule, settings: LaneSettings) {
    const { verify, seen, runEvents, stopAtByte, stopAtRecords = [] } = settings;
    this.module = module;
    this.#input = module.input();
    this.#size = module.inputSize();
    this.#stopAtByte = stopAtByte ?? Infinity;
    this.#stopAtRecords = stopAtRecords;
    const mask = seen.reduce(
      (bits, phase) => bits | (1 << PHASES.indexOf(phase)),
      runEvents ? RUN_EVENTS : 0,
    );
    // Seeded anew for each log, so that none can be written to make its ids collide.
    module.begin(verify, mask, (Math.random() * 0x1_0000_0000) | 0);
    this.#buffer = this.#view();
  }

  /** A lane with memory of its own, until it is closed; undefined where this machine cannot run it. */
  static open(settings: LaneSettings): NoesisLane | undefined {
    const module = borrow();
    return module && new NoesisLane(module, settings);
  }

  /** To be called when the log has been read and nothing more is asked of the ledger. */
  close(): void {
    giveBack(this.module);
  }

  get buffer(): Buffer {
    if (this.#buffer.buffer !== this.module.memory.buffer) this.#buffer = this.#view();
    return this.#buffer;
  }

  run(from: number, to: number, { line, records, offset }: LanePosition): number {
    const { module } = this;
    this.accepted = 0;
    this.projectEnd = -1;
    const bound = Math.min(to, from + Math.max(0, this.#stopAtByte - offset));
    const most = this.#recordsBeforeStop(records);
    if (bound <= from || most === 0) return from;
    const next = module.run(this.#input + from, this.#input + bound, line, most) - this.#input;
    this.accepted = module.accepted.value as number;
    if (next < bound && this.accepted < most && module.verdict.value === PROJECT) {
      this.projectEnd = (module.end.value as number) - this.#input;
    }
    return next;
  }

  /** The texts of the accepted act; undefined where it holds more than these, so that it must be parsed. */
  act(): ActTexts | undefined {
    const at = this.module.actSlots();
    if (at === 0) return undefined;
    const slots = new Uint32Array(this.module.memory.buffer, at, 20);
    const { buffer } = this;
    const text = (slot: number): string | undefined => {
      const start = slots[slot * 2] as number;
      if (start === 0) return undefined;
      const from = start - this.#input;
      return buffer.toString('utf8', from, from + (slots[slot * 2 + 1] as number));
    };
    return {
      action_id: text(0),
      kind: text(1),
      tool: text(2),
      input_excerpt: text(3),
      outcome: text(4),
      result_status: text(5),
      step_id: text(6),
      step_status: text(7),
      timestamp: text(8),
      id: text(9),
    };
  }

  prepare(length: number): void {
    this.module.prepare(length);
  }

  #recordsBeforeStop(records: number): number {
    for (const stop of this.#stopAtRecords) if (stop > records) return stop - records - 1;
    return ALL_LINES;
  }

  #view(): Buffer {
    return Buffer.from(this.module.memory.buffer, this.#input, this.#size + 1);
  }
}

/** Phases that a projection is made of, and those that may end a run; each with the runtime's events about the run. */
const SEEN = { projection: ['start', 'plan', 'act', 'terminate'], all: ['terminate'] } as const;

/**
 * A lane that only checks that records are JSON, and leaves the first and those of some phases to the visitor.
 * Undefined where this machine has none, or where a phase is none that the lane knows.
 */
export function selectionLane(wanted: readonly string[] | keyof typeof SEEN): NoesisLane | undefined {
  const aboutTheRun = typeof wanted === 'string';
  const phases: readonly string[] = aboutTheRun ? SEEN[wanted] : wanted;
  const seen = phases.filter((phase) => isOneOf(PHASES, phase));
  return seen.length < phases.length
    ? undefined
    : NoesisLane.open({ verify: false, seen, runEvents: aboutTheRun, stopAtRecords: [1] });
}
