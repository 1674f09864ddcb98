import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

/** A transcript of prompts and answers; the parent of each is given, null for none. */
async function reachOf(
  ...parents: readonly (string | null | JsonObject)[]
): Promise<{ readonly findings: string[]; readonly resume: unknown; readonly shown: string }> {
  const log = `${tempDir()}/s.jsonl`;
  const lines = parents.map((given, index) => {
    const { parent = null, ...more } =
      typeof given === 'object' && given !== null ? given : { parent: given };
    return `${JSON.stringify({
      type: index % 2 === 0 ? 'user' : 'assistant',
      uuid: `u${index + 1}`,
      parentUuid: parent,
      sessionId: 's',
      isSidechain: false,
      timestamp: `2026-10-05T09:00:0${index}.000Z`,
      message: { content: [{ type: 'text', text: 'said' }] },
      ...more,
    })}\n`;
  });
  writeSettled(log, lines.join(''));
  const { episodes } = JSON.parse((await runHere(['verify', log, '-j'])).stdout);
  const { resume } = JSON.parse((await runHere(['show', log, '-j'])).stdout);
  const { stdout } = await runHere(['show', log]);
  const findings = episodes[0].findings as {
    severity: string;
    code: string;
    line: number;
    message: string;
  }[];
  return {
    findings: findings.map(({ severity, code, line, message }) => `${severity} ${code} ${line}: ${message}`),
    resume,
    shown: /^ *resume +(.*)$/m.exec(stdout)?.[1] ?? '',
  };
}

test('a session whose last record leads to the first prompt has no finding, even with branches', async () => {
  expect(await reachOf(null, 'u1', 'u1', 'u3')).toEqual({
    findings: [],
    resume: { reached: 3, records: 4, line: 1 },
    shown: '',
  });
});

test('records before a missing parent are cut off: verify warns on the line where the chain ends', async () => {
  const { findings, resume, shown } = await reachOf(null, 'u1', 'gone', 'u3');
  expect(findings).toEqual([
    'warn lineage/missing-parent 3: the parent of the record, gone, is not in this log: --resume reaches 2 of 4 records',
  ]);
  expect(resume).toEqual({ reached: 2, records: 4, line: 3 });
  expect(shown).toBe('--resume reaches 2 of 4 records, from line 3');
});

test('a branch that begins again is a note: the first prompt is on another one', async () => {
  const { findings, shown } = await reachOf(null, 'u1', null, 'u3');
  expect(findings).toEqual([
    'info session/resume-reach 3: --resume reaches 2 of 4 records: the branch begins here, without the first prompt',
  ]);
  expect(shown).toBe('--resume reaches 2 of 4 records, from line 3');
});

test('a compaction begins a chain, and records of subagents are not part of one', async () => {
  expect((await reachOf(null, 'u1', { parent: null, type: 'system' }, 'u3')).findings).toEqual([]);
  const aside = await reachOf(null, 'u1', { parent: null, isSidechain: true });
  expect(aside).toMatchObject({ findings: [], resume: { reached: 2, records: 2, line: 1 } });
});

test('a chain with a cycle ends', async () => {
  expect((await reachOf('u2', 'u1')).resume).toEqual({ reached: 2, records: 2, line: 1 });
});
