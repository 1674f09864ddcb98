import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SubagentUse } from '../../src/dialects/kit/account.ts';
import { agentsSection } from '../../src/dialects/kit/agents-section.ts';
import type { StateView } from '../../src/dialects/kit/state-view.ts';
import { shortView } from '../../src/show/render/short-view.ts';
import { plain as noStyle } from '../../src/show/render/style.ts';
import { renderView } from '../../src/show/render/view.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

const logsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map(({ parentPath, name }) => join(parentPath, name));

const plain = (text: string): string => text.replaceAll(/\u001b\[\d+m/g, '');

/** The number of lines of a text on a terminal of 80 columns. */
const linesOn = (text: string): number =>
  plain(text)
    .split('\n')
    .slice(0, -1)
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 80)), 0);

test('show of the newest run fits into 40 lines with the remark that names it', async () => {
  const home = tempDir();
  cpSync(join(SAMPLES, 'claude-code/projects'), join(home, '.claude/projects'), { recursive: true });
  const { stdout, stderr } = await runHere(['show'], { cwd: home, home, columns: 80 });
  expect(stderr).toContain('the newest run: ');
  expect(linesOn(stdout) + linesOn(stderr)).toBeLessThanOrEqual(40);
});

test('show fits any run into 40 lines, names what it leaves out, and shows everything with --full', async () => {
  const long: string[] = [];
  let shortened = 0;
  for (const log of sampled([...logsIn(SAMPLES), ...logsIn(EXAMPLES)], 40)) {
    const { stdout, stderr } = await runHere(['show', log], { columns: 80 });
    // A terminal shows the remarks on damaged lines too, and wraps commands.
    const count = linesOn(stdout) + linesOn(stderr);
    if (count > 40) long.push(`${count} ${log}`);
    // That one line is left out would take a line too.
    expect(stdout, log).not.toContain('and 1 more: --full');
    if (!/--full/.test(stdout)) continue;
    shortened += 1;
    const full = await runHere(['show', log, '--full'], { columns: 80 });
    expect(linesOn(full.stdout) + linesOn(full.stderr), log).toBeGreaterThan(40);
    expect(full.stdout).not.toContain('--full');
  }
  expect(long).toEqual([]);
  expect(shortened).toBeGreaterThan(0);
});

test('show of a damaged log fits into 40 lines however long its path is', async () => {
  const home = tempDir();
  for (let length = 20; length < 100; length += 1) {
    const folder = join(home, 'x'.repeat(length));
    cpSync(join(SAMPLES, 'coordinator/corrupt-middle.jsonl'), join(folder, 'events.jsonl'), {
      recursive: true,
    });
    const { stdout, stderr } = await runHere(['show', join(folder, 'events.jsonl')], {
      cwd: home,
      home,
      columns: 80,
    });
    expect(stderr.replaceAll('\n', ' ')).toContain('skipped damaged line');
    expect(linesOn(stdout) + linesOn(stderr), stderr).toBeLessThanOrEqual(40);
  }
});

/** The line numbers in the table of turns. */
const stepsIn = (stdout: string): string[] =>
  (
    plain(stdout)
      .split('\n\n')
      .find((section) => section.startsWith('Turns\n')) ?? ''
  )
    .split('\n')
    .flatMap((line) => /^ {2}(\d+) /.exec(line)?.[1] ?? []);

test('steps that are cut keep the last one, which says how the run ended', async () => {
  let cut = 0;
  for (const log of sampled(logsIn(SAMPLES), 40)) {
    const short = stepsIn((await runHere(['show', log], { columns: 80 })).stdout);
    const full = stepsIn((await runHere(['show', log, '--full'], { columns: 80 })).stdout);
    if (short.length < 2 || short.length === full.length) continue;
    cut += 1;
    expect(short, log).toEqual([...full.slice(0, short.length - 1), full.at(-1)]);
  }
  expect(cut).toBeGreaterThan(0);
});

test('a reason that is cut has its parenthesis closed', () => {
  const text = 'Bash: npm test (exit code 1, error FAIL src/queries.ts)';
  const fields = [{ label: 'failed call', text, tail: ', line 9', is_cut: true } as const];
  const shown = (width: number) =>
    renderView([{ fields }], { style: noStyle, width, cutWidth: width, zone: 'utc' }).trimEnd();
  expect(shown(60)).toBe('failed call Bash: npm test (exit code 1, error FAI…), line 9');
  expect(shown(30)).toBe('failed call Bash: npm…, line 9');
  expect(shown(90)).toBe(`failed call ${text}, line 9`);
});

/** The reasons in an account: a label, its text, and the lines below that continue it. */
function reasonsIn(stdout: string): string[] {
  const sections = plain(stdout)
    .split('\n\n')
    .filter((section) => /^(?:Why it ended|So far|On the way)\n/.test(section));
  return sections.flatMap((section) =>
    section
      .split('\n')
      .slice(1)
      .filter((line) => !/^ {2}\S/.test(line))
      .join('\n')
      .split(/\n(?! )/)
      .map((reason) => reason.replaceAll(/\s+/g, ' ').trim())
      .filter((reason) => reason !== ''),
  );
}

test('every reason that show prints has its place, at any width and however long its text is', async () => {
  let checked = 0;
  for (const log of sampled([...logsIn(SAMPLES), ...logsIn(EXAMPLES)], 40))
    for (const columns of [60, 80, 120])
      for (const reason of reasonsIn((await runHere(['show', log], { columns })).stdout)) {
        checked += 1;
        expect(reason, log).toMatch(/(?:, |\()line \d+(?:, result \d+)?(?: of .+)?\)?$/);
      }
  expect(checked).toBeGreaterThan(0);
  const copilot = join(SAMPLES, 'copilot/session-state/ffc20ccd-6741-4d9a-a3cd-ac12dd32114a/events.jsonl');
  for (const columns of [60, 80, 120])
    expect(reasonsIn((await runHere(['show', copilot], { columns })).stdout)).toContainEqual(
      expect.stringMatching(/^interrupted call .*, line 7, result 9$/),
    );
});

test('the parts of the time of a session add up to the time that it lasted', async () => {
  let checked = 0;
  for (const log of sampled(logsIn(SAMPLES), 60)) {
    const { stdout } = await runHere(['show', log, '-j']);
    if (stdout === '') continue;
    const { time } = JSON.parse(stdout);
    if (time === undefined) continue;
    checked += 1;
    const parts = [time.model_ms, time.tools_ms, time.waited_ms, time.idle_ms, time.unknown_ms ?? 0];
    for (const part of parts) expect(part, log).toBeGreaterThanOrEqual(0);
    expect(
      parts.reduce((sum, part) => sum + part, 0),
      log,
    ).toBeCloseTo(time.lasted_ms, 6);
  }
  expect(checked).toBeGreaterThan(0);
});

test('timeline of a session has a row for each turn and call, folds pauses, and ends with where the time went', async () => {
  const log = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');
  const { stdout } = await runHere(['timeline', log, '--width', '100']);
  const rows = stdout.split('\n');
  expect(rows.filter((row) => /^\d+ /.test(row))).toHaveLength(4 + 9);
  expect(rows.filter((row) => / idle ─/.test(row))).toHaveLength(2);
  expect(rows.filter((row) => / 3m 58s unknown ─/.test(row))).toHaveLength(1);
  expect(stdout).toMatch(/^12 .* Bash npm test -- price .* 5\.20 s$/m);
  expect(stdout).toMatch(
    /\nTime {4}█ model 19\.2 s ▒ tools 21\.4 s ░ waiting for you 6\.00 s · idle 1m 44s \? unknown 4m 11s\n {8}the model has no row: .*\nTokens {2}at least 43,163\n {8}without .*\n(?: {8}.*\n)?Cost {4}at least 0\.022 USD .*\n$/,
  );
  // The turn waited at its end, where its last call did.
  expect(stdout).toMatch(/^28 .* 3\. continue +█+░+ +33\.0 s +6\.00 s$/m);
  expect(stdout).toMatch(/^35 .* Bash rm .* ░+ +6\.00 s$/m);
  expect((await runHere(['timeline', log, '--records'])).stdout).toContain('last-prompt');
  // Filters select records.
  expect((await runHere(['timeline', log, '--tool', 'Bash'])).stdout).toContain('assistant');
});

test.each([40, 50, 60, 70, 80, 90])(
  'at %i columns, each mark of the time is on the line of its word and duration',
  async (columns) => {
    const log = join(
      SAMPLES,
      'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
    );
    for (const command of ['show', 'timeline']) {
      const { stdout } = await runHere([command, log], { columns });
      for (const part of ['▒ tools 21.4 s', '░ waiting for you 6.00 s', '· idle 1m 44s', '? unknown 4m 11s'])
        expect([command, stdout]).toEqual([command, expect.stringContaining(part)]);
    }
  },
);

test('turns that are left out are named where they would be, not at the end', async () => {
  // A short name, because a long one takes a line more.
  const [log, cwd] = ['cancel-compress-rewind-0.61.0.jsonl', join(SAMPLES, 'gemini')];
  const { stdout } = await runHere(['show', log], { columns: 80, cwd });
  const [, steps = ''] = /^Turns\n([\s\S]*?)\n\n/m.exec(plain(stdout)) ?? [];
  expect(steps.split('\n').map((row) => row.trim())).toEqual([
    expect.stringMatching(/^LINE /),
    expect.stringMatching(/^3 +1 /),
    expect.stringMatching(/^12 +2 /),
    'turns 3 to 4 are not shown (--full)',
    expect.stringMatching(/^38 +5 /),
  ]);
  expect(stepsIn((await runHere(['show', log, '--full'], { cwd })).stdout)).toHaveLength(5);
});

test('subagents that failed are shown before other parts, and the failed ones before others', async () => {
  const agent = (n: number): SubagentUse => ({
    id: `agent-${n}`,
    status: n === 7 ? 'failed' : 'completed',
    line: n,
  });
  const rows = (count: number) => Array.from({ length: count }, (_, n) => [{ text: `row ${n}` }]);
  const view = (agents: readonly SubagentUse[]): StateView => [
    { fields: [{ label: 'Run', text: 'x' }] },
    { title: 'Why it ended', lines: [{ text: 'why' }] },
    { title: 'On the way', lines: [{ text: 'failed' }] },
    { title: 'Steps', table: { columns: ['WHAT'], rows: rows(9) } },
    { title: 'Tools', table: { columns: ['TOOL'], rows: rows(9) } },
    ...agentsSection(agents),
    { title: 'Slowest', table: { columns: ['EVENT'], rows: rows(9) } },
  ];
  const layout = { style: noStyle, width: 80, cutWidth: 80, zone: 'utc' } as const;
  const short = (agents: readonly SubagentUse[]) =>
    shortView(view(agents), 16, (part) => renderView(part, layout).split('\n').length - 1);
  const titles = (agents: readonly SubagentUse[]) => short(agents).flatMap(({ title }) => title ?? []);
  const agents = Array.from({ length: 9 }, (_, n) => agent(n));
  expect(titles(agents)).toContain('Subagents');
  expect(JSON.stringify(short(agents))).toContain('agent-7');
  expect(titles(agents.filter(({ status }) => status !== 'failed'))).not.toContain('Subagents');
});

test('show keeps a line for tools, subagents and files if there is no room for their tables', async () => {
  const log = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');
  const { stdout } = await runHere(['show', log], { columns: 80, env: { NO_COLOR: '1' } });
  expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  for (const [title, text] of [
    ['Subagents', '1: Explore: Find unused fixtures'],
    ['Files', '1: /home/usr/shop/rate.js'],
  ] as const)
    expect(stdout).toMatch(new RegExp(`^${title} +${text}$`, 'm'));
  expect(stdout).toMatch(/^Tools( +\d+: Bash \(5 calls, 1 failed, 1 refused, 2 no result\)|\n +CALLS)/m);
  expect(stdout).toMatch(/^ {2}not shown: (?!.*(Subagents|Files)).*--full shows all$/m);
});
