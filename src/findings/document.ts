import { type DocumentOutcome, parseDocument } from '../json/document.ts';
import { lintJson } from '../json/lint.ts';
import type { JsonPath } from '../json/path.ts';
import { excerptAround, placeInText } from '../json/place.ts';
import type { JsonValue } from '../json/value.ts';
import type { FindingCode } from './catalogue/index.ts';
import type { Severity } from './finding.ts';
import type { FindingDraft, Findings } from './findings.ts';
import { placeInDocument } from './place.ts';

/** Something to say about a document that fills a file. */
export interface DocumentRemark {
  readonly code: FindingCode;
  readonly message: string;
  readonly path?: JsonPath;
  readonly severity?: Severity;
  readonly hint?: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly eventId?: string;
}

/** A JSON artifact of an episode that could be read: its value, and a way to report on it with places. */
export class Document {
  readonly name: string;
  readonly bytes: Buffer;
  readonly value: JsonValue;
  readonly #findings: Findings;

  constructor(name: string, bytes: Buffer, value: JsonValue, findings: Findings) {
    this.name = name;
    this.bytes = bytes;
    this.value = value;
    this.#findings = findings;
  }

  /** Reports a remark at the place of its path. */
  at({ path = [], ...remark }: DocumentRemark): void {
    this.#findings.report({ ...remark, file: this.name, ...placeInDocument(this.bytes, path) });
  }
}

function at(
  bytes: Buffer,
  name: string,
  offset: number,
  end: number,
): Omit<FindingDraft, 'code' | 'message'> {
  const { line, column, lineStart, lineEnd } = placeInText(bytes, offset);
  const excerpt = excerptAround(bytes, lineStart, lineEnd, offset);
  return { file: name, line, column, byteStart: offset, byteEnd: end, excerpt };
}

type Parsed = Extract<DocumentOutcome, { ok: true }>;

function parseOrReport(
  name: string,
  bytes: Buffer,
  code: FindingCode,
  findings: Findings,
): Parsed | undefined {
  const outcome = parseDocument(bytes);
  if (outcome.ok) return outcome;
  const { offset, message } = outcome;
  findings.report({ code, message, ...at(bytes, name, offset, Math.min(bytes.length, offset + 1)) });
  return undefined;
}

/** Parses bytes as JSON; where they are none, reports it as `code` and gives undefined. */
export function readDocument(
  name: string,
  bytes: Buffer,
  code: FindingCode,
  findings: Findings,
): JsonValue | undefined {
  return parseOrReport(name, bytes, code, findings)?.value;
}

/** Reads bytes as a JSON document; where they are none, reports it as `code` and gives undefined. */
export function openDocument(
  name: string,
  bytes: Buffer,
  code: FindingCode,
  findings: Findings,
): Document | undefined {
  const parsed = parseOrReport(name, bytes, code, findings);
  if (parsed === undefined) return undefined;
  for (const notice of parsed.maybeDuplicate ? lintJson(bytes, 0, bytes.length) : []) {
    if (notice.kind !== 'duplicate-key') continue;
    const message = `the key ${JSON.stringify(notice.text)} stands twice in one object; readers take the last`;
    findings.report({
      code: 'log/duplicate-key',
      message,
      path: notice.path,
      ...at(bytes, name, notice.start, notice.end),
    });
  }
  return new Document(name, bytes, parsed.value, findings);
}
