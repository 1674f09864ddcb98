import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { totalTokens } from '../../src/dialects/kit/tokens.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { seed, times } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

// What could not be read may have had tokens and calls, so the totals of the rest are a minimum, in every command.

const LOGS = [
  'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
  'codex/sessions/2026/11/22/rollout-2026-11-22T08-37-29-01a20267-3b5a-7330-8e90-645a845357cd.jsonl',
  'copilot/session-state/ffc20ccd-6741-4d9a-a3cd-ac12dd32114a/events.jsonl',
].map((name) => join(SAMPLES, name));

const DAMAGE: Readonly<Record<string, (line: string) => string | Buffer>> = {
  // `list` reads only the beginning of a long output, so it does not miss a single brace.
  'lost end': (line) => line.replace(/\}+$/, ''),
  'lost start': (line) => line.slice(2),
  'NUL bytes': (line) => `${'\0'.repeat(9)}${line}`,
  'two records': (line) => line + line,
  'other bytes than UTF-8': (line) =>
    Buffer.concat([Buffer.from(line).subarray(0, -2), Buffer.from([0xff]), Buffer.from(line).subarray(-2)]),
};

const json = async (...args: string[]) => JSON.parse((await runHere(args)).stdout);
const linesOf = async (...args: string[]) => (await runHere(args)).stdout.trim().split('\n');

/** What each command says that the totals of a log lack. */
async function lacksOf(log: string, isMinimum = true): Promise<Record<string, { lines?: number }>> {
  const [listed] = await json('list', log, '-j');
  const { totals } = JSON.parse((await linesOf('timeline', log, '-j')).at(-1) ?? '');
  const [show, stats, read] = [
    await json('show', log, '-j'),
    await json('stats', '--partial', log, '-j'),
    await json('read', log, '-j'),
  ];
  const all = { show, stats, read, totals, list: listed };
  for (const [command, { tokens, cost }] of Object.entries(all)) {
    expect([command, tokens]).toEqual([command, show.tokens]);
    if (cost && isMinimum) expect([command, cost.is_minimum]).toEqual([command, true]);
  }
  return Object.fromEntries(Object.entries(all).map(([command, { lacks }]) => [command, lacks ?? {}]));
}

describe.each(LOGS.map((log) => [basename(log), log]))('%s behind a byte order mark', (name, log) => {
  test('has all its records, so its totals are those of the intact log', async () => {
    const [marked, intact] = [join(tempDir(), name), join(tempDir(), name)];
    writeFileSync(marked, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), readFileSync(log)]));
    writeFileSync(intact, readFileSync(log));
    expect(await lacksOf(marked, false)).toEqual(await lacksOf(intact, false));
    const { code, stderr, stdout } = await runHere(['read', marked]);
    expect([code, stdout]).toEqual([1, (await runHere(['read', intact])).stdout]);
    expect(stderr).toContain('a byte order mark comes before the first record, and no line was skipped');
    const compared = await runHere(['diff', intact, marked, '-j']);
    expect([compared.code, JSON.parse(compared.stdout).equal]).toEqual([1, true]);
  });
});

describe.each(LOGS.map((log) => [basename(log), log]))('%s', (name, log) => {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');

  test('the totals of a log with a damaged line are a minimum in every command', async () => {
    const cases = fc.record({
      at: fc.integer({ min: 2, max: lines.length - 1 }),
      kind: fc.constantFrom(...Object.keys(DAMAGE)),
    });
    const damaged = join(tempDir(), name);
    const property = fc.asyncProperty(cases, async ({ at, kind }) => {
      const bytes = lines.map((line, index) =>
        Buffer.from(index === at ? (DAMAGE[kind]?.(line) ?? '') : line),
      );
      writeFileSync(damaged, Buffer.concat(bytes.flatMap((line) => [line, Buffer.from('\n')])));
      const found = await lacksOf(damaged);
      for (const [command, lacks] of Object.entries(found))
        expect([command, lacks.lines]).toEqual([command, 1]);
    });
    await fc.assert(property, { seed, numRuns: times(10, 3) });
  });
});

test('shows tokens, costs and calls of damaged sessions as a minimum, also of the turn with the damage', async () => {
  const [log = ''] = LOGS;
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const whole = (await json('read', log, '-j')) as {
    turns: { line: number; turn: number; lacks?: { lines?: number } }[];
  };
  const prompt = whole.turns.find(({ turn }) => turn === 2)?.line ?? 0;
  // The last record of the first turn.
  const at = lines.findLastIndex((line, index) => index < prompt - 1 && line.includes('"tool_result"'));
  const damaged = join(tempDir(), basename(log));
  writeFileSync(damaged, `${lines.map((line, index) => (index === at ? line.slice(1) : line)).join('\n')}\n`);
  const texts: Record<string, string> = {};
  const more: Readonly<Record<string, string>> = { show: '--full', stats: '--partial' };
  for (const command of ['show', 'stats', 'timeline', 'read'])
    texts[command] = (await runHere([command, damaged, ...[more[command] ?? []].flat()])).stdout;
  expect(texts['show']).toMatch(/^Tokens +at least [\d,]+, without [^:]*, 1\s+damaged line$/m);
  expect(texts['show']).toMatch(/^Cost +at least /m);
  expect(texts['show']).toMatch(/\(at least \d+ calls?/);
  expect(texts['show']).toMatch(/^ +≥ \d+ .*(?:Bash|Edit|Read|Write)$/m);
  expect(texts['stats']).toMatch(/^Tokens +at least /m);
  expect(texts['stats']).toMatch(/^ +≥ \d+ .*(?:Bash|Edit|Read|Write)$/m);
  expect(texts['timeline']).toMatch(/^Tokens +at least .*\n +without [^:]*1\s+damaged line$/m);
  expect(texts['timeline']).toMatch(/ 1\. .* ≥ \d/);
  expect(texts['timeline']).not.toMatch(/ 2\. .* ≥ \d/);
  expect(texts['read']).toMatch(/at least \d+ calls?.*; at least [\d,]+\s+tokens/);
  const { turns } = (await json('read', damaged, '-j')) as typeof whole;
  const linesIn = (of: typeof whole.turns) => of.map(({ lacks }) => lacks?.lines);
  expect(linesIn(turns)).toEqual([1, ...linesIn(whole.turns.slice(1))]);
  const byTool = await json('stats', '--partial', '--by', 'tool', damaged, '-j');
  for (const group of Object.values(byTool.groups)) expect(group).toMatchObject({ lacks: { lines: 1 } });
  const { stdout: markdown } = await runHere(['read', damaged, '--format', 'markdown']);
  expect(markdown).toMatch(/tokens: at least /);
  expect(markdown).toMatch(/at least [\d.]+ m?s; /);
});

test('an answer that was cut off makes the tokens of its turn a minimum', async () => {
  const log = join(
    SAMPLES,
    'claude-code/projects/-home-usr-demo-site/b25638d7-b104-4f06-a797-70ac33d069ed.jsonl',
  );
  const { turns, lacks } = await json('read', log, '-j');
  const ofTurns = turns.flatMap((turn: { lacks?: object }) => turn.lacks ?? []);
  expect(ofTurns).toEqual([lacks]);
  const used = turns.map(
    ({ tokens }: { tokens?: Parameters<typeof totalTokens>[0] }) => tokens && totalTokens(tokens),
  );
  expect(used.length).toBeGreaterThan(0);
  expect((await runHere(['read', log])).stdout).toMatch(/; at least [\d,]+\s+tokens/);
});

describe('a prompt that was lost with a damaged line', () => {
  const log = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const damagedLog = (isDamaged: (line: number) => boolean): string => {
    const damaged = join(tempDir(), basename(log));
    writeFileSync(
      damaged,
      `${lines.map((line, at) => (isDamaged(at + 1) ? line.slice(1) : line)).join('\n')}\n`,
    );
    return damaged;
  };
  const promptOf = async (wanted: number): Promise<number> => {
    const { turns } = await json('read', log, '-j');
    return turns.find(({ turn }: { turn: number }) => turn === wanted).line;
  };
  const dividers = ({ turns }: { turns: { turn: number; items: { damaged?: number }[] }[] }) =>
    turns.flatMap(({ turn, items }) =>
      items.flatMap((item) => (item.damaged === undefined ? [] : [{ turn, ...item }])),
    );

  test('has its place in the story, the timeline and the steps, because what follows is shown in the turn before', async () => {
    const line = await promptOf(2);
    const damaged = damagedLog((at) => at === line);
    const title = 'a damaged line is left out; what follows may belong to another turn';
    for (const command of ['read', 'timeline'])
      expect((await runHere([command, damaged])).stdout).toMatch(
        new RegExp(`^ *${line} +── ${title} ──$`, 'm'),
      );
    const { stdout } = await runHere(['read', damaged, '-f', 'markdown']);
    expect(stdout).toContain(`*${title}* (line ${line})`);
    expect((await runHere(['show', damaged, '--full'])).stdout).toMatch(/ 1 +\w+ .*\(1 damaged line\) /);
    expect(dividers(await json('read', damaged, '-j'))).toEqual([
      { turn: 1, kind: 'divider', line, title, tone: 'bad', damaged: 1 },
    ]);
    const rows = (await linesOf('timeline', damaged, '-j')).map((row) => JSON.parse(row));
    const [row] = rows.filter(({ kind }) => kind === 'damaged');
    expect(row).toEqual({ kind: 'damaged', turn: 1, line, name: title, status: 'error' });
  });

  test('is counted with the damaged lines next to it', async () => {
    const line = await promptOf(2);
    const found = dividers(
      await json(
        'read',
        damagedLog((at) => at === line || at === line + 1),
        '-j',
      ),
    );
    expect(found).toMatchObject([
      {
        turn: 1,
        line,
        title: expect.stringMatching(`^2 damaged lines up to line ${line + 1} are left out;`),
      },
    ]);
  });

  test('has its place before the first turn, too', async () => {
    const first = await promptOf(1);
    const [found] = dividers(
      await json(
        'read',
        damagedLog((at) => at === first),
        '-j',
      ),
    );
    expect(found).toMatchObject({ turn: 0, line: first, damaged: 1 });
  });

  test('is the same with and without the records that a story leaves out', async () => {
    const line = await promptOf(2);
    const damaged = damagedLog((at) => at === line || at === 1);
    const placed = (found: ReturnType<typeof dividers>) => found.map((one) => ({ ...one, title: '' }));
    const [short, all] = [await json('read', damaged, '-j'), await json('read', damaged, '-j', '--all')];
    expect(placed(dividers(all))).toEqual(placed(dividers(short)));
  });
});
