import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diffRuns } from '../../src/library/index.ts';
import type { LogBehaviour, StepDifference } from '../../src/read/compare/behaviour.ts';
import type { PartDifference, RunDifference } from '../../src/read/compare/run-difference.ts';
import { entriesOf, makeTar } from '../support/archives.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

// A run is its log and those of its subagents, so two runs are compared with their subagents.

const ID = 'abc00041-0000-4000-8000-000003dfd240';
const SAME = 'no difference in what the runs did';

/** A subagent: its id, the prompt of the call that started it, and who started it. */
interface Started {
  readonly id: string;
  readonly prompt: string;
  readonly by?: string;
  readonly command?: string;
  readonly model?: string;
  readonly answer?: string;
  readonly edit?: string;
  readonly unknownStart?: boolean;
  /** Its command fails. */
  readonly fails?: boolean;
}

/** A Claude Code session in a new folder, and the path of its log. */
function session(subagents: readonly Started[]): string {
  const records = new Map<string, string[]>();
  let at = 0;
  const add = (agent: string, type: 'user' | 'assistant', rest: object) => {
    at += 1;
    const name = agent === '' ? `${ID}.jsonl` : `${ID}/subagents/agent-${agent}.jsonl`;
    const time = new Date(Date.UTC(2026, 8, 1, 9) + at * 1000).toISOString();
    const head = { isSidechain: agent !== '', sessionId: ID, version: '2.1.237', cwd: '/home/usr/shop' };
    const record = {
      ...head,
      type,
      uuid: `u${at}`,
      timestamp: time,
      ...(agent && { agentId: agent }),
      ...rest,
    };
    records.set(name, [...(records.get(name) ?? []), JSON.stringify(record)]);
  };
  const says = (agent: string, content: object, model: string) =>
    add(agent, 'assistant', {
      requestId: `req_${at}`,
      message: {
        id: `m${at}`,
        type: 'message',
        role: 'assistant',
        model,
        content: [content],
        usage: { input_tokens: 10, output_tokens: 5 },
      },
    });
  const call = (
    agent: string,
    name: string,
    input: object,
    result: object,
    model = 'claude-sonnet-4-5',
    fails = false,
  ) => {
    const id = `toolu_${at}`;
    says(agent, { type: 'tool_use', id, name, input }, model);
    add(agent, 'user', {
      message: {
        role: 'user',
        content: [{ tool_use_id: id, type: 'tool_result', content: 'ok', ...(fails && { is_error: true }) }],
      },
      toolUseResult: result,
    });
  };
  const startAll = (owner: string) => {
    for (const one of subagents.filter(({ by = '' }) => by === owner)) {
      const { id, prompt, command = 'true', model = 'claude-sonnet-4-5', answer = 'done', edit } = one;
      call(
        owner,
        'Task',
        { description: 'look', prompt },
        one.unknownStart ? {} : { status: 'completed', agentId: id },
      );
      add(id, 'user', { message: { role: 'user', content: prompt } });
      call(id, 'Bash', { command }, { stdout: '' }, model, one.fails);
      if (edit !== undefined)
        call(
          id,
          'Edit',
          { file_path: '/home/usr/shop/a.js', old_string: 'x', new_string: edit },
          {
            filePath: '/home/usr/shop/a.js',
            oldString: 'x',
            newString: edit,
            structuredPatch: [
              { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-x', `+${edit}`] },
            ],
          },
        );
      startAll(id);
      says(id, { type: 'text', text: answer }, model);
    }
  };
  add('', 'user', { message: { role: 'user', content: 'Ask' } });
  startAll('');
  says('', { type: 'text', text: 'fine' }, 'claude-sonnet-4-5');
  const files = [...records].map(([name, lines]) => [name, `${lines.join('\n')}\n`] as const);
  return join(writeTree(Object.fromEntries(files)), `${ID}.jsonl`);
}

const LOOK: Started = { id: 'aaa1', prompt: 'look' };
const TEST: Started = { id: 'bbb2', prompt: 'test' };

/** The comparison in every form: its exit code, its text, and its JSON. */
async function diff(a: string, b: string, ...options: string[]) {
  const { code, stdout } = await runHere(['diff', a, b, ...options]);
  const json = JSON.parse((await runHere(['diff', a, b, ...options, '-j'])).stdout);
  return { code, stdout, json };
}

const names = ({ parts = [] }: Pick<RunDifference, 'parts'>) =>
  parts.map(({ a, b }) => [a?.name ?? '', b?.name ?? '']);

describe('runs with subagents', () => {
  test('are the same if their subagents did the same, under whatever ids', async () => {
    const other = session([
      { ...LOOK, id: 'ccc3' },
      { ...TEST, id: 'ddd4' },
    ]);
    const { code, stdout, json } = await diff(session([LOOK, TEST]), other);
    expect([code, json.equal]).toEqual([0, true]);
    expect(stdout).toContain('Subagents 2 subagents, the same; the numbers above include them');
    expect(stdout).toContain('  = agent-aaa1 in A, agent-ccc3 in B: look');
    expect(stdout).toContain(SAME);
    expect(json.behaviour.facts.a).toMatchObject({ calls: 4, tokens: 105 });
  });

  test.each<[string, Partial<Started>, RegExp]>([
    ['call', { command: 'false' }, /A:2 +Bash {2}true\n +B:2 +Bash {2}false/],
    ['answer', { answer: 'failed' }, /A:4 +answer {2}done\n +B:4 +answer {2}failed/],
    ['model', { model: 'claude-opus-4-5' }, /Model +claude-sonnet-4-5 +claude-opus-4-5/],
    ['edit', { edit: 'y' }, /Files +only B changed \S*a\.js/],
  ])(
    'differ if a subagent differs in its %s, although their own logs are equal',
    async (_, change, shown) => {
      const a = session([LOOK, TEST]);
      const b = join(tempDir(), 'b');
      cpSync(join(a, '..'), b, { recursive: true });
      const changed = session([LOOK, { ...TEST, ...change }]);
      const subagent = join(ID, 'subagents/agent-bbb2.jsonl');
      cpSync(join(changed, '..', subagent), join(b, subagent));
      const { code, stdout, json } = await diff(a, join(b, `${ID}.jsonl`));
      expect([code, json.equal, json.behaviour.same]).toEqual([1, false, true]);
      expect(json.parts.map(({ equal }: { equal: boolean }) => equal)).toEqual([true, false]);
      expect(stdout).toMatch(shown);
      expect(stdout).toContain('Subagents 1 the same, 1 differs; the numbers above include them');
      expect(stdout).not.toMatch(/no difference|the steps are the same/);
      expect(json.parts[1]).toMatchObject({
        a: { name: 'agent-bbb2', kind: 'subagent', status: 'done' },
        facts: { a: { tokens: 30, cost: { currency: 'USD' } }, b: { calls: expect.any(Number) } },
        behaviour: { same: false },
      });
    },
  );

  test('are compared by the calls that started the subagents, else in order', async () => {
    const swapped = await diff(session([LOOK, TEST]), session([TEST, LOOK]));
    expect(names(swapped.json)).toEqual([
      ['agent-aaa1', 'agent-aaa1'],
      ['agent-bbb2', 'agent-bbb2'],
    ]);
    const others = session([
      { id: 'ccc3', prompt: 'another look' },
      { id: 'ddd4', prompt: 'test' },
    ]);
    expect(names((await diff(session([LOOK, TEST]), others)).json)).toEqual([
      ['agent-aaa1', 'agent-ccc3'],
      ['agent-bbb2', 'agent-ddd4'],
    ]);
    const unknown = session([{ ...LOOK, unknownStart: true }]);
    expect(names((await diff(unknown, unknown)).json)).toEqual([['agent-aaa1', 'agent-aaa1']]);
  });

  test('differ if only one of them has a subagent', async () => {
    const { code, stdout, json } = await diff(session([TEST]), session([LOOK, TEST]));
    expect([code, names(json)]).toEqual([
      1,
      [
        ['agent-bbb2', 'agent-bbb2'],
        ['', 'agent-aaa1'],
      ],
    ]);
    expect(stdout).toContain('Subagents 1 the same, 1 in B only');
    expect(stdout).toMatch(/^ {2}\+ B agent-aaa1: look; done; 1 call; 30 tokens; 0\.0\d+ USD$/m);
    const missing = session([LOOK, TEST]);
    rmSync(join(missing, '..', ID, 'subagents/agent-aaa1.jsonl'));
    const lost = await diff(session([LOOK, TEST]), missing);
    expect([lost.code, names(lost.json)[0]]).toEqual([1, ['agent-aaa1', '']]);
    expect(lost.stdout).not.toMatch(/no difference|the steps are the same/);
    expect(lost.stdout).toMatch(/^ {2}- A agent-aaa1: look/m);
  });

  test.each<[string, readonly Started[], readonly Started[]]>([
    ['only A has a subagent', [{ ...LOOK, edit: 'y', fails: true }], []],
    ['only B has a subagent', [TEST], [{ ...LOOK, edit: 'y', fails: true }, TEST]],
    ['both have it', [{ ...LOOK, edit: 'y', fails: true }], [{ ...LOOK, edit: 'z', fails: true }]],
    ['it fails in one', [{ ...LOOK, fails: true }, TEST], [LOOK]],
    ['it has a subagent', [LOOK, { ...TEST, by: 'aaa1', edit: 'y', fails: true }], [LOOK]],
  ])('have one number of calls, failures and files in the table and in the sections: %s', async (_, a, b) => {
    const [logA, logB] = [session(a), session(b)];
    for (const logs of [
      [logA, logB],
      [logB, logA],
    ] as const) {
      const { json, stdout } = await diff(...logs);
      const all: (LogBehaviour & { same_steps: number })[] = [
        json.behaviour,
        ...json.parts.map((part: PartDifference) => part.behaviour),
      ];
      for (const side of ['a', 'b'] as const) {
        const has = (one: StepDifference) => one[side] !== undefined;
        const calls = all.map((one) => one.same_steps + one.steps.filter(has).length);
        const failed = all.map(({ failed: { both, only } }) => both + only.filter(has).length);
        const files = new Set(all.flatMap((one) => [...one.files.both, ...one.files[side]]));
        const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
        expect([sum(calls), sum(failed), files.size]).toEqual([
          json.behaviour.facts[side].calls,
          json.behaviour.facts[side].failed,
          json.behaviour.facts[side].files,
        ]);
      }
      const ofTable = (label: string) =>
        new RegExp(`^${label} +(\\d+) +(\\d+)$`, 'm').exec(stdout)?.slice(1).map(Number);
      // The sections follow the table: their counts are those of both runs, or of one.
      const sections = stdout
        .slice(stdout.indexOf('\n\n', stdout.indexOf('\nFiles ')))
        .replaceAll(/\n {10}(?=\S)/g, ' ');
      for (const label of ['Calls', 'Failed']) {
        const line = new RegExp(`^${label} +(.*)$`, 'm').exec(sections)?.[1] ?? '';
        const count = (side: string) =>
          [...line.matchAll(new RegExp(`(\\d+) (?:calls?, |the same|differs?|in ${side} only)`, 'g'))].reduce(
            (sum, [, one]) => sum + Number(one),
            0,
          );
        expect([count('A'), count('B')]).toEqual(ofTable(label));
      }
    }
  });

  test('list the calls, failures and files of a subagent that only one of them has', async () => {
    const a = session([{ ...LOOK, edit: 'y', fails: true }]);
    const { stdout } = await diff(a, session([]));
    expect(stdout).toContain('Calls     1 in A only; in subagents: 2 in A only');
    expect(stdout).toContain('Failed    no call; in subagents: 1 in A only');
    expect(stdout).toContain('Files     in subagents: only A changed /home/usr/shop/a.js');
    expect(stdout).toMatch(/^ {4}Failed {4}1 in A only\n {6}- A:2, result 3 Bash {2}true$/m);
    expect(stdout).toMatch(/^ {4}Files {5}only A changed \/home\/usr\/shop\/a\.js$/m);
    expect(stdout).not.toMatch(/^ {4}They part/m);
  });

  test('call a subagent as show does', async () => {
    const folder = resolve('test/samples/parts/claude-code/projects/-home-usr-shop');
    const a = join(folder, 'abc00041-0000-4000-8000-000003dfd240.jsonl');
    const { stdout } = await diff(a, session([]));
    expect(stdout).toContain('  - A agent-abcd123: general-purpose: x; done; 2 calls, 1 failed');
  });

  test('compare subagents of subagents below those that started them', async () => {
    const inner = (command: string): Started => ({ id: 'eee5', prompt: 'deeper', by: 'aaa1', command });
    const { code, stdout, json } = await diff(session([LOOK, inner('ls')]), session([LOOK, inner('pwd')]));
    expect([code, json.parts.map(({ equal }: { equal: boolean }) => equal)]).toEqual([1, [true, false]]);
    expect(stdout).toMatch(/≠ agent-eee5: look/);
  });

  test('with --exact, compare the events of subagents', async () => {
    const a = session([LOOK]);
    const { code, stdout, json } = await diff(a, a, '--exact');
    expect([code, json.parts[0].events]).toEqual([0, { same: 4, changed: 0, missing: 0, added: 0 }]);
    expect(stdout).toContain('agent-aaa1: look; the same events');
    const b = session([LOOK]);
    const path = join(b, '..', ID, 'subagents/agent-aaa1.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"requestId":"req_', '"requestId":"other_'));
    expect((await diff(a, b)).code).toBe(0);
    const exact = await diff(a, b, '--exact');
    expect([exact.code, exact.json.equal]).toEqual([1, false]);
    expect(exact.stdout).toContain('agent-aaa1: look; 1 event differs');
    expect(exact.stdout).not.toContain('no difference');
  });

  test('are compared as far as the log of a subagent can be read', async () => {
    const a = session([LOOK]);
    const b = session([LOOK]);
    const path = join(b, '..', ID, 'subagents/agent-aaa1.jsonl');
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"torn`);
    const { code, json, stdout } = await diff(a, b);
    const { stderr } = await runHere(['diff', a, b]);
    expect([code, json.equal]).toEqual([1, false]);
    expect(json.parts).toMatchObject([{ equal: false, b: { skipped: { count: 1, lines: [5] } } }]);
    expect(stdout).toContain('no difference in what the runs did, as far as their logs can be read');
    expect(stderr).toMatch(/agent-aaa1\.jsonl: skipped damaged line 5: /);
    await expect(diffRuns(a, b)).rejects.toThrow('agent-aaa1.jsonl');
    expect((await runHere(['view', a, b, '-o', join(tempDir(), 'x.html')])).code).toBe(1);
  });

  test('are compared in archives, and by the library', async () => {
    const [a, b] = [session([LOOK]), session([{ ...LOOK, command: 'false' }])];
    const cwd = writeTree({
      'a.tar': await makeTar(entriesOf(join(a, '..'), 'a/')),
      'b.tar': await makeTar(entriesOf(join(b, '..'), 'b/')),
    });
    const { code, stdout } = await runHere(['diff', 'a.tar', 'b.tar'], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/≠ agent-aaa1: look/);
    expect(await diffRuns(a, b)).toMatchObject({ equal: false, parts: [{ equal: false }] });
  });

  test('differ if a further log of one thread differs', async () => {
    const day = resolve('test/samples/parts/codex-segments/sessions/2026/09/01');
    const name = '019f1111-0000-7000-8000-00000000000a';
    const copy = tempDir();
    cpSync(day, copy, { recursive: true });
    const logs = [
      join(day, `rollout-2026-09-01T09-00-00-${name}.jsonl`),
      join(copy, `rollout-2026-09-01T09-00-00-${name}.jsonl`),
    ] as const;
    const first = await diff(...logs);
    expect(first.stdout).toContain('Logs      2 further logs, the same');
    const path = join(copy, `rollout-2026-09-01T09-20-00-${name}_019f1111-0000-7000-8000-0000000000b2.jsonl`);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('And then step 3', 'And then step 4'));
    const { code, stdout, json } = await diff(...logs);
    expect([code, json.behaviour.same, json.parts[0].a.kind]).toEqual([1, true, 'log']);
    expect(stdout).toContain('Logs      1 the same, 1 differs');
  });
});
