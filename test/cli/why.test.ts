import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';
import { isInstalled } from '../support/tools.ts';

const EPISODES = join(EXAMPLES, '.noesis/episodes');
const OVER = new Set(['ok', 'vetoed', 'error', 'failed', 'completed', 'cancelled']);

interface Shown {
  readonly status?: string;
  readonly why?: readonly { readonly kind: string; readonly text: string; readonly line: number }[];
}

test.each(readdirSync(EPISODES))('show says why %s ended as it did', async (id) => {
  const { code, stdout } = await runHere(['show', id, '-j']);
  expect(code).toBe(0);
  const { status = '', why = [] } = JSON.parse(stdout) as Shown;
  expect(status).not.toBe('');
  if (OVER.has(status)) expect(why.length).toBeGreaterThan(0);
  for (const { kind, text, line } of why)
    expect([kind !== '', text !== '', line > 0]).toEqual([true, true, true]);
});

test('the reason of a veto is two commands away: list, then show', async () => {
  const { stdout: list } = await runHere(['list', '--status', 'vetoed']);
  const [id = ''] = /ep_\w+/.exec(list) ?? [];
  const { stdout } = await runHere(['show', id]);
  expect(stdout).toMatch(/^veto .*policy governance\.rules/m);
  expect(stdout).toMatch(/rule\s+[\w.]+/);
});

describe.skipIf(!isInstalled('jq'))('stats (jq counts the same; skipped without jq)', () => {
  const jq = (filter: string): unknown => {
    const logs = readdirSync(EPISODES).map((id) => join(EPISODES, id, 'events.jsonl'));
    return JSON.parse(execFileSync('jq', ['-s', '-c', filter, ...logs], { encoding: 'utf8' }));
  };

  test('counts events and phases as jq does', async () => {
    const stats = JSON.parse((await runHere(['stats', '.noesis', '-j'])).stdout) as {
      events: number;
      phases: Record<string, { count: number; max?: number }>;
    };
    expect(stats.events).toBe(jq('length'));
    const counts = Object.fromEntries(Object.entries(stats.phases).map(([name, { count }]) => [name, count]));
    expect(counts).toEqual(jq('group_by(.phase) | map({(.[0].phase): length}) | add'));
    expect(stats.phases['act']?.max).toBe(
      jq('map(select(.phase == "act") | .metrics.duration_ms // empty) | max'),
    );
  });
});

test.each([{}, { errorMessage: 'no such tool' }])(
  'a tool call of Exarchos that failed is named once, with and without a message: %j',
  async (more) => {
    const events = [
      { type: 'workflow.started', data: { featureId: 'f', workflowType: 'feature' } },
      { type: 'tool.invoked', data: { tool: 'event' } },
      { type: 'tool.errored', data: { tool: 'event', ...more } },
      { type: 'tool.completed', data: { tool: 'event' } },
    ];
    const lines = events.map((event, index) =>
      JSON.stringify({
        streamId: 'f',
        sequence: index + 1,
        timestamp: `2026-01-01T00:00:0${index}.000Z`,
        schemaVersion: '1.0',
        ...event,
      }),
    );
    const { stdout } = await runHere(['show', tempFile(`${lines.join('\n')}\n`, 'f.events.jsonl')]);
    expect(stdout.match(/^(?:failed|tool\.errored) /gm)).toHaveLength(1);
    expect(stdout).toContain(more.errorMessage ?? 'no reason given');
  },
);
