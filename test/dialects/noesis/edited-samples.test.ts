import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type JsonPath, parsePath, valueAt } from '../../../src/base/json/path.ts';
import type { JsonValue } from '../../../src/base/json/value.ts';
import type { FindingCode } from '../../../src/findings/codes.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { type RealEpisode, realEpisodes } from '../../support/runtime-episodes.ts';
import { tempDir } from '../../support/temp.ts';

/** Sealed episodes of both cores: decisions, tools that fail, a veto, and resumes. */
const NAMES = [
  'produced/gov-enforce-allow-adapter',
  'produced/gov-enforce-veto',
  'produced/failed-tool',
  'newest/new-meta',
  'newest/new-fail',
  'life-core/readme-flow-meta',
  'life-newest/readme-flow-meta',
];
const EPISODES = realEpisodes().filter(({ name }) => NAMES.includes(name));

const HOUR_BEFORE = '2026-11-22T06:00:00.000000+00:00';
const PROJECTED = ['projection/plan', 'projection/actions', 'projection/started-at'] as const;

/** A value, its place and file, and the finding about it at that place. */
const SEEN: readonly (readonly [file: string, path: string, value: JsonValue, ...codes: FindingCode[]])[] = [
  ['state.json', 'version', '2.0', 'state/vocabulary'],
  ['state.json', 'state_schema_version', '2.0.0', 'state/vocabulary'],
  ['state.json', 'episode.id', 'ep_01M813EX0DEB2XS3VMTF2TQ3G0', 'consistency/episode-id'],
  ['state.json', 'episode.seed', 4242, 'consistency/seed'],
  ['state.json', 'episode.tags', { who: 'me' }, 'consistency/tags'],
  ['state.json', 'episode.using', 'other', 'consistency/using'],
  ['state.json', 'episode.started_at', HOUR_BEFORE, 'consistency/started-at', 'projection/started-at'],
  ['state.json', 'goal.task', 'another', 'consistency/task'],
  ['state.json', 'plan.source', 'planner.other', 'projection/plan'],
  ['state.json', 'plan.rationale', 'because', 'projection/plan'],
  ['state.json', 'plan.updated_at', '2020-01-01T00:00:00Z', 'projection/plan'],
  ['state.json', 'plan.steps[0].status', 'failed', 'projection/plan'],
  ['state.json', 'plan.steps[1].description', 'another', 'projection/plan'],
  ['state.json', 'plan.steps[2].kind', 'review', 'projection/plan'],
  [
    'state.json',
    'plan.steps[3]',
    { id: 'x', kind: 'act', description: 'x', status: 'done' },
    'projection/plan',
  ],
  ['state.json', 'outcomes.status', 'aborted', 'consistency/status', 'projection/outcomes'],
  ['state.json', 'outcomes.summary', 'all went well', 'consistency/status', 'projection/outcomes'],
  ['state.json', 'outcomes.actions[0].input_excerpt', 'rm -rf /', ...PROJECTED],
  ['state.json', 'outcomes.actions[0].result_status', 'aborted', ...PROJECTED],
  ['state.json', 'outcomes.actions[0].timestamp', HOUR_BEFORE, ...PROJECTED],
  ['state.json', 'outcomes.actions[0].x-note', 'made up', ...PROJECTED],
  ['state.json', 'links.summary', 'manifest.json', 'state/links', 'projection/links'],
  ['state.json', 'links.events', '../other/events.jsonl', 'state/links', 'projection/links'],
  ['state.json', 'process.id', '0123456789ab', 'consistency/process'],
  ['state.json', 'process.run_index', 7, 'consistency/process'],
  ['summary.json', 'episode_id', 'ep_x', 'consistency/episode-id'],
  ['summary.json', 'task', 'another', 'consistency/task'],
  ['summary.json', 'seed', 4242, 'consistency/seed'],
  ['summary.json', 'tags', { who: 'me' }, 'consistency/tags'],
  ['summary.json', 'started_at', HOUR_BEFORE, 'consistency/started-at'],
  ['summary.json', 'duration_sec', 999.5, 'consistency/metrics'],
  ['summary.json', 'adapter_result', 'other', 'artifact/schema'],
  ['summary.json', 'manifest.path', 'other.json', 'artifact/schema'],
  ['summary.json', 'flags.using', 'other', 'consistency/using'],
  ['summary.json', 'flags.direction.applied', 7, 'consistency/metrics'],
  ...['act_count', 'plan_count', 'reflect_count', 'interpret_count', 'direction_vetoed', 'veto_count'].map(
    (key) => ['summary.json', `metrics.${key}`, 77, 'consistency/metrics'] as const,
  ),
  ['summary.json', 'process.id', '0123456789ab', 'consistency/process'],
  ['final.json', 'episode_id', 'ep_x', 'consistency/episode-id'],
  ['final.json', 'process_id', '0123456789ab', 'consistency/process'],
  ['final.json', 'run_index', 44, 'consistency/process'],
  ['final.json', 'outcome', 'cancelled', 'consistency/status'],
  ['final.json', 'verification_status', 'verified', 'consistency/status'],
  ['final.json', 'finalized_at', HOUR_BEFORE, 'consistency/finalized-at'],
];

/** Values that nothing else in an episode repeats, so only the manifest covers them. */
const UNSEEN: readonly (readonly [file: string, path: string, value: JsonValue])[] = [
  [
    'state.json',
    'beliefs[0]',
    { statement: 's', confidence: 0.9, timestamp: HOUR_BEFORE, provenance: { source: 'x' } },
  ],
  ['state.json', 'memory.facts[0]', { key: 'k', value: 1, type: 'note' }],
  ['state.json', 'memory.scratchpad', 'note'],
  ['summary.json', 'agents_config_hash', `sha256:${'0'.repeat(64)}`],
  ['summary.json', 'metrics.latencies.first_action_ms', 9999],
];

function putAt(root: JsonValue, path: JsonPath, value: JsonValue): void {
  const parent = valueAt(root, path.slice(0, -1)) as Record<string | number, JsonValue>;
  parent[path.at(-1) ?? ''] = value;
}

/** A copy of an episode with one changed value and a new manifest; undefined if the episode has no such place. */
function edited({ dir, id }: RealEpisode, file: string, at: string, value: JsonValue): string | undefined {
  const path = parsePath(at) ?? [];
  const document = JSON.parse(readFileSync(join(dir, file), 'utf8')) as JsonValue;
  if (valueAt(document, path.slice(0, -1)) === undefined) return undefined;
  putAt(document, path, value);
  const copy = join(tempDir(), id);
  cpSync(dir, copy, { recursive: true });
  writeFileSync(join(copy, file), JSON.stringify(document));
  const manifest = JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8')) as {
    files: { name: string; sha256: string; size_bytes: number }[];
  };
  for (const entry of manifest.files) {
    const bytes = readFileSync(join(copy, entry.name));
    entry.sha256 = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    entry.size_bytes = bytes.length;
  }
  writeFileSync(join(copy, 'manifest.json'), JSON.stringify(manifest));
  return copy;
}

const loud = async (dir: string) =>
  (await verifyEpisode(dir)).findings.filter(({ severity }) => severity !== 'info');

describe('an episode with a new manifest', () => {
  test('is one of seven', () => expect(EPISODES.length).toBe(NAMES.length));

  const seen = SEEN.map(([file, path, value, ...codes]) => ({ file, path, value, codes }));

  test.each(seen)('$file: $path is reported once, at its place', async ({ file, path, value, codes }) => {
    let tried = 0;
    for (const episode of EPISODES) {
      const dir = edited(episode, file, path, value);
      if (dir === undefined) continue;
      tried += 1;
      const found = await loud(dir);
      expect(found, episode.name).toHaveLength(1);
      expect(found).toMatchObject([{ file }]);
      expect(codes).toContain(found[0]?.code);
      // Outcomes are said of where they contradict each other.
      if (file !== 'final.json') expect(found).toMatchObject([{ path }]);
    }
    expect(tried).toBeGreaterThan(3);
  });

  test.each(UNSEEN)('%s: only the manifest covers %s', async (file, path, value) => {
    for (const episode of EPISODES) {
      const dir = edited(episode, file, path, value);
      if (dir !== undefined) expect(await loud(dir), episode.name).toEqual([]);
    }
  });

  test('a seed beyond the precision of a double differs from its neighbour', async () => {
    const episode = realEpisodes().find(({ name }) => name === 'produced/seed-huge');
    const dir = episode && edited(episode, 'final.json', 'run_index', 1);
    if (dir === undefined) throw new Error('no such sample');
    const state = join(dir, 'state.json');
    const [, seed = ''] = /"seed":(\d+)/.exec(readFileSync(state, 'utf8')) ?? [];
    expect(Number.isSafeInteger(Number(seed))).toBe(false);
    const other = String(BigInt(seed) + 1n);
    writeFileSync(state, readFileSync(state, 'utf8').replace(`"seed":${seed}`, `"seed":${other}`));
    const found = (await loud(dir)).filter(({ code }) => code === 'consistency/seed');
    expect(found).toMatchObject([{ expected: seed, actual: other }]);
  });
});
