import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linesOf } from '../../../src/dialects/sessions/kit/loading/lines.ts';
import type { Loading } from '../../../src/dialects/sessions/kit/loading/model.ts';
import {
  DOCTOR_SAMPLES,
  damagedOf,
  expectedOf,
  loadSample,
  originalOf,
  SAMPLE_PROGRAMS,
  type SampleProgram,
  type Seen,
} from '../../support/doctor-samples.ts';

/** Parts that arrive with another text or id, and parts that the original does not have, are sent but not kept. */
const SENT_COUNTS = new Set([
  'bad-image',
  'bad-utf8',
  'cwd-other',
  'dup-call-id',
  'leaf-missing',
  'lone-surrogate',
  'old-branch-last',
  'old-branch-then-main',
  'branch-pointer-side',
  'phantom-after-branch',
  'session-id',
  'u2028',
  'unknown-block',
]);

/** Cases of Claude Code that depend on the pauses between turns, which were shorter where they were measured. */
const PACE = new Map([
  ['phantom-nosource', 19],
  ['parent-null-nosource', 19],
]);

/** The listings at the start of the session, which the other session does not have. */
const LISTINGS = 3;

interface Measured {
  readonly name: string;
  readonly loads: Seen;
  readonly measured_on?: string;
}

/** How many parts arrived, in terms of the log. */
function arrived(program: SampleProgram, { name, loads, measured_on }: Measured, loading: Loading): number {
  const { sent, kept = sent } = loads;
  if (sent === null || kept === null) return 0;
  const paced = program === 'claude' ? PACE.get(name) : undefined;
  if (paced !== undefined) return paced;
  const count = (SENT_COUNTS.has(name) ? sent : kept) + (measured_on === undefined ? 0 : LISTINGS);
  // The other programs' requests were recorded without images.
  if (name === 'bad-image' && program !== 'claude' && program !== 'gemini') return count + 1;
  // Qwen Code adds its reminders to the first prompt, so that it no longer equals that of the original.
  const [first] = loading.loaded;
  const isLaterPrompt = first?.kind === 'prompt' && !first.words.startsWith('T1');
  return program === 'qwen' && isLaterPrompt && !SENT_COUNTS.has(name) ? sent : count;
}

describe.each(SAMPLE_PROGRAMS)('sessions of %s', (program) => {
  test('all parts of the undamaged session are loaded', () => {
    const { of } = expectedOf(program);
    const loading = loadSample(program, originalOf(program).bytes);
    expect(loading).toMatchObject({ of, cuts: [], skipped: [], dropped: [], closed: [], danger: [] });
    expect(loading.loaded).toHaveLength(of);
    expect(loading.refusal).toBeUndefined();
    // Gemini CLI sends each response twice.
    expect(loading.refused).toHaveLength(program === 'gemini' ? 4 : 0);
  });

  test.each(damagedOf(program))('$name: the parts that arrive, and whether they are refused', (sample) => {
    const loading = loadSample(program, sample.bytes);
    const { sent, violations } = sample.loads;
    expect(loading.refusal !== undefined).toBe(sent === null);
    expect(loading.refused.length > 0).toBe(violations !== undefined);
    // What arrives has the results that the program adds, which the log does not have.
    expect(loading.loaded.length + loading.closed.length).toBe(arrived(program, sample, loading));
  });
});

test('Claude Code bridges a missing parent over 5 seconds, and not over 6', () => {
  const { bytes } = originalOf('claude');
  const lines = bytes.toString('utf8').trimEnd().split('\n');
  const kept = lines.filter((line) => !line.includes('"type":"last-prompt"'));
  const turnAfter = (seconds: number) => {
    const time = new Date(Date.parse('2026-11-26T12:48:06.699Z') + seconds * 1000).toISOString();
    const message = { role: 'user', content: 'T8 plain' };
    const ids = {
      parentUuid: 'deadbeef-0000-4000-8000-00000000dead',
      uuid: '0badcafe-0000-4000-8000-00000000008a',
    };
    return JSON.stringify({ ...ids, isSidechain: false, type: 'user', message, timestamp: time });
  };
  const loaded = (seconds: number) =>
    loadSample('claude', Buffer.from([...kept, turnAfter(seconds), ''].join('\n'))).loaded.length;
  expect([2, 3, 4, 5].map(loaded)).toEqual([39, 39, 39, 39]);
  expect([6, 12, 29, 60, 70 * 60, -60].map(loaded)).toEqual([1, 1, 1, 1, 1, 1]);
});

test('each line that Gemini CLI lost costs what the program showed', () => {
  const [log] = readdirSync(join(DOCTOR_SAMPLES, 'gemini/one-run')).filter((name) => name.endsWith('.jsonl'));
  const path = join(DOCTOR_SAMPLES, 'gemini/one-run', log ?? '');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const seen = JSON.parse(readFileSync(join(path, '../expected.json'), 'utf8')) as Record<
    string,
    { readonly sent: readonly (readonly string[])[]; readonly violations: readonly string[] | null }
  >;
  const KINDS: Record<string, string> = { user: 'prompt', say: 'text', call: 'call', result: 'result' };
  let compared = 0;
  for (const [removed, { sent, violations }] of Object.entries(seen)) {
    if (!/^\d+$/.test(removed)) continue;
    const rest = lines.filter((_, index) => String(index) !== removed);
    const loading = loadSample('gemini', Buffer.from(`${rest.join('\n')}\n`), { path });
    const real = sent.filter(([, text]) => text?.startsWith('[The previous response') !== true);
    expect([removed, loading.loaded.map(({ kind }) => kind)]).toEqual([
      removed,
      real.map(([kind]) => KINDS[kind ?? '']),
    ]);
    expect([removed, loading.refused.length]).toEqual([removed, violations?.length ?? 0]);
    expect([removed, loading.danger.length]).toEqual([removed, sent.length === 0 ? 1 : 0]);
    compared += 1;
  }
  expect(compared).toBe(lines.length);
});

test('open calls at the end of a killed session get a result from the program', () => {
  const closed = (['claude', 'codex', 'copilot', 'pi', 'gemini', 'qwen'] as const).map((program) => {
    const folder = join(DOCTOR_SAMPLES, program, 'crash');
    const [log = ''] = readdirSync(folder);
    const path = program === 'copilot' ? undefined : { path: join(folder, log) };
    const loading = loadSample(program, readFileSync(join(folder, log)), path);
    expect([program, loading.refusal]).toEqual([program, undefined]);
    return [program, loading.closed.length];
  });
  expect(closed).toEqual([
    ['claude', 2],
    ['codex', 2],
    ['copilot', 1],
    ['pi', 2],
    ['gemini', 0],
    ['qwen', 2],
  ]);
});

test('the next start of Gemini CLI deletes a session because of a log without content', () => {
  const folder = join(DOCTOR_SAMPLES, 'gemini/orphan');
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const siblings = new Map(
    names.map((name) => [name, () => linesOf(readFileSync(join(folder, name)))] as const),
  );
  const dangers = names.map((name) => {
    const path = join(folder, name);
    return loadSample('gemini', readFileSync(path), { path, siblings }).danger;
  });
  expect(dangers.flat().filter((text) => text.includes('deletes'))).toHaveLength(3);
});

test('Qwen Code glues its next record behind a torn last line, and then loses what is before it', () => {
  const torn = damagedOf('qwen').find(({ name }) => name === 'torn-tail');
  expect(loadSample('qwen', torn?.bytes ?? Buffer.of()).danger).toHaveLength(1);
  const resumed = readFileSync(join(DOCTOR_SAMPLES, 'qwen/damaged/torn-tail-then-resumed-by-0.24.4.jsonl'));
  expect(loadSample('qwen', resumed).loaded).toHaveLength(1);
});

test('Claude Code 2.1.29 follows the last record, bridges nothing, and sends calls without results', () => {
  const load = (name: string) => {
    const sample = damagedOf('claude').find((one) => one.name === name);
    return loadSample('claude', sample?.bytes ?? Buffer.of(), { version: '2.1.29' });
  };
  expect(load('old-branch-last').leaf).toBe(88);
  expect(load('lost-call').refused).not.toEqual([]);
  expect(load('joined').loaded.length).toBeLessThan(38);
});
