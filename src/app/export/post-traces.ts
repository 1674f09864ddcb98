import { setTimeout as delay } from 'node:timers/promises';
import { FileError, reasonOf, UsageError } from '../../errors.ts';
import type { OtlpRequest } from '../../export/otlp.ts';
import { parseJson } from '../../json/parse.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { Interrupted, type Io } from '../io.ts';

/** What a collector says when it may take the same request later (OTLP/HTTP). */
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const ATTEMPTS = 6;
/** Before the second attempt, doubled for each further one. In milliseconds. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
/** A collector that does not answer in this time is tried again. In milliseconds. */
const PATIENCE = 30_000;

/** The most that is read of an answer, in bytes. */
const MOST_READ = 64 * 1024;

/** Where traces are sent: `/v1/traces` where a URL names no path, as the OpenTelemetry exporters do. */
export function tracesUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // What is no URL may still have a password.
    const shown = /[@?]/.test(text) ? 'the value of --to' : JSON.stringify(text);
    throw new UsageError('usage', `${shown} is not the URL of a collector`, {
      hint: 'such as http://localhost:4318',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('usage', 'the URL of --to has a user or a password: others could see it', {
      hint: 'leave them out, and set OTEL_EXPORTER_OTLP_HEADERS=authorization=Basic%20…',
    });
  }
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url;
}

/** A URL as it is shown: a query may have a key. */
export const shownUrl = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

/** Adds a `name=value` pair; `decode` gives the value, `refuse` what is thrown where it is none. */
function addHeader(
  headers: Headers,
  pair: string,
  decode: (value: string) => string,
  refuse: () => UsageError,
): void {
  const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=\s*(.*)$/s.exec(pair) ?? [];
  try {
    headers.set(name, decode(value));
  } catch {
    throw refuse();
  }
}

/** `name=value` pairs: those of `--header`, and those of OTEL_EXPORTER_OTLP_HEADERS, which are encoded as in a URL. */
export function headersFor(options: readonly string[], env: Io['env']): Headers {
  const headers = new Headers({ 'content-type': 'application/json' });
  const fromEnvironment = (env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '')
    .split(',')
    .filter((pair) => pair.trim() !== '');
  // No value is shown: it may be a key.
  for (const [index, pair] of fromEnvironment.entries())
    addHeader(
      headers,
      pair,
      decodeURIComponent,
      () =>
        new UsageError(
          'usage',
          `header ${index + 1} in OTEL_EXPORTER_OTLP_HEADERS is not written as name=value`,
          {
            hint: 'separate headers by commas, and encode values as in a URL: authorization=Bearer%20…',
          },
        ),
    );
  for (const pair of options)
    addHeader(
      headers,
      pair,
      (value) => value,
      () =>
        new UsageError('usage', 'a header is written as NAME=VALUE', {
          hint: '--header authorization="Bearer …"',
        }),
    );
  return headers;
}

/** The beginning of an answer. The rest is not read: it may have no end. */
async function beginningOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop ends the connection.
  for await (const part of body ?? []) {
    parts.push(part);
    size += part.length;
    if (size >= MOST_READ) break;
  }
  return Buffer.concat(parts).subarray(0, MOST_READ).toString();
}

const isJsonType = (type: string): boolean => /^application\/json\s*(?:;|$)/i.test(type);

/** The JSON object that an answer is; undefined if it is anything else. */
function objectIn(answer: string): JsonObject | undefined {
  try {
    const value = parseJson(answer);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
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
        // The trace and the headers are for this host alone.
        const redirect = 'manual';
        response = await fetch(this.#url, { method: 'POST', headers: this.#headers, body, signal, redirect });
        const answer = await beginningOf(response);
        if (response.ok) {
          this.#heed(response, answer);
          this.sent += 1;
          return;
        }
        why =
          response.status >= 300 && response.status < 400
            ? `it answered ${response.status}, and redirects are not followed: name the URL that it leads to`
            : `it answered ${response.status} ${answer.slice(0, 200)}`.trim();
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

  /** What answers may be no collector, or one that took a request and dropped some of its spans. */
  #heed(response: Response, answer: string): void {
    if (answer === '') return;
    const type = response.headers.get('content-type') ?? 'no content type';
    const told = isJsonType(type) ? objectIn(answer) : undefined;
    if (told === undefined)
      throw this.#failed(`it answered ${response.status} with ${type}, which no collector does`);
    const { partialSuccess } = told;
    const rejected = isObject(partialSuccess) ? Number(partialSuccess['rejectedSpans'] ?? 0) : 0;
    if (rejected !== 0)
      throw this.#failed(`it rejected ${Number.isFinite(rejected) ? rejected : 'some'} spans`);
  }

  #failed(why: string): FileError {
    return new FileError('unwritable', `cannot send to ${shownUrl(this.#url)}: ${why}`, {
      hint: 'a second export is the same trace: it can be run again',
    });
  }
}
