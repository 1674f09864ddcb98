import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { parseInstant } from '../../src/base/time/instant.ts';
import { DIALECTS } from '../../src/dialects/registry.ts';
import type { listedRun } from '../../src/read/outputs/list.ts';
import type { shownRun } from '../../src/read/outputs/show.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

type Listed = z.infer<typeof listedRun>;
type Shown = z.infer<typeof shownRun>;

const listOf = async (folder: string): Promise<Listed[]> =>
  JSON.parse((await runHere(['list', folder, '-j'])).stdout) as Listed[];

const shown = async (path: string): Promise<Shown> =>
  JSON.parse((await runHere(['show', path, '-j'])).stdout) as Shown;

const instant = (time: string | undefined) => parseInstant(time);

/** What both commands say of a run, in one form. */
interface Facts {
  readonly [fact: string]: unknown;
}

/** A list reads only the ends of a log that is not of a session, so it does not know what that lacks. */
const isReadAsAWhole = ({ dialect }: Shown): boolean => dialect !== undefined && SESSIONS.has(dialect);

const SESSIONS: ReadonlySet<string> = new Set(
  DIALECTS.filter(({ storesMuch }) => storesMuch).map(({ name }) => name),
);

/** The words of a log without a status, in which `list` has none. */
const statusOf = (status: string | undefined) => status ?? 'unknown';

function listedFacts(run: Listed): Facts {
  return {
    dialect: run.dialect,
    status: statusOf(run.status),
    tone: run.tone,
    started: instant(run.started_at),
    took: run.took_ms,
    cwd: run.cwd,
    tokens: run.tokens,
    subagents: run.subagents,
    parts: run.parts,
    lacks: run.lacks,
    cost: run.cost,
  };
}

function shownFacts(run: Shown): Facts {
  return {
    dialect: run.dialect,
    status: statusOf(run.status),
    tone: run.tone,
    started: instant(run.started_at),
    took: run.duration_ms,
    cwd: run.cwd,
    tokens: run.tokens,
    subagents: run.subagents,
    parts: run.parts,
    lacks: isReadAsAWhole(run) ? run.lacks : undefined,
    cost: run.cost,
  };
}

function differences(listed: Listed, run: Shown): string[] {
  const [a, b] = [listedFacts(listed), shownFacts(run)];
  const found = Object.keys(a).flatMap((fact) =>
    JSON.stringify(a[fact]) === JSON.stringify(b[fact])
      ? []
      : [`${fact}: list ${JSON.stringify(a[fact])}, show ${JSON.stringify(b[fact])}`],
  );
  const compare = (fact: string, isEqual: boolean, ...both: unknown[]) => {
    if (!isEqual) found.push(`${fact}: list ${JSON.stringify(both[0])}, show ${JSON.stringify(both[1])}`);
  };
  // A run with one time has no end. Subagents may go on after the last record of a session.
  const [last = 0, end = 0] = [instant(listed.written_at), instant(run.ended_at ?? run.started_at)];
  const isLast = run.subagents === undefined ? last === end : last >= end;
  if (run.started_at !== undefined)
    compare('last activity', isLast, listed.written_at, run.ended_at ?? run.started_at);
  // Turns are the steps with a number of calls. Other steps are those of a plan.
  const turns = (run.steps ?? []).filter(({ calls, copied }) => calls !== undefined && !copied).length;
  if (turns > 0) compare('turns', listed.turns === turns, listed.turns, turns);
  const reasons = (run.why ?? []).flatMap(({ kind, text }) => [text, `${kind}: ${text}`]);
  const { why } = listed;
  // The list adds details of a reason, which have a member for themselves in the other output.
  if (why !== undefined)
    compare(
      'why',
      reasons.some((reason) => why.startsWith(reason)),
      why,
      reasons,
    );
  const used = Object.keys(run.models ?? {}).filter((model) => model !== 'unknown');
  const models = listed.models ?? (listed.model === undefined ? [] : [listed.model]);
  compare(
    'models',
    used.every((model) => models.includes(model)),
    models,
    used,
  );
  return found.map((difference) => `${listed.path}: ${difference}`);
}

const FOLDERS = [
  ...readdirSync(SAMPLES)
    .filter((name) => name !== 'LICENSES')
    .map((name) => join(SAMPLES, name)),
  ...readdirSync(join(SAMPLES, 'parts')).map((name) => join(SAMPLES, 'parts', name)),
  ...readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'keys')
    .map(({ name }) => join(EXAMPLES, name)),
];

test.each(FOLDERS)('list and show say the same of the runs in %s', async (folder) => {
  const found: string[] = [];
  for (const run of await listOf(folder)) found.push(...differences(run, await shown(run.path)));
  expect(found).toEqual([]);
});

describe('the spans of a trace', () => {
  const span = (id: number, from: number, to: number, parent?: string) => ({
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: String(id).padStart(16, '0'),
    ...(parent !== undefined && { parentSpanId: parent }),
    name: `span ${id}`,
    startTimeUnixNano: `${1_767_254_400_000 + from}000000`,
    endTimeUnixNano: `${1_767_254_400_000 + to}000000`,
  });
  const ROOT = '0'.repeat(15).concat('1');

  test.each([
    ['with the root last', [span(2, 10, 40, ROOT), span(3, 50, 90, ROOT), span(1, 0, 100)]],
    ['with the root in the middle', [span(2, 10, 40, ROOT), span(1, 0, 100), span(3, 50, 90, ROOT)]],
    [
      'with a child that ends after the root',
      [span(1, 0, 100), span(2, 10, 900, ROOT), span(3, 50, 90, ROOT)],
    ],
    ['with a root whose parent is zeros', [span(2, 10, 40, ROOT), span(1, 0, 100, '0'.repeat(16))]],
    [
      'with the first span after more than a screen of others',
      [...Array.from({ length: 60 }, (_, at) => span(at + 2, 500, 600, ROOT)), span(1, 0, 100)],
    ],
    [
      'of more than the end of a log',
      [span(1, 0, 5000), ...Array.from({ length: 1500 }, (_, at) => span(at + 2, 500 + at, 600 + at, ROOT))],
    ],
  ])('%s', async (_name, spans) => {
    const file = tempFile(`${spans.map((one) => JSON.stringify(one)).join('\n')}\n`, 'spans.jsonl');
    const [listed] = await listOf(file);
    expect(listed).toMatchObject({ task: 'span 1', started_at: '2026-01-01T08:00:00.000Z' });
    expect(differences(listed as Listed, await shown(file))).toEqual([]);
  });
});

test.each([
  ['an event log', join(SAMPLES, 'coordinator/corrupt-middle.jsonl'), false],
  ['an episode', join(EXAMPLES, 'damaged/torn-tail'), false],
  ['a session', join(SAMPLES, 'claude-code/damaged/nul-and-torn.jsonl'), true],
])(
  'show and stats say the same of what %s lacks, and list if it reads the whole log',
  async (_, path, isListed) => {
    const stats = JSON.parse((await runHere(['stats', '--partial', path, '-j'])).stdout) as {
      lacks?: unknown;
    };
    const { lacks } = await shown(path);
    expect(lacks?.lines).toBeGreaterThan(0);
    expect(stats.lacks).toEqual(lacks);
    expect((await listOf(path))[0]?.lacks).toEqual(isListed ? lacks : undefined);
  },
);
