import fc from 'fast-check';
import type { FindingCode } from '../../src/findings/codes.ts';
import type { Finding } from '../../src/findings/finding.ts';
import {
  assembleReport,
  type EpisodeReport,
  type Stage,
  severityCounts,
  verdictOf,
} from '../../src/findings/report.ts';
import { STAGES } from '../../src/findings/report-words.ts';

const nasty = fc.constantFrom(
  '\x1b[2J',
  '\n',
  '\r\n',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\ud800',
  '\udc00',
  '\0',
  '\x9b',
  ']]>',
  '&#0;',
  '👍🏽',
  '日',
  'и\u0306',
  '|',
  '`',
  '%',
  '::',
  '](x',
  '\ufffe',
  '\u{e0041}',
  'a '.repeat(60),
  '../',
);

/** Text as an attacker writes it. */
export const text = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ maxLength: 12 })), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

const codes = fc.constantFrom(
  'log/invalid-json',
  'event/payload',
  'seal/missing',
  'order/cycle',
  'sequence/gap',
  'x',
);

const natural = fc.nat({ max: 300 });

const finding: fc.Arbitrary<Finding> = fc.record(
  {
    // Whatever a report from elsewhere may hold.
    code: fc.oneof(codes, text) as fc.Arbitrary<FindingCode>,
    severity: fc.constantFrom('error', 'warn', 'info'),
    message: text,
    file: fc.oneof(fc.constant('events.jsonl'), text),
    hint: text,
    line: natural,
    column: natural,
    byteStart: natural,
    byteEnd: natural,
    eventId: text,
    path: text,
    expected: text,
    actual: text,
    excerpt: text,
  },
  { requiredKeys: ['code', 'severity', 'message', 'file'] },
);

const stages: fc.Arbitrary<Stage[]> = fc.tuple(...STAGES.map(() => fc.option(text))).map((reasons) =>
  STAGES.map((name, index) => {
    const reason = reasons[index] ?? undefined;
    return reason === undefined ? { name, status: 'ran' } : { name, status: 'skipped', reason };
  }),
);

const episode: fc.Arbitrary<EpisodeReport> = fc
  .record({
    episode: text,
    path: fc.oneof(
      text,
      text.map((name) => `/root/${name}`),
      text.map((name) => `C:\\${name}`),
    ),
    dialect: fc.constantFrom('noesis', 'exarchos'),
    events: natural,
    bytes: natural,
    sealed: fc.boolean(),
    stages,
    findings: fc.array(finding, { maxLength: 12 }),
  })
  .map(({ findings, ...parts }) => ({
    ...parts,
    verdict: verdictOf(severityCounts({ findings })),
    findings,
  }));

/** A report that only keeps to its types. */
export const reports = fc
  .array(episode, { maxLength: 3 })
  .map((episodes) => assembleReport('1.2.3', episodes));

/** Characters that must never reach a terminal: controls, bidi controls and invisible ones. The newline is ours. */
export const DANGEROUS =
  /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}\p{Surrogate}]/u;
