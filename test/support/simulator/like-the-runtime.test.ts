import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realEpisodes } from '../runtime-episodes.ts';
import type { JsonObject } from './canonical.ts';
import { candidateId, directiveId, governanceId, stateHash } from './content-ids.ts';
import { type EpisodeShape, simulateEpisode, simulateKills } from './episode.ts';

type Files = ReadonlyMap<string, Uint8Array>;

function filesBelow(dir: string): Files {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => join(dir, name)).filter((path) => statSync(path).isFile());
  return new Map(files.map((path) => [relative(dir, path), readFileSync(path)]));
}

const real = realEpisodes().map(({ name, dir }) => ({ name, files: filesBelow(dir) }));

const shapes: readonly EpisodeShape[] = [
  { governed: 'allow', direction: true, prompts: true },
  { core: 'published', governed: 'audit', tags: { a: null, b: [1], c: { d: 1 }, ratio: 0.5, who: 'ops' } },
  { adapter: 'tool', direction: true, prompts: true },
  { ending: 'failed-tool', core: 'published' },
  { ending: 'failed-tool', governed: 'allow' },
  { governed: 'failing', core: 'published' },
  { governed: 'veto-audit', learnProposals: 1 },
  { ending: 'vetoed', direction: true },
  { ending: 'error', adapter: 'tool', intuition: false },
  { ending: 'paused', governed: 'veto-enforced' },
  { ending: 'paused' },
  { ending: 'running' },
  { resumed: 'in-process', adapter: 'tool' },
  { resumed: 'read-back', governed: 'veto-enforced' },
  { resumed: 'read-back', governed: 'veto-enforced', core: 'published', adapter: 'tool', prompts: true },
  { signature: { alg: 'HS512', kid: 'ops', secret: 'key', ctx: { build: '42', env: 'ci' } } },
];

const simulated = Array.from({ length: 12 }, (_, seed) => shapes.map((shape) => ({ ...shape, seed })))
  .flat()
  .map((shape) => ({ name: JSON.stringify(shape), files: simulateEpisode(shape).files }));

/** The values of tags come from the caller, and the inputs of steps from the planner. */
const anyone = /\.(?:tags|inputs|x-[^.]*)[.[]/;

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;

/** The path of every value below one, with its type. */
function* pathsOf(value: unknown, path = ''): Generator<string> {
  const entry = `${path} ${typeOf(value)}`;
  if (anyone.test(entry)) return;
  yield entry;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    yield* pathsOf(item, Array.isArray(value) ? `${path}[]` : `${path}.${key}`);
  }
}

interface Documents {
  count: number;
  /** In how many documents each path is. */
  readonly paths: Map<string, number>;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function kindOf(name: string, value: unknown): string {
  if (name !== 'events.jsonl' || !isObject(value)) return name.replace(/^.*\//, '');
  const { phase, event_type: type = '', payload } = value;
  return `${phase} ${type}${isObject(payload) && payload['synthetic'] === true ? 'roll-up' : ''}`.trim();
}

/** The values in a file. Lines that are not JSON were torn by a kill, or have NaN. */
function valuesIn(name: string, bytes: Uint8Array): unknown[] {
  const text = Buffer.from(bytes).toString();
  return (name.endsWith('.jsonl') ? text.split('\n') : [text]).flatMap((part) => {
    try {
      return [JSON.parse(part)];
    } catch {
      return [];
    }
  });
}

/** The paths in all documents of each kind: events by their phase, other files by their name. */
function survey(episodes: readonly { readonly files: Files }[]): Map<string, Documents> {
  const kinds = new Map<string, Documents>();
  for (const [name, bytes] of episodes.flatMap(({ files }) => [...files])) {
    if (!/\.jsonl?$/.test(name) || name.startsWith('tmp')) continue;
    for (const value of valuesIn(name, bytes)) {
      const kind = kindOf(name, value);
      const documents = kinds.get(kind) ?? { count: 0, paths: new Map() };
      kinds.set(kind, documents);
      documents.count += 1;
      for (const path of new Set(pathsOf(value))) {
        documents.paths.set(path, (documents.paths.get(path) ?? 0) + 1);
      }
    }
  }
  return kinds;
}

const [inReal, inSimulated] = [survey(real), survey(simulated)];

test.each([...inReal.keys()])('%s has every field that the runtime writes, of the same types', (kind) => {
  const paths = inSimulated.get(kind)?.paths;
  expect([...(inReal.get(kind)?.paths.keys() ?? [])].filter((path) => !paths?.has(path))).toEqual([]);
});

/** Members that the documents call optional, although the runtime always writes them. */
const OPTIONAL: Readonly<Record<string, readonly RegExp[]>> = {
  plan: [/^\.payload\.(?:rationale|source) /],
  act: [/^\.payload\.step_id /],
  // A prompt of which only the hash is kept.
  'prompts.jsonl': [/^\.rendered /],
  // A blocked directive changes nothing.
  direction: [/^\.payload\.diff\[\]/],
};

test.each([...inReal.keys()])('%s always has what the runtime always writes', (kind) => {
  const always = ({ count, paths }: Documents) =>
    [...paths].flatMap(([path, times]) => (times === count ? [path] : []));
  const made = inSimulated.get(kind);
  const missing = always(inReal.get(kind) as Documents).filter(
    (path) => made?.paths.get(path) !== made?.count && !OPTIONAL[kind]?.some((one) => one.test(path)),
  );
  expect(missing).toEqual([]);
});

test('the list of things the runtime was not seen to write is reviewed', () => {
  const more = [...inSimulated].flatMap(([kind, { paths }]) => {
    const unseen = [...paths.keys()].filter((path) => !inReal.get(kind)?.paths.has(path));
    const places = unseen.map((path) => path.split(' ')[0] ?? '');
    // Folders below it are not seen either.
    return unseen
      .filter(
        (path) => !places.some((place) => /^[.[]/.test(path.slice(place.length)) && path.startsWith(place)),
      )
      .map((path) => `${kind}${path}`);
  });
  expect(more.sort()).toMatchInlineSnapshot(`
    [
      "act.payload.provenance object",
      "act.payload.result_artifacts list",
      "act.payload.x-trace object",
      "direction.payload.diff[].after number",
      "direction.payload.diff[].before number",
      "direction.payload.rule_id string",
      "direction.payload.score number",
      "governance.payload.details.n number",
      "governance.payload.details.share number",
      "learn.jsonl object",
      "learn.payload.proposal_ids[] string",
      "observe.payload.experimental.snapshot.state.beliefs[] object",
      "observe.payload.experimental.snapshot.state.memory.facts[] object",
      "plan.payload.step_records[].depends_on list",
      "plan.payload.step_records[].inputs object",
      "plan.payload.step_records[].x-note object",
      "prompts.jsonl.model string",
      "prompts.jsonl.template string",
      "prompts.jsonl.variables object",
      "state.json.beliefs[] object",
      "state.json.memory.facts[] object",
      "state.json.outcomes.actions[].provenance object",
      "state.json.outcomes.actions[].result_artifacts list",
      "state.json.outcomes.actions[].x-trace object",
      "state.json.plan.steps[].depends_on list",
      "state.json.plan.steps[].inputs object",
      "state.json.plan.steps[].x-note object",
    ]
  `);
});

describe('a run like one of the samples', () => {
  /** The kinds of the events in their order, and the other files. */
  const courseOf = (files: Files) => ({
    events: valuesIn('events.jsonl', files.get('events.jsonl') ?? new Uint8Array()).map((event) =>
      kindOf('events.jsonl', event),
    ),
    files: [...files.keys()].map((name) => name.replace(/chk_[0-9a-f]{12}/, 'chk')).sort(),
  });

  const plain: EpisodeShape = { core: 'published', intuition: false };
  const veto: EpisodeShape = { intuition: false, resumed: 'read-back', governed: 'veto-enforced' };
  const rich: EpisodeShape = { core: 'published', governed: 'allow', direction: true };
  const like: Readonly<Record<string, EpisodeShape>> = {
    'produced/ok-minimal-planner': plain,
    'produced/ok-adapter-object': { ...plain, adapter: 'tool' },
    'produced/intuition-hint-only': { core: 'published', direction: true },
    'produced/prompts-full': { ...rich, prompts: true },
    'produced/gov-audit-veto': { ...plain, governed: 'veto-audit' },
    'produced/gov-error-open': { ...plain, governed: 'failing' },
    'produced/gov-enforce-veto': { ...plain, ending: 'vetoed', acts: 0 },
    'produced/gov-enforce-veto-learn-apply': {
      core: 'published',
      ending: 'vetoed',
      acts: 0,
      direction: true,
    },
    'produced/failed-tool': { ...plain, ending: 'failed-tool' },
    'produced/gov-enforce-failed-tool': { ...plain, ending: 'failed-tool', governed: 'allow' },
    'produced/adapter-exception': { ...plain, ending: 'error', adapter: 'tool' },
    'produced/pause-on-veto': { ...plain, ending: 'paused', acts: 0, governed: 'veto-enforced' },
    'produced/self-interrupt-dies': { ...plain, ending: 'paused', acts: 0 },
    'produced/self-interrupt-resume': { ...plain, resumed: 'in-process', adapter: 'tool' },
    'newest/new-meta': { intuition: false },
    'newest/new-allow': { intuition: false, governed: 'allow' },
    'newest/new-veto': { intuition: false, ending: 'vetoed', acts: 0 },
    'newest/new-fail': { intuition: false, ending: 'failed-tool' },
    'live-core/one': { ...rich, adapter: 'tool', prompts: true },
    'live-newest/one': { ...rich, core: 'newest', adapter: 'tool', prompts: true },
    'life-core/readme-flow-meta': { ...veto, core: 'published' },
    'life-core/readme-flow-adapter': { ...veto, core: 'published', adapter: 'tool' },
    'life-core/checkpoint-again': { ...veto, core: 'published' },
    'life-newest/readme-flow-with-resume': veto,
    'life-newest/checkpoint-again': veto,
  };

  test.each(Object.entries(like))('%s has its events in the same order, and its files', (name, shape) => {
    const sample = real.find((episode) => episode.name === name);
    const courses = Array.from({ length: 60 }, (_, seed) =>
      courseOf(simulateEpisode({ ...shape, seed }).files),
    );
    expect(courses).toContainEqual(courseOf(sample?.files ?? new Map()));
  });

  test.each(['killed/k006', 'killed/k012', 'killed/k018', 'killed/k024', 'killed/k036'])(
    '%s is a run killed after one of its writes',
    (name) => {
      const sample = real.find((episode) => episode.name === name);
      const shape: EpisodeShape = { ...plain, adapter: 'tool', governed: 'allow', prompts: true };
      expect(simulateKills(shape).map(({ files }) => courseOf(files))).toContainEqual(
        courseOf(sample?.files ?? new Map()),
      );
    },
  );
});

describe('the ids that are hashes of their content, as they are made here,', () => {
  const logs = real.map(({ files }) =>
    valuesIn('events.jsonl', files.get('events.jsonl') ?? new Uint8Array()).filter(isObject),
  );
  const payloads = (phase: string) =>
    logs.flatMap((log) =>
      log.flatMap((event, index) =>
        event['phase'] === phase
          ? [
              {
                log: log.slice(0, index),
                episode: String(event['episode_id']),
                payload: event['payload'] as JsonObject,
              },
            ]
          : [],
      ),
    );

  test('are those of the runtime: decisions', () => {
    const found = payloads('governance').map(({ payload }) => payload);
    expect(found.length).toBeGreaterThan(30);
    expect(found.map(governanceId)).toEqual(found.map(({ governance_id }) => governance_id));
  });

  test('directives', () => {
    const found = payloads('direction').map(({ payload }) => payload);
    expect(found.length).toBeGreaterThan(8);
    expect(found.map(directiveId)).toEqual(found.map(({ directive_id }) => directive_id));
  });

  test('candidates, and the state behind them', () => {
    const found = payloads('action_candidate');
    expect(found.length).toBeGreaterThan(30);
    for (const { log, episode, payload } of found) {
      const { action_candidate_id, ...rest } = payload;
      expect(candidateId(episode, rest)).toBe(action_candidate_id);
      const latest = (phase: string) => log.findLast((event) => event['phase'] === phase)?.['payload'];
      const { task, seed } = latest('start') as { task: string; seed: number };
      const { step_records: plan } = latest('plan') as { step_records: JsonObject[] };
      const { adapter_label } = payload['payload'] as { adapter_label: string };
      expect(stateHash({ episode_id: episode, seed, task, adapter_label, plan })).toBe(payload['state_hash']);
    }
  });
});
