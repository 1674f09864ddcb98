import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diffEpisode } from '../../src/library/index.ts';
import { EXAMPLES } from '../support/cli.ts';
import { episodeIn, GOOD, PAUSED, rootWith } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

const { cwd, episodes } = rootWith(GOOD, PAUSED);
const [good, paused] = episodes;
const stored = readFileSync(join(good.dir, 'state.json'), 'utf8');

interface State {
  readonly goal: { readonly task: string };
  readonly links: Readonly<Record<string, string>>;
  readonly plan: { readonly steps: { readonly id: string; readonly status: string }[] };
  readonly outcomes: { readonly status: string; readonly actions: unknown[]; readonly metrics: unknown };
}
const state = JSON.parse(stored) as State;

async function failure(args: string[]) {
  const { code, stdout, stderr } = await runHere([...args, '-j'], { cwd });
  expect(stdout).toBe('');
  const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
  return { exit: code, ...error };
}

describe('state', () => {
  test('-j prints the file as it is stored', async () => {
    expect((await runHere(['state', good.id, '-j'], { cwd })).stdout).toBe(stored);
    const pretty = `${JSON.stringify(state, null, 4)}`;
    const dir = writeTree({ 'state.json': pretty });
    expect((await runHere(['state', join(dir, 'state.json'), '-j'])).stdout).toBe(pretty);
    expect((await runHere(['state', dir, '-j'])).stdout).toBe(pretty);
  });

  test('is readable: goal, status, a mark per step, actions', async () => {
    const { stdout } = await runHere(['state', good.id], { cwd, env: { COLUMNS: '80' } });
    expect(stdout).toContain(`Goal      ${state.goal.task}`);
    expect(stdout).toMatch(/^Status {4}ok$/m);
    for (const { id } of state.plan.steps) expect(stdout).toMatch(new RegExp(`^ +\\S +${id} `, 'm'));
    const [actions = ''] = /^Actions\n(?: .*\n)*/m.exec(stdout) ?? [];
    expect(actions.match(/^ {2}act-\d+ /gm)).toHaveLength(state.outcomes.actions.length);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('leaves out no value, also of members that the format does not name', async () => {
    const marks: string[] = [];
    const marked = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(marked);
      if (typeof value !== 'object' || value === null) return value;
      const mark = `mark-${marks.length}-`;
      marks.push(mark);
      return {
        ...Object.fromEntries(Object.entries(value).map(([key, one]) => [key, marked(one)])),
        'x-more': mark,
      };
    };
    const fact = { key: 'k', value: 1, type: 'number', timestamp: '2026-03-02T09:00:01Z', ttl_sec: 77 };
    const belief = {
      statement: 'it is so',
      confidence: 0.5,
      provenance: { source: 'me', by: 'hand' },
      timestamp: 'then',
    };
    const all = {
      ...state,
      beliefs: [belief],
      memory: { facts: [fact], scratchpad: 'a note' },
      outcomes: {
        ...state.outcomes,
        actions: state.outcomes.actions.map((one, at) => ({
          ...(one as object),
          duration_ms: 4321 + 1000 * at,
          provenance: { from: `model-${at}` },
        })),
      },
    };
    const dir = writeTree({ 'state.json': JSON.stringify(marked(all)) });
    const { stdout } = await runHere(['state', join(dir, 'state.json')]);
    for (const mark of marks) expect(stdout).toContain(mark);
    for (const text of [
      '4.32 s',
      'model-1',
      'Updated',
      '2026-03-02 09:00:00',
      'by=hand',
      'then',
      '77',
      'run_index=2',
    ])
      expect(stdout).toContain(text);
  });

  test.each<[string, unknown]>([
    ['outcomes.status', 'ok'],
    ['.goal.task', state.goal.task],
    ['plan.steps[0].id', state.plan.steps[0]?.id],
    ['links', state.links],
    ['outcomes.metrics', state.outcomes.metrics],
    ['["goal"]["task"]', state.goal.task],
  ])('prints the one value at %s: text bare, the rest as JSON', async (path, value) => {
    const plain = await runHere(['state', good.id, path], { cwd });
    expect(plain).toMatchObject({ code: 0, stderr: '' });
    expect(plain.stdout).toBe(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
    const json = await runHere(['state', good.id, path, '-j'], { cwd });
    expect(json.stdout).toBe(`${JSON.stringify(value)}\n`);
  });

  test('prints numbers as they are stored, whatever the layout of the file', async () => {
    const metrics = '{ "score": 1.0,\n "big": 9007199254740993 }';
    const file = tempFile(stored.replace(/"metrics":\{[^}]*\}/, `"metrics":${metrics}`), 'state.json');
    expect((await runHere(['state', file, 'outcomes.metrics'])).stdout).toBe(
      '{"score":1.0,"big":9007199254740993}\n',
    );
    expect((await runHere(['state', file, 'outcomes.metrics.score', '-j'])).stdout).toBe('1.0\n');
  });

  test('exits with 3 for a path that does not exist, and names the members', async () => {
    expect(await failure(['state', good.id, 'outcomes.nothing'])).toMatchObject({
      exit: 3,
      code: 'path-missing',
      hint: expect.stringContaining('outcomes has ') as unknown,
    });
    for (const path of ['plan.steps[99]', 'plan.steps.length'])
      expect(await failure(['state', good.id, path])).toMatchObject({
        exit: 3,
        hint: `plan.steps has ${state.plan.steps.length} elements`,
      });
    expect(await failure(['state', good.id, 'a..b'])).toMatchObject({ exit: 2, code: 'usage' });
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['is no JSON', '{\n  "a": True\n}', { line: 2, column: 8, byte_start: 9 }],
    ['is torn', stored.slice(0, 50), { line: 1, column: 51, byte_start: 50 }],
    ['is empty', '', { line: 1, column: 1 }],
    ['is not an object', '[]', { line: 1, column: 1 }],
    ['has a key twice', '{\n  "plan": null, "plan": {}\n}', { line: 2, column: 17 }],
    ['has not the shape of a state', '{"version":"1.0"}', { line: 1 }],
  ])('that %s is exit 1, with the place', async (_, content, place) => {
    const file = tempFile(content, 'state.json');
    expect(await failure(['state', file])).toMatchObject({ exit: 1, code: 'state-invalid', file, ...place });
    const text = await runHere(['state', file]);
    expect(text.stderr).toContain('noesis project to rebuild');
  });

  test('is shown even if it does not fit its schema, with its faults', async () => {
    const odd = stored
      .replace('"beliefs":[]', '"beliefs":[{"confidence":1e999,"provenance":{},"statement":"so"}]')
      .replace('"description":"', '"description":7,"said":"');
    const file = tempFile(odd, 'state.json');
    const shown = await runHere(['state', file]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain(state.goal.task);
    expect(shown.stderr.split('\n')).toEqual([
      'state.json, line 1: beliefs[0].confidence must be a number, is a number that is too large',
      'state.json, line 1: plan.steps[0].description must be a string, is a number',
      '',
    ]);
    expect((await runHere(['state', file, '-j'])).stdout).toBe(odd);
    expect((await runHere(['state', file, 'goal.task', '-q'])).stdout).toBe(`${state.goal.task}\n`);
    const many = tempFile(stored.replaceAll('"description":"', '"description":7,"said":"'), 'state.json');
    const { stderr } = await runHere(['state', many]);
    if (state.plan.steps.length > 5) expect(stderr).toContain('more: noesis verify reports every error');
    else expect(stderr.split('\n')).toHaveLength(state.plan.steps.length + 1);
  });

  test('that is too long for memory, or not a file, is exit 3', async () => {
    const dir = writeTree({ 'events.jsonl': readFileSync(good.log), 'state.json': stored });
    const file = join(dir, 'state.json');
    truncateSync(file, 2 ** 29 + 1);
    for (const args of [
      ['state', dir],
      ['state', file, 'goal.task'],
      ['project', dir, '--diff'],
    ]) {
      expect(await failure(args)).toMatchObject({
        exit: 3,
        code: 'unreadable',
        file,
        message: `cannot read ${file}: it has 536870913 bytes; more than 67108864 (64 MiB) are refused`,
      });
    }
    rmSync(file);
    execFileSync('mkfifo', [file]);
    expect(await failure(['state', dir])).toMatchObject({ exit: 3, code: 'unreadable', file });
  });

  test('that does not exist is exit 3', async () => {
    const dir = tempDir();
    writeFileSync(join(dir, 'events.jsonl'), `${good.lines[0]}\n`);
    expect(await failure(['state', dir])).toMatchObject({ exit: 3, code: 'state-missing' });
  });
});

describe('project', () => {
  test('rebuilds state.json from the log alone', async () => {
    const dir = writeTree({ 'events.jsonl': readFileSync(good.log) });
    const { code, stdout } = await runHere(['project', dir, '-j']);
    expect(code).toBe(0);
    const projected = JSON.parse(stdout) as State & { links: unknown; episode: { id: string } };
    const { plan, outcomes } = JSON.parse(stored) as State;
    expect(projected.plan).toEqual(plan);
    expect(projected.outcomes).toMatchObject({ status: outcomes.status });
    expect(projected.episode.id).toBe(good.id);
    expect(Object.keys(projected)).toEqual(['episode', 'plan', 'outcomes', 'links']);
  });

  test('prints the same from standard input', async () => {
    const fromFile = await runHere(['project', good.log, '-j']);
    const fromInput = await runHere(['project', '-', '-j'], { input: readFileSync(good.log) });
    expect(fromInput.stdout).toBe(fromFile.stdout);
  });

  test('--at stops after an event: steps done later are pending again', async () => {
    const plan = good.events.findLastIndex(({ phase }) => phase === 'plan');
    const at = async (where: string) => {
      const { code, stdout } = await runHere(['project', good.id, '--at', where, '-j'], { cwd });
      expect(code).toBe(0);
      return JSON.parse(stdout) as State;
    };
    const byLine = await at(String(plan + 1));
    expect(byLine.plan.steps.map(({ status }) => status)).toEqual(state.plan.steps.map(() => 'pending'));
    expect(await at(good.events[plan]?.id ?? '')).toEqual(byLine);
    expect((await at('1')).plan).toBeNull();
    expect((await at(String(good.lines.length))).plan).toEqual(state.plan);
  });

  test('--at an unknown event is exit 3', async () => {
    for (const at of ['9999', '0', 'nowhere']) {
      expect(await failure(['project', good.id, '--at', at])).toMatchObject({
        exit: 3,
        code: 'event-missing',
      });
    }
  });

  test('--diff says that they are equal, sealed or paused', async () => {
    for (const { id } of [good, paused]) {
      const { code, stdout } = await runHere(['project', id, '--diff', '-j'], { cwd });
      expect([code, JSON.parse(stdout)]).toMatchObject([
        0,
        { equal: true, differences: [], underivable: [] },
      ]);
    }
  });

  test('--diff names each difference and the event it comes from, exit 1', async () => {
    const changed = episodeIn(tempDir(), GOOD);
    const lie = stored.replace(/"status":"done"/, '"status":"pending"');
    writeFileSync(join(changed.dir, 'state.json'), lie);
    const { code, stdout } = await runHere(['project', changed.dir, '--diff', '-j']);
    expect(code).toBe(1);
    const { differences } = JSON.parse(stdout) as {
      differences: {
        path: string;
        projected: unknown;
        stored: unknown;
        evidence: { event_id: string; line: number };
      }[];
    };
    expect(differences).toHaveLength(1);
    const [
      { path, projected, stored: held, evidence } = {
        path: '',
        projected: 0,
        stored: 0,
        evidence: { event_id: '', line: 0 },
      },
    ] = differences;
    expect([path, projected, held]).toEqual([
      expect.stringMatching(/^plan\.steps\[\d\]\.status$/),
      'done',
      'pending',
    ]);
    expect(changed.events[evidence.line - 1]).toMatchObject({
      id: evidence.event_id,
      payload: { step_status: 'done' },
    });
    const text = await runHere(['project', changed.dir, '--diff']);
    expect(text.code).toBe(1);
    expect(text.stdout).toContain(path);
    expect(text.stdout).toContain(evidence.event_id);
  });

  test('--diff without a state is exit 3, with a broken one exit 1', async () => {
    const dir = writeTree({ 'events.jsonl': readFileSync(good.log) });
    expect(await failure(['project', dir, '--diff'])).toMatchObject({ exit: 3, code: 'state-missing' });
    writeFileSync(join(dir, 'state.json'), '{');
    expect(await failure(['project', dir, '--diff'])).toMatchObject({ exit: 1, code: 'state-invalid' });
  });

  test.each(['"outcomes":{"status":"failed"},', '"episode":{"id":"another"},', '"\\u0070lan":null,'])(
    '--diff calls no state equal that other programs read in another way: %s',
    async (first) => {
      const { dir } = episodeIn(tempDir(), GOOD);
      writeFileSync(join(dir, 'state.json'), stored.replace('{', `{${first}`));
      expect(await failure(['project', dir, '--diff'])).toMatchObject({ exit: 1, code: 'state-invalid' });
      await expect(diffEpisode(dir)).rejects.toMatchObject({ code: 'state-invalid' });
    },
  );

  test('verify compares the task of the goal, but not its type', async () => {
    const { stdout } = await runHere(['project', good.dir, '--diff', '-j']);
    const { not_compared: left } = JSON.parse(stdout) as { not_compared: { path: string; reason: string }[] };
    const reasons = Object.fromEntries(left.map(({ path, reason }) => [path, reason]));
    expect(reasons['goal.task']).toBe('verify compares it with start and observe');
    expect(reasons['goal.type']).toBe('no event of the log contains it');
  });

  test('leaves out parts without evidence in an older log, and says so', async () => {
    const older = episodeIn(tempDir(), { seed: 16, legacy: true });
    const { stdout } = await runHere(['project', older.dir, '--diff', '-j']);
    const documented = ['equal', 'compared', 'differences', 'not_compared', 'underivable'];
    expect(Object.keys(JSON.parse(stdout))).toEqual(documented);
    expect(JSON.parse(stdout)).toMatchObject({
      underivable: expect.arrayContaining(['outcomes', 'links']),
      not_compared: expect.arrayContaining([
        { path: 'outcomes.summary', reason: 'the log has no run.state_projection' },
      ]),
    });
  });

  test('never changes a file', async () => {
    expect(readFileSync(join(good.dir, 'state.json'), 'utf8')).toBe(stored);
    expect(readFileSync(good.log, 'utf8')).toBe(`${good.lines.join('\n')}\n`);
  });
});

test('a comparison with the first lines of a log says so in every message', async () => {
  const [episode = ''] = readdirSync(join(EXAMPLES, '.noesis/episodes'));
  const target = join(EXAMPLES, '.noesis/episodes', episode);
  const { stdout } = await runHere(['project', target, '--at', '8', '--diff']);
  expect(stdout).toMatch(/differences between the log up to line 8 and state\.json/);
  for (const message of stdout.match(/evidence {6}no event.*$/gm) ?? [])
    expect(message).toContain('no event of the log up to line 8 contains it');
  const { at, not_compared: parts } = JSON.parse(
    (await runHere(['project', target, '--at', '8', '--diff', '-j'])).stdout,
  );
  expect(at).toBe(8);
  const aboutLog = parts.filter(({ reason }: { reason: string }) => /\b(?:the log|no event)\b/.test(reason));
  expect(aboutLog.length).toBeGreaterThan(0);
  for (const { reason } of aboutLog) expect(reason).toMatch(/, up to line 8$/);
  const { stdout: lines } = await runHere(['events', target, '-j']);
  const { id } = JSON.parse(lines.split('\n')[7] ?? '');
  expect(JSON.parse((await runHere(['project', target, '--at', id, '--diff', '-j'])).stdout).at).toBe(8);
  expect(JSON.parse((await runHere(['project', target, '--diff', '-j'])).stdout)).not.toHaveProperty('at');
  expect((await runHere(['project', target, '--at', '8'])).stderr).toContain('up to line 8: no evidence for');
});
