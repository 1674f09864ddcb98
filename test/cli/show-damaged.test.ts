import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { originalOf, SAMPLE_PROGRAMS } from '../support/doctor-samples.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const FOLDER = join(SAMPLES, 'claude-code/projects/-home-usr-w-330-sub');
const ID = 'adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1';
const AGENT = 'agent-a4877a4f9f72b03c6.jsonl';

/** Cuts some lines of a log in half. */
function tear(log: string, ...lines: number[]): void {
  const texts = readFileSync(log, 'utf8').split('\n');
  for (const line of lines) {
    const text = texts[line - 1] ?? '';
    texts[line - 1] = text.slice(0, text.length >> 1);
  }
  writeFileSync(log, texts.join('\n'));
}

/** A session with damaged lines, and some subagents with damaged logs. */
function damaged(agents: number): string {
  const dir = tempDir();
  cpSync(FOLDER, dir, { recursive: true });
  const log = join(dir, `${ID}.jsonl`);
  tear(log, 9, 12, 15, 17);
  const below = join(dir, ID, 'subagents');
  tear(join(below, AGENT), 2, 4, 5);
  for (let at = 1; at < agents; at += 1)
    copyFileSync(join(below, AGENT), join(below, `agent-a0000000000000000${at}.jsonl`));
  return log;
}

test('show says once that lines are damaged if it must be short, and has its tools', async () => {
  const log = damaged(1);
  const full = (await runHere(['show', log, '--full'], { columns: 80 })).stdout;
  const short = (await runHere(['show', log], { columns: 80 })).stdout;
  expect(full.match(/without 7 damaged lines/g)).toHaveLength(2);
  expect(short.match(/without 7 damaged lines/g)).toHaveLength(1);
  for (const title of ['Turns', 'Tools', 'Subagents', 'Session']) expect(short).toContain(title);
});

test.each(['show', 'read', 'timeline'])(
  '%s names three damaged logs of a run, counts the others, and names one command',
  async (command) => {
    const log = damaged(4);
    const { code, stderr } = await runHere([command, log]);
    expect(code).toBe(1);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.filter((line) => line.includes(': skipped damaged lines '))).toHaveLength(3);
    expect(lines.slice(-2)).toEqual(['and 2 more damaged logs', `  see noesis verify ${log}`]);
    const json = await runHere(['show', log, '-j']);
    const errors = json.stderr.trimEnd().split('\n');
    expect(errors.map((line) => JSON.parse(line).error.command)).toContain(`noesis verify ${log}`);
    expect(errors).toHaveLength(5);
  },
);

test('a place in another log stays on one line, with the end of a long name', async () => {
  const codex = join(SAMPLES, 'codex');
  const { stdout } = await runHere(['list', codex, '-q']);
  for (const log of stdout.trimEnd().split('\n')) {
    const shown = await runHere(['show', log, '--full'], { columns: 80 });
    expect(shown.stdout).not.toMatch(/ line \d+ of\n/);
    expect(shown.stdout).not.toMatch(/ line \d+ of rollout-/);
  }
});

test.each(SAMPLE_PROGRAMS)(
  'show says when a run that has not ended did something last: %s',
  async (program) => {
    const { path, bytes } = originalOf(program);
    const name = path.split('/').at(-1) ?? '';
    const records = bytes.toString().split('\n');
    let open = 0;
    for (const end of [1, 2, 20, 40, records.length - 1]) {
      const log = join(tempDir(), name);
      mkdirSync(join(log, '..'), { recursive: true });
      writeFileSync(log, `${records.slice(0, end).join('\n')}\n`);
      const { stdout } = await runHere(['show', log]);
      const {
        ended_at: last,
        started_at: start = '',
        steps,
        is_over: isOver,
      } = JSON.parse((await runHere(['show', log, '-j'])).stdout);
      if (isOver === true) continue;
      open += 1;
      const time = (last ?? start).slice(0, 19).replace('T', ' ');
      expect(stdout).toMatch(new RegExp(`^last event +${time} UTC, .*line \\d+\\n`, 'm'));
      expect(stdout).toContain(
        steps.length === 0
          ? '\n  it has no prompt: nothing was asked'
          : '\n  the log does not say that it ended\n',
      );
    }
    expect(open).toBeGreaterThan(0);
  },
);
