import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DOCTOR_SAMPLES, damagedOf, expectedOf, originalOf } from '../support/doctor-samples.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

// Two runs with one id: a copy of a session in another folder, or sessions of two programs.

const ID = 'aaaaaaaa-0000-4000-8000-000000000001';

function write(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeSettled(path, bytes);
}

/** A home in which Claude Code and Qwen Code have a damaged session with one id. */
function twoPrograms(): string {
  const home = tempDir();
  for (const program of ['claude', 'qwen'] as const) {
    const torn = damagedOf(program).find(({ name }) => name === 'torn-middle');
    write(join(home, expectedOf(program).session), torn?.bytes ?? Buffer.of());
  }
  return home;
}

/** A home with a session of Claude Code and a copy of it for another project. */
function twoCopies(): string {
  const home = tempDir();
  const { path, bytes } = originalOf('claude');
  write(join(home, path), bytes);
  cpSync(join(home, path), join(home, dirname(dirname(path)), '-home-usr-other', `${ID}.jsonl`), {
    recursive: true,
  });
  return home;
}

const env = { NO_COLOR: '1' };
const inHome = (home: string) => ({
  run: (...args: string[]) => runHere(args, { home, cwd: home, env }),
  inTerminal: (...args: string[]) => runHere(args, { home, cwd: home, env, columns: 160 }),
});

const namesIn = (text: string, name: RegExp): string[] => text.match(name) ?? [];

describe.each([
  ['sessions of two programs', twoPrograms],
  ['copies in two folders', twoCopies],
])('%s with one id', (_, make) => {
  test('are named by their paths in every list, and every command accepts these names', async () => {
    const home = make();
    const { run, inTerminal } = inHome(home);
    const texts = [
      (await run('list', '-q')).stdout,
      (await inTerminal('list')).stdout,
      (await inTerminal('doctor', '--all')).stdout,
      (await run('search', 'e', '-q')).stdout,
      (await inTerminal('search', 'e')).stdout,
    ];
    for (const text of texts) {
      const name = /\.(?:claude|qwen)\/\S*\.jsonl|^\.(?:claude|qwen)\/\S+|\b(?:projects|chats)\/\S+/gm;
      const names = new Set(namesIn(text, name));
      // The commands of doctor name a session by its path, and its table by the end of it.
      expect([text, names.size === 2 || (text.includes('--fix') && names.size === 4)]).toEqual([text, true]);
      for (const name of names) {
        const { stderr } = await run('show', name, '-q');
        expect([name, /matches|does not exist/.test(stderr) ? stderr : '']).toEqual([name, '']);
      }
    }
  });

  test.each([ID, ID.slice(0, 8)])(
    'are refused for the id %s, with the name, time, program and title of each, which are in -j too',
    async (id) => {
      const { run } = inHome(make());
      for (const command of ['show', 'read', 'verify', 'doctor', 'events', 'timeline']) {
        const { code, stderr } = await run(command, id);
        expect([command, code]).toEqual([command, 2]);
        expect(stderr).toContain(`error: ${id} matches 2 runs`);
        expect(stderr.match(/ \d{4}-\d\d-\d\d \d\d:\d\d/g)).toHaveLength(2);
        expect(stderr).toContain('help: give one of these ids');
        const { error } = JSON.parse((await run(command, id, '-j')).stderr);
        expect(error.matches.total).toBe(2);
        for (const one of error.matches.runs) {
          expect(stderr).toContain(one.id);
          expect(stderr).toContain(one.dialect);
          expect(stderr).toContain(one.task.slice(0, 20));
          const { stderr: refused } = await run('show', one.id, '-q');
          expect(/matches|does not exist/.test(refused) ? refused : '').toBe('');
        }
      }
    },
  );
});

test('the list shows the ends of their paths, which no command takes for an option or another session', async () => {
  const { inTerminal, run } = inHome(twoCopies());
  const { stdout } = await inTerminal('list');
  const names = namesIn(stdout, /\bprojects\/\S+/g);
  expect(names.map((name) => name.replace(/^projects\/-home-usr-\w+\//, ''))).toEqual([
    'aaaaaaaa',
    'aaaaaaaa',
  ]);
  for (const name of names) {
    expect((await run('verify', name, '-j')).stdout).toContain(name);
    const missing = await run('show', name.replace('projects', 'elsewhere'));
    expect(missing).toMatchObject({ code: 3 });
    expect((await run('show', name, '--root', '.claude')).code).toBe(3);
  }
  // The beginning of a folder is not a folder, and an end that both have names neither.
  expect((await run('show', 'projects/-home-usr/aaaaaaaa')).code).toBe(3);
});

test('--dialect decides between the programs, and what is printed then is accepted without it', async () => {
  const { run } = inHome(twoPrograms());
  expect((await run('show', ID)).stderr).toContain('or --dialect claude-code or --dialect qwen');
  for (const dialect of ['claude-code', 'qwen']) {
    const shown = await run('show', ID, '--dialect', dialect);
    expect(shown.stdout).toMatch(new RegExp(`Dialect +${dialect}`));
    const { stdout } = await run('doctor', ID, '--dialect', dialect);
    for (const text of [stdout, shown.stdout]) {
      const [, name = ''] = /noesis doctor (?:--fix )?(\S+)/.exec(text) ?? [];
      expect(name).toMatch(/\.jsonl$/);
      const next = await run('doctor', name, '-j');
      expect(JSON.parse(next.stdout)).toMatchObject({ dialect });
    }
    const [row = ''] = (await run('doctor', '--all', '--dialect', dialect)).stdout.split('\n').slice(1);
    expect(row).toContain('.jsonl');
  }
});

test('a Gemini session and the file of its resume have one id, and are named by their paths', async () => {
  const home = tempDir();
  cpSync(join(DOCTOR_SAMPLES, 'gemini/orphan'), join(home, '.gemini/tmp/work/chats'), { recursive: true });
  const { run } = inHome(home);
  const names = (await run('list', '-q')).stdout.trim().split('\n');
  expect(names).toHaveLength(2);
  for (const name of names) expect((await run('show', name, '-q')).stderr).toBe('');
});
