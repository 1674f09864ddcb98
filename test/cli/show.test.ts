import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, noesis, SAMPLES } from '../support/cli.ts';

/** The folder of a real run, by the name of its case. */
function realRun(name: string): string {
  const folder = join(SAMPLES, 'noesis', 'runtime', 'produced', name);
  return join(folder, readdirSync(folder).find((entry) => entry.startsWith('ep_')) ?? '');
}

describe('show: why a run ended as it did', () => {
  test('an enforced veto is told with its policy, rule and score', async () => {
    const { code, stdout } = await noesis(['show', realRun('gov-enforce-veto')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Status {4}vetoed$/m);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'veto Task flagged as dangerous (policy governance.rules, rule rules.veto.danger, score 0.95, mode enforce), line 6',
    );
  });

  test('a failed act is told with its tool, and terminate with the error', async () => {
    const { stdout } = await noesis(['show', realRun('failed-tool')]);
    expect(stdout).toMatch(/^failed act .*tool adapter:bad, step step-3, result error/m);
    expect(stdout).toContain('tool exploded: connection refused, line 9');
  });

  test('a run that waits says for what', async () => {
    const { stdout } = await noesis(['show', realRun('pause-on-veto')]);
    expect(stdout).toMatch(/^Status {4}paused$/m);
    expect(stdout).toMatch(/^interrupt Task flagged as dangerous, line 7$/m);
  });

  test('as JSON it is one document', async () => {
    const { stdout } = await noesis(['show', realRun('gov-enforce-veto'), '-j']);
    expect(JSON.parse(stdout)).toMatchObject({
      dialect: 'noesis',
      verdict: 'ok',
      status: 'vetoed',
      events: 9,
      why: [
        { kind: 'veto', line: 6 },
        { kind: 'terminate', line: 7 },
      ],
    });
  });

  test('a corrupt log is not told from', async () => {
    const folder = join(EXAMPLES, 'damaged', 'bad-json');
    const { code, stdout, stderr } = await noesis(['show', join(folder, readdirSync(folder)[0] ?? '')]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('line 7 of events.jsonl is corrupt');
  });

  test('a log of any dialect has an account, if a short one', async () => {
    const { code, stdout } = await noesis(['show', join(SAMPLES, 'exarchos', 'demo-feature.events.jsonl')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Events {4}29: state\.patched 7/m);
  });
});
