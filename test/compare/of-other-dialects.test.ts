import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialectOf } from '../../src/dialects/kit/sample.ts';
import { compareRuns, type RunComparison } from '../../src/read/compare/compare-runs.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

const log = (...says: string[]) =>
  tempFile(says.map((text, at) => `${JSON.stringify({ id: `e${at}`, type: 'note', text })}\n`).join(''));

async function compared(a: string, b: string, change: object = {}): Promise<RunComparison> {
  const dialect = { ...(await dialectOf(a, 'events.jsonl', 'generic')), ...change };
  const comparison = await compareRuns(
    { episode: 'a', path: a, dialect },
    { episode: 'b', path: b, dialect },
  );
  return comparison;
}

test('runs of a dialect without a state are compared by their events', async () => {
  const { stdout, code } = await runHere(['diff', '--limit', '5', log('a', 'b'), log('a', 'c')]);
  expect([code, stdout]).toEqual([1, expect.stringContaining('text: "b" → "c"')]);
});

test('a repeated key is a difference, because a reader may use either value', async () => {
  const twice = (hidden: string) =>
    tempFile(`{"id":"e0","type":"note","text":${JSON.stringify(hidden)},"text":"a"}\n`);
  const [once, other] = [log('a'), twice('b')];
  for (const options of [[], ['--exact']]) {
    const { code, stdout } = await runHere(['diff', ...options, '--limit', '5', once, other]);
    expect([code, stdout]).toEqual([1, expect.stringContaining('text: "written 1×" → "written 2×"')]);
  }
  expect((await runHere(['diff', twice('b'), twice('c')])).code).toBe(1);
  expect((await runHere(['diff', other, twice('b')])).code).toBe(0);
});

test('runs of a dialect without an account have no outcome', async () => {
  const comparison = await compared(log('a'), log('b'), { account: undefined });
  const head = await comparison.head();
  expect([head.a.why, head.outcome, head.a.status]).toEqual([[], [], undefined]);
});

test('a projection that fails for another reason is a failure', async () => {
  const projector = () => Promise.reject(new Error('a bug'));
  await expect(compared(log('a'), log('b'), { projector })).rejects.toThrow('a bug');
});

test('a run of which nothing can be read is not compared', async () => {
  const torn = tempFile('{"torn');
  for (const pair of [
    [torn, log('a')],
    [log('a'), torn],
  ]) {
    const { stdout, stderr, code } = await runHere(['diff', ...pair, '--dialect', 'generic']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(torn);
  }
});

test('each is compared even if there are more names than are remembered', async () => {
  const many = (last: number) =>
    Object.fromEntries(Array.from({ length: 10_050 }, (_, at) => [`k${at}`, at === 10_049 ? last : at]));
  const of = (last: number) => tempFile(`${JSON.stringify({ id: 'e', type: 'note', many: many(last) })}\n`);
  const found = [];
  for await (const difference of (await compared(of(1), of(2))).events()) found.push(difference);
  expect(found).toMatchObject([{ kind: 'changed', fields: [{ path: 'many.k10049', a: 1, b: 2 }] }]);
});

test('a file that commands of the other run may have changed is not a file of one run only', async () => {
  const demo = join(SAMPLES, 'codex/sessions/2026/11/22');
  const a = join(demo, 'rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl');
  const b = join(SAMPLES, 'copilot/session-state/6450a846-75cb-4923-8463-392f5c935b8a');
  const files = async (...pair: string[]) => {
    const { stdout } = await runHere(['diff', ...pair]);
    return stdout.replace(/\s+/g, ' ');
  };
  expect(await files(a, b)).toContain("notes.txt, and A's commands may have changed it");
  expect(await files(b, a)).toContain("notes.txt, and B's commands may have changed it");
  expect(await files(a, b)).not.toContain('only B changed');
});

describe('a log with a damaged line', () => {
  const text = readFileSync(join(SAMPLES, 'pi/v3-plain-resumed-0.87.1.jsonl'), 'utf8');
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes('"toolResult"'));
  const damaged = tempFile(lines.map((line, index) => (index === at ? line.slice(0, 60) : line)).join('\n'));
  const whole = tempFile(text);

  test('is compared as far as it can be read, and its damage is named', async () => {
    for (const pair of [
      [whole, damaged],
      [damaged, whole],
    ]) {
      const { code, stdout, stderr } = await runHere(['diff', ...pair]);
      expect([code, stdout.includes('Events    ')]).toEqual([1, true]);
      expect(stdout).toMatch(/^Calls .*≥ /m);
      expect(stderr).toBe(
        `${damaged}: skipped damaged line ${at + 1}: not JSON: the text ends inside a string\n  see noesis verify ${damaged}\n`,
      );
      const page = await runHere(['view', ...pair, '-o', '-']);
      expect([page.code, page.stdout]).toEqual([1, '']);
      expect(page.stderr).toContain(`\n  noesis diff ${pair.join(' ')}\n`);
    }
    const { stdout } = await runHere(['diff', whole, damaged, '-j']);
    expect(JSON.parse(stdout)).toMatchObject({ equal: false, b: { skipped: { lines: [at + 1] } } });
  });

  test('does not do the same as another one, even if nothing that can be read differs', async () => {
    const other = tempFile(`${lines.map((line, index) => (index === at ? '{' : line)).join('\n')}`);
    const { code, stdout } = await runHere(['diff', other, damaged]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/\nno difference in what the runs did, as far as their logs can be read\n$/);
    expect(JSON.parse((await runHere(['diff', other, damaged, '-j'])).stdout)).toMatchObject({
      equal: false,
    });
  });

  test('does not part from the whole log where its lines are damaged', async () => {
    const call = lines.findIndex((line) => line.includes('"toolCall"'));
    const answer = lines.findLastIndex((line) => line.includes('"assistant"'));
    for (const lost of [at, call, answer]) {
      const other = tempFile(lines.map((line, index) => (index === lost ? '{' : line)).join('\n'));
      const stdout = (await runHere(['diff', whole, other])).stdout.replace(/\s+/g, ' ');
      expect(stdout).not.toContain('They part');
      expect(stdout.includes('in A only may have been in the damaged lines of B')).toBe(lost !== at);
      expect(stdout.includes('the log of B lacks the output of 1')).toBe(lost === at);
      expect((await runHere(['diff', other, whole])).stdout).not.toContain('They part');
    }
  });

  test('is named once if it is compared with itself', async () => {
    const { code, stdout, stderr } = await runHere(['diff', damaged, damaged]);
    expect([code, stderr.split('skipped damaged').length]).toEqual([1, 2]);
    expect(stdout).toMatch(/\nno difference in what the runs did, as far as their logs can be read\n$/);
  });

  test('of events is compared without its state', async () => {
    const events = (torn: string) =>
      tempFile(['a', 'b'].map((id) => `${JSON.stringify({ id, type: 'note', text: id })}\n`).join(torn));
    const { code, stdout } = await runHere([
      'diff',
      events('{"x\n'),
      events('{"yy\n'),
      '--dialect',
      'generic',
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/\nno difference in what the runs did, as far as their logs can be read\n$/);
  });
});
