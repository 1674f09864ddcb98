import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';

/** Logs next to the log of a run, and files with lines for other tests. */
const BESIDE = /(?:prompts|learn|transcript|hook-events|projections|envelope-vectors)[^/]*\.jsonl$/;
/** Pieces of logs, and damaged logs. */
const NOT_RUNS = /(?:^|\/)(?:damaged|files)\/|corrupt-middle|truncated-tail|nan-tag|k020/;

const logs = [SAMPLES, EXAMPLES].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl') && !BESIDE.test(path) && !NOT_RUNS.test(path))
    .map((path) => join(root, path)),
);

interface Shown {
  readonly dialect: string;
  readonly status?: string;
  readonly is_over?: boolean;
}

/** The rows below the title of a section, up to the blank line behind it. */
function section(text: string, title: string): string[] {
  const lines = text.split('\n');
  const from = lines.indexOf(title);
  return from < 0 ? [] : lines.slice(from + 1).slice(0, [...lines.slice(from + 1), ''].indexOf(''));
}

async function expectAnswer(target: string): Promise<void> {
  const shown = await runHere(['show', target, '-j']);
  expect(shown.code).toBe(0);
  const { is_over } = JSON.parse(shown.stdout) as Shown;
  const { stdout } = await runHere(['show', target, '--color', 'never']);
  const reasons = section(stdout, 'Why it ended');
  const soFar = section(stdout, 'So far');
  if (is_over) {
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.join(' ')).toMatch(/line \d+/);
    expect(soFar).toEqual([]);
  } else {
    expect(reasons).toEqual([]);
    expect(soFar.join(' ')).toMatch(
      /last event .* line \d+ .*(?:has no prompt|the log does not say that it ended)|its last event .* line \d+|has not begun/,
    );
  }
}

async function runsIn(log: string): Promise<string[]> {
  const { status } = JSON.parse((await runHere(['show', log, '-j'])).stdout) as Shown;
  if (status !== 'several runs') return [log];
  const { stdout } = await runHere(['list', log, '-j']);
  const ids = [...stdout.matchAll(/"(?:episode|id|run)": ?"(?:[^"]*#)?([^"#]+)"/g)].map(([, id]) => id);
  return [...new Set(ids)].map((id) => `${log}#${id}`);
}

test('there are runs of every dialect', async () => {
  const found = new Set<string>();
  // A chained log has a dialect for each maker.
  for (const log of logs.filter((path) => !path.includes('/chains/')))
    found.add((JSON.parse((await runHere(['show', log, '-j'])).stdout) as Shown).dialect);
  expect([...found].sort()).toEqual([
    'claude-code',
    'codex',
    'coordinator',
    'copilot',
    'exarchos',
    'fishbowl',
    'gemini',
    'generic',
    'noesis',
    'pi',
    'qwen',
  ]);
});

// The last record of a chain is an act, not an answer.
const told = logs.filter((path) => !path.includes('/chains/'));

test.each(sampled(told, 15).map((log) => log.slice(resolve(SAMPLES, '../..').length + 1)))(
  'show says why %s ended as it did, or that it has not ended',
  async (path) => {
    const runs = await runsIn(resolve(SAMPLES, '../..', path));
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) await expectAnswer(run);
  },
);

test('list and show use the same word for the status of a run', async () => {
  const { stdout } = await runHere(['list', SAMPLES, EXAMPLES, '-j']);
  const rows = JSON.parse(stdout) as { path: string; status?: string }[];
  expect(rows.length).toBeGreaterThan(100);
  const asked = sampled(rows, 15);
  const shown: [path: string, status: string][] = [];
  for (const { path } of asked) {
    const { code, stdout: account } = await runHere(['show', path, '-j']);
    if (code === 0) shown.push([path, (JSON.parse(account) as Shown).status ?? 'unknown']);
  }
  expect(shown.length).toBeGreaterThan(asked.length / 2);
  const listed = new Map(rows.map(({ path, status = 'unknown' }) => [path, status]));
  expect(shown.map(([path]) => [path, listed.get(path)])).toEqual(shown);
});
