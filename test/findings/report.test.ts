import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Finding, Severity } from '../../src/findings/finding.ts';
import { compareFindings } from '../../src/findings/order.ts';
import { assembleReport, type EpisodeReport, severityCounts, verdictOf } from '../../src/findings/report.ts';
import { schemaIssues } from '../../src/findings/schema-issues.ts';

const finding = (severity: Severity, more: Partial<Finding> = {}): Finding => ({
  code: 'seal/missing',
  severity,
  message: 'm',
  file: 'a',
  ...more,
});

const episode = (...severities: Severity[]): EpisodeReport => {
  const findings = severities.map((severity) => finding(severity));
  return {
    episode: 'ep',
    path: '/ep',
    dialect: 'noesis',
    verdict: verdictOf(severityCounts({ findings })),
    events: 2,
    bytes: 10,
    sealed: false,
    stages: [],
    findings,
  };
};

describe('the verdict', () => {
  test.each([
    [[], 'ok'],
    [['info'], 'ok'],
    [['info', 'warn', 'info'], 'warn'],
    [['warn', 'error', 'info'], 'fail'],
  ] as const)('of %j is %s', (severities, verdict) => {
    expect(episode(...severities).verdict).toBe(verdict);
  });
});

describe('the report', () => {
  const episodes = [episode(), episode('warn', 'warn', 'info'), episode('error', 'warn')];

  test('counts', () => {
    const { summary, verdict, tool } = assembleReport('1.2.3', episodes);
    expect(summary).toEqual({
      episodes: 3,
      ok: 1,
      warn: 1,
      fail: 1,
      events: 6,
      bytes: 30,
      errors: 1,
      warnings: 3,
    });
    expect(verdict).toBe('fail');
    expect(tool).toEqual({ name: 'noesis', version: '1.2.3' });
    expect(assembleReport('1', []).verdict).toBe('ok');
  });

  test('turns warnings into a failure under --strict', () => {
    const warned = episodes.slice(0, 2);
    const { policy: plain } = assembleReport('1', []);
    expect(assembleReport('1', warned).verdict).toBe('warn');
    const strict = assembleReport('1', warned, { ...plain, strict: true });
    expect([strict.verdict, ...strict.episodes.map(({ verdict }) => verdict)]).toEqual([
      'fail',
      'ok',
      'fail',
    ]);
    expect(assembleReport('1', warned, { ...plain, maxWarnings: 2 }).verdict).toBe('warn');
    expect(assembleReport('1', warned, { ...plain, maxWarnings: 1 }).verdict).toBe('fail');
  });
});

test('findings are ordered by file, line, column, code, path and message, whatever their order before', () => {
  const inOrder = [
    finding('info', { file: 'a' }),
    finding('info', { file: 'a', message: 'n' }),
    finding('info', { file: 'a', path: 'p' }),
    finding('info', { file: 'a', line: 1 }),
    finding('info', { file: 'a', line: 1, column: 2, code: 'log/bom' }),
    finding('info', { file: 'a', line: 1, column: 2 }),
    finding('info', { file: 'a', line: 1, column: 10 }),
    finding('info', { file: 'a', line: 2, column: 1 }),
    finding('info', { file: 'a', line: 10 }),
    finding('info', { file: 'b' }),
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(inOrder, { minLength: inOrder.length }), (shuffled) => {
      expect(shuffled.sort(compareFindings)).toEqual(inOrder);
    }),
  );
});

describe('what does not fit a schema, in words', () => {
  const schema = z.strictObject({
    text: z.string().min(1),
    count: z.number().int().min(1).max(3),
    word: z.enum(['a', 'b']),
    one: z.literal('x'),
    either: z.union([z.string(), z.record(z.string(), z.unknown())]),
    list: z.array(z.boolean()),
    form: z.string().regex(/^\d+$/, 'digits'),
    choice: z.discriminatedUnion('kind', [z.object({ kind: z.literal('k') })]),
  });
  const good = {
    text: 't',
    count: 1,
    word: 'a',
    one: 'x',
    either: 't',
    list: [],
    form: '1',
    choice: { kind: 'k' },
  };
  const told = (other: object) =>
    schemaIssues(schema, { ...good, ...other }, ['payload']).map(({ message }) => message);

  test('a value that fits has no issues', () => {
    expect(told({})).toEqual([]);
  });

  test.each([
    [{ text: 7 }, 'payload.text must be a string, is a number'],
    [{ text: '' }, 'payload.text must be a non-empty string, is empty'],
    [{ text: undefined }, 'payload.text is missing'],
    [{ text: null }, 'payload.text must be a string, is null'],
    [{ count: 1.5 }, 'payload.count must be an integer, is 1.5'],
    [{ count: 0 }, 'payload.count must be at least 1, is 0'],
    [{ count: 4 }, 'payload.count must be at most 3, is 4'],
    [{ word: 'c' }, 'payload.word must be one of a, b, is `c`'],
    [{ word: 7 }, 'payload.word must be one of a, b, is `7`'],
    [{ one: 'y' }, 'payload.one must be `x`, is `y`'],
    [{ either: 7 }, 'payload.either must be a string or an object, is a number'],
    [{ list: [true, {}] }, 'payload.list[1] must be a boolean, is an object'],
    [{ form: 'x' }, 'payload.form must be digits, is `x`'],
    [{ choice: { kind: 'l' } }, 'payload.choice.kind must be another type, is a string'],
    [{ more: 1, most: 2 }, 'payload has unknown keys: more, most'],
  ])('%j: %s', (other, message) => {
    expect(told(other)).toEqual([message]);
  });

  test('the document itself has a name', () => {
    expect(schemaIssues(z.string(), 7)).toMatchObject([
      {
        path: [],
        missing: false,
        expected: 'a string',
        actual: 'a number',
        message: 'the document must be a string, is a number',
      },
    ]);
    expect(schemaIssues(z.string(), undefined)).toMatchObject([{ missing: true, actual: 'nothing' }]);
  });
});
