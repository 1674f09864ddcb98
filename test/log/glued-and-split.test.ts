import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { times } from '../support/length.ts';
import { parseLog } from '../support/log.ts';
import { simulateEpisode } from '../support/simulator/episode.ts';

/** Lines of real shape: sorted keys, nested payloads, wide characters. */
const lines = [1, 2, 3].flatMap((seed) => {
  const episode = simulateEpisode({ seed, governed: 'allow', direction: true, plans: 2, learnProposals: 1 });
  return Buffer.from(episode.files.get('events.jsonl') ?? [])
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => Buffer.from(line));
});
const anyLine = fc.integer({ min: 0, max: lines.length - 1 }).map((n) => lines[n] ?? Buffer.alloc(0));
/** Lines of logs that real programs wrote. */
const SAMPLE_LINES = [
  'coordinator/nested-two-sessions.jsonl',
  'exarchos/demo-feature.events.jsonl',
  'fishbowl/ledger-10-runs.scrubbed.jsonl',
  'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
].flatMap((name) => readFileSync(join(SAMPLES, name), 'utf8').trimEnd().split('\n').slice(0, 80));
const newline = Buffer.from('\n');

describe('a torn record followed by a whole one', () => {
  test('is reported wherever it was torn, at the whole one', () => {
    fc.assert(
      fc.property(anyLine, anyLine, fc.nat(), (first, second, at) => {
        const cut = 1 + (at % (first.length - 1));
        const { corruptions, records } = parseLog(Buffer.concat([first.subarray(0, cut), second, newline]));
        expect(records).toEqual([]);
        expect(corruptions).toHaveLength(1);
        const [{ code, byteStart, byteEnd } = {}] = corruptions;
        // A cut inside a character leaves invalid UTF-8, which is reported first.
        if (code === 'log/invalid-utf8') return;
        expect([code, byteStart, byteEnd]).toEqual(['log/glued-records', cut, cut + second.length]);
      }),
      { numRuns: times(1000, 200) },
    );
  });

  test('is not reported for a record without its end, although part of it is an object', () => {
    for (const line of lines) {
      const { corruptions } = parseLog(Buffer.concat([line.subarray(0, -1), newline]));
      expect(corruptions.map(({ code }) => code)).toEqual(['log/invalid-json']);
    }
    const observe =
      '{"id":"1","phase":"observe","timestamp":"t","payload":{"task":"x","tags":{},"timestamp":"t"}\n';
    expect(parseLog(observe).corruptions[0]?.code).toBe('log/invalid-json');
  });

  test.each([
    '{"id":"x","phase":"act","payload":{}',
    '{"id":"x","phase":"act","payload":{"id":"y"}',
    '{"id":"x","payload":{"id":"y","b":1}',
    '{"id":"x","steps":[{"id":"y"}',
    '{"id":"x" "p":{}',
    '{"timestamp":"t","sequence":1,"event_type":"e","agent_id":"a","task_id":"1","details":{"task_id":"1","agent_id":"a","evidence":"x"}',
  ])('is not a value inside the record: %s', (line) => {
    expect(parseLog(`${line}\n`).corruptions.map(({ code }) => code)).toEqual(['log/invalid-json']);
  });

  test('is not a value of a real record that lost one brace', () => {
    const closing = (line: string): number[] =>
      [...line.matchAll(/"(?:[^"\\]|\\.)*"|\}/g)].flatMap(({ 0: token, index }) =>
        token === '}' ? [index] : [],
      );
    const cases = fc
      .tuple(fc.constantFrom(...SAMPLE_LINES), fc.nat())
      .map(([line, n]) => ({ line, at: closing(line)[n % closing(line).length] ?? 0 }));
    fc.assert(
      fc.property(cases, ({ line, at }) => {
        const { corruptions } = parseLog(`${line.slice(0, at)}${line.slice(at + 1)}\n`);
        expect(corruptions.map(({ code }) => code)).toEqual(['log/invalid-json']);
      }),
      { numRuns: times(1000, 200) },
    );
  });

  test('is not reported after text that is not a record', () => {
    expect(parseLog('ab{"id":"1"}\n').corruptions[0]?.code).toBe('log/invalid-json');
    expect(parseLog('[{"id":"1"}\n').corruptions[0]?.code).toBe('log/invalid-json');
  });

  test('is the last resort of a line with many braces, which stays cheap', () => {
    const line = `{"a":${'{"b":'.repeat(900)}\n`;
    expect(parseLog(line.repeat(40)).corruptions).toHaveLength(40);
  });
});

describe('a newline inside a record', () => {
  /** Whether a newline before `at` leaves one record over two lines: not so in a number, a word or an escape. */
  const splitsAt = (line: Buffer, at: number): boolean => {
    const text = line.toString('latin1');
    const before = text.slice(0, at);
    const inString = (before.replace(/\\./g, '').split('"').length - 1) % 2 === 1;
    const inToken = /[\w.+-]$/.test(before) && /^[\w.+-]/.test(text.slice(at));
    const inCharacter = ((line[at] ?? 0) & 0xc0) === 0x80;
    return (inString || !inToken) && !/\\u?[0-9a-f]{0,3}$/.test(before) && !inCharacter;
  };
  const splits = fc
    .tuple(anyLine, fc.nat())
    .map(([line, at]) => ({ line, at: 1 + (at % (line.length - 1)) }))
    .filter(({ line, at }) => splitsAt(line, at));

  test('is one finding over both lines, wherever it is', () => {
    fc.assert(
      fc.property(splits, anyLine, ({ line, at }, next) => {
        const log = Buffer.concat([line.subarray(0, at), newline, line.subarray(at), newline, next, newline]);
        const { corruptions, records } = parseLog(log);
        expect(corruptions).toMatchObject([
          { code: 'log/split-record', line: 1, column: 1, byteStart: 0, byteEnd: line.length + 1 },
        ]);
        expect(records.map((record) => record.line)).toEqual([3]);
      }),
      { numRuns: times(300, 60) },
    );
  });

  test('is not assumed if the pieces do not fit: each line is judged alone', () => {
    const log = '{"a":"x\n{"b":"y\nz"}\n';
    expect(parseLog(log).corruptions.map(({ code, line }) => `${line} ${code}`)).toEqual([
      '1 log/invalid-json',
      '2 log/split-record',
    ]);
  });

  test('is not assumed if a key would be there twice: they are pieces of two records', () => {
    const log = '{"id":1,"phase":"act",\n"phase":"plan","time":2}\n';
    expect(parseLog(log).corruptions.map(({ code, line }) => `${line} ${code}`)).toEqual([
      '1 log/invalid-json',
      '2 log/invalid-json',
    ]);
    // A newline in a key makes it another key.
    expect(parseLog('{" ":1,"\n":2}\n').order).toEqual(['log/split-record']);
  });

  test('is not assumed across a whole record, or the end of the log', () => {
    expect(parseLog('{"a":[\n{"b":1}\n]}\n').order).toEqual(['log/invalid-json', 2, 'log/invalid-json']);
    expect(parseLog('{"a":[\n1,\n').order).toEqual(['log/invalid-json', 'log/invalid-json']);
    expect(parseLog('{"a":"x\ny').order).toEqual(['log/invalid-json', 'log/truncated']);
  });

  test('is cheap to rule out in a log of unclosed records', () => {
    const line = `{"a":["${'x'.repeat(2500)}",\n`;
    const { corruptions } = parseLog(line.repeat(200));
    expect(corruptions.length).toBe(200);
  });
});
