import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { tempDir, tempFile } from '../support/temp.ts';

// Sessions that were made after reports of users about programs that write such logs.

const INPUTS = fileURLToPath(new URL('../inputs/sessions', import.meta.url));

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly line?: number;
  readonly message: string;
}

interface Episode {
  readonly verdict: string;
  readonly findings: readonly Found[];
}

async function verified(log: string): Promise<Episode> {
  const { stdout } = await runHere(['verify', log, '-f', 'json']);
  const [episode] = (JSON.parse(stdout) as { episodes: Episode[] }).episodes;
  if (episode === undefined) throw new Error(`${log} has no episode`);
  return episode;
}

const logsIn = (name: string): string[] =>
  readdirSync(join(INPUTS, name), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl'))
    .sort()
    .map((path) => join(INPUTS, name, path));

describe.each(
  ['tool-ids-repeat', 'codex-segments', 'codex-revert-and-forks', 'calls-of-subagents'].flatMap((name) =>
    logsIn(name).map((log) => [log.slice(INPUTS.length + 1), log] as const),
  ),
)('%s', (_name, log) => {
  test('is intact, and nothing in it is worth a warning', async () => {
    const { verdict, findings } = await verified(log);
    expect({ verdict, severe: findings.filter(({ severity }) => severity !== 'info') }).toEqual({
      verdict: 'ok',
      severe: [],
    });
  });
});

describe('calls whose ids are numbered per answer', () => {
  test.each(logsIn('tool-ids-repeat').map((log) => [log.slice(INPUTS.length + 1), log]))(
    '%s has one remark, and each call its own result',
    async (_name, log) => {
      const { findings } = await verified(log);
      expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
        ['tool/duplicate-call', 'info'],
      ]);
      const { calls } = JSON.parse((await runHere(['project', log, '-j'])).stdout) as {
        calls: readonly { readonly status: string; readonly result_line: number; readonly line: number }[];
      };
      expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 'ok'));
      expect(calls.every(({ line, result_line }) => result_line > line)).toBe(true);
      const stats = JSON.parse((await runHere(['stats', log, '--by', 'tool', '-j'])).stdout) as {
        groups: Record<string, { calls: { count: number } }>;
      };
      expect(Object.values(stats.groups).map((group) => group.calls.count)).toEqual([calls.length]);
    },
  );
});

test('pi: a compaction explains a call without a result', async () => {
  const [log = ''] = logsIn('pi-compact-while-a-call-runs');
  const { findings } = await verified(log);
  expect(findings.map(({ code, severity, line }) => [code, severity, line])).toEqual([
    ['tool/unanswered', 'info', 3],
  ]);
});

test('Copilot: a result whose call is only in the request of the model is odd, but not an orphan', async () => {
  const [log = ''] = logsIn('copilot-result-without-start');
  const { findings } = await verified(log);
  expect(findings.map(({ code, severity, line }) => [code, severity, line])).toEqual([
    ['tool/never-started', 'info', 5],
  ]);
});

test('Codex: the name of a file may have the id of its thread, or of its thread and its own', async () => {
  for (const log of logsIn('codex-segments')) {
    const codes = (await verified(log)).findings.map(({ code }) => code);
    expect(codes).not.toContain('session/file-name');
  }
  const [, second = ''] = logsIn('codex-segments');
  const other = tempFile(
    readFileSync(second, 'utf8'),
    basename(second).replace('00000000000a_', '00000000000f_'),
  );
  expect((await verified(other)).findings.map(({ code }) => code)).toContain('session/file-name');
});

test('Codex: later files of a thread are parts of one session, which every command names', async () => {
  const folder = join(INPUTS, 'codex-segments');
  const [first = ''] = logsIn('codex-segments');
  const listed = JSON.parse((await runHere(['list', folder, '-j'])).stdout) as { parts: { logs: number } }[];
  expect(listed.map(({ parts }) => parts.logs)).toEqual([2]);
  const shown = JSON.parse((await runHere(['show', first, '-j'])).stdout) as { parts: { logs: number } };
  expect(shown.parts.logs).toBe(2);
  const { stdout } = await runHere(['read', first], { env: { COLUMNS: '300' } });
  expect(stdout.match(/in the further log /g)).toHaveLength(2);
});

describe('Codex: later files of a thread that do not say where the file before them ends', () => {
  type Head = Record<string, unknown> & { payload: Record<string, unknown> };
  const withoutBase = ({ payload: { history_base: _, ...payload }, ...record }: Head): Head => ({
    ...record,
    payload,
  });

  test.each<[string, (record: Head) => Head]>([
    ['with numbers of records', withoutBase],
    ['without numbers of records', (record) => withoutBase({ ...record, ordinal: undefined })],
  ])('%s are parts of one session too', async (_name, change) => {
    const folder = tempDir();
    for (const log of logsIn('codex-segments')) {
      const records = readFileSync(log, 'utf8').trimEnd().split('\n');
      const changed = records.map((line) => `${JSON.stringify(change(JSON.parse(line) as Head))}\n`);
      writeFileSync(join(folder, basename(log)), changed.join(''));
    }
    const [first = ''] = readdirSync(folder).sort();
    const shown = JSON.parse((await runHere(['show', join(folder, first), '-j'])).stdout) as object;
    expect(shown).toMatchObject({ parts: { logs: 2 }, steps: [{}, {}, {}] });
    expect(shown).not.toHaveProperty('subagents');
    const stats = JSON.parse((await runHere(['stats', folder, '-j'])).stdout) as {
      tokens: Record<string, number>;
    };
    expect(stats.tokens).toMatchObject({ input: 1600, cached: 400 });
  });
});

describe('Claude Code: records that are in the log again', () => {
  const [log = ''] = logsIn('second-compact-copies');

  test('are one remark if a second compaction wrote them, and count once', async () => {
    const { findings } = await verified(log);
    expect(findings.map(({ code, severity, line }) => [code, severity, line])).toEqual([
      ['event/duplicate-id', 'info', 9],
      ['session/orphaned-branch', 'info', 14],
    ]);
    expect(findings[1]?.message).toBe(
      'this compaction leaves out the conversation after the compaction on line 5: its 2 messages (lines 7 to 8) are on no branch that continues',
    );
    expect(findings[0]?.message).toBe(
      '4 records from here to line 12 are in the log already, on lines 1 to 4: the program writes them again when it compacts a session',
    );
    const { turns, calls } = JSON.parse((await runHere(['project', log, '-j'])).stdout) as {
      turns: { prompt: string }[];
      calls: unknown[];
    };
    expect(turns.map(({ prompt }) => prompt)).toEqual(['Plant the bulbs', 'Next bed', 'Third bed']);
    expect(calls).toHaveLength(1);
    const stats = JSON.parse((await runHere(['stats', log, '-j'])).stdout) as {
      names: Record<string, { count: number }>;
    };
    expect(stats.names['Bash']?.count).toBe(1);
  });

  test('are one warning if nothing explains them', async () => {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(0, 8);
    const copy = tempFile(`${[...lines, ...lines.slice(1, 4)].join('\n')}\n`, basename(log));
    const { findings } = await verified(copy);
    expect(findings.map(({ code, severity, line }) => [code, severity, line])).toEqual([
      ['event/duplicate-id', 'warn', 9],
    ]);
  });
});

test('Claude Code: a session whose texts were removed has a remark', async () => {
  const [log = ''] = logsIn('contents-wiped');
  const { verdict, findings } = await verified(log);
  expect(verdict).toBe('ok');
  expect(findings.map(({ code, severity, line, message }) => [code, severity, line, message])).toEqual([
    ['session/no-contents', 'info', 1, '6 of 6 messages are empty: their texts were removed'],
  ]);
});

describe('Claude Code: a second compaction', () => {
  const [log = ''] = logsIn('second-compact-copies');
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  const boundary = lines[13] ?? '';
  /** The session with a second compaction that continues another record, and without copies. */
  const continuing = async (uuid: string, between: readonly string[] = lines.slice(5, 8)) => {
    const continued = boundary.replace('abc00014-0000-4000-8000-000001312d0a', uuid);
    const text = [...lines.slice(0, 5), ...between, continued, ...lines.slice(14)].join('\n');
    const { findings } = await verified(tempFile(`${text}\n`, basename(log)));
    return findings.flatMap(({ code, line, message }) =>
      code === 'session/orphaned-branch' ? [[line, message]] : [],
    );
  };

  test('that continues the conversation after the first has no remark', async () => {
    expect(await continuing('abc00014-0000-4000-8000-000001312d09')).toEqual([]);
  });

  test('that continues a record which was never written has no remark', async () => {
    expect(await continuing('abc00014-0000-4000-8000-00000000ffff')).toEqual([]);
  });

  test('right after the first leaves out nothing that was said', async () => {
    expect(await continuing('abc00014-0000-4000-8000-000001312d05', lines.slice(5, 6))).toEqual([]);
  });

  test('that continues a record before the first names what it leaves out', async () => {
    expect(await continuing('abc00014-0000-4000-8000-000001312d05')).toEqual([
      [9, expect.stringContaining('after the compaction on line 5: its 2 messages (lines 7 to 8) are')],
    ]);
    expect(await continuing('abc00014-0000-4000-8000-000001312d05', lines.slice(5, 7))).toEqual([
      [8, expect.stringContaining('its message (line 7) is')],
    ]);
  });
});

test('pi: a parent that is the head of the log is in it, and is no record to go on from', async () => {
  const under = async (log: string, place: number) => {
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    const { id } = JSON.parse(lines[0] ?? '{}') as { id: string };
    const event = { ...JSON.parse(lines[place] ?? '{}'), parentId: id };
    const text = `${lines.with(place, JSON.stringify(event)).join('\n')}\n`;
    const { findings } = await verified(tempFile(text, basename(log)));
    return findings
      .filter(({ code }) => /^(?:lineage|session)/.test(code))
      .map(({ severity, message }) => `${severity}: ${message.replace(/.*conversation: /, '')}`)
      .toSorted();
  };
  const says =
    'info: the parent of the record is the head of the log, which is no record of the conversation';
  const plain = logsIn('tool-ids-repeat').find((log) => log.includes('/pi/')) ?? '';
  expect(await under(plain, 1)).toEqual([says]);
  expect(await under(plain, 2)).toEqual([says, 'warn: its parent is the head of the log']);
  // The record that the compaction keeps is in the log too, on another branch.
  const [compacted = ''] = logsIn('pi-compact-while-a-call-runs');
  expect(await under(compacted, 2)).toEqual([
    'info: the compaction keeps what follows 00000001, which is not on its branch',
    says,
  ]);
});
