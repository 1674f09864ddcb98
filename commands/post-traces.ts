import { setTimeout as delay } from 'node:timers/promises';
import { FileError, reasonOf, UsageError } from '../src/errors.ts';
import type { OtlpRequest } from '../src/export/otlp.ts';
import { Interrupted, type Io } from './io.ts';

/** What a collector says when it may take the same request later (OTLP/HTTP). */
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const ATTEMPTS = 6;
/** Before the second attempt, doubled for each further one. In milliseconds. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
/** A collector that does not answer in this time is tried again. In milliseconds. */
const PATIENCE = 30_000;

/** Where traces are sent: `/v1/traces` where a URL names no path, as the OpenTelemetry exporters do. */
export function tracesUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('usage', `${JSON.stringify(text)} is no URL of a collector`, {
      hint: 'such as http://localhost:4318',
    });
  }
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url;
}

/** `name=value` pairs: those of `--header`, and those of OTEL_EXPORTER_OTLP_HEADERS, which are encoded as in a URL. */
export function headersFor(options: readonly string[], env: Io['env']): Headers {
  const headers = new Headers({ 'content-type': 'application/json' });
  const fromEnvironment = (env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '').split(',').filter((pair) => pair !== '');
  const pairs = [...fromEnvironment.map((pair) => decodeURIComponent(pair)), ...options];
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*)$/s.exec(pair) ?? [];
    try {
      headers.set(name, value);
    } catch {
      throw new UsageError('usage', 'a header is written as NAME=VALUE', {
        hint: '--header authorization="Bearer …"',
      });
    }
  }
  return headers;
}

function waitOf(response: Response | undefined, attempt: number): number {
  const said = Number(response?.headers.get('retry-after') ?? Number.NaN) * 1000;
  const own = FIRST_WAIT * 2 ** attempt;
  return Math.min(Number.isFinite(said) ? Math.max(said, 0) : own, LONGEST_WAIT);
}

/** Sends requests to a collector, each as often as it may have to be. */
export class TracePoster {
  readonly #url: URL;
  readonly #headers: Headers;
  readonly #interrupted: AbortSignal;
  sent = 0;

  constructor(url: URL, headers: Headers, interrupted: AbortSignal) {
    this.#url = url;
    this.#headers = headers;
    this.#interrupted = interrupted;
  }

  /** @throws FileError `unwritable` where the collector refuses it, or is not there after all attempts. */
  async post(request: OtlpRequest): Promise<void> {
    const body = JSON.stringify(request);
    let why = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      let response: Response | undefined;
      try {
        const signal = AbortSignal.any([this.#interrupted, AbortSignal.timeout(PATIENCE)]);
        response = await fetch(this.#url, { method: 'POST', headers: this.#headers, body, signal });
        // A body that nobody reads keeps its connection.
        const answer = await response.text();
        if (response.ok) {
          this.sent += 1;
          return this.#heed(answer);
        }
        why = `it answered ${response.status} ${answer.slice(0, 200)}`.trim();
        if (!LATER.has(response.status)) throw this.#failed(why);
      } catch (error) {
        if (this.#interrupted.aborted) throw new Interrupted();
        if (error instanceof FileError) throw error;
        why = reasonOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
      }
      if (attempt + 1 < ATTEMPTS)
        await delay(waitOf(response, attempt), undefined, { signal: this.#interrupted }).catch(() => {
          throw new Interrupted();
        });
    }
    throw this.#failed(why);
  }

  /** A collector may take a request and say that it dropped some of its spans. */
  #heed(answer: string): void {
    let rejected: unknown;
    try {
      const { partialSuccess } = JSON.parse(answer || '{}') as {
        partialSuccess?: { rejectedSpans?: unknown };
      };
      rejected = partialSuccess?.rejectedSpans;
    } catch {
      // Some answer with a text.
    }
    if (rejected !== undefined && Number(rejected) > 0)
      throw this.#failed(`it rejected ${Number(rejected)} spans`);
  }

  #failed(why: string): FileError {
    return new FileError('unwritable', `cannot send to ${this.#url.origin}${this.#url.pathname}: ${why}`, {
      hint: 'a second export is the same trace: it can be run again',
    });
  }
}
