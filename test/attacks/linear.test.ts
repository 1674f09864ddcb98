import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claude, logOf } from '../support/claude-records.ts';
import { sampled, times } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';
import { cost, countOf, type Damaged, episode } from './cost.ts';

/** The permitted cost of a fault, compared with an honest value of the same size, and of the start of the program. */
const FACTOR = 30;
const START = 2;

const KEYS = times(1_650_000, 200_000);
const INTEGERS = times(2000, 400);

const listOf = (count: number, of: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => of(index)).join(',');

/** Of the same size, and nothing is wrong with it. */
const honest = (bytes: number): string =>
  `"x-honest":[${listOf(Math.ceil(bytes / 20), (index) => `{"a":"${String(index).padStart(11, '0')}"}`)}]`;

interface Attack {
  readonly file: 'state.json' | 'manifest.json' | 'events.jsonl';
  readonly make: (it: Damaged) => void;
  readonly code: string;
  /** The minimum number of findings. */
  readonly count: number;
}

const inState = (change: (state: Record<string, Record<string, unknown>>) => void) => (it: Damaged) => {
  const state = JSON.parse(it.text('state.json')) as Record<string, Record<string, unknown>>;
  change(state);
  it.put('state.json', JSON.stringify(state));
};

const firstAction = (state: Record<string, Record<string, unknown>>) =>
  (state['outcomes'] as { actions?: Record<string, unknown>[] } | undefined)?.actions?.[0] ?? {};

const ATTACKS: Readonly<Record<string, Attack>> = {
  '5,000 links in a state': {
    file: 'state.json',
    make: inState(({ links = {} }) => {
      for (let index = 0; index < 5000; index += 1) links[`k${index}`] = `f${index}`;
    }),
    code: 'projection/links',
    count: 5000,
  },
  '300 kB of invalid steps': {
    file: 'state.json',
    make: inState(({ plan = {} }) => {
      plan['steps'] = Array.from({ length: 30_000 }, (_, index) => ({ a: index }));
    }),
    code: 'state/schema',
    count: 30_000,
  },
  '200,000 extensions of an action': {
    file: 'state.json',
    make: inState((state) => {
      const action = firstAction(state);
      for (let index = 0; index < 200_000; index += 1) action[`x-${index}`] = index;
    }),
    code: 'projection/actions',
    count: 200_000,
  },
  '200,000 keys of an action that nobody knows': {
    file: 'state.json',
    make: inState((state) => {
      const action = firstAction(state);
      for (let index = 0; index < 200_000; index += 1) action[`y-${index}`] = index;
    }),
    code: 'state/schema',
    count: 200_000,
  },
  '1 MB of entries that are missing': {
    file: 'manifest.json',
    make: (it) => {
      const manifest = JSON.parse(it.text('manifest.json')) as { files: object[] };
      for (let index = 0; index < 8000; index += 1)
        manifest.files.push({
          kind: 'x',
          name: `n${index}`,
          sha256: `sha256:${'0'.repeat(64)}`,
          size_bytes: 1,
        });
      it.put('manifest.json', JSON.stringify(manifest));
    },
    code: 'manifest/missing-file',
    count: 8000,
  },
  'a line with 156 kB of references that lead nowhere': {
    file: 'events.jsonl',
    make: (it) => {
      const line = it.written.lines.findIndex((text) => text.includes('"evidence_ids":[]'));
      const references = listOf(8500, (index) => `"event:act:${10_000 + index}"`);
      const lines = it.written.lines.map((text, index) =>
        index === line ? text.replace('"evidence_ids":[]', `"evidence_ids":[${references}]`) : text,
      );
      it.put('events.jsonl', `${lines.join('\n')}\n`);
    },
    code: 'lineage/evidence',
    count: 8500,
  },
  '300,000 runs of NUL bytes in a line': {
    file: 'events.jsonl',
    make: (it) => it.put('events.jsonl', `${it.text('events.jsonl')}\n${'\0a'.repeat(300_000)}\n`),
    code: 'log/nul-bytes',
    count: 300_000,
  },
  'a key repeated over 470 kB of a line': {
    file: 'events.jsonl',
    make: (it) =>
      it.extendLine(
        3,
        listOf(60_000, () => '"x-k":1'),
      ),
    code: 'log/duplicate-key',
    count: 59_999,
  },
  'a key repeated over 470 kB of a document': {
    file: 'state.json',
    make: (it) =>
      it.extend(
        'state.json',
        listOf(60_000, () => '"x-k":1'),
      ),
    code: 'log/duplicate-key',
    count: 59_999,
  },
  'a key repeated 900 levels deep in a line of megabytes': {
    file: 'events.jsonl',
    make: (it) => {
      const inner = listOf(KEYS, () => '"k":1');
      it.extendLine(3, `"x-d":${'{"a":'.repeat(900)}{${inner}}${'}'.repeat(900)}`);
    },
    code: 'log/duplicate-key',
    count: KEYS - 1,
  },
  'many integers 900 levels deep each in a line of megabytes': {
    file: 'events.jsonl',
    make: (it) => {
      const one = `${'{"a":'.repeat(900)}12345678901234567890${'}'.repeat(900)}`;
      it.extendLine(3, `"x-d":[${listOf(INTEGERS, () => one)}]`);
    },
    code: 'log/unsafe-integer',
    count: INTEGERS,
  },
};

describe('hostile input costs no more than honest input', () => {
  test.each(sampled(Object.entries(ATTACKS), 2))('%s', (_, { file, make, code, count }) => {
    const bad = episode(make);
    const added = bad.text(file).length;
    const good = episode((it) =>
      file === 'events.jsonl' ? it.extendLine(3, honest(added)) : it.extend(file, honest(added)),
    );
    const expected = good.verify();
    const { code: exit, cpu, memory, report } = bad.verify();
    expect(exit).toBeLessThanOrEqual(1);
    expect(countOf(report, code)).toBeGreaterThanOrEqual(count);
    expect(report.episodes[0]?.findings.length).toBeLessThan(20_000);
    expect(cpu).toBeLessThan(expected.cpu * FACTOR + START);
    expect(memory).toBeLessThan(expected.memory * 2 + 400);
  });

  test('many steps without a word', () => {
    const bad = episode(
      inState(({ plan = {} }) => {
        plan['steps'] = Array.from({ length: times(100_000, 10_000) }, (_, index) => ({ id: `s${index}` }));
      }),
    );
    const { code, cpu, report } = bad.verify();
    expect(code).toBe(1);
    expect(countOf(report, 'state/schema')).toBeGreaterThanOrEqual(times(300_000, 30_000));
    expect(cpu).toBeLessThan(30);
  });

  test('many vetoes, and as many acts without a veto to answer', () => {
    const it = episode();
    const { lines } = it.written;
    const event = (id: string, phase: string, payload: object, cause: string) =>
      JSON.stringify({ ...(JSON.parse(lines[2] ?? '') as object), id, phase, caused_by: cause, payload });
    const vetoes = Array.from({ length: times(20_000, 2000) }, (_, index) =>
      event(`g${index}`, 'governance', { governance_id: `q${index}`, decision: 'veto', enforced: true }, 'e'),
    );
    const acts = Array.from({ length: times(20_000, 2000) }, (_, index) =>
      event(`a${index}`, 'act', { kind: 'k', tool: 't', action_candidate_id: 'c' }, `nobody${index}`),
    );
    it.put('events.jsonl', `${[...lines.slice(0, 2), ...vetoes, ...acts].join('\n')}\n`);
    const { code, cpu } = it.verify();
    expect(code).toBe(1);
    expect(cpu).toBeLessThan(40);
  });

  test('many copies of a checkpoint, where the log is long', () => {
    const it = episode((made) => made.extendLine(3, honest(times(5_000_000, 500_000))));
    const record = it.text('events.jsonl').split('\n').length;
    const hash = `sha256:${'0'.repeat(64)}`;
    for (let index = 0; index < times(5000, 500); index += 1) {
      const folder = it.path(`checkpoints/c${index}`);
      mkdirSync(folder, { recursive: true });
      const checkpoint = {
        schema_version: 'checkpoint/1.0.0',
        checkpoint_id: 'c0',
        run_id: it.written.id,
        event_offset: record,
        last_event_id: it.written.events.at(-1)?.id,
        state_hash: hash,
        artifact_manifest_hash: hash,
        created_at: '2026-03-02T09:00:00Z',
      };
      writeFileSync(join(folder, 'checkpoint.json'), JSON.stringify(checkpoint));
    }
    for (const name of ['manifest.json', 'final.json']) rmSync(it.path(name), { force: true });
    expect(it.verify().cpu).toBeLessThan(20);
  });

  test('a long chain of events, and all its effects', () => {
    const dir = tempDir();
    const count = times(100_000, 10_000);
    const lines = Array.from({ length: count }, (_, index) =>
      JSON.stringify({ id: `e${index}`, phase: 'reason', payload: {}, caused_by: `e${index - 1}` }),
    );
    const path = join(dir, 'events.jsonl');
    writeFileSync(path, `${lines.join('\n')}\n`);
    for (const which of [
      ['--chain', `e${count - 1}`],
      ['--descendants', 'e0'],
    ]) {
      const { code, cpu, stdout } = cost(['events', path, ...which, '-j']);
      expect(code).toBe(0);
      expect(stdout.split('\n')).toHaveLength(count + 1);
      expect(cpu).toBeLessThan(20);
    }
  });

  test('many gaps in the numbers of a coordinator', () => {
    const event = (index: number) =>
      JSON.stringify({
        timestamp: '2026-03-02T09:00:00Z',
        sequence: 1 + index * 2,
        event: 'task_available',
        session_id: 's',
        agent_id: 'coordinator',
        task_id: 't',
        details: {},
      });
    const dir = tempDir();
    const lines = Array.from({ length: times(200_000, 20_000) }, (_, index) => event(index));
    writeFileSync(join(dir, 'event-log.jsonl'), `${lines.join('\n')}\n`);
    const run = cost([
      'verify',
      '--jobs',
      '1',
      '-j',
      '--dialect',
      'coordinator',
      join(dir, 'event-log.jsonl'),
    ]);
    expect(run.code).toBeLessThanOrEqual(1);
    expect(run.stdout.length).toBeLessThan(10_000_000);
    expect(run.cpu).toBeLessThan(40);
  });
});

describe('a session with many calls without results costs no more than one with results', () => {
  const prompt = (index: number) => claude(index, 'user', 'go');
  const call = (index: number) =>
    claude(index, 'assistant', [
      { type: 'tool_use', id: `t${index}`, name: 'Bash', input: { command: 'x' } },
    ]);
  const result = (index: number) =>
    claude(index, 'user', [{ type: 'tool_result', tool_use_id: `t${index}`, content: 'x' }]);
  const each = (of: (index: number) => readonly object[]) =>
    Array.from({ length: times(40_000, 20_000) }, (_, index) => of(index)).flat();
  const costOf = (records: readonly object[]) => {
    const { code, cpu } = cost(['stats', logOf('log.jsonl', records), '-j']);
    expect(code).toBe(0);
    return cpu;
  };

  test.each<[string, (index: number) => readonly object[]]>([
    ['in one turn', (index) => (index === 0 ? [prompt(index)] : [call(index)])],
    ['in many turns', (index) => [prompt(index), call(index)]],
  ])('%s', (_, of) => {
    const honest = costOf(each((index) => [prompt(index), call(index), result(index)]));
    expect(costOf(each(of))).toBeLessThan(honest * 3 + START);
  });
});

describe('input that takes many times its size in memory is refused', () => {
  /** Up to the limit of a file, or not so far; more values than are allowed in both cases. */
  const nested = `[${'[],'.repeat(times(21_000_000, 5_000_000))}[]]`;

  test('documents of empty lists, of 64 MiB and less', () => {
    const it = episode((made) => {
      for (const name of ['state.json', 'summary.json', 'final.json', 'manifest.json'])
        made.put(name, nested);
    });
    const { code, cpu, memory, report } = it.verify();
    expect(code).toBe(1);
    for (const one of ['state/invalid-json', 'artifact/corrupt', 'manifest/invalid'])
      expect(countOf(report, one)).toBeGreaterThan(0);
    expect(cpu).toBeLessThan(20);
    expect(memory).toBeLessThan(700);
  });

  test('a line of empty lists, of 64 MiB and less, in every command', () => {
    const it = episode((made) => made.extendLine(3, `"x-a":${nested}`));
    const { code, cpu, memory, report } = it.verify();
    expect(code).toBe(1);
    expect(countOf(report, 'log/too-many-values')).toBe(1);
    expect(cpu).toBeLessThan(20);
    expect(memory).toBeLessThan(700);
    for (const command of sampled(['events', 'project'], 1)) {
      const run = cost([command, it.dir, '-j']);
      expect([command, run.code]).toEqual([command, 1]);
      expect(run.stderr).toContain('more than 2000000 values');
    }
  });

  test('ids of a megabyte: a finding quotes a thousand characters', () => {
    const big = 'x'.repeat(1_000_000);
    const count = times(40, 10);
    const it = episode((made) => {
      const record = JSON.parse(made.written.lines[2] ?? '') as object;
      const more = Array.from({ length: count }, (_, index) =>
        JSON.stringify({ ...record, id: `${big}${index}`, caused_by: `${big}${index + 100}` }),
      );
      made.put('events.jsonl', `${[...made.written.lines, ...more].join('\n')}\n`);
    });
    const { code, stdout, report } = it.verify();
    expect(code).toBe(1);
    expect(countOf(report, 'lineage/dangling-cause')).toBe(count);
    expect(stdout.length).toBeLessThan(1_000_000);
  });
});
