import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claude, logOf } from '../support/claude-records.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

/** A session of Codex with one command. `ended`: the exit code is only in the record of its end. */
function codex(cmd: string, code: number, output: string, ended = false): string {
  const records = [
    ['session_meta', { id: '5e550000-0000-4000-8000-0000000000cc', cwd: '/w', cli_version: '0.169.0' }],
    ['response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] }],
    [
      'response_item',
      { type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd }), call_id: 'c' },
    ],
    ...(ended ? [['event_msg', { type: 'exec_command_end', call_id: 'c', exit_code: code }]] : []),
    [
      'response_item',
      {
        type: 'function_call_output',
        call_id: 'c',
        output: ended
          ? output
          : `Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOutput:\n${output}`,
      },
    ],
  ].map(([type, payload], second) => ({ timestamp: `2026-01-01T10:00:0${second}.000Z`, type, payload }));
  return logOf('rollout-2026-01-01T10-00-00-5e550000-0000-4000-8000-0000000000cc.jsonl', records);
}

/** A session of Claude Code whose program says that a command failed. */
function claudeCode(command: string, code: number, output: string): string {
  return logOf('5e550000-0000-4000-8000-0000000000cd.jsonl', [
    claude(0, 'user', 'go'),
    claude(1, 'assistant', [{ type: 'tool_use', id: 't', name: 'Bash', input: { command } }], {
      parentUuid: 'u0',
    }),
    claude(
      2,
      'user',
      [
        {
          type: 'tool_result',
          tool_use_id: 't',
          is_error: true,
          content: `Exit code ${code}${output && `\n${output}`}`,
        },
      ],
      { parentUuid: 'u1' },
    ),
  ]);
}

/** The numbers of failed calls that commands show of a log. */
async function failures(log: string): Promise<readonly number[]> {
  const json = async (...args: string[]) => JSON.parse((await runHere([...args, log, '-j'])).stdout || '[]');
  const { failed } = await json('stats');
  const { on_the_way = [], why = [] } = await json('show');
  const isCall = ({ kind }: { kind: string }) => kind === 'failed call';
  const { turns } = await json('read');
  const calls = turns.flatMap(({ items }: { items: { kind: string; status?: string }[] }) => items);
  const events = (await runHere(['events', log, '--failed'])).stdout;
  return [
    failed.length,
    [...on_the_way, ...why].filter(isCall).length,
    calls.filter(
      ({ kind, status }: { kind: string; status?: string }) => kind === 'call' && status === 'error',
    ).length,
    events.split('\n').filter((line) => line.includes('✗')).length,
  ];
}

const SEARCHES = [
  'rg "a|b" src',
  "grep -rn 'foo; bar' .",
  'git grep foo',
  'git -C /w --no-pager grep foo',
  'egrep x y',
  'fgrep x y',
  'ag x',
  'grep a\\|b file 2>/dev/null',
  'rg "cost: \\$5" $HOME',
];

describe('a search that found nothing did not fail', () => {
  test.each(SEARCHES)('%s', async (command) => {
    const log = codex(command, 1, '');
    expect(await failures(log)).toEqual([0, 0, 0, 0]);
    expect((await runHere(['read', log])).stdout).toContain('✓ exit 1');
  });

  test('in every program', async () => {
    expect(await failures(codex('rg foo', 1, '', true))).toEqual([0, 0, 0, 0]);
    expect(await failures(claudeCode('grep foo bar', 1, ''))).toEqual([0, 0, 0, 0]);
  });

  test.each(['gemini/cancel-compress-rewind-0.61.0.jsonl', 'qwen/renamed-0.24.4.jsonl'])(
    'in a report about its output: %s',
    async (name) => {
      const path = join(SAMPLES, name);
      const log = readFileSync(path, 'utf8')
        .replaceAll('ls /nowhere/shed', 'grep bird shed')
        .replaceAll("ls: cannot access '/nowhere/shed': No such file or directory", '(empty)')
        .replaceAll('Exit Code: 2', 'Exit Code: 1');
      const failed = async (of: string) => (await runHere(['events', of, '--failed'])).stdout;
      expect(await failed(path)).toContain('ls /nowhere/shed');
      expect(await failed(tempFile(log, basename(name)))).not.toContain('grep bird shed');
      const { stdout } = await runHere(['read', tempFile(log, basename(name))]);
      expect(stdout).toMatch(/grep bird shed.* ✓ exit 1/);
    },
  );
});

describe('another command failed', () => {
  test.each([
    ['rg foo', 2, ''],
    ['rg foo', 1, 'No files were searched'],
    ['diff a b', 1, ''],
    ['rg foo | head', 1, ''],
    ['rg foo; make', 1, ''],
    ['cd src && rg foo', 1, ''],
    ['rg foo\nmake', 1, ''],
    ['rg "$(make)"', 1, ''],
    ['rg `make`', 1, ''],
    ['grep foo < <(make)', 1, ''],
    ['rg foo > out', 1, ''],
    ['grepx foo', 1, ''],
    [`rg ${'x'.repeat(600)}; make`, 1, ''],
  ])('%s: exit code %d, output %j', async (command, code, output) => {
    expect(await failures(codex(command, code, output))).toEqual([1, 1, 1, 1]);
    expect(await failures(claudeCode(command, code, output))).toEqual([1, 1, 1, 1]);
  });
});
