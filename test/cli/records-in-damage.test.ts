import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

const LOGS = {
  'Claude Code': 'claude-code/projects/-home-usr-project/03eb5929-52b3-4b13-ada3-b93ae35806b8.jsonl',
  Codex: 'codex/sessions/2026/11/22/rollout-2026-11-22T08-35-11-01a20265-2037-7e02-b97b-69c62b47e2b8.jsonl',
  Copilot: 'copilot/damaged/lost-and-twice.jsonl',
  'Gemini CLI': 'gemini/resumed-0.61.0.jsonl',
  pi: 'pi/v3-plain-resumed-0.87.1.jsonl',
  'Qwen Code': 'qwen/resumed-0.24.4.jsonl',
};

const COMMANDS = [
  ['show'],
  ['show', '--changes'],
  ['read'],
  ['timeline'],
  ['timeline', '--records'],
  ['search', 'e'],
  ['events', '--partial'],
  ['stats', '--partial'],
];

/** A log in which the third record is torn, and the next two were written to its line. */
function torn(name: string, between = ''): string {
  const lines = readFileSync(join(SAMPLES, name), 'utf8').split('\n');
  const [, , third = '', fourth = '', fifth = ''] = lines;
  const glued = `${third.slice(0, 14)}${between}${fourth}${fifth}`;
  return tempFile([...lines.slice(0, 2), glued, ...lines.slice(5)].join('\n'), 'log.jsonl');
}

describe.each(Object.entries(LOGS))(
  'whole records behind a torn one in a session of %s',
  (_program, name) => {
    test.each(COMMANDS)('are read and named by %s %s', async (...command) => {
      const log = torn(name);
      const { stderr } = await runHere([...command, log]);
      expect(stderr.split('\n')[0]).toMatch(
        /skipped damaged line 3: .*; (2 intact records on this line were read|an intact record on this line was read; noesis doctor reads one more)/,
      );
      if (command[0] === 'search' || command[0] === 'stats') return;
      const json = await runHere([...command, log, '-j']);
      expect(JSON.parse(json.stderr).error.message).toMatch(
        /; (2 intact records|an intact record) on this line (was|were) read/,
      );
    });

    test('are named by diff', async () => {
      const { stderr } = await runHere(['diff', torn(name), join(SAMPLES, name)]);
      expect(stderr).toMatch(/intact records? on this line (was|were) read/);
    });
  },
);

test('records after NUL bytes are named too, and a line without any is not', async () => {
  const one = await runHere(['show', torn(LOGS.pi, '\0'.repeat(512))]);
  expect(one.stderr).toContain('noesis doctor reads 2 intact records on this line');
  const none = await runHere([
    'show',
    tempFile(`${readFileSync(join(SAMPLES, LOGS.pi), 'utf8')}{"type":"mess\n`, 'log.jsonl'),
  ]);
  expect(none.stderr).not.toContain('noesis doctor reads');
});
