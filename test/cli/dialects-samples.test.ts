import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noesis, SAMPLES } from '../support/cli.ts';
import { writeTree } from '../support/temp.ts';

const text = (path: string): string => readFileSync(join(SAMPLES, path), 'utf8');
const json = (path: string): unknown => JSON.parse(text(path));

async function project(path: string, ...options: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await noesis(['project', join(SAMPLES, path), '-j', ...options]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** The lines of a text that are JSON. */
const wholeLines = (stored: string): string =>
  stored
    .split('\n')
    .filter((line) => {
      try {
        return typeof JSON.parse(line) === 'object';
      } catch {
        return false;
      }
    })
    .map((line) => `${line}\n`)
    .join('');

describe('exarchos', () => {
  const log = 'exarchos/demo-feature.events.jsonl';

  test('the stored state matches the log', async () => {
    expect(await project(log, '--diff')).toMatchObject({ equal: true, differences: [], underivable: [] });
    const { createdAt: _, updatedAt: __, ...projected } = (await project(log)) as Record<string, unknown>;
    expect(json('exarchos/demo-feature.state.json')).toMatchObject(projected);
    expect((await noesis(['state', join(SAMPLES, log), '-j'])).stdout).toBe(
      text('exarchos/demo-feature.state.json'),
    );
  });

  test('a tampered state differs, and the event behind the difference is named', async () => {
    const state = json('exarchos/demo-feature.state.json') as Record<string, unknown>;
    const dir = writeTree({
      'demo-feature.events.jsonl': text(log),
      'demo-feature.state.json': JSON.stringify({ ...state, phase: 'synthesize' }),
    });
    const { code, stdout } = await noesis([
      'project',
      join(dir, 'demo-feature.events.jsonl'),
      '--diff',
      '-j',
    ]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      equal: false,
      differences: [
        {
          path: 'phase',
          projected: 'completed',
          stored: 'synthesize',
          evidence: { event_id: expect.stringMatching(/^demo-feature:2[89]$/) },
        },
      ],
    });
  });
});

describe('fishbowl', () => {
  const log = 'fishbowl/ledger-10-runs.scrubbed.jsonl';
  const expected = () => ({
    runs: json('fishbowl/expected-run-summaries.json'),
    stage: json('fishbowl/expected-stage.json'),
    leaderboard: json('fishbowl/expected-leaderboard.json'),
  });

  test("the projection is the engine's", async () => {
    expect(await project(log)).toEqual(expected());
  });

  test('each run on its own is its part of the whole', async () => {
    const { runs, stage } = expected() as { runs: { run_id: string }[]; stage: Record<string, unknown> };
    for (const run of runs.slice(0, 3)) {
      expect(await project(`${log}#${run.run_id}`)).toMatchObject({
        runs: [run],
        stage: { [run.run_id]: stage[run.run_id] },
      });
    }
  });

  test('is found intact', async () => {
    const { code, stdout } = await noesis(['verify', join(SAMPLES, log), '-j', '--strict']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ summary: { events: 256, errors: 0, warnings: 0 } });
  });
});

describe('coordinator', () => {
  test('the board of a finished plan has every task complete', async () => {
    const board = (await project('coordinator/nested-two-sessions.jsonl')) as {
      tasks: Record<string, { status: string }>;
      sessions: unknown[];
    };
    expect(Object.values(board.tasks).map(({ status }) => status)).toEqual(Array(4).fill('complete'));
    expect(board.sessions).toHaveLength(2);
  });

  test.each(['pretty', 'json', 'sarif', 'junit', 'github'])(
    'damaged logs are reported as %s',
    async (format) => {
      for (const name of ['corrupt-middle', 'truncated-tail']) {
        const args = ['verify', join(SAMPLES, `coordinator/${name}.jsonl`), '-f', format];
        const { code, stdout, stderr } = await noesis(args);
        expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
        expect(stdout).toContain(name === 'corrupt-middle' ? 'log/invalid-json' : 'log/truncated');
      }
    },
  );

  test('damaged logs show nothing, or their intact records with --partial', async () => {
    for (const name of ['corrupt-middle', 'truncated-tail']) {
      const path = join(SAMPLES, `coordinator/${name}.jsonl`);
      expect(await noesis(['events', path])).toMatchObject({ code: 1, stdout: '' });
      const { code, stdout } = await noesis(['events', path, '--partial', '-j']);
      expect({ code, stdout }).toEqual({
        code: 1,
        stdout: wholeLines(text(`coordinator/${name}.jsonl`)),
      });
    }
  });

  test('a plan is found through hidden folders, without what a recovery left behind', async () => {
    const plan = '.claude/bonfire/demo';
    const dir = writeTree({
      [`${plan}/event-log.jsonl`]: text('coordinator/nested-two-sessions.jsonl'),
      [`${plan}/event-log.jsonl.corrupted.20260117120000`]: '{',
    });
    writeFileSync(join(dir, 'notes.jsonl'), '{}\n');
    const { code, stdout } = await noesis(['verify', dir, '-j']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      episodes: [
        { episode: 'demo', events: 75 },
        {
          events: 0,
          findings: [
            {
              code: 'verify/not-verified',
              file: '.claude/bonfire/demo/event-log.jsonl.corrupted.20260117120000',
            },
            { code: 'verify/not-verified', file: 'notes.jsonl' },
          ],
        },
      ],
    });
  });
});
