import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  DOCUMENTED_ID,
  type DocumentedForm,
  documentedLog,
  documentedState,
} from '../support/documented-run.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

/** Writes the run of the documents, with its state, into a folder named by its id. */
function writeRun(form: DocumentedForm, state: object = documentedState(form)): string {
  const dir = join(tempDir(), '.noesis', 'episodes', DOCUMENTED_ID);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'events.jsonl'), documentedLog(form));
  writeFileSync(join(dir, 'state.json'), JSON.stringify(state, null, 2));
  return dir;
}

const code = async (...args: string[]) => (await runHere(args)).code;

/** The errors and warnings of a strict verification. */
async function alarms(dir: string): Promise<string[]> {
  const { stdout } = await runHere(['verify', dir, '--strict', '-f', 'json']);
  const [report] = (JSON.parse(stdout) as { episodes: { findings: Record<string, string>[] }[] }).episodes;
  return (report?.findings ?? [])
    .filter(({ severity }) => severity !== 'info')
    .map(({ severity, code, path, message }) => `${severity} ${code} ${path ?? message}`);
}

describe.each(['full', 'short'] as const)('the run of the documents, %s', (form) => {
  test('is sealed, and then passes --strict, --diff and --require-seal', async () => {
    const dir = writeRun(form);
    expect(await alarms(dir)).toEqual([expect.stringContaining('warn seal/missing')]);
    expect(await code('seal', dir)).toBe(0);
    expect(await alarms(dir)).toEqual([]);
    expect(await code('verify', dir, '--strict', '--require-seal')).toBe(0);
    expect(await code('project', dir, '--diff')).toBe(0);
  });

  test('is not sealed with another status, metric or step than its log gives', async () => {
    const state = documentedState(form);
    const [first, ...steps] = state.plan.steps;
    for (const [forged, path] of [
      [{ outcomes: { ...state.outcomes, status: 'error' } }, 'outcomes.status'],
      [{ outcomes: { ...state.outcomes, metrics: { task_score: 1 } } }, 'outcomes.metrics.task_score'],
      [
        { plan: { ...state.plan, steps: [{ ...first, status: 'failed' }, ...steps] } },
        'plan.steps[0].status',
      ],
    ] as const) {
      const dir = writeRun(form, { ...state, ...forged });
      expect((await runHere(['seal', dir])).stderr).toContain(path);
      expect(await code('project', dir, '--diff')).toBe(1);
    }
  });
});

test('is not sealed if terminate or the state names another episode', async () => {
  const other = { ...documentedState('full').episode, id: 'ep_other' };
  const dir = writeRun('full', { ...documentedState('full'), episode: other });
  const { code: exit, stderr } = await runHere(['seal', dir]);
  expect([exit, stderr]).toEqual([1, expect.stringContaining('consistency/episode-id')]);

  const renamed = writeRun('full');
  writeFileSync(
    join(renamed, 'events.jsonl'),
    documentedLog('full').replace(`"episode_id":"${DOCUMENTED_ID}"`, '"episode_id":"ep_other"'),
  );
  const refusal = await runHere(['seal', renamed]);
  expect([refusal.code, refusal.stderr]).toEqual([1, expect.stringContaining('consistency/episode-id')]);
});
