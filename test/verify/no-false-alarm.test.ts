import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NoesisProjector } from '../../src/dialects/noesis/projection.ts';
import { verifyNoesis } from '../../src/dialects/noesis/verify.ts';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import type { EpisodeReport } from '../../src/findings/report.ts';
import { newestShape, SECRETS } from '../findings/shapes.ts';
import { type EpisodeShape, type SimulatedEpisode, simulateEpisode } from '../support/simulator/episode.ts';
import { tempDir } from '../support/temp.ts';

const OPTIONS = {
  policy: DEFAULT_POLICY,
  key: (kid: string) => (Object.hasOwn(SECRETS, kid) ? Buffer.from(SECRETS[kid] ?? '') : undefined),
};

const root = tempDir();
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

/** Verifies an episode as its files are now. */
async function verify({ id, files }: SimulatedEpisode): Promise<EpisodeReport> {
  const dir = join(root, id);
  rmSync(dir, { recursive: true, force: true });
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), bytes);
    // Nobody is at work on it: files of this very moment are looked at again after a while.
    utimesSync(join(dir, name), LONG_AGO, LONG_AGO);
  }
  utimesSync(dir, LONG_AGO, LONG_AGO);
  return verifyNoesis({ name: id, dir, log: join(dir, 'events.jsonl') }, OPTIONS);
}

const logOf = ({ files }: SimulatedEpisode) => Buffer.from(files.get('events.jsonl') ?? '').toString();

const alarms = ({ findings }: EpisodeReport, ...severities: string[]) =>
  findings
    .filter(({ severity }) => severities.includes(severity))
    .map(({ code, file, line, message }) => `${code} ${file}:${line} ${message}`);

/** What a sealed or signed episode, or an ended one without its seal, is rightly told. */
function deserved(shape: EpisodeShape): (line: string) => boolean {
  const unsealed = shape.sealed === false;
  return (line) => unsealed && line.startsWith('seal/missing');
}

function project(episode: SimulatedEpisode) {
  const projector = new NoesisProjector();
  for (const [index, line] of logOf(episode).split('\n').entries())
    if (line !== '') projector.addEvent(JSON.parse(line), index + 1);
  return projector.compare(JSON.parse(Buffer.from(episode.files.get('state.json') ?? '').toString()));
}

describe('episodes of the newest form', () => {
  test('give no errors and no warnings, and project to their state', { timeout: 300_000 }, async () => {
    const endings = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(newestShape, async (shape) => {
        endings.add(shape.ending);
        const episode = simulateEpisode(shape);
        const report = await verify(episode);
        expect(alarms(report, 'error', 'warn').filter((line) => !deserved(shape)(line))).toEqual([]);
        expect(report.events).toBe(logOf(episode).split('\n').length - 1);
        expect(project(episode)).toEqual({ differences: [], underivable: [] });
      }),
      { numRuns: 1000 },
    );
    expect(endings.size).toBe(6);
  });
});

test('episodes of the older form give no errors', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(newestShape, async (shape) => {
      const episode = simulateEpisode({ ...shape, legacy: true });
      expect(alarms(await verify(episode), 'error')).toEqual([]);
      expect(project(episode).differences).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const escaped = (text: string) =>
  JSON.stringify(text).replace(
    /[^ -~]|\//g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Writes a value otherwise: keys in another order, other white space, other escapes. */
function write(value: Json, space: string, escapes: boolean): string {
  const text = (part: string) => (escapes ? escaped(part) : JSON.stringify(part));
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = Array.isArray(value)
    ? value.map((item) => write(item, space, escapes))
    : Object.entries(value)
        .reverse()
        .map(([key, item]) => `${text(key)}${space}:${space}${write(item, space, escapes)}`);
  const body = inner.join(`${space},${space}`);
  return Array.isArray(value) ? `[${space}${body}${space}]` : `{${space}${body}${space}}`;
}

const manner = fc.record({
  space: fc.constantFrom('', ' ', '\t', ' \r'),
  escapes: fc.boolean(),
  ending: fc.constantFrom('\n', '\r\n', '\n\n', ' \n'),
  extension: fc.boolean(),
});

test('what does not change the meaning of a record changes no verdict', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(newestShape, manner, async (shape, { space, escapes, ending, extension }) => {
      // A checkpoint and a seal vouch for the very bytes: only an open run may be written otherwise.
      const episode = simulateEpisode({
        ...shape,
        sealed: false,
        resumed: false,
        ending: shape.ending === 'paused' ? 'ok' : shape.ending,
      });
      const before = await verify(episode);
      const lines = logOf(episode).split('\n').slice(0, -1);
      const other = lines.map((line) => {
        const event = JSON.parse(line) as { payload: { [key: string]: Json } } & { [key: string]: Json };
        if (extension) {
          event['x-note'] = { '→': [null] };
          event.payload['unheard_of'] = ['a', { b: 1.5 }];
        }
        return write(event, space, escapes) + ending;
      });
      const files = new Map([...episode.files, ['events.jsonl', Buffer.from(other.join(''))]]);
      const after = { ...episode, files };
      expect(alarms(await verify(after), 'error', 'warn').map((line) => line.replace(/:\d+ /, ' '))).toEqual(
        alarms(before, 'error', 'warn').map((line) => line.replace(/:\d+ /, ' ')),
      );
      expect(project(after)).toEqual({ differences: [], underivable: [] });
    }),
    { numRuns: 300 },
  );
});
