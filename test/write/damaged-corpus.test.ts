import { isUtf8 } from 'node:buffer';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NoesisError } from '../../src/base/errors.ts';
import { JsonScanner } from '../../src/base/json/scanner.ts';
import { isObject } from '../../src/base/json/value.ts';
import { projectEpisode } from '../../src/library/episodes.ts';
import { readEvents } from '../../src/library/events.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import { appendEvent, salvageLog } from '../../src/library/write.ts';
import { EventLogIntegrityError } from '../../src/log/integrity-error.ts';
import { count, rounds, seed } from '../support/reliability.ts';
import { realEpisodes } from '../support/runtime-episodes.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

/** Logs of every format, whole and damaged: where mutations begin. */
const CORPUS: readonly Buffer[] = [
  ...readdirSync('test/fixtures')
    .map((name) => join('test/fixtures', name, 'events.jsonl'))
    .filter((path) => existsSync(path)),
  ...realEpisodes().map(({ log }) => log),
  ...[
    'fishbowl/ledger-10-runs.scrubbed.jsonl',
    'coordinator/nested-two-sessions.jsonl',
    'exarchos/demo-feature.events.jsonl',
  ].map((path) => join('test/samples', path)),
]
  .map((path) => readFileSync(path).subarray(0, 20_000))
  .filter(({ length }) => length > 0);

/** Pieces that readers of JSON lines stumble over. */
const PIECES = [
  '\n',
  '\r',
  '\0',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '{"a":1}',
  '\\u0000',
  '\\ud800',
  '\ufeff',
  'NaN',
  '-0',
  '1e999',
  '\u2028',
  '{"__proto__":1,"a":2}',
  '"\\n":1',
  '\xff',
];

const mutation = fc.record({
  at: fc.nat(),
  cut: fc.nat({ max: 60 }),
  piece: fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 4 })),
  times: fc.constantFrom(1, 1, 1, 2, 50),
});

const mutated = fc
  .tuple(fc.nat({ max: CORPUS.length - 1 }), fc.array(mutation, { maxLength: 5 }))
  .map(([index, mutations]) =>
    mutations.reduce<Buffer>((bytes, { at, cut, piece, times }) => {
      const place = at % (bytes.length + 1);
      const put = Buffer.from(piece.repeat(times), piece === '\xff' ? 'latin1' : 'utf8');
      return Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + cut)]);
    }, CORPUS[index] ?? Buffer.alloc(0)),
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Nothing but the errors that are documented. */
async function orKnownError<Value>(work: Promise<Value>): Promise<Value | Error> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NoesisError || error instanceof EventLogIntegrityError) return error;
    throw error;
  }
}

describe('a log with any content', () => {
  const how = { numRuns: rounds(80), seed, interruptAfterTimeLimit: 3_000_000 };

  test('gets the same verdict from the scanner as from JSON.parse, line by line', (context) => {
    const scanner = new JsonScanner();
    fc.assert(
      fc.property(mutated, (bytes) => {
        for (let at = 0; at < bytes.length; ) {
          const newline = bytes.indexOf(0x0a, at);
          const end = newline === -1 ? bytes.length : newline;
          const line = Buffer.concat([bytes.subarray(at, end), Buffer.from('\n')]);
          at = end + 1;
          if (!isUtf8(line)) continue;
          const accepts = scanner.scan(line, 0, line.length - 1) && scanner.nonFiniteAt < 0;
          // Input beyond the limits is refused even if it is JSON.
          if (scanner.fault === 'too-deep' || scanner.fault === 'too-many-values') continue;
          const value = parsed(line.toString('utf8'));
          count(context, { 'lines judged': 1 });
          expect([line.toString('utf8'), accepts]).toEqual([line.toString('utf8'), value !== undefined]);
        }
      }),
      { ...how, numRuns: rounds(300) },
    );
  });

  test('is read, verified, projected, salvaged and appended to without a crash, with one verdict', async (context) => {
    await fc.assert(
      fc.asyncProperty(mutated, async (bytes) => {
        const dir = join(tempDir(), 'episode');
        mkdirSync(dir);
        const log = join(dir, 'events.jsonl');
        writeSettled(log, bytes);
        const read = await orKnownError(readEvents<Record<string, unknown>>(log));
        const report = await orKnownError(verifyEpisode(log));
        await orKnownError(projectEpisode(log));
        const isCorrupt = read instanceof EventLogIntegrityError;
        count(context, { 'damaged logs': 1, 'of them corrupt': isCorrupt ? 1 : 0 });
        if ('findings' in report) {
          const { findings } = report;
          const isTold = findings.some(
            ({ code, severity }) => code.startsWith('log/') && severity === 'error' && code !== 'log/missing',
          );
          expect(isTold).toBe(isCorrupt);
          expect(findings.filter(({ code }) => code === 'verify/internal')).toEqual([]);
        }
        const appended = await orKnownError(appendEvent(log, { phase: 'reason', payload: {} }));
        if (isCorrupt) expect(appended).toBeInstanceOf(Error);
        if (appended instanceof Error) expect(readFileSync(log).equals(bytes)).toBe(true);
        else expect(readFileSync(log).subarray(0, bytes.length).equals(bytes)).toBe(true);
        writeFileSync(log, bytes);
        const salvaged = await orKnownError(salvageLog(log, { to: join(dir, 'out') }));
        if (salvaged instanceof Error) return;
        const whole = await readEvents<Record<string, unknown>>(join(dir, 'out', 'events.jsonl'));
        expect(whole.every(isObject)).toBe(true);
        expect(whole.length).toBe(salvaged.summary.kept + salvaged.summary.repaired);
        if (Array.isArray(read)) expect(whole).toEqual(read);
      }),
      how,
    );
  });
});
