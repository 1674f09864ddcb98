import { parsePath } from '../base/json/path.ts';
import type { DocumentPlaces } from '../find/document-places.ts';
import { CUT_DOCUMENT } from '../find/document-source.ts';
import type { DocumentFile } from '../find/mount.ts';
import type { Finding } from '../findings/finding.ts';
import { compareFindings } from '../findings/order.ts';
import type { EpisodeReport } from '../findings/report.ts';

/** A finding at its place in the document. */
function inDocument(finding: Finding, places: DocumentPlaces): Finding {
  const { line, column, path = '', message } = finding;
  const at = line === undefined ? undefined : places.at(line, parsePath(path) ?? []);
  if (at === undefined) return finding;
  // If a line has several records, only the numbers of the records identify them.
  const said =
    finding.code === 'log/truncated'
      ? CUT_DOCUMENT
      : places.areTrue
        ? message
        : message.replace(/\b(?:on )?line (\d+)\b/g, 'in record $1');
  const { path: where, ...place } = at;
  return {
    ...finding,
    message: said,
    ...(column === undefined && places.areTrue ? { line: place.line } : place),
    ...(where !== undefined && (path !== '' || !places.areTrue) && { path: where }),
  };
}

/** The last line of the copy breaks off in place of what is damaged, so it has no place in the file. */
function withDamage(finding: Finding, message: string): Finding {
  if (finding.code !== 'log/truncated') return finding;
  const {
    line: _line,
    column: _column,
    byteStart: _start,
    byteEnd: _end,
    excerpt: _excerpt,
    ...rest
  } = finding;
  return { ...rest, message };
}

/** Turns the report on a copy into one on the document. */
export function asDocument(report: EpisodeReport, { places, damage }: DocumentFile): EpisodeReport {
  const placed = places
    ? report.findings.map((finding) => inDocument(finding, places)).sort(compareFindings)
    : report.findings;
  const findings = damage === undefined ? placed : placed.map((finding) => withDamage(finding, damage));
  return { ...report, findings };
}
