import type * as z from 'zod';
import { readEpisodeFile } from '../base/files/files.ts';
import { duplicateKey, lintJson } from '../base/json/lint.ts';
import { parseExactJson } from '../base/json/parse.ts';
import { type DocumentOutcome, exactDocument, parseDocument } from '../base/json/parse-document.ts';
import { type JsonPath, valueAt } from '../base/json/path.ts';
import type { JsonValue } from '../base/json/value.ts';
import type { EventRemark } from './check.ts';
import type { FindingCode } from './codes.ts';
import type { Findings } from './findings.ts';
import { type Places, placesInDocument } from './place.ts';
import { schemaIssues } from './schema-issues.ts';
import type { Severity } from './severity.ts';

/** A remark about a document. */
interface DocumentRemark extends EventRemark {
  readonly eventId?: string;
}

/** A readable JSON artifact of an episode: its value, and a way to report on its parts. */
export class Document {
  readonly name: string;
  readonly bytes: Buffer;
  readonly value: JsonValue;
  readonly #findings: Findings;
  readonly #places: Places;
  readonly #mayRound: boolean;
  #exact: JsonValue | undefined;

  constructor(name: string, bytes: Buffer, value: JsonValue, findings: Findings, mayRound = true) {
    this.#mayRound = mayRound;
    this.name = name;
    this.bytes = bytes;
    this.value = value;
    this.#findings = findings;
    this.#places = placesInDocument(bytes);
  }

  /** The value with numbers as stored. */
  get exact(): JsonValue {
    this.#exact ??= exactDocument(this.bytes, this.value);
    return this.#exact;
  }

  /** The value with normalised numbers, for comparisons. */
  get comparable(): JsonValue {
    return this.#mayRound ? this.exact : this.value;
  }

  /** The value of {@link comparable} at a path, using own keys only; undefined if there is none. */
  comparableAt(path: JsonPath): JsonValue | undefined {
    const value = valueAt(this.value, path) as JsonValue | undefined;
    const holdsNone = typeof value === 'string' || typeof value === 'boolean' || value == null;
    if (holdsNone || !this.#mayRound) return value;
    // Finding one value is faster than parsing the whole document again, and few parts are compared.
    const { start, end } = this.#places.locate(path);
    return parseExactJson(this.bytes.toString('utf8', start, end), () => value);
  }

  /** Reports a remark at its path. */
  at({ path = [], ...remark }: DocumentRemark): void {
    const { code, severity } = remark;
    const { line, column } = this.#places.spotAt(path);
    const head = { code, severity, file: this.name, line, column: () => column };
    this.#findings.reportAt(head, () =>
      Object.assign({}, remark, { file: this.name }, this.#places.at(path)),
    );
  }

  /** Reports `code` for each place where the document does not fit a schema. Returns whether it fits. */
  fits(schema: z.ZodType, code: FindingCode, severity?: Severity): boolean {
    const issues = schemaIssues(schema, this.value);
    for (const { path, message, expected, actual } of issues)
      this.at({ code, ...(severity && { severity }), message, path, expected, actual });
    return issues.length === 0;
  }
}

type Parsed = Extract<DocumentOutcome, { ok: true }>;

/** Parses bytes as a JSON document. If they are not one, reports `code` and returns undefined. */
export function parseOrReport(
  name: string,
  bytes: Buffer,
  code: FindingCode,
  findings: Findings,
): Parsed | undefined {
  const outcome = parseDocument(bytes);
  if (outcome.ok) return outcome;
  const { offset, message } = outcome;
  const place = placesInDocument(bytes).between(offset, Math.min(bytes.length, offset + 1));
  findings.report({ code, message, file: name, ...place });
  return undefined;
}

function reportDuplicates(name: string, bytes: Buffer, findings: Findings): void {
  const code = 'log/duplicate-key';
  const places = placesInDocument(bytes);
  for (const notice of lintJson(bytes, 0, bytes.length)) {
    if (notice.kind !== 'duplicate-key') continue;
    const { start, end } = notice;
    const rest = () =>
      ({
        code,
        message: duplicateKey(notice),
        path: notice.path(),
        file: name,
        ...places.between(start, end),
      }) as const;
    const { line, column } = places.between(start, end);
    findings.reportAt({ code, file: name, line, column: () => column }, rest);
  }
}

/** Opens bytes as a JSON document. If they are not one, reports `code` and returns undefined. */
export function openDocument(
  name: string,
  bytes: Buffer,
  code: FindingCode,
  findings: Findings,
): Document | undefined {
  const parsed = parseOrReport(name, bytes, code, findings);
  if (parsed === undefined) return undefined;
  if (parsed.maybeDuplicate) reportDuplicates(name, bytes, findings);
  return new Document(name, bytes, parsed.value, findings, parsed.mayRound);
}

/**
 * Opens the stored state of a log. Returns a text that says why there is nothing to check. Reports an existing
 * file that cannot be read or is not JSON.
 */
export function openState(dir: string, name: string, findings: Findings): Document | string {
  const outcome = readEpisodeFile(dir, name);
  if (outcome.kind === 'missing') return `no ${name}`;
  if (outcome.kind === 'unreadable') {
    const message = `cannot be read (${outcome.reason})`;
    findings.report({ code: 'artifact/unreadable', message, file: name });
  }
  const document =
    outcome.kind === 'read' ? openDocument(name, outcome.bytes, 'state/invalid-json', findings) : undefined;
  return document ?? `${name} is missing or cannot be read`;
}
