import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { joinedTime } from '../../src/read/describe/further-logs.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

// A Codex thread that was resumed may have several logs. They are one run for every command.

const DAY = join(SAMPLES, 'parts/codex-segments/sessions/2026/09/01');
const NAMES = readdirSync(DAY).sort();
const [FIRST = '', SECOND = '', THIRD = ''] = NAMES;
const textOf = (name: string): string => readFileSync(join(DAY, name), 'utf8');
const nameOf = (file: string): string => /\d\d-\d\d-\d\d-(.*)\.jsonl$/.exec(file)?.[1] ?? '';

const out = async (...args: string[]): Promise<string> => (await runHere(args)).stdout;
const json = async (...args: string[]) => JSON.parse(await out(...args, '-j'));
const log = join(DAY, FIRST);

/** From the first record of the first log to the last one of the last log. */
const LASTED = 20 * 60_000 + 7_000;

describe('a run with further logs', () => {
  test('lasts from its first log to its last one for every command', async () => {
    const shown = await json('show', log);
    const [listed] = await json('list', DAY);
    const stats = await json('stats', log);
    const read = await json('read', log);
    const { totals } = JSON.parse((await out('timeline', log, '-j')).trimEnd().split('\n').at(-1) ?? '');
    const { behaviour } = await json('diff', log, log);
    const { time } = shown;
    const { lasted_ms: lasted, model_ms: model, tools_ms: tools, waited_ms: waited, idle_ms: idle } = time;
    expect(model + tools + waited + idle).toBe(lasted);
    expect([lasted, shown.duration_ms, listed.took_ms, stats.runs.max]).toEqual(Array(4).fill(LASTED));
    expect([read.time, totals.time]).toEqual([time, time]);
    expect([stats.worked.max, behaviour.facts.a.worked_ms]).toEqual([model + tools, model + tools]);
    expect(stats.idle_ms).toBe(idle);
    expect([shown.started_at, shown.ended_at]).toEqual([
      '2026-09-01T09:00:01.000Z',
      '2026-09-01T09:20:08.000Z',
    ]);
    expect(listed.written_at).toBe(shown.ended_at);
  });

  test('has the events, turns and bytes of all its logs', async () => {
    const shown = await json('show', log);
    const [listed] = await json('list', DAY);
    const stats = await json('stats', log);
    const rows = (await out('events', log, '-j')).trimEnd().split('\n');
    expect([shown.events, stats.events, rows.length]).toEqual([29, 29, 29]);
    expect(shown.counts).toMatchObject({ prompt: 3, answer: 3, call: 1 });
    expect([listed.turns, shown.steps.length]).toEqual([3, 3]);
    const bytes = NAMES.reduce((sum, name) => sum + textOf(name).length, 0);
    expect([listed.log_bytes, shown.bytes]).toEqual([bytes, bytes]);
  });

  test('is read and drawn from its first turn to its last one, with numbers that go on', async () => {
    const { turns, further_logs: further } = await json('read', log);
    expect(turns.map(({ turn, part }: { turn: number; part?: string }) => [turn, part])).toEqual([
      [1, undefined],
      [2, nameOf(SECOND)],
      [3, nameOf(THIRD)],
    ]);
    expect(further).toHaveLength(2);
    const text = await out('read', log);
    expect(text).toMatch(/Turn 1 .*Water the ferns.*Turn 2 .*And then step 2.*Turn 3 .*And then step 3/s);
    expect(text.match(/in the further log/g)).toHaveLength(2);
    expect(await out('read', log, '-f', 'markdown')).toMatch(/## Turn 3\n\n\*in the further log /);
    expect(await out('read', log, '--turn', '3')).toContain('And then step 3');
    expect(await out('timeline', log)).toMatch(
      /1\. Water the ferns.*2\. And then step 2.*3\. And then step 3/s,
    );
    expect(await out('read', log, '--all')).toContain('Before turn 2');
    // Lines are those of the log that was named.
    expect((await json('read', log, '--from', '4', '--to', '8')).turns).toHaveLength(1);
  });

  test('ends as its last log says, and what stopped an earlier one is on the way', async () => {
    const aborted = (text: string) =>
      text.replace('"type":"task_complete"', '"type":"turn_aborted","reason":"interrupted"');
    const isAborted = (at: number) => (text: string, index: number) => (at === index ? aborted(text) : text);
    const folderWith = (at: number) =>
      writeTree(Object.fromEntries(NAMES.map((name, index) => [name, isAborted(at)(textOf(name), index)])));
    const last = folderWith(2);
    const shown = await json('show', join(last, FIRST));
    expect([shown.status, shown.is_over]).toEqual(['interrupted', true]);
    expect(shown.why).toMatchObject([{ kind: 'interrupted', part: nameOf(THIRD) }]);
    expect(await json('list', last)).toMatchObject([
      { status: 'interrupted', why: expect.stringMatching(/^interrupted/) },
    ]);
    expect((await json('stats', last)).statuses).toEqual({ interrupted: 1 });
    expect((await json('stats', last, '--status', 'interrupted')).episodes).toBe(1);
    const earlier = folderWith(0);
    const later = await json('show', join(earlier, FIRST));
    expect([later.status, later.why[0].kind]).toEqual(['done', 'last answer']);
    expect(later.on_the_way).toMatchObject([{ kind: 'interrupted' }]);
    expect(later.on_the_way[0]).not.toHaveProperty('part');
    expect((await json('list', earlier))[0]).not.toHaveProperty('why');
  });

  test('is compared by how long all its logs lasted and how its last one ended', async () => {
    const files = NAMES.map((name) => [name, textOf(name)] as const);
    const stopped = (text: string) =>
      text.replace('"task_complete"', '"turn_aborted","reason":"interrupted"');
    const other = writeTree(
      Object.fromEntries(files.map(([name, text]) => [name, name === THIRD ? stopped(text) : text])),
    );
    const shown = [await json('show', log), await json('show', join(other, FIRST))];
    const { a, b, outcome, equal } = await json('diff', log, join(other, FIRST), '--exact');
    for (const [at, run] of [a, b].entries())
      expect(run).toMatchObject({
        duration_ms: LASTED,
        status: shown[at].status,
        why: shown[at].why,
        started_at: shown[at].started_at,
      });
    expect([b.status, equal]).toEqual(['interrupted', false]);
    expect(outcome.map(({ path }: { path: string }) => path)).toContain('status');
  });

  test('has the models and compactions of all its logs', async () => {
    const compacted = `{"timestamp":"2026-09-01T09:20:05.500Z","type":"compacted","payload":{"message":"x"},"ordinal":99}\n`;
    const changed = (text: string) => text.replace('gpt-5.6-sol', 'gpt-5.7') + compacted;
    const folder = writeTree(
      Object.fromEntries(
        NAMES.map((name) => [name, name === FIRST ? textOf(name) : changed(textOf(name))] as const),
      ),
    );
    const shown = await json('show', join(folder, FIRST));
    expect(shown.compactions).toBe(2);
    expect(shown).not.toHaveProperty('grows');
    const text = await out('show', join(folder, FIRST), '--full');
    expect(text).toMatch(/models +gpt-5\.6-sol, gpt-5\.7\n/);
    expect(text).toMatch(/compactions +2\n/);
  });

  test('was last active when its last log was, for --since, latest and the order of list', async () => {
    const other = textOf(FIRST).replaceAll('019f1111', '019f3333').replaceAll('T09:00', 'T09:15');
    const home = writeTree({
      ...Object.fromEntries(NAMES.map((name) => [`.codex/sessions/2026/09/01/${name}`, textOf(name)])),
      [`.codex/sessions/2026/09/01/${FIRST.replace('019f1111', '019f3333')}`]: other,
    });
    const at = { home, cwd: home };
    const ids = async (...args: string[]) => (await runHere(args, at)).stdout.trim().split('\n');
    expect((await ids('list', '-q'))[0]).toBe(nameOf(FIRST));
    expect(await ids('list', '-q', '--since', '2026-09-01T09:18:00Z')).toEqual([nameOf(FIRST)]);
    expect((await runHere(['show', 'latest'], at)).stdout).toContain(nameOf(FIRST));
  });

  test('is one run for every name of it, if its logs and those of its subagents are in folders of several days', async () => {
    const spawned = (id: string, of: string) =>
      textOf(FIRST)
        .replaceAll('019f1111-0000-7000-8000-00000000000a', id)
        .replace('"source":"cli"', `"source":{"subagent":{"thread_spawn":{"parent_thread_id":"${of}"}}}`);
    const [child, grandchild] = ['c', 'd'].map((end) => `019f1111-0000-7000-8000-00000000000${end}`);
    const subagents = { '2026/09/02': [child, nameOf(FIRST)], '2026/10/01': [grandchild, child] } as const;
    const inFolders = (folders: readonly string[]): Record<string, string> => ({
      ...Object.fromEntries(NAMES.map((name, index) => [`${folders[index]}/${name}`, textOf(name)])),
      ...Object.fromEntries(
        Object.entries(subagents).map(([day, [id = '', of = '']]) => [
          `${day}/rollout-${day.replaceAll('/', '-')}T09-40-00-${id}.jsonl`,
          spawned(id, of),
        ]),
      ),
    });
    for (const folders of [
      ['2026/09/01', '2026/09/01', '2026/09/01'],
      ['2026/09/01', '2026/09/02', '2026/10/01'],
      ['2026/12/31', '2026/12/31', '2027/01/01'],
    ]) {
      const home = writeTree(inFolders(folders), join(tempDir(), '.codex/sessions'));
      const world = { home: join(home, '../..'), cwd: home };
      const [day = ''] = folders;
      const targets = [nameOf(FIRST), 'latest', join(home, day, FIRST), `${day}/${FIRST}`];
      const runs = targets.map(async (target) =>
        JSON.parse((await runHere(['show', target, '-j'], world)).stdout),
      );
      const [byId, ...others] = await Promise.all(runs);
      for (const other of others) expect(other).toEqual(byId);
      expect(byId).toMatchObject({ duration_ms: LASTED, parts: { logs: 2 }, subagents: { logs: 2 } });
      const [only, ...more] = JSON.parse((await runHere(['list', '-j'], world)).stdout);
      expect([only.took_ms, more]).toEqual([byId.duration_ms, []]);
    }
  });

  test('is on one page with all its turns', async () => {
    const { episodePage } = await import('../../src/show/page/episode.ts');
    const { dialectNamed } = await import('../../src/dialects/registry.ts');
    const codex = dialectNamed('codex');
    if (codex === undefined) throw new Error('no codex');
    const parts = [SECOND, THIRD].map((name) => join(DAY, name));
    const { document } = await episodePage(
      { name: nameOf(FIRST), path: log, dialect: codex, run: undefined, parts },
      undefined,
    );
    expect(document.story.turns.map(({ turn }) => turn)).toEqual([1, 2, 3]);
    expect(document.account.account?.time?.lasted_ms).toBe(LASTED);
  });
});

test('the time of several logs adds up, also if one of them has no turns or begins before the last one ended', () => {
  const own = { lasted_ms: 10, model_ms: 4, tools_ms: 3, waited_ms: 2, idle_ms: 1, slowest: [] };
  const joined = joinedTime([
    { time: own, start: 0, end: 10 },
    { start: 20, end: 25 },
    { time: own, start: 24, end: 34, part: 'b' },
  ]);
  expect(joined).toEqual({ lasted_ms: 35, model_ms: 8, tools_ms: 6, waited_ms: 4, idle_ms: 17, slowest: [] });
  expect(joinedTime([{ start: 0, end: 10 }, {}])).toBeUndefined();
});
