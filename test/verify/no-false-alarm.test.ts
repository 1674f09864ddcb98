import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExactJson } from '../../src/base/json/parse.ts';
import { isNumber } from '../../src/base/json/stored-number.ts';
import type { JsonObject, JsonValue } from '../../src/base/json/value.ts';
import { NoesisProjector } from '../../src/dialects/noesis/state/projection.ts';
import { verifyNoesis } from '../../src/dialects/noesis/verify.ts';
import type { FindingCode } from '../../src/findings/codes.ts';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import type { EpisodeReport } from '../../src/findings/report.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { seed, times } from '../support/length.ts';
import {
  type EpisodeShape,
  type SimulatedEpisode,
  simulateEpisode,
  simulateKills,
} from '../support/simulator/episode.ts';
import { settleShape } from '../support/simulator/shape.ts';
import { newestShape, SECRETS } from '../support/simulator/shapes.ts';
import { tempDir } from '../support/temp.ts';

const OPTIONS = {
  policy: DEFAULT_POLICY,
  form: AS_STORED,
  key: (kid: string) => (Object.hasOwn(SECRETS, kid) ? Buffer.from(SECRETS[kid] ?? '') : undefined),
};

const root = tempDir();

// Printed, so that a run that failed can be repeated.
console.info(`NOESIS_TEST_SEED=${seed} repeats these episodes`);
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

/** False findings. */
const falseAlarms = (report: EpisodeReport, deserved: readonly FindingCode[]): string[] =>
  alarms(report, 'error', 'warn').filter((alarm) => !deserved.some((code) => alarm.startsWith(`${code} `)));

/** The true findings about an episode of that shape. */
function deserved(shape: EpisodeShape): FindingCode[] {
  const { ending, sealed, governed, resumed, checkpointAgain } = settleShape(shape);
  const open = ending === 'paused' || ending === 'running';
  const vetoed =
    ending === 'paused' && governed === 'veto-enforced' && resumed !== 'read-back' && !checkpointAgain;
  return [
    ...(open || sealed ? [] : ['seal/missing' as const]),
    // The runtime writes the checkpoint before the state, and then refuses to resume.
    ...(vetoed ? ['checkpoint/mismatch' as const] : []),
  ];
}

function project(episode: SimulatedEpisode) {
  const projector = new NoesisProjector();
  for (const [index, line] of logOf(episode).split('\n').entries())
    if (line !== '') projector.addEvent(JSON.parse(line), index + 1);
  return projector.compare(JSON.parse(Buffer.from(episode.files.get('state.json') ?? '').toString()));
}

/** Whether the log proves the whole state: not while the run continues, or if the runtime does not log everything. */
function proven(shape: EpisodeShape): boolean {
  const { core, ending, resumed } = settleShape(shape);
  return core === 'newest' && ending !== 'paused' && ending !== 'running' && resumed !== 'read-back';
}

describe('episodes of the newest form', () => {
  test('give no errors and no warnings, and project to their state', { timeout: 300_000 }, async () => {
    const endings = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(newestShape, async (shape) => {
        endings.add(shape.ending);
        const episode = simulateEpisode(shape);
        const report = await verify(episode);
        expect(falseAlarms(report, deserved(shape))).toEqual([]);
        expect(report.events).toBe(logOf(episode).split('\n').length - 1);
        if (proven(shape)) expect(project(episode)).toMatchObject({ differences: [], underivable: [] });
      }),
      { numRuns: times(1000, 100), seed },
    );
    expect(endings.size).toBe(7);
  });

  test('give none after whichever write the run is killed', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(newestShape, async (shape) => {
        const moments = simulateKills(shape).filter(({ files }) => files.has('events.jsonl'));
        for (const [index, moment] of moments.entries()) {
          const whole = index === moments.length - 1;
          const told = whole
            ? deserved(shape)
            : (['seal/missing', 'seal/incomplete', 'state/missing', 'checkpoint/mismatch'] as const);
          expect(falseAlarms(await verify(moment), told), `after write ${index + 1}`).toEqual([]);
        }
      }),
      { numRuns: times(25, 3), seed },
    );
  });

  test('are correct if the last line is torn', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(newestShape, fc.nat(), fc.nat(), async (shape, at, cut) => {
        const moments = simulateKills(shape).filter(({ files }) => files.has('events.jsonl'));
        const { id, files } = moments[at % moments.length] as SimulatedEpisode;
        const log = Buffer.from(files.get('events.jsonl') ?? '');
        const start = log.lastIndexOf(0x0a, -2) + 1;
        const torn = log.subarray(0, start + 1 + (cut % (log.length - start - 2)));
        // The rest is not written yet.
        const earlier = moments.findIndex(
          (moment) => moment.files.get('events.jsonl')?.length === log.length,
        );
        const before = moments[earlier - 1]?.files ?? new Map();
        const report = await verify({ id, files: new Map([...before, ['events.jsonl', torn]]) });
        const told = ['seal/missing', 'state/missing', 'checkpoint/mismatch', 'log/truncated'] as const;
        expect(falseAlarms(report, told)).toEqual([]);
        expect(alarms(report, 'error').filter((alarm) => alarm.startsWith('log/truncated'))).toHaveLength(1);
      }),
      { numRuns: times(300, 30), seed },
    );
  });
});

test('episodes of the older form give no errors', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(newestShape, async (shape) => {
      const episode = simulateEpisode({ ...shape, legacy: true });
      const report = await verify(episode);
      expect(alarms(report, 'error')).toEqual([]);
      expect(falseAlarms(report, ['seal/missing', 'event/missing-field'])).toEqual([]);
      if (settleShape({ ...shape, legacy: true }).ending !== 'running')
        expect(project(episode).differences).toEqual([]);
    }),
    { numRuns: times(300, 30), seed },
  );
});

const escaped = (text: string) =>
  JSON.stringify(text).replace(
    /[^ -~]|\//g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Writes a value otherwise, its numbers as they are stored: keys in another order, other white space, other escapes. */
function write(value: JsonValue, space: string, escapes: boolean): string {
  const text = (part: string) => (escapes ? escaped(part) : JSON.stringify(part));
  if (typeof value === 'string') return text(value);
  if (isNumber(value)) return String(value);
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

test('changes that keep the meaning of a record do not change the verdict', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(newestShape, manner, async (shape, { space, escapes, ending, extension }) => {
      // A checkpoint and a seal vouch for the very bytes: only an open run may be written otherwise.
      const episode = simulateEpisode({
        ...shape,
        sealed: false,
        resumed: false,
        ending: shape.ending === 'paused' ? 'ok' : shape.ending,
      });
      const lines = logOf(episode).split('\n').slice(0, -1);
      const other = lines.map((line) => {
        const event = parseExactJson(line) as JsonObject & { payload: JsonObject };
        if (extension) {
          event['x-note'] = { '→': [null] };
          // Of a candidate every key but these goes into its id.
          const key = event['phase'] === 'action_candidate' ? 'x-unheard-of' : 'unheard_of';
          event.payload[key] = ['a', { b: 1.5 }];
        }
        return write(event, space, escapes) + ending;
      });
      const files = new Map([...episode.files, ['events.jsonl', Buffer.from(other.join(''))]]);
      const after = { ...episode, files };
      const told = async (one: SimulatedEpisode) =>
        // Messages cite the record as it is stored.
        alarms(await verify(one), 'error', 'warn').map((alarm) => alarm.split(':')[0]);
      expect(await told(after)).toEqual(await told(episode));
      const paths = (one: SimulatedEpisode) => project(one).differences.map(({ path }) => path);
      expect(paths(after)).toEqual(paths(episode));
    }),
    { numRuns: times(300, 30), seed },
  );
});
