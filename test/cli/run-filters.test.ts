import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { GOOD, PAUSED, rootWith, VETOED } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { isWhole, sampled } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

const SHOP = '5e550000-0000-4000-8000-00000000a001';

/** A machine with the sessions of the samples of six programs. */
function machine(): string {
  const home = tempDir();
  cpSync(join(SAMPLES, 'claude-code/projects'), join(home, '.claude/projects'), { recursive: true });
  cpSync(join(SAMPLES, 'codex/sessions'), join(home, '.codex/sessions'), { recursive: true });
  cpSync(join(SAMPLES, 'copilot/session-state'), join(home, '.copilot/session-state'), { recursive: true });
  return home;
}

const home = machine();

interface Row {
  readonly episode: string;
  readonly project?: string;
  readonly model?: string;
  readonly tokens?: Readonly<Record<string, number>>;
  readonly took_ms?: number;
  readonly cost?: { readonly amount: string };
}

async function listed(...args: string[]): Promise<Row[]> {
  const { code, stdout } = await runHere(['list', '-j', ...args], { cwd: home, home });
  expect(code).toBe(0);
  return JSON.parse(stdout) as Row[];
}

const idsOf = (rows: readonly Row[]) => rows.map(({ episode }) => episode);

/** A session that worked in a folder. */
const sessionIn = (cwd: string) =>
  [
    {
      type: 'user',
      uuid: 'u1',
      sessionId: 's',
      cwd,
      timestamp: '2026-01-01T00:00:00Z',
      message: { role: 'user', content: 'hello' },
    },
    {
      type: 'assistant',
      uuid: 'a1',
      parentUuid: 'u1',
      sessionId: 's',
      cwd,
      timestamp: '2026-01-01T00:00:01Z',
      message: {
        id: 'm1',
        role: 'assistant',
        model: 'claude-x',
        content: [{ type: 'text', text: 'hi' }],
        stop_reason: 'end_turn',
      },
    },
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');

describe('list takes only runs', () => {
  test('that failed, whatever the format calls that', async () => {
    const { code, stdout } = await runHere([
      'list',
      '-j',
      '--failed',
      join(SAMPLES, 'pi'),
      join(SAMPLES, 'qwen'),
    ]);
    const paths = (JSON.parse(stdout) as { path: string }[]).map(({ path }) => basename(path));
    expect([code, paths.sort()]).toEqual([0, ['api-error-0.24.4.jsonl', 'v3-api-error-0.50.3.jsonl']]);
    // A person or a policy stopped these; they did not fail.
    const { cwd } = rootWith(GOOD, PAUSED, VETOED);
    const none = await runHere(['list', '--failed'], { cwd });
    expect([none.code, none.stdout, none.stderr]).toEqual([1, '', 'no run failed\n']);
    expect((await runHere(['list', '--failed', '-j'], { cwd })).stdout).toBe('[]\n');
  });

  test('of a project, by name and by folder', async () => {
    expect(idsOf(await listed('--project', 'shop'))).toEqual([SHOP]);
    expect(idsOf(await listed('--project', 'sh*'))).toEqual([SHOP]);
    expect(idsOf(await listed('--project', '/home/usr/shop'))).toEqual([SHOP]);
    const { code, stderr } = await runHere(['list', '--project', 'shp'], { cwd: home, home });
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('no run belongs to the project shp; did you mean shop?'),
    ]);
    const elsewhere = tempDir();
    const here = await runHere(['list', '--project', '.'], { cwd: elsewhere, home });
    expect(here.stderr.replace(/\s+/g, ' ')).toContain(`no run belongs to the project . (${elsewhere});`);
  });

  test('of no folder here, if the working directory is relative or not in the log', async () => {
    const machineHome = tempDir();
    const logs = join(machineHome, '.claude/projects/p');
    mkdirSync(logs, { recursive: true });
    writeFileSync(join(logs, 'relative.jsonl'), sessionIn('src'));
    writeFileSync(join(logs, 'without.jsonl'), sessionIn('/').replaceAll('"cwd":"/",', ''));
    const all = await runHere(['list', '-q'], { cwd: machineHome, home: machineHome });
    expect(all.stdout.trim().split('\n')).toHaveLength(2);
    const here = await runHere(['list', '-q', '--project', '.'], { cwd: machineHome, home: machineHome });
    expect(here.stdout).toBe('');
    // The user, not a program, put this log into the folder.
    const folder = tempDir();
    cpSync(join(logs, 'without.jsonl'), join(folder, 'without.jsonl'));
    const own = await runHere(['list', folder, '-q', '--project', folder], {
      cwd: folder,
      home: machineHome,
    });
    expect(own.stdout).not.toBe('');
  });

  test('of the folder that the user is in, below it, and through a link', async () => {
    const machineHome = tempDir();
    const work = realpathSync(tempDir());
    mkdirSync(join(work, 'shop/src'), { recursive: true });
    mkdirSync(join(work, 'shop-2'));
    symlinkSync(join(work, 'shop'), join(work, 'link'));
    const logs = join(machineHome, '.claude/projects/p');
    mkdirSync(logs, { recursive: true });
    const places = { one: 'shop', two: 'shop/src', three: 'shop-2' };
    for (const [name, place] of Object.entries(places))
      writeFileSync(join(logs, `${name}.jsonl`), sessionIn(join(work, place)));
    const from = async (folder: string, project = '.') => {
      const world = { cwd: join(work, folder), home: machineHome };
      const { stdout } = await runHere(['list', '-q', '--project', project], world);
      return stdout
        .trim()
        .split('\n')
        .map((path) => basename(path, '.jsonl'))
        .sort();
    };
    expect(await from('shop')).toEqual(['one', 'two']);
    expect(await from('link')).toEqual(['one', 'two']);
    expect(await from('shop/src')).toEqual(['two']);
    expect(await from('shop-2')).toEqual(['three']);
    expect(await from('shop-2', '../shop')).toEqual(['one', 'two']);
  });

  test('that used a model', async () => {
    const rows = await listed('--model', 'claude-sonnet*');
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.every(({ model }) => model?.startsWith('claude-sonnet'))).toBe(true);
    expect(idsOf(await listed('--model', 'sonnet'))).toEqual(idsOf(await listed('--model', '*sonnet*')));
    const { code, stderr } = await runHere(['list', '--model', 'gtp'], { cwd: home, home });
    expect([code, stderr]).toEqual([1, expect.stringContaining('no run used the model gtp; found: claude-')]);
  });

  test('that pass several filters at once', async () => {
    expect(idsOf(await listed('--model', 'claude-*', '--project', 'shop'))).toEqual([SHOP]);
    const both = await runHere(['list', '--model', 'mock-model', '--project', 'shop'], { cwd: home, home });
    expect([both.code, both.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^no run passes all filters at once: --project shop takes [1-9]\d*; --model mock-model takes [1-9]\d* of \d+\n$/m,
      ),
    ]);
  });

  test('and a list that is empty because of some filters names these, in each combination of filters', async () => {
    const filters = {
      '--failed': [[], []],
      '--changed': [['rate.js'], ['nowhere.js']],
      '--project': [['shop'], ['nowhere']],
      '--status': [['done'], ['zzzz']],
      '--model': [['mock-model'], ['no-model']],
      '--since': [['2025-01-01'], ['2999-01-01']],
    } as const;
    const blamed = {
      '--failed': 'no run failed',
      '--changed': 'no run changed nowhere.js',
      '--project': 'no run belongs to the project nowhere',
      '--status': 'no run has the status zzzz',
      '--model': 'no run used the model no-model',
      '--since': 'no run was active at that time',
    } as const;
    type Name = keyof typeof filters;
    const names = Object.keys(filters) as Name[];
    const run = async (args: readonly string[]) => runHere(['list', ...args], { cwd: home, home });
    const argsOf = (name: Name, which: 0 | 1): readonly string[] => [name, ...filters[name][which]];
    const isEmpty = new Map<string, boolean>();
    for (const name of names)
      for (const which of [0, 1] as const)
        isEmpty.set(`${name} ${which}`, (await run(argsOf(name, which))).stdout === '');
    const pairs = names.flatMap((one, at) =>
      names.slice(at + 1).flatMap((other) =>
        (
          [
            [0, 0],
            [0, 1],
            [1, 0],
            [1, 1],
          ] as const
        ).map(([mine, its]) => ({ one, mine, other, its })),
      ),
    );
    let empty = 0;
    // Three of four pairs take no run, so each sample of more than a quarter has such a pair.
    for (const { one, mine, other, its } of sampled(pairs, 16)) {
      const args = [...argsOf(one, mine), ...argsOf(other, its)];
      const { code, stdout, stderr } = await run(args);
      if (stdout !== '') continue;
      empty += 1;
      const alone = [
        [one, isEmpty.get(`${one} ${mine}`) ?? false],
        [other, isEmpty.get(`${other} ${its}`) ?? false],
      ] as const;
      const isBoth = alone.every(([, isAlone]) => !isAlone);
      expect([args, code]).toEqual([args, 1]);
      for (const [name, isAlone] of alone) {
        // What a run changed takes time to read, so only the runs that the other filter takes are read.
        const isRead = name !== '--changed' || alone.every(([of, is]) => of === name || !is);
        if (name === '--changed' && isRead) {
          const what = filters[name][name === one ? mine : its].join();
          const before = (name === one ? argsOf(other, its) : argsOf(one, mine)).join(' ');
          const said = [`${before} leaves`, `none of them changed ${what}`];
          expect([args, said.filter((text) => !stderr.includes(text))]).toEqual([args, []]);
          continue;
        }
        expect([args, name, stderr.includes(blamed[name])]).toEqual([args, name, isAlone && isRead]);
        const isCounted = isBoth && !args.includes('--changed');
        expect([args, stderr.includes(' takes ')]).toEqual([args, isCounted]);
      }
    }
    expect(empty).toBeGreaterThan(isWhole ? 20 : 0);
  });

  test('that changed a file, as show --changes says, for each session of the samples', async () => {
    const changes: { readonly id: string; readonly path: string }[] = [];
    for (const id of idsOf(await listed())) {
      const { stdout } = await runHere(['show', '--changes', '-j', id], { cwd: home, home });
      const { files = [] } = JSON.parse(stdout) as { files?: { path: string }[] };
      for (const { path } of files) changes.push({ id, path });
    }
    expect(changes.length).toBeGreaterThan(3);
    for (const { id, path } of sampled(changes, 4)) {
      expect(idsOf(await listed('--changed', path))).toContain(id);
      expect(idsOf(await listed('--changed', path.split('/').slice(-2).join('/')))).toContain(id);
    }
    expect(idsOf(await listed('--changed', 'rate.js'))).toEqual([SHOP]);
    expect(idsOf(await listed('--changed', 'shop/*.js'))).toEqual([SHOP]);
    for (const other of ['ate.js', 'other/rate.js', './rate.jsx']) {
      const none = await runHere(['list', '--changed', other], { cwd: home, home });
      expect([none.code, none.stdout, none.stderr]).toEqual([
        1,
        '',
        expect.stringContaining(`no run changed ${other}, as far as the calls in the logs show`),
      ]);
    }
  });
});

test('list names the runs whose commands may have changed a file, and says nothing of how they are stored', async () => {
  const world = { cwd: join(SAMPLES, 'codex/sessions'), home };
  const { stdout } = await runHere(['list', '.', '-j'], world);
  const maybe = new Set<string>();
  for (const { id } of JSON.parse(stdout) as { id: string }[]) {
    const changes = JSON.parse((await runHere(['show', '--changes', '-j', id], world)).stdout || '{}');
    const commands: { command: string }[] = changes.may_have_changed ?? [];
    if (commands.some(({ command }) => command.includes('notes.txt'))) maybe.add(id);
  }
  expect(maybe.size).toBeGreaterThan(0);
  const { stderr } = await runHere(['list', '.', '--changed', 'notes.txt'], world);
  expect(stderr).toMatch(/^\d+ runs? only ran (?:a command|commands) that may have changed it: /m);
  for (const id of maybe) expect(stderr).toContain(id);
  const store = join(SAMPLES, 'opencode/db-1.18.33');
  for (const args of [
    ['list', store, '--changed', 'x.txt'],
    ['list', store],
  ])
    expect((await runHere(args, world)).stderr).not.toContain('line N');
});

describe('stats, search and events take the runs that list takes', () => {
  const filters = {
    changed: ['--changed', 'rate.js'],
    'may have changed': ['--changed', 'notes.txt'],
    'changed and used a model': ['--changed', 'notes.txt', '--model', 'mock-model'],
  };
  const run = (...args: string[]) => runHere(args, { cwd: home, home });
  const logsIn = (stdout: string, field: string) =>
    new Set(
      stdout
        .trim()
        .split('\n')
        .map((line) => String((JSON.parse(line) as Record<string, unknown>)[field])),
    );

  test.each(Object.entries(filters))('by what they %s', async (_, filter) => {
    const listedHere = await run('list', '-j', ...filter);
    const runs = JSON.parse(listedHere.stdout) as { episode: string; path: string }[];
    expect(runs.length).toBeGreaterThan(0);
    const maybe = listedHere.stderr.split('\n').filter((line) => line.includes(' may have changed it'));
    const count = /^\d+ runs? only /.exec(maybe[0] ?? '')?.[0] ?? '';

    const stats = await run('stats', '--partial', '-j', ...filter);
    expect(JSON.parse(stats.stdout).episodes).toBe(runs.length);
    const search = await run('search', '-e', '.', '-j', ...filter);
    // The logs of parts are searched too.
    const searched = [...logsIn(search.stdout, 'path')].filter((path) => !path.includes('/subagents/'));
    // The run of a folder has its log in it.
    expect(searched.map((path) => path.replace(/\/events\.jsonl$/, '')).sort()).toEqual(
      runs.map(({ path }) => path).sort(),
    );
    const events = await run('events', '--partial', '--with-source', '-j', ...filter);
    const read = [...logsIn(events.stdout, 'episode')].filter((name) => !name.startsWith('agent-'));
    expect(read).toHaveLength(runs.length);
    for (const { stderr } of [stats, search, events]) expect(stderr).toContain(count);
  });

  test.each(['stats', 'search -e .', 'events'])('%s says that no run changed the file', async (command) => {
    const args = command.split(' ');
    const none = await run(...args, '--changed', 'nowhere.js');
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringContaining('no run changed nowhere.js, as far as the calls in the logs show\n'),
    ]);
    const both = await run(...args, '--changed', 'nowhere.js', '--project', 'shop');
    expect([both.code, both.stderr]).toEqual([
      1,
      expect.stringMatching(/--project shop leaves 1 of \d+ runs; none of them changed nowhere\.js/),
    ]);
  });
});

describe('list sorts', () => {
  const sum = ({ tokens = {} }: Row) =>
    ['input', 'cached', 'cache_write', 'output'].reduce((all, kind) => all + (tokens[kind] ?? 0), 0);
  const falls = (numbers: readonly number[]) => expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));

  test('by tokens and by time, the most first', async () => {
    falls((await listed('--sort', 'tokens')).map(sum));
    const rows = await listed('--sort', 'took');
    falls(rows.map(({ took_ms: took = -1 }) => took));
    expect(rows[0]?.took_ms).toBeGreaterThan(3_600_000);
    const { stdout } = await runHere(['list', '--sort', 'took', '--limit', '1'], { cwd: home, home });
    expect(stdout).toMatch(/^ID .* LASTED .*\n.* 5h 27m /);
  });

  test.each([
    ['--sort', 'tokens', 'TOKENS'],
    ['--sort', 'size', 'LOG'],
    ['--sort', 'start', 'START UTC'],
  ])('and shows the column of %s %s in a narrow terminal', async (option, value, title) => {
    const machine = { cwd: home, home, columns: 60 };
    const { stdout } = await runHere(['list', option, value, '--utc'], machine);
    expect(stdout.split('\n')[0]).toContain(title);
  });

  test('by cost, and says if no cost is known', async () => {
    const list = async (folder: string) =>
      (await runHere(['list', '--sort', 'cost', join(SAMPLES, folder)], { cwd: tempDir() })).stderr;
    expect(await list('codex')).toContain(
      'no cost is known, because these models have no price: mock-model (see noesis help prices)',
    );
    expect(await list('exarchos')).toContain('no cost is known, because no run has tokens\n');
    expect(await list('claude-code')).not.toContain('no cost');
    const prices = join(tempDir(), 'prices.toml');
    const price = (model: string, amount: number) =>
      `[prices.models."${model}"]\ninput = ${amount}\ncached = ${amount}\ncache_write = ${amount}\ncache_write_1h = ${amount}\noutput = ${amount}\n`;
    writeFileSync(
      prices,
      `[prices]\ncurrency = "USD"\n${price('claude-sonnet-5', 9000)}${price('claude-opus-*', 0.0001)}`,
    );
    const rows = await listed('--sort', 'cost', '--config', prices);
    falls(rows.map(({ cost }) => Number(cost?.amount ?? -1)));
    expect(rows[0]?.episode).toBe(SHOP);
  });
});

test('statistics show the newest days', async () => {
  const { stdout } = await runHere(['stats', ...manyDays()], { cwd: tempDir() });
  const days = /^Days\n([\s\S]*?)\n\n/m.exec(stdout)?.[1] ?? '';
  expect(days).toContain('2026-01-20');
  expect(days).not.toContain('2026-01-05');
  expect(days).toContain('and 12 earlier');
  const { stdout: byDay } = await runHere(['stats', '--by', 'day', ...manyDays()], { cwd: tempDir() });
  expect(byDay).toContain('2026-01-20');
  expect(byDay).not.toContain('2026-01-05');
});

/** Twenty sessions, one per day. */
function manyDays(): string[] {
  const dir = tempDir();
  return Array.from({ length: 20 }, (_, index) => {
    const path = join(dir, `day-${index + 1}.jsonl`);
    const day = String(index + 1).padStart(2, '0');
    writeFileSync(path, sessionIn('/work').replaceAll('2026-01-01', `2026-01-${day}`));
    return path;
  });
}

describe('list --since and --until keep the runs that were active at that time', () => {
  /** Sessions from the first time to the last one; the last is compressed, and its file is newer. */
  const times: Readonly<Record<string, readonly string[]>> = {
    before: ['2026-03-01T09:00:00Z', '2026-03-01T10:00:00.135Z'],
    across: ['2026-03-01T23:00:00Z', '2026-03-02T08:00:00Z'],
    within: ['2026-03-02T09:00:00Z', '2026-03-02T10:00:00Z'],
    around: ['2026-03-01T12:00:00Z', '2026-03-04T12:00:00Z'],
    after: ['2026-03-03T09:00:00Z', '2026-03-03T10:00:00Z'],
    packed: ['2026-03-01T09:00:00Z', '2026-03-01T10:00:00Z'],
    undated: [],
  };
  const folder = tempDir();
  const records = (name: string) => {
    const given = [...(times[name] ?? [])];
    return sessionIn('/home/usr/garden').replaceAll(/"timestamp":"[^"]*",/g, () => {
      const time = given.shift();
      return time === undefined ? '' : `"timestamp":"${time}",`;
    });
  };
  for (const name of Object.keys(times))
    if (name === 'packed') writeFileSync(join(folder, 'packed.jsonl.gz'), gzipSync(records(name)));
    else writeFileSync(join(folder, `${name}.jsonl`), records(name));
  const list = (...args: string[]) => runHere(['list', folder, ...args], { cwd: folder });
  const names = async (...args: string[]): Promise<string[]> => {
    const rows = JSON.parse((await list('-j', ...args)).stdout) as readonly { path: string }[];
    return rows.map(({ path }) => basename(path).replace(/\.jsonl.*$/, '')).sort();
  };

  test.each([
    [
      ['--since', '2026-03-02'],
      ['across', 'after', 'around', 'within'],
    ],
    [
      ['--until', '2026-03-02T08:30:00Z'],
      ['across', 'around', 'before', 'packed'],
    ],
    [
      ['--since', '2026-03-02', '--until', '2026-03-02T23:59:59Z'],
      ['across', 'around', 'within'],
    ],
    [
      ['--since', '2026-03-02T08:00:00Z', '--until', '2026-03-02T08:00:00Z'],
      ['across', 'around'],
    ],
    [['--since', '2026-03-01T10:00:00.135Z', '--until', '2026-03-01T10:00:00.135Z'], ['before']],
    [[], Object.keys(times).sort()],
  ])('%j', async (args, expected) => {
    expect(await names(...args)).toEqual(expected);
  });

  test('as stats counts them', async () => {
    const since = ['--since', '2026-03-02T00:00:00Z', '--until', '2026-03-02T20:00:00Z'];
    const { stdout } = await runHere(['stats', folder, '-j', ...since], { cwd: folder });
    // A run that was idle in the whole period has no event in it.
    expect(JSON.parse(stdout).episodes).toBe((await names(...since)).length - 1);
  });

  test('and say from when to when there are runs, if there are none at that time', async () => {
    const { code, stderr } = await list('--until', '2026-02-01', '--utc');
    expect(code).toBe(1);
    expect(stderr).toContain(
      'no run was active at that time: the first record is of 2026-03-01 09:00:00 UTC, the last of 2026-03-04 12:00:00 UTC\n',
    );
    // The logs are newer than the time, so all are read.
    const [said = ''] = stderr.split('\n');
    for (const command of [
      ['stats', folder],
      ['search', 'zzz', folder],
    ]) {
      const found = await runHere([...command, '--until', '2026-02-01'], { cwd: folder, env: { TZ: 'UTC' } });
      expect([found.code, found.stderr], command[0]).toEqual([1, expect.stringContaining(`${said}\n`)]);
      // Only the packed log is read then: the others were last written before that time.
      const later = await runHere([...command, '--since', '2090-01-01'], { cwd: folder });
      expect([later.code, later.stderr], command[0]).toEqual([1, expect.stringContaining(`${said}\n`)]);
    }
    const between = ['--since', '2026-03-01T09:00:00Z', '--until', '2026-03-01T10:00:00Z'];
    expect((await runHere(['search', 'zzz', folder, ...between], { cwd: folder })).stderr).not.toContain(
      'at that time',
    );
    const local = await runHere(['list', 'before.jsonl', '--since', '2027-01-01'], { cwd: folder });
    expect(local.stderr).toContain(' the last of 2026-03-01 1');
    const undated = await runHere(['list', 'undated.jsonl', '--since', '2027-01-01'], { cwd: folder });
    expect(undated.stderr).toContain('no run has a time\n');
  });
});

describe('a session of Gemini CLI, which names its project by a hash', () => {
  const there = tempDir();
  const chats = join(there, '.gemini/tmp/some/chats');
  mkdirSync(chats, { recursive: true });
  // Its header has the hash of /home/usr/garden, and no text names the folder.
  cpSync(
    join(SAMPLES, 'gemini/resumed-0.61.0.jsonl'),
    join(chats, 'session-2026-11-23T09-30-fcfccbad.jsonl'),
  );
  const run = (...args: string[]) => runHere(['list', ...args], { cwd: there, home: there });

  test('is found by the path of the folder', async () => {
    expect((await run('--project', '/home/usr/garden')).stdout).toContain('fcfccbad');
    expect((await run('--project', '/home/usr')).code).toBe(1);
    expect((await run('--project', '/home/usr/other')).code).toBe(1);
  });

  test('is counted where a name is asked', async () => {
    expect((await run('--project', 'garden')).stderr).toContain(
      '1 other run has no known project; --project PATH also finds those whose logs have the hash of this folder',
    );
    expect((await run('--project', '/home/usr/other')).stderr).not.toContain('known project');
  });
});

test('a request that failed without an answer is of the model that was asked', async () => {
  const log = join(SAMPLES, 'qwen/api-error-0.24.4.jsonl');
  const { stdout } = await runHere(['list', log, '--model', 'made-up-1', '-j']);
  expect(JSON.parse(stdout)).toMatchObject([{ status: 'error', model: 'made-up-1' }]);
});
