import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

/** An intact log of each program. */
const LOGS: Readonly<Record<string, string>> = {
  noesis: 'noesis/replay/run_a/ep_01JGFJJZ00CTSPE3DKFP348M8P/events.jsonl',
  exarchos: 'exarchos/demo-feature.events.jsonl',
  fishbowl: 'fishbowl/ledger-10-runs.scrubbed.jsonl',
  coordinator: 'coordinator/nested-two-sessions.jsonl',
  'claude-code': 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
  codex: 'codex/sessions/2026/11/22/rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl',
  pi: 'pi/v3-plain-resumed-0.87.1.jsonl',
  qwen: 'qwen/resumed-0.24.4.jsonl',
  gemini: 'gemini/resumed-0.61.0.jsonl',
};

const linesOf = (name: string): string[] =>
  readFileSync(join(SAMPLES, LOGS[name] ?? ''), 'utf8')
    .trimEnd()
    .split('\n');

/** A record that shows by itself which program wrote it. */
const MARKS: Readonly<Record<string, (record: JsonObject) => boolean>> = {
  codex: ({ payload }) => payload !== undefined,
  'claude-code': ({ type }) => type === 'assistant',
  pi: ({ type }) => type === 'message',
  qwen: ({ type }) => type === 'assistant',
  gemini: ({ type }) => type === 'gemini',
};

const recordOf = (name: string): string => {
  const isMark = MARKS[name] ?? (() => true);
  return linesOf(name).find((line) => isMark(JSON.parse(line) as JsonObject)) ?? '';
};

interface Episode {
  readonly dialect: string;
  readonly verdict: string;
  readonly level: string;
  readonly findings: readonly { readonly code: string; readonly line?: number; readonly message: string }[];
}

async function verified(lines: readonly string[]): Promise<Episode> {
  const { stdout } = await runHere(['verify', tempFile(`${lines.join('\n')}\n`, 'any.jsonl'), '-f', 'json']);
  const [episode] = (JSON.parse(stdout) as { episodes: Episode[] }).episodes;
  if (episode === undefined) throw new Error('there is no episode');
  return episode;
}

const SESSIONS = ['claude-code', 'codex', 'pi', 'qwen', 'gemini'];
const PAIRS = SESSIONS.flatMap((own) =>
  Object.keys(LOGS).flatMap((other) => (other === own ? [] : [[own, other] as const])),
);

describe('one record of another program in the log of a session', () => {
  test.each(PAIRS)(
    '%s with a record of %s keeps its dialect, and the record is a warning',
    async (own, other) => {
      const lines = linesOf(own);
      for (const place of [0, 4, 15]) {
        const mixed = lines.toSpliced(place, 0, recordOf(other));
        const { dialect, findings, verdict } = await verified(mixed);
        expect(dialect).toBe(own);
        expect(findings.filter(({ code }) => code === 'log/mixed').map(({ line }) => line)).toEqual([
          place + 1,
        ]);
        expect(verdict).not.toBe('ok');
      }
    },
  );
});

test.each([1, 3])('the first %i records of pi in the log of another session are a warning', async (count) => {
  for (const own of ['claude-code', 'codex', 'qwen', 'gemini']) {
    const { dialect, findings, verdict } = await verified([
      ...linesOf('pi').slice(0, count),
      ...linesOf(own),
    ]);
    expect(dialect).toBe(own);
    expect(findings.filter(({ code }) => code === 'log/mixed').map(({ line }) => line)).toEqual([1]);
    expect(verdict).not.toBe('ok');
  }
});

test.each(['model_change', 'thinking_level_change'])(
  'a record of pi that is no message is a warning in the log of another session: %s',
  async (type) => {
    const record = linesOf('pi').find((line) => line.includes(`"type":"${type}"`)) ?? '';
    for (const own of ['claude-code', 'codex', 'qwen', 'gemini']) {
      const { dialect, findings } = await verified(linesOf(own).toSpliced(3, 0, record));
      expect(dialect).toBe(own);
      expect(findings.filter(({ code }) => code === 'log/mixed').map(({ line }) => line)).toEqual([4]);
    }
  },
);

test.each(Object.keys(LOGS))('an intact log of %s is not mixed', async (name) => {
  const { dialect, findings } = await verified(linesOf(name));
  expect(dialect).toBe(name);
  expect(findings.filter(({ code }) => code === 'log/mixed')).toEqual([]);
});

test('a log whose types are mostly unknown is at most readable', async () => {
  const lines = linesOf('codex').map((line, index) =>
    index < 3
      ? line
      : line.replace(/"type":"(?:event_msg|response_item|token_usage_record)"/, '"type":"newer"'),
  );
  const { dialect, level } = await verified(lines);
  expect({ dialect, level }).toEqual({ dialect: 'codex', level: 'readable' });
});
