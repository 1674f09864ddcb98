import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { RecordSource } from '../../../src/dialects/dialect.ts';
import { NoesisLane } from '../../../src/dialects/noesis/fast/lane.ts';
import { noesis } from '../../../src/dialects/noesis/index.ts';
import { NoesisProjector } from '../../../src/dialects/noesis/projection.ts';
import { verifyNoesis } from '../../../src/dialects/noesis/verify.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../../src/findings/options.ts';
import { readLog } from '../../../src/log/read.ts';
import { projectLog } from '../../../src/projection/project-log.ts';
import { selectLines } from '../../../src/select/select.ts';
import { type EpisodeShape, simulateEpisode, writeEpisode } from '../../support/simulator/episode.ts';

const root = mkdtempSync(join(tmpdir(), 'noesis-fast-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const shapes: fc.Arbitrary<EpisodeShape> = fc.record({
  seed: fc.integer({ min: 1, max: 1_000_000 }),
  acts: fc.integer({ min: 0, max: 6 }),
  plans: fc.integer({ min: 1, max: 3 }),
  governed: fc.constantFrom('none', 'allow', 'audit', 'veto-audit', 'veto-enforced'),
  direction: fc.boolean(),
  synthetic: fc.boolean(),
  failures: fc.boolean(),
  resumed: fc.boolean(),
  legacy: fc.boolean(),
  ending: fc.constantFrom('ok', 'error', 'vetoed', 'aborted', 'paused', 'running'),
  extraEvents: fc.integer({ min: 0, max: 12 }),
});

/** Verifies an episode both ways; the reports must be the same. */
async function bothWays(dir: string) {
  const target = { name: 'episode', dir, log: join(dir, 'events.jsonl') };
  const fast = await verifyNoesis(target, DEFAULT_VERIFY_OPTIONS);
  const plain = await verifyNoesis(target, DEFAULT_VERIFY_OPTIONS, { fast: false });
  expect(fast).toEqual(plain);
  return fast;
}

let count = 0;
const freshEpisode = (shape: EpisodeShape): string =>
  writeEpisode(join(root, String(count++)), simulateEpisode(shape));

/** Ways to make one record slightly wrong, or merely different. */
const REWRITES: readonly (readonly [RegExp, string])[] = [
  [/"outcome":"ok"/, '"outcome":"error"'],
  [/"timestamp":"20/, '"timestamp":"19'],
  [/\+00:00"/, 'Z"'],
  [/"evidence_ids":\[\]/, '"evidence_ids":["event:observe:9"]'],
  [/"evidence_ids":\[\]/, '"evidence_ids":{}'],
  [/"caused_by":"[0-9a-f]/, '"caused_by":"z'],
  [/"id":"/, '"id":"\\u0061'],
  [/"agent_id":/, '"id":"twice","agent_id":'],
  [/"duration_ms":\d/, '"duration_ms":9999'],
  [/"duration_ms":\d+/, '"duration_ms":12345678901234567890'],
  [/"signals":/, '"signal":'],
  [/"success":true/, '"success":1'],
  [/"success":true/, '"success":"yes"'],
  [/"state_hash":"sha256:./, '"state_hash":"sha256:X'],
  [/"action_candidate_id":"/, '"action_candidate_id":"other-'],
  [/"decision":"allow"/, '"decision":"veto","enforced":true'],
  [/"score":0\.\d+/, '"score":1.5'],
  [/"phase":"act"/, '"phase":"actor"'],
  [/"phase":"interpret"/, '"phase":"terminate"'],
  [/"episode_id":"ep/, '"episode_id":"eq'],
  [/"faculty":"governance"/, '"faculty":"gov"'],
  [/"payload":\{/, '"payload":{"x-note":null,'],
  [/"payload":\{/, '"payload":[{'],
  [/,"phase"/, ' ,\t"phase"'],
  [/"event_type":"tool\.execution/, '"event_type":"run.execution'],
  [/"event_type":"tool\.execution\.completed"/, '"event_type":""'],
  [/"kind":"tool\.execution\.completed"/, '"kind":"terminate"'],
  [/"status":"ok","tool"/, '"status":" Paused ","tool"'],
  [/"status":"ok","tool"/, '"event":"terminate","tool"'],
  [/"task":"/, '"task":["'],
  [/"timestamp":"2[^"]+"\}/, '"timestamp":"soon"}'],
  [/"kind":"hint"/, '"kind":"guess"'],
  [/"confidence":0/, '"confidence":7'],
  [/"confidence":0\.\d+/, '"confidence":null'],
  [/"steps":\["[a-z]+:/, '"steps":["do:'],
  [/"step_records":\[.*\],"steps"/, '"steps"'],
  [/"step_records":\[/, '"step_records":[7,'],
  [/"kind":"(?:act|plan|analyze)","/, '"kind":"guess","'],
  [/"status":"pending"/, '"status":"waiting"'],
  [/"source":"/, '"source":7,"was":"'],
  [/"status":"ok"\}/, '"status":"partial"}'],
  [/"status":"ok"\}/, '"status":"well"}'],
  [/"outcomes":\{/, '"outcomes":[],"was":{'],
  [/"outcomes":\{[^}]*\}/, '"outcomes":{"status":"ok","status":"error"}'],
  [/"proposal_count":0/, '"proposal_count":-1'],
  [/"proposal_ids":\[/, '"proposal_ids":[{},'],
  [/"proposal_ids":\[\]/, '"proposal_ids":["a", "b"]'],
  [/"applied":false/, '"applied":null'],
  [/"learn_path":/, '"scope":"here","learn_path":'],
  [/"phase":"observe"/, '"phase":"intuition"'],
  [/"phase":"terminate"/, '"phase":"insight"'],
  [/"step_status":"done"/, '"step_status":"gone"'],
  [/"result_status":"ok"/, '"result_status":null'],
  [/\}$/, ',}'],
  [/^\{/, '{"a":NaN,'],
];

/** The rewrite of this number, on one of the lines where it changes something. */
const edit = fc.tuple(fc.nat(200), fc.nat(REWRITES.length - 1));

function rewrite(dir: string, changes: readonly (readonly [number, number])[]): void {
  const log = join(dir, 'events.jsonl');
  const lines = readFileSync(log, 'utf8').split('\n');
  for (const [at, which] of changes) {
    const [from, to] = REWRITES[which] ?? [/^/, ''];
    const matching = lines.flatMap((line, index) => (from.test(line) ? [index] : []));
    const index = matching[at % Math.max(1, matching.length)] ?? 0;
    lines[index] = (lines[index] ?? '').replace(from, to);
  }
  writeFileSync(log, lines.join('\n'));
}

describe('the fast lane', () => {
  it('is there on this machine', () => {
    const lane = NoesisLane.open({ verify: true, seen: [] });
    expect(lane).toBeDefined();
    lane?.close();
  });

  it('gives the same report as the careful way on episodes of every shape', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, async (shape) => {
        await bothWays(freshEpisode(shape));
      }),
      { numRuns: 100 },
    );
  });

  it('gives the same report when records are wrong in some way', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.array(edit, { minLength: 1, maxLength: 3 }), async (shape, changes) => {
        const dir = freshEpisode(shape);
        rewrite(dir, changes);
        await bothWays(dir);
      }),
      { numRuns: 400 },
    );
  });

  it('gives the same report when bytes are changed, lines repeated or swapped', async () => {
    const edits = fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(255), fc.nat(4)), {
      minLength: 1,
      maxLength: 2,
    });
    await fc.assert(
      fc.asyncProperty(shapes, edits, async (shape, changes) => {
        const dir = freshEpisode(shape);
        const log = join(dir, 'events.jsonl');
        let bytes = readFileSync(log);
        for (const [share, byte, how] of changes) {
          const at = Math.floor(share * bytes.length);
          if (how === 0) bytes[at] = byte;
          else if (how === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
          else if (how === 2)
            bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)]);
          else {
            const lines = bytes.toString('latin1').split('\n');
            const line = Math.floor(share * lines.length);
            const other = lines[byte % lines.length] ?? '';
            if (how === 3) lines.splice(line, 0, other);
            else [lines[line], lines[byte % lines.length]] = [other, lines[line] ?? ''];
            bytes = Buffer.from(lines.join('\n'), 'latin1');
          }
        }
        writeFileSync(log, bytes);
        await bothWays(dir);
      }),
      { numRuns: 200 },
    );
  });

  it('gives the same projection as reading every record', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.array(edit, { maxLength: 3 }), async (shape, changes) => {
        const dir = freshEpisode(shape);
        rewrite(dir, changes);
        const project = async (source: RecordSource) => {
          const projector = new NoesisProjector();
          const corruption = await projectLog(join(dir, 'events.jsonl'), projector, source);
          return corruption ?? projector.result();
        };
        const { lane: _, ...careful } = noesis;
        expect(await project(noesis)).toEqual(await project(careful));
      }),
      { numRuns: 200 },
    );
  });

  it('gives the same selection as reading every record', async () => {
    const counted = fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined });
    // Lines that the lane leaves alone, between those that it takes.
    const odd = fc.tuple(fc.nat(), fc.constantFrom('', ' ', '\u00a0', '{"phase":"act","payload":{}}\r', '{'));
    const phases = fc.constantFrom<string[]>([], [], ['act'], ['terminate', 'runtime']);
    await fc.assert(
      fc.asyncProperty(
        shapes,
        fc.array(odd, { maxLength: 3 }),
        phases,
        counted,
        counted,
        async (shape, odds, wanted, limit, last) => {
          const log = join(freshEpisode(shape), 'events.jsonl');
          const lines = readFileSync(log, 'utf8').split('\n');
          for (const [at, text] of odds) lines.splice(at % lines.length, 0, text);
          writeFileSync(log, lines.join('\n'));
          const select = async (source: RecordSource) => {
            const filters = { phases: wanted, types: [], agents: [] };
            const query = {
              filters,
              ...(limit !== undefined && { limit }),
              ...(last !== undefined && { last }),
            };
            const { lines: found, ...rest } = await selectLines(log, query, source);
            const at = Array.from({ length: found.length }, (_, index) => [
              found.line(index),
              found.byteStart(index),
              found.byteEnd(index),
            ]);
            return { at, ...rest };
          };
          const { lane: _, ...careful } = noesis;
          expect(await select(noesis)).toEqual(await select(careful));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('accepts nothing that is not JSON', async () => {
    const path = join(root, 'arbitrary.jsonl');
    const line = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify({ phase: 'reason', payload: value })),
      fc
        .string({ unit: fc.constantFrom(...'{}[]",:\\u0a1.-e+ntrf \t') })
        .map((text) => `{"phase":"reason","x":${text}}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (lines) => {
        writeFileSync(path, `${lines.join('\n')}\n`);
        const read = async (fast: boolean) => {
          const corrupt: unknown[] = [];
          const lane = fast ? NoesisLane.open({ verify: false, seen: [] }) : undefined;
          const extent = await readLog(path, {
            record() {},
            corrupt: (found) => corrupt.push(found),
            fast: lane,
          });
          lane?.close();
          return { extent, corrupt };
        };
        expect(await read(true)).toEqual(await read(false));
      }),
      { numRuns: 1000 },
    );
  });
});
