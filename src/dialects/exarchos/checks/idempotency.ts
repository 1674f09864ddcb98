import { createHash } from 'node:crypto';
import type { EventReporter, LoggedEvent } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { jsonEqual } from '../../../json/value.ts';
import { IdIndex } from '../../../log/id-index.ts';
import type { StreamNamer } from '../identity.ts';
import type { StreamCheck, StreamEvent } from '../rows.ts';

/** How many keyed events of a stream the store remembers (exarchos.md §5). */
const WINDOW = 200;

/** A record longer than this is remembered by its hash. */
const MAX_KEPT_BYTES = 64 * 1024;

interface Keyed {
  readonly line: number;
  readonly type: unknown;
  /** Gives the payload, or for a long record the hash of its text. */
  readonly content: () => unknown;
}

/** How an event whose key came before is beside the one that had it. */
type Kind = 'same' | 'other' | 'forgotten';

const HOW: Readonly<Record<Kind, string>> = {
  same: 'with the same content',
  other: 'with another content',
  forgotten: `more than ${WINDOW} keyed events before: the store has forgotten it by then`,
};

/** Neighbouring lines whose keys came before, to be told as one. */
interface Run {
  readonly kind: Kind;
  readonly draft: FindingDraft;
  readonly firstLine: number;
  lastLine: number;
  /** The line where the key of the first stood before. */
  readonly before: number;
}

function keyed({ record, event, line, payload }: StreamEvent): Keyed {
  const { type } = event;
  if (record.byteEnd - record.byteStart <= MAX_KEPT_BYTES) return { line, type, content: payload };
  const hash = createHash('sha256')
    .update(JSON.stringify(payload() ?? null))
    .digest('hex');
  return { line, type, content: () => hash };
}

/**
 * Idempotency keys. One key stands once among 200 keyed events of a stream; known ways of appending pass the check by
 * (exarchos.md §5, §19). Farther apart a repeat is legal, for the store forgets.
 */
export class IdempotencyCheck implements StreamCheck {
  readonly #report: EventReporter;
  readonly #streamOf: StreamNamer;
  /** By stream, the keys and where they stood first. */
  readonly #lines = new Map<string, IdIndex>();
  readonly #recent = new Map<string, Map<string, Keyed>>();
  #run: Run | undefined;

  constructor(report: EventReporter, streamOf: StreamNamer) {
    this.#report = report;
    this.#streamOf = streamOf;
  }

  /** The line on which a key of a stream stood first; undefined when it has not come yet. */
  lineOf(stream: string, key: string): number | undefined {
    const lines = this.#lines.get(stream);
    const ordinal = lines?.find(key) ?? -1;
    return ordinal < 0 ? undefined : lines?.lineOf(ordinal);
  }

  event(logged: StreamEvent): void {
    const { idempotencyKey: key } = logged.event;
    if (typeof key !== 'string') return;
    const stream = this.#streamOf(logged.event);
    const recent = this.#recent.get(stream) ?? new Map<string, Keyed>();
    const lines = this.#lines.get(stream) ?? new IdIndex();
    if (recent.size === 0) {
      this.#recent.set(stream, recent);
      this.#lines.set(stream, lines);
    }
    const first = lines.add(key, logged.line);
    const now = keyed(logged);
    if (first >= 0) {
      this.#repeat(logged, key, now, recent.get(key), lines.lineOf(first));
      recent.delete(key);
    }
    recent.set(key, now);
    if (recent.size <= WINDOW) return;
    const { value: oldest } = recent.keys().next();
    if (oldest !== undefined) recent.delete(oldest);
  }

  end(): void {
    this.#close();
  }

  #repeat(logged: LoggedEvent, key: string, now: Keyed, before: Keyed | undefined, firstLine: number): void {
    const same = before && before.type === now.type && jsonEqual(before.content(), now.content());
    const kind = same === undefined ? 'forgotten' : same ? 'same' : 'other';
    const { line } = logged;
    if (this.#run?.kind === kind && line === this.#run.lastLine + 1) {
      this.#run.lastLine = line;
      return;
    }
    this.#close();
    const draft = this.#report.draft(logged, {
      code: 'idempotency/duplicate',
      ...(kind !== 'other' && { severity: 'info' as const }),
      message: '',
      path: ['idempotencyKey'],
      actual: key,
    });
    this.#run = { kind, draft, firstLine: line, lastLine: line, before: before?.line ?? firstLine };
  }

  /** Says of the keys that came again on neighbouring lines that they did. */
  #close(): void {
    const run = this.#run;
    this.#run = undefined;
    if (run === undefined) return;
    const { kind, draft, firstLine, lastLine, before } = run;
    const keys =
      firstLine === lastLine
        ? `the key stands on line ${before} already`
        : `the keys of lines ${firstLine} to ${lastLine} came before, that of the first on line ${before}`;
    this.#report.report({ ...draft, message: `${keys}, ${HOW[kind]}` });
  }
}
