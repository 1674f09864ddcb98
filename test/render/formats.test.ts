import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FORMATS,
  renderReport,
  WHOLE_FORMATS,
  type WholeFormat,
} from '../../src/cli/report/report-formats.ts';
import { plain } from '../../src/show/render/style.ts';
import { times } from '../support/length.ts';
import { DANGEROUS, reports } from './arbitrary.ts';
import { ROOT } from './reports.ts';

const LAYOUT = {
  style: plain,
  width: 80,
  relativeTo: ROOT,
  checkout: ROOT,
  quiet: false,
  maxWarnings: undefined,
};

/** Programs read these, and want the texts as they are stored. */
const JSON_FORMATS: ReadonlySet<WholeFormat> = new Set(['json', 'sarif', 'gitlab']);
/** Its data are compressed; its rendering is tested in a browser. */
const PAGES: ReadonlySet<WholeFormat> = new Set(['html']);

/** Checks a format with arbitrary reports. */
async function always(format: WholeFormat, holds: (text: string) => void): Promise<void> {
  const property = fc.asyncProperty(reports, async (report) => {
    holds([...(await renderReport(format, report, LAYOUT))].join(''));
  });
  await fc.assert(property, { numRuns: times(100, 20) });
}

describe('a format', () => {
  test.each(FORMATS)('%s is on the page of the commands', (format) => {
    const page = readFileSync(new URL('../../docs/commands.md', import.meta.url), 'utf8');
    const row = page
      .split('\n')
      .find((line) => line.startsWith('| `-f, --format <name>` | output format of the report'));
    expect(row).toContain(format);
  });

  test.each(WHOLE_FORMATS.filter((format) => !JSON_FORMATS.has(format) && !PAGES.has(format)))(
    '%s lets no dangerous character of a trace through',
    (format) => always(format, (text) => expect(text).not.toMatch(DANGEROUS)),
  );

  test.each([...JSON_FORMATS])('%s is one JSON document', (format) =>
    always(format, (text) => JSON.parse(text)),
  );
});
