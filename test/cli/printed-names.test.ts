import { cpSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

/** A home with the sessions of all programs, some under names that are not ids. */
function fullHome(): string {
  const home = tempDir();
  const to = (path: string) => join(home, path);
  const copy = (from: string, path: string) => cpSync(join(SAMPLES, from), to(path), { recursive: true });
  copy('claude-code/projects', '.claude/projects');
  copy('codex/sessions', '.codex/sessions');
  copy('copilot/session-state', '.copilot/session-state');
  copy('opencode/db-1.18.33', '.local/share/opencode');
  const logsOf = (folder: string, under: string) => {
    for (const name of readdirSync(join(SAMPLES, folder)))
      if (name.endsWith('.jsonl') && statSync(join(SAMPLES, folder, name)).isFile())
        copy(`${folder}/${name}`, `${under}/${name}`);
  };
  logsOf('pi', '.pi/agent/sessions/--home-usr-api--');
  logsOf('gemini', '.gemini/tmp/shop/chats');
  logsOf('qwen', '.qwen/projects/-home-usr-api/chats');
  return home;
}

let home: string;
beforeAll(() => {
  home = fullHome();
});

const env = { NO_COLOR: '1' };
const run = (...args: string[]) => runHere(args, { home, cwd: home, env });
const inTerminal = (columns: number, ...args: string[]) => runHere(args, { home, cwd: home, env, columns });

/** Messages that say that a name was not understood. */
const NOT_FOUND =
  /does not exist|no such path|no run |has the id|matches \d+ runs|no session|unknown command|unknown option/;

/** Every name in the first column of the rows of a table, and every line of a quiet output. */
const firstWords = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => /^\S+/.exec(line)?.[0] ?? '')
    .filter((word) => word !== '');

/** The commands in an output: `noesis show 1234: what happened`. */
const commandsIn = (text: string): string[][] =>
  [
    ...text.matchAll(
      /\bnoesis ((?:show|read|doctor|events|verify|view|timeline|list|search|salvage) [^\n]*)/g,
    ),
  ]
    .map(([, rest = '']) => rest.split(/ {2,}|: |, |; |`|\)|$/, 1)[0] ?? '')
    .map((rest) => rest.trim().split(' '));

async function expectFound(target: string, from: string): Promise<void> {
  const { code, stderr } = await run('show', target, '-q');
  expect([from, target, code === 3, NOT_FOUND.test(stderr) ? stderr : '']).toEqual([from, target, false, '']);
}

test('every name that list, search and stats print is accepted as a target', async () => {
  const outputs: (readonly [from: string, names: readonly string[]])[] = [
    ['list -q', firstWords((await run('list', '-q')).stdout)],
    ['list', firstWords((await inTerminal(200, 'list')).stdout).slice(1, -1)],
    ['list --wide', firstWords((await run('list', '--wide')).stdout).slice(1)],
    ['search -q', firstWords((await run('search', 'e', '-q')).stdout)],
    [
      'search',
      firstWords((await inTerminal(100, 'search', 'e', '--limit', '1')).stdout).filter((word) => word !== ''),
    ],
    [
      'stats',
      [...(await inTerminal(120, 'stats')).stdout.matchAll(/^ {2}\d+ .*? (\S{6,}) \d+ {2,}\S/gm)].map(
        ([, name = '']) => name,
      ),
    ],
  ];
  const printedBy = new Map<string, string>();
  for (const [from, names] of outputs) {
    expect(names.length, from).toBeGreaterThan(from === 'stats' ? 0 : 15);
    for (const name of names) printedBy.set(name, from);
  }
  // An id of opencode is long, and its beginning says as much.
  expect([...printedBy.keys()].some((name) => /^ses_\w{4,10}$/.test(name))).toBe(true);
  for (const [name, from] of printedBy) await expectFound(name, from);
}, 600_000);

test('every id in the records of a session is accepted, also if its file has another name', async () => {
  const paths = (await run('list', '-q')).stdout.trim().split('\n');
  let renamed = 0;
  for (const path of paths) {
    const [, id] = /^id +(\S+)$/m.exec((await run('show', path, '--full')).stdout) ?? [];
    // The log of a subagent has the id of its session, which may not be on this machine.
    if (id === undefined || path.includes(id) || path.includes('agent-')) continue;
    renamed += 1;
    const { stderr, code } = await run('show', id, '-q');
    // Several files may contain one session.
    expect([id, code === 3 && !stderr.includes(' matches ') ? stderr : '']).toEqual([id, '']);
  }
  expect(renamed).toBeGreaterThan(5);
});

test.each([
  ['gemini/cancel-compress-rewind-0.61.0.jsonl', 'jsonl', '93d12996-d895-44e7-a40f-8d347109ce01'],
  ['gemini/document-failed-tools-0.21.3.json', 'json', '9997efb8-fc5c-454a-a4ec-981c52e2e254'],
])(
  'the whole id of a session is accepted, although its file has only the beginning of it: %s',
  async (sample, ending, id) => {
    const own = tempDir();
    const log = `.gemini/tmp/shed/chats/session-2026-11-23T09-35-${id.slice(0, 8)}.${ending}`;
    cpSync(join(SAMPLES, sample), join(own, log));
    for (const target of [id, id.slice(0, 13), id.slice(0, 6)]) {
      const { code, stdout } = await runHere(['show', target, '-j'], { home: own, cwd: own, env });
      expect([code, stdout.includes(id)]).toEqual([0, true]);
    }
    const other = `${id.slice(0, 9)}0000`;
    const { code, stderr } = await runHere(['show', other], { home: own, cwd: own, env });
    expect([code, stderr]).toEqual([3, expect.stringContaining(`has the id ${other}`)]);
  },
);

test('every command that list, show, doctor and search suggest finds what it names', async () => {
  const names = (await run('list', '-q')).stdout.trim().split('\n');
  const texts = [
    await inTerminal(100, 'list'),
    await inTerminal(100, 'search', 'e'),
    await inTerminal(100, 'stats'),
    await inTerminal(100, 'doctor', '--all'),
    await inTerminal(100, 'doctor'),
  ];
  for (const name of names)
    texts.push(await inTerminal(100, 'show', name), await inTerminal(100, 'doctor', name));
  const commands = new Map(
    texts
      .flatMap(({ stdout, stderr }) => commandsIn(stdout + stderr))
      .filter((words) => words.length === (words.includes('--fix') ? 3 : 2))
      .map((words) => [words.join(' '), words]),
  );
  expect(commands.size).toBeGreaterThan(2);
  for (const [text, words] of commands) {
    const { code, stderr } = await run(...words.filter((word) => word !== '--fix'));
    expect([text, code === 3, NOT_FOUND.test(stderr) ? stderr : '']).toEqual([text, false, '']);
  }
}, 600_000);

test('a file name that two sessions have is ambiguous, and the paths are given', async () => {
  const own = tempDir();
  for (const folder of ['--a--', '--b--'])
    cpSync(
      join(SAMPLES, 'pi/v3-plain-resumed-0.87.1.jsonl'),
      join(own, '.pi/agent/sessions', folder, 'one.jsonl'),
      { recursive: true },
    );
  const { code, stderr } = await runHere(['show', 'one.jsonl'], { home: own, cwd: own });
  expect(code).toBe(2);
  expect(stderr).toContain('one.jsonl matches 2 runs');
  expect(stderr).toContain('--a--');
  expect((await runHere(['show', 'two.jsonl'], { home: own, cwd: own })).stderr).toContain(
    'two.jsonl does not exist',
  );
});

test('a list of one run names it so that show finds it, whatever else its home, store or log contains', async () => {
  const elsewhere = tempDir();
  const store = join(elsewhere, 'store.db');
  cpSync(join(SAMPLES, 'opencode/db-1.18.33/opencode.db'), store);
  const log = join(elsewhere, 'many.jsonl');
  const spanOf = (trace: string) => ({
    resourceSpans: [
      { scopeSpans: [{ spans: [{ traceId: trace, spanId: '0123456789abcdef', name: 'work' }] }] },
    ],
  });
  const traces = ['a', 'b', 'c'].map((end) => end.padStart(32, '0'));
  writeFileSync(log, traces.map((trace) => `${JSON.stringify(spanOf(trace))}\n`).join(''));
  const all = await Promise.all(
    [
      ['list', '-q'],
      ['list', store, '-q'],
      ['list', log, '-q'],
    ].map(async (args) => (await run(...args)).stdout),
  );
  const names = all.flatMap((text) => text.trim().split('\n'));
  expect(names.filter((name) => name.includes('#')).length).toBeGreaterThan(traces.length);
  for (const name of names) {
    const { stdout, stderr } = await inTerminal(200, 'list', name);
    const [, short = ''] = stdout
      .trim()
      .split('\n')
      .flatMap((line) => line.trim().split(' ', 1));
    const [, suggested = ''] = /noesis show '?([^ ':]+)/.exec(stderr) ?? [];
    for (const one of [short, suggested]) await expectFound(one, `list ${name}`);
    // The session of a home has the id that a list of all prints.
    if (!name.includes('/')) expect(short).not.toContain('/');
  }
});
