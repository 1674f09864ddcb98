import { describe, expect, test } from 'vitest';
import { noesis } from '../../support/cli.ts';
import { STATE, stateWith, withOutcomes, writeState } from './states.ts';

const viewed = async (state: unknown, ...more: string[]) => noesis(['state', writeState(state), ...more]);

describe('the view of a state', () => {
  test('ST-011: shows the intuition mode, advisory if a state has none', async () => {
    expect((await viewed(STATE)).stdout).toMatch(/^Intuition +advisory \(default\)$/m);
    const hybrid = stateWith({ episode: { ...STATE.episode, intuition_mode: 'hybrid' } });
    expect((await viewed(hybrid)).stdout).toMatch(/^Intuition +hybrid$/m);
    const asked = await viewed(STATE, 'episode.intuition_mode');
    expect(asked).toMatchObject({ code: 0, stdout: 'advisory\n' });
    expect(asked.stderr).toContain('episode.intuition_mode is not in state.json: this is the default');
    expect((await viewed(STATE, 'episode.intuition_mode', '-j')).stdout).toBe('"advisory"\n');
    expect((await viewed(hybrid, 'episode.intuition_mode')).stdout).toBe('hybrid\n');
    expect((await viewed(STATE, 'episode.color')).code).toBe(3);
  });

  test('ST-036: shows an error first, then metrics and artifacts', async () => {
    const { stdout } = await viewed(withOutcomes({ error: 'disk full', artifacts: ['a.txt', 'b.txt'] }));
    expect(stdout).toMatch(/^Error +disk full$/m);
    expect(stdout.indexOf('Error')).toBeLessThan(stdout.indexOf('Episode'));
    expect(stdout).toMatch(/^Metrics +score=0\.5$/m);
    expect(stdout).toMatch(/^Artifacts +a\.txt, b\.txt$/m);
    expect(stdout).toMatch(/^Seed +7$/m);
    expect(stdout).not.toContain('Tags');
  });

  test('ST-014, ST-021: shows the rationale under Plan, and the inputs and outputs of steps and actions', async () => {
    const step = { ...STATE.plan.steps[0], inputs: { file: 'x.md' }, outputs: { entries: 15 } };
    const action = { ...STATE.outcomes.actions[0], output: { rotated: 3 } };
    const { stdout } = await viewed({
      ...withOutcomes({ actions: [action] }),
      plan: { ...STATE.plan, steps: [step] },
    });
    const plan = stdout.slice(stdout.indexOf('Plan ('));
    expect(plan).toMatch(/^Plan \(planner\.minimal\)\nRationale +why\n/);
    expect(plan).toMatch(/step-1 +inputs +file=x\.md/);
    expect(plan).toMatch(/step-1 +outputs +entries=15/);
    expect(plan).toMatch(/act-1 +output +rotated=3/);
  });
});
