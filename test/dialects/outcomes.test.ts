import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Story } from '../../src/dialects/kit/story.ts';
import { OUTCOME_OF_CALL } from '../../src/dialects/sessions/kit/outcome.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempFile } from '../support/temp.ts';
import { SESSION_DIALECTS, sampleLogs } from './sessions.ts';

// A call that a person, a rule or a limit refused or stopped did not fail by itself. All commands say so.

interface Row {
  readonly line: number;
  readonly call_line?: number;
  readonly name: string;
  readonly status: string;
}

async function rows(...args: string[]): Promise<Row[]> {
  const { stdout } = await runHere([...args, '-j']);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

const json = async <T>(...args: string[]): Promise<T> =>
  JSON.parse((await runHere([...args, '-j'])).stdout) as T;

describe.each(SESSION_DIALECTS)('outcomes of calls of %s', (dialect) => {
  test.each(sampled(sampleLogs(dialect), 4).map((log) => [basename(log), log] as const))(
    'of %s are the same in read and both forms of timeline',
    async (_, log) => {
      const { turns } = await json<Story>('read', log);
      const calls = turns.flatMap(({ items }) => items.filter((item) => item.kind === 'call'));
      const records = await rows('timeline', '--records', log);
      for (const call of calls) {
        const { line, result_line: at, status } = call;
        const sharing = calls.filter((other) => other.line === line || other.result_line === at);
        if (at === undefined || sharing.length > 1) continue;
        const span = records.find((row) => row.line === Math.max(at, line));
        if (span?.call_line === undefined) continue;
        expect([line, span.status]).toEqual([line, OUTCOME_OF_CALL[status]]);
      }
    },
  );
});

const INTERRUPTED: readonly (readonly [log: string, line: number])[] = [
  ['pi/v3-interrupts-0.87.1.jsonl', 20],
  ['pi/v3-interrupts-0.87.1.jsonl', 21],
  ['pi/v3-interrupts-0.87.1.jsonl', 23],
  ['qwen/cancelled-tool-0.24.4.jsonl', 6],
  ['gemini/cancel-compress-rewind-0.61.0.jsonl', 18],
  ['claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl', 37],
];

test.each(INTERRUPTED)('%s, line %d: what a user aborted has the mark of a veto', async (name, line) => {
  const log = join(SAMPLES, name);
  const events = (await runHere(['events', '--failed', log])).stdout;
  expect(events).toMatch(new RegExp(`^${line} .* ⊘ `, 'm'));
  const spans = await rows('timeline', '--records', log);
  expect(spans.find((row) => row.line === line)).toMatchObject({ status: 'veto' });
});

test('statistics do not count an interrupted call as failed', async () => {
  const log = join(SAMPLES, 'qwen/cancelled-tool-0.24.4.jsonl');
  const { failed, refused } = await json<Record<string, unknown[]>>('stats', log);
  expect(failed).toEqual([]);
  expect(refused).toMatchObject([{ name: 'run_shell_command', count: 1 }]);
  const { stdout } = await runHere(['stats', '--by', 'tool', log]);
  expect(stdout).toContain('1 interrupted');
  expect(stdout).toContain('calls without success: interrupted 1');
  const { groups } = await json<{ groups: Record<string, object> }>('stats', '--by', 'tool', log);
  expect(groups['run_shell_command']).toMatchObject({ failed: 1, interrupted: 1 });
});

/** A copy of a log with one text replaced. */
function edited(name: string, from: string, to: string): string {
  const log = readFileSync(join(SAMPLES, name), 'utf8');
  if (!log.includes(from)) throw new Error(`${name} has no ${from}`);
  return tempFile(log.replace(from, to), basename(name));
}

const MISSING = 'File not found: /home/usr/garden/missing.txt';
const REFUSED = [
  ['a person', 'The user rejected permission to use this specific tool call.'],
  [
    'a rule',
    'The user has specified a rule which prevents you from using this specific tool call. Rules: []',
  ],
] as const;

test.each(REFUSED)('opencode: a call that %s did not allow was denied', async (who, error) => {
  const log = edited('opencode/export/plain-1.18.33.json', MISSING, error);
  const { turns } = await json<Story>('read', log);
  const refused = turns.flatMap(({ items }) =>
    items.filter((item) => item.kind === 'call' && item.status === 'denied'),
  );
  expect(refused).toHaveLength(1);
  // The program waited for a person, and not for a rule.
  expect('waited_ms' in (refused[0] ?? {})).toBe(who === 'a person');
});

const CANCELLED = [
  ['gemini/cancel-compress-rewind-0.61.0.jsonl', 'Operation cancelled by user'],
  [
    'qwen/cancelled-tool-0.24.4.jsonl',
    'The tool had already completed; its output was discarded. User intentionally cancelled.',
  ],
] as const;

describe.each(CANCELLED)('%s', (name, reason) => {
  const outcomes = async (log: string) => {
    const { turns } = await json<Story>('read', log);
    const calls = turns.flatMap(({ items }) => items.filter((item) => item.kind === 'call'));
    return calls.filter(({ status }) => status === 'denied' || status === 'interrupted');
  };

  test.each(['User did not allow tool call', 'User denied execution.'])(
    'a call that ended with "%s" was refused, and changed nothing',
    async (said) => {
      const log = edited(name, reason, said);
      const calls = await outcomes(log);
      expect(calls.map(({ status }) => status)).toEqual(['denied']);
      expect((await runHere(['show', '--changes', log])).stdout).not.toContain(`line ${calls[0]?.line} `);
      expect((await runHere(['show', log, '--full'])).stdout).toMatch(/refused call +run_shell_command: /);
    },
  );

  test.each([reason, 'User cancelled tool execution.', 'User cancelled the operation.'])(
    'a call that ended with "%s" may have changed something',
    async (said) => {
      const log = edited(name, reason, said);
      const calls = await outcomes(log);
      expect(calls.map(({ status }) => status)).toEqual(['interrupted']);
      expect((await runHere(['show', '--changes', log])).stdout).toContain(`line ${calls[0]?.line} `);
    },
  );
});
