import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { forOutput } from '../../src/base/json/output.ts';
import { noesis } from '../../src/dialects/noesis/index.ts';
import type { VerifyReport } from '../../src/findings/report.ts';
import { reportSchema } from '../../src/findings/report-schema.ts';
import * as library from '../../src/library/index.ts';
import { jsonSchema } from '../../src/read/outputs/json-schema.ts';

/** A report with every optional member. */
type Complete<T> = T extends readonly (infer Item)[]
  ? readonly Complete<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]-?: Complete<T[Key]> }
    : T;

const report: Complete<VerifyReport> = {
  schema: 'noesis.verify/1',
  tool: { name: 'noesis', version: '1.2.3', schemas: { noesis: { event: ['1.3.0'] } } },
  policy: {
    strict: true,
    requireSeal: true,
    requireSignature: true,
    requireLevel: 'signed',
    maxWarnings: 0,
    maxFindings: 1000,
    severities: { 'seal/missing': 'error', 'time/backwards': 'off' },
    dialect: 'noesis',
    settings: { coordinator: { cap: 50 } },
    chain: { name: 'kriya', head: 'h', count: 2 },
    baseline: 'sha256:0',
  },
  configuration: { path: '/noesis.toml', rules: 2, settings: 1, runsDir: '/runs', prices: 3 },
  shard: { index: 1, count: 2, targets: 3, plan: 'sha256:0' },
  cache: { mode: 'hash', used: 1, read: 2, left: 3 },
  verdict: 'fail',
  summary: {
    episodes: 1,
    ok: 0,
    warn: 0,
    fail: 1,
    events: 2,
    bytes: 10,
    errors: 1,
    warnings: 0,
    level: 'readable',
    baselined: 1,
    notVerified: 1,
  },
  episodes: [
    {
      position: 0,
      episode: 'ep',
      path: '/ep',
      dialect: 'noesis',
      verdict: 'fail',
      level: 'readable',
      notProven: 'records contradict each other',
      partOf: { session: 's', isFurther: false, title: 'Count the birds' },
      events: 2,
      bytes: 10,
      sealed: false,
      stages: [{ name: 'log', status: 'skipped', reason: 'no log' }],
      chains: [{ name: 'kriya', records: 2, chains: 1, head: 'h', guards: ['end'], signed: 2, pinned: 1 }],
      findings: [
        {
          code: 'seal/missing',
          severity: 'error',
          message: 'm',
          hint: 'h',
          file: 'a',
          line: 1,
          column: 1,
          byteStart: 0,
          byteEnd: 1,
          eventId: 'e',
          path: 'payload',
          expected: 'x',
          actual: 'y',
          excerpt: 'z',
        },
      ],
      omitted: [{ code: 'seal/missing', severity: 'info', count: 1 }],
      baselined: 1,
    },
  ],
};

test('the schema knows every member that a report may have, and takes no other', () => {
  expect(reportSchema.parse(report)).toEqual(report);
  expect(reportSchema.safeParse({ ...report, other: 1 }).success).toBe(false);
  const [episode] = report.episodes;
  expect(reportSchema.safeParse({ ...report, episodes: [{ ...episode, other: 1 }] }).success).toBe(false);
});

test('the schemas of the library read what verify prints, and give what the library returns', () => {
  const printed = JSON.parse(JSON.stringify(forOutput(report)));
  expect(printed).not.toEqual(report);
  expect(library.reportSchema.parse(printed)).toEqual(report);
  expect(library.reportSchema.parse(report)).toEqual(report);
  expect(library.reportSchema.safeParse({ ...printed, other: 1 }).success).toBe(false);
});

test('noesis schema report describes what verify prints', async () => {
  const schema = await jsonSchema('report', noesis);
  const validate = new Ajv2020({ strict: false }).compile(schema);
  expect(validate(forOutput(report))).toBe(true);
  expect(validate(report)).toBe(false);
});
