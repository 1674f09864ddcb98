import { catalogueEntry } from '../../dialects/catalogue.ts';
import type { Finding } from '../../findings/finding.ts';
import type { CodeMeaning, Meanings } from './page-data.ts';

/** The catalogue's entries for the codes in a report. */
export function meaningsOf(findings: Iterable<Pick<Finding, 'code'>>): Meanings {
  const meanings: Record<string, CodeMeaning> = {};
  for (const { code } of findings) {
    const entry = catalogueEntry(code);
    if (entry !== undefined) meanings[code] ??= { meaning: entry.meaning, why: entry.why, fix: entry.fix };
  }
  return meanings;
}
