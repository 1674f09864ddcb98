import { setTimeout as delay } from 'node:timers/promises';
import { FileError, reasonOf, UsageError } from '../../base/errors.ts';
import { jsonIn } from '../../base/json/parse.ts';
import { isObject } from '../../base/json/value.ts';
import type { OtlpRequest } from '../../show/export/otlp.ts';
import { Interrupted, type Io } from '../io.ts';

/** HTTP statuses that ask the client to retry (OTLP/HTTP). */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const ATTEMPTS = 6;
/** In milliseconds: the delay before the first retry, doubled for each further one. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;
/** In milliseconds: a request without a response is aborted after this time, and retried. */
const RESPONSE_TIMEOUT = 30_000;

/** In bytes: the rest of a response is not read. */
const MOST_READ = 64 * 1024;

/** The URL for traces: `/v1/traces` if it has no path, as in OpenTelemetry exporters. */
export function tracesUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    // An invalid URL may also contain a password.
    const shown = /[@?]/.test(text) ? 'the value of --to' : JSON.stringify(text);
    throw new UsageError('usage', `${shown} is not the URL of a collector`, {
      hint: 'give a URL such as http://localhost:4318',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('usage', 'the URL of --to has a user or a password: others could see it', {
      hint: 'remove them from the URL, and set OTEL_EXPORTER_OTLP_HEADERS=authorization=Basic%20…',
    });
  }
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url;
}

/** A URL for display, without the query, which may contain a key. */
export const shownUrl = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

/** Adds a header from `name=value`. `decode` decodes the value, `refuse` makes the error. */
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

/** Headers from `--header`, and from OTEL_EXPORTER_OTLP_HEADERS, which is URL-encoded. */
export function headersFor(options: readonly string[], env: Io['env']): Headers {
  const headers = new Headers({ 'content-type': 'application/json' });
  const fromEnvironment = (env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '')
    .split(',')
    .filter((pair) => pair.trim() !== '');
  // Never shows a value, which may be a key.
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
          hint: 'add --header authorization="Bearer …"',
        }),
    );
  return headers;
}

/** The beginning of a response, because the rest may never end. */
async function beginningOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early closes the connection.
  for await (const part of body ?? []) {
    parts.push(part);
    size += part.length;
    if (size >= MOST_READ) break;
  }
  return Buffer.concat(parts).subarray(0, MOST_READ).toString();
}

const isJsonType = (type: string): boolean => /^application\/json\s*(?:;|$)/i.test(type);

function waitOf(response: Response | undefined, attempt: number): number {
  const said = Number(response?.headers.get('retry-after') ?? Number.NaN) * 1000;
  const own = FIRST_WAIT * 2 ** attempt;
  return Math.min(Number.isFinite(said) ? Math.max(said, 0) : own, LONGEST_WAIT);
}

/** Sends requests to a collector, with retries. */
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

  /** @throws FileError `unwritable` if the collector refuses, or is still unavailable after all attempts. */
  async post(request: OtlpRequest): Promise<void> {
    const body = JSON.stringify(request);
    let why = '';
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      let response: Response | undefined;
      try {
        const signal = AbortSignal.any([this.#interrupted, AbortSignal.timeout(RESPONSE_TIMEOUT)]);
        // Refuses redirects, because traces and headers must only reach this host.
        const redirect = 'manual';
        response = await fetch(this.#url, { method: 'POST', headers: this.#headers, body, signal, redirect });
        const answer = await beginningOf(response);
        if (response.ok) {
          this.#requireAccepted(response, answer);
          this.sent += 1;
          return;
        }
        why =
          response.status >= 300 && response.status < 400
            ? `it answered ${response.status}, and redirects are not followed: name the URL that it leads to`
            : `it answered ${response.status} ${answer.slice(0, 200)}`.trim();
        if (!RETRIED.has(response.status)) throw this.#failed(why);
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

  /** Throws if the response is not from a collector, or if the collector dropped spans. */
  #requireAccepted(response: Response, answer: string): void {
    if (answer === '') return;
    const type = response.headers.get('content-type') ?? 'no content type';
    const reply = isJsonType(type) ? jsonIn(answer) : undefined;
    if (!isObject(reply))
      throw this.#failed(`it answered ${response.status} with ${type}, which no collector does`);
    const { partialSuccess } = reply;
    const rejected = isObject(partialSuccess) ? Number(partialSuccess['rejectedSpans'] ?? 0) : 0;
    if (rejected !== 0)
      throw this.#failed(`it rejected ${Number.isFinite(rejected) ? rejected : 'some'} spans`);
  }

  #failed(why: string): FileError {
    return new FileError('unwritable', `cannot send to ${shownUrl(this.#url)}: ${why}`, {
      hint: 'run the export again; it sends the same trace',
    });
  }
}
