import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Resume } from '../../src/dialects/dialect.ts';
import { allDialects } from '../../src/dialects/registry.ts';
import { resumeOf } from '../../src/dialects/resume.ts';
import { finderOf } from '../../src/read/select/find-text.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { times } from '../support/length.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

const SHOP = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');

/** A machine with the sessions of the samples, and an empty working directory on it. */
function machine(): { readonly cwd: string; readonly home: string; readonly env: Record<string, string> } {
  const home = tempDir();
  cpSync(join(SAMPLES, 'claude-code/projects'), join(home, '.claude/projects'), { recursive: true });
  cpSync(join(SAMPLES, 'codex/sessions'), join(home, '.codex/sessions'), { recursive: true });
  return { cwd: home, home, env: { TZ: 'UTC' } };
}

const inOrder = (text: string): string[] => text.trim().split('\n').sort();

const message = (content: string): string =>
  `${JSON.stringify({ role: 'user', id: '1', timestamp: '2026-01-01T00:00:00Z', content })}\n`;

describe('search', () => {
  test('finds a text in every session of the machine', async () => {
    const { code, stdout, stderr } = await runHere(['search', 'check failed', '-j'], machine());
    expect(code).toBe(0);
    const matches = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(matches.map(({ dialect }) => dialect))).toEqual(new Set(['codex']));
    expect(matches[0]).toMatchObject({
      kind: expect.any(String),
      line: expect.any(Number),
      match: 'check failed',
    });
    expect(stderr).toMatch(/^\d+ events in \d of \d+ logs of \d+ runs\n$/);
  });

  test('shows each match below the name of its log: line, kind, tool, and the text around it', async () => {
    const { stdout } = await runHere(['search', 'fixtures', SHOP], { env: { TZ: 'UTC' } });
    expect(stdout.replaceAll(SAMPLES, 'samples')).toMatchSnapshot();
  });

  test('also looks under the root, and prints only names with -q', async () => {
    const { cwd, ...world } = machine();
    cpSync(join(EXAMPLES, '.noesis'), join(cwd, '.noesis'), { recursive: true });
    const { stdout } = await runHere(['search', '-q', 'production database'], { cwd, ...world });
    expect(inOrder(stdout)).toEqual(['ep_01KJQA4N40CCE7NY92CB90Q783']);
    const here = await runHere(['search', '-q', 'Fix', '--root', join(cwd, '.noesis')], { cwd, ...world });
    expect([here.code, here.stdout]).toEqual([1, '']);
  });

  test('ends with 1 if there is no match, with 2 if the text is empty, with 3 if there is no log', async () => {
    const none = await runHere(['search', 'no such text', SHOP]);
    expect([none.code, none.stdout, none.stderr]).toEqual([1, '', 'no match in 1 log\n']);
    expect((await runHere(['search', '', SHOP])).code).toBe(2);
    expect((await runHere(['search', '-e', '(', SHOP])).stderr).toContain('is not a regular expression');
    const cwd = tempDir();
    expect((await runHere(['search', 'x'], { cwd, home: cwd })).code).toBe(3);
  });

  test('is case-sensitive, except with -i', async () => {
    expect((await runHere(['search', 'FIXTURES', SHOP])).code).toBe(1);
    expect((await runHere(['search', '-i', 'FIXTURES', SHOP])).code).toBe(0);
    const log = tempFile(message('Ärger'), 'a.jsonl');
    expect((await runHere(['search', '-i', 'ärger', log])).code).toBe(0);
  });

  test('matches a regex with the decoded text, not with its stored form', async () => {
    const log = tempFile(message('first\n"second" line'), 'a.jsonl');
    const { stdout } = await runHere(['search', '-e', '^"sec.nd" \\w+$|first\\n"s', log, '-j']);
    expect(JSON.parse(stdout)).toMatchObject({ field: 'content', match: 'first\n"s', before: '' });
    expect((await runHere(['search', 'first\n"second"', log])).code).toBe(0);
    expect((await runHere(['search', '-e', '\\p{Lu}|^first', log])).code).toBe(0);
  });

  test('finds the arguments of Codex calls, which are JSON in a text', async () => {
    const { code, stdout } = await runHere(['search', 'echo "check failed"', '-j'], machine());
    const calls = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([code, calls.length]).toEqual([0, 3]);
    for (const call of calls)
      expect(call).toMatchObject({
        kind: 'call',
        field: expect.stringMatching(/^(?:payload\.)?arguments$/),
        before: '',
        after: ' >&2; exit 3',
      });
  });

  test.each([
    ['{"cmd":"say \\"é\\"\\nthen"}', 'say "é"\nthen'],
    ['{"cmd":"say \\"\\u00e9\\""}', 'say "é"'],
    ['[{"text":"a \\\\ b"}]\n', 'a \\ b'],
    ['{"cmd":"x y"}', '"cmd":"x'],
    ['{"no" json}', '{"no" json'],
  ])('decodes a text that is JSON, and searches it as stored too: %j', async (content, wanted) => {
    const log = tempFile(message(content), 'a.jsonl');
    const { code, stdout } = await runHere(['search', wanted, log, '-j']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ field: 'content', match: wanted });
    expect((await runHere(['events', log, '--grep', wanted])).stdout).not.toBe('');
  });

  test('stops an expression that takes exponential time', async () => {
    const log = tempFile(message(`${'a'.repeat(60)}!`), 'a.jsonl');
    const { code, stderr } = await runHere(['search', '-e', '^(a+)+$', log]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('takes too long')]);
  });

  test('shows at most five events of a log, and counts the others', async () => {
    const log = tempFile(message('word').repeat(70), 'a.jsonl');
    expect((await runHere(['search', 'word', log])).stdout).toContain(
      'and 65 more events (--limit 0 shows all)',
    );
    expect((await runHere(['search', 'word', log, '--limit', '0'])).stdout.match(/word/g)).toHaveLength(70);
    const both = await runHere([
      'search',
      'word',
      log,
      tempFile(message('word').repeat(70), 'b.jsonl'),
      '--limit',
      '2',
    ]);
    expect(both.stderr).toMatch(/^140 events in 2 of 2 logs; at most 2 of each log are shown \(--limit\)$/m);
    const json = await runHere(['search', 'word', log, '-j', '--limit', '2']);
    expect(
      json.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .at(-1),
    ).toMatchObject({ more: 68 });
  });

  test('finds text in later blocks of a file, also across two of them', async () => {
    const log = join(tempDir(), 'a.jsonl');
    const filler = message('x'.repeat(1000));
    const count = Math.floor((1 << 20) / filler.length);
    const head = filler.repeat(count);
    const rest = (1 << 20) - head.length;
    for (const shift of [-3, 0, 3, 2000]) {
      const pad = message('').length;
      const before = 'y'.repeat(Math.max(0, rest - pad + shift));
      writeFileSync(log, `${head}${message(`${before}needle`)}`);
      expect((await runHere(['search', 'needle', log])).code).toBe(0);
    }
  });

  test('searches the intact part of a damaged log, and names the rest', async () => {
    const log = tempFile(`${message('word one')}word torn\n${message('word two')}`, 'a.jsonl');
    const { code, stdout, stderr } = await runHere(['search', 'word', log]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/word one[\s\S]*word two/)]);
    expect(stderr).toContain('skipped damaged line 2: ');
  });

  test('escapes trace text, and cuts it around the match to the width of a terminal', async () => {
    const text = `${'left '.repeat(50)}\u001b[31mneedle\u202e${' right'.repeat(50)}`;
    const log = tempFile(message(text), 'a.jsonl');
    const { stdout } = await runHere(['search', 'needle', log], { env: { COLUMNS: '60' } });
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
    const [, row = ''] = stdout.split('\n');
    expect(row.length).toBeLessThanOrEqual(60);
    expect(row).toMatch(/… ?left .*\\x1b\[31mneedle.*…$/);
    const tiny = await runHere(['search', 'e'.repeat(30), tempFile(message('e'.repeat(300)), 'a.jsonl')], {
      env: { COLUMNS: '24' },
    });
    expect(tiny.stdout).toMatch(/e+…$/m);
  });

  test('prefers messages to ids, and does not match the name of the log in its records', async () => {
    const dir = join(tempDir(), 'ep_word');
    const event = (id: string, note: string) =>
      `${JSON.stringify({ id, phase: 'act', episode_id: 'ep_word', payload: { note } })}\n`;
    mkdirSync(dir);
    writeFileSync(join(dir, 'events.jsonl'), `${event('1', 'nothing')}${event('word-2', 'a word here')}`);
    const { stdout } = await runHere(['search', 'word', dir, '-j']);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ line: 2, field: 'payload.note' }]);
  });

  test('cuts a match that is very long', async () => {
    const { stdout } = await runHere([
      'search',
      '-e',
      'ee+',
      tempFile(message('e'.repeat(3000)), 'a.jsonl'),
      '-j',
    ]);
    expect(JSON.parse(stdout).match).toHaveLength(201);
  });
});

test('blocks that are skipped never contain a match', () => {
  const part = fc.constantFrom(
    'a',
    'bc',
    'x1',
    ' ',
    '.',
    '\\d',
    '\\.',
    'a?',
    'b*',
    'c{2}',
    'd{1,3}',
    'ee+',
    '^',
    '\\x41',
    '\\u0062',
  );
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'x', '1', ' ', '.', 'A', '"', '\n'),
  });
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 6 }),
      text,
      fc.boolean(),
      (parts, said, ignoreCase) => {
        const finder = finderOf(parts.join(''), { regexp: true, ignoreCase });
        const [places = []] = finder.placesIn([said]);
        if (places.length > 0) expect(finder.mayBeIn(Buffer.from(JSON.stringify(said)))).toBe(true);
      },
    ),
    { numRuns: times(500, 100) },
  );
});

test('a text without quotes is explained', async () => {
  const { code, stderr } = await runHere(['search', 'rm', '-rf']);
  expect([code, stderr]).toEqual([
    2,
    `error: unknown option "-rf"\nhelp: put a text of several words in quotes: noesis search "rm -rf"; noesis search --help lists the options\n`,
  ]);
});

describe('search takes only', () => {
  const world = machine();
  const idsIn = (stdout: string) => [
    ...new Set(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { episode: string }).episode),
    ),
  ];

  test('runs of a project or model', async () => {
    const { stdout } = await runHere(['search', 'e', '-j', '--project', 'shop'], world);
    expect(idsIn(stdout)).toEqual(['5e550000-0000-4000-8000-00000000a001']);
    const none = await runHere(['search', 'e', '-j', '--project', 'shop', '--model', 'mock-model'], world);
    expect([none.code, none.stdout]).toEqual([1, '']);
  });

  test('events of a tool, a kind and a time', async () => {
    const rows = async (...args: string[]) => {
      const { stdout } = await runHere(['search', 'fixtures', SHOP, '-j', ...args], world);
      return stdout === ''
        ? []
        : stdout
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line));
    };
    const all = await rows();
    const byTool = await rows('--tool', 'Bash');
    expect(byTool.length).toBeGreaterThan(0);
    expect(byTool.every(({ tool }) => tool === 'Bash')).toBe(true);
    expect(byTool.length).toBeLessThan(all.length);
    const prompts = await rows('--phase', 'prompt');
    expect(prompts.map(({ kind }) => kind)).toEqual(prompts.map(() => 'prompt'));
    expect(prompts.length).toBeGreaterThan(0);
    const { time } = all[1];
    expect(await rows('--since', time)).toHaveLength(all.filter((row) => row.time >= time).length);
    expect(await rows('--until', time)).toHaveLength(all.filter((row) => row.time <= time).length);
  });
});

test('search prints the command that resumes a session that its program still has', async () => {
  const { stdout } = await runHere(['search', 'fixtures'], machine());
  // Its program continues it in any folder, and its own does not exist here.
  expect(stdout).toContain('  claude --resume 5e550000-0000-4000-8000-00000000a001\n');
  expect((await runHere(['search', 'fixtures', SHOP], {})).stdout).not.toContain('--resume');
});

test('show and doctor print the command that resumes a session, on one line, as search does', async () => {
  const world = { ...machine(), columns: 60 };
  const id = '5e550000-0000-4000-8000-00000000a001';
  const folder = tempDir();
  writeFileSync(
    join(world.home, `.claude/projects/-home-usr-shop/${id}.jsonl`),
    readFileSync(SHOP, 'utf8').replaceAll('/home/usr/shop', folder),
  );
  const command = `cd ${folder} && claude --resume ${id}`;
  expect((await runHere(['show', id], world)).stdout).toContain(`\u001b[1mResume    \u001b[22m${command}\n`);
  expect(JSON.parse((await runHere(['show', id, '-j'], world)).stdout)).toMatchObject({
    resume_command: command,
  });
  expect((await runHere(['doctor', id], world)).stdout).toContain(`\nContinue as it is with: ${command}\n`);
  // Its program does not find a copy elsewhere.
  for (const args of [
    ['show', SHOP],
    ['show', SHOP, '-j'],
    ['doctor', SHOP],
  ])
    expect((await runHere(args, world)).stdout).not.toContain('--resume');
});

describe('search prints the command that continues a session', () => {
  const FROM: readonly (readonly [program: string, sample: string, kept: string, command: RegExp])[] = [
    [
      'pi',
      'pi/v3-fork-0.87.1.jsonl',
      '.pi/agent/sessions/--home-usr-garden--/2026_x.jsonl',
      /pi --session [\da-f-]{36}/,
    ],
    [
      'Qwen Code',
      'qwen/resumed-0.24.4.jsonl',
      `.qwen/projects/-home-usr/chats/${'1'.repeat(8)}-1111-4111-8111-${'1'.repeat(12)}.jsonl`,
      /qwen --resume 11111111-1111-4111-8111-111111111111/,
    ],
    [
      'Gemini CLI',
      'gemini/resumed-0.39.1.jsonl',
      '.gemini/tmp/garden/chats/session-2026-11-23T10-00-00000000.jsonl',
      /gemini --resume [\da-f-]{36}/,
    ],
    ['Codex', 'codex/sessions', '.codex/sessions', /codex resume [\da-f-]{36}/],
    ['opencode', 'opencode/db-1.18.33', '.local/share/opencode', /opencode --session ses_\w+/],
  ];

  test.each(FROM)('of %s', async (_program, sample, kept, command) => {
    const home = tempDir();
    if (kept.endsWith('.jsonl')) {
      // The folder of the session exists, and the name of the folder with its log follows from it.
      const text = readFileSync(join(SAMPLES, sample), 'utf8').replaceAll(/\/home\/usr\/[a-z]+/g, home);
      const slug = home.replaceAll(/[^a-zA-Z0-9]/g, '-');
      const id = JSON.parse(text.split('\n')[0] ?? '').sessionId?.slice(0, 8) ?? '';
      writeTree({ [kept.replace('-home-usr/', `${slug}/`).replace('-00000000.', `-${id}.`)]: text }, home);
    } else cpSync(join(SAMPLES, sample), join(home, kept), { recursive: true });
    const { stdout } = await runHere(['search', 'e'], { cwd: home, home });
    const shown = stdout.split('\n').filter((line) => command.test(line));
    expect(shown.length).toBeGreaterThan(0);
    for (const line of shown) expect(line).toMatch(new RegExp(`^ {2}(?:cd \\S+ && )?${command.source}$`));
    const all = await Promise.all(
      (await runHere(['list', '-q'], { cwd: home, home })).stdout
        .trim()
        .split('\n')
        .map(async (run) => (await runHere(['show', run], { cwd: home, home })).stdout),
    );
    for (const line of shown) expect(all.join('')).toContain(`\nResume    ${line.trim()}\n`);
  });

  test.each([
    [
      'pi/v3-fork-0.87.1.jsonl',
      '.omp/agent/sessions/--home-usr-garden--/a.jsonl',
      'another program keeps it',
    ],
    [
      'pi/v3-fork-0.87.1.jsonl',
      '.claude/projects/-home-usr/a.jsonl',
      'it is in the folder of another program',
    ],
    [
      'qwen/resumed-0.24.4.jsonl',
      '.qwen/projects/-home-usr/chats/copy.jsonl',
      'the program finds it by its name',
    ],
    [
      'gemini/resumed-0.61.0.jsonl',
      '.gemini/tmp/garden/chats/copy.jsonl',
      'the program does not list this name',
    ],
  ])('but none of %s as %s, because %s', async (sample, kept) => {
    const home = tempDir();
    cpSync(join(SAMPLES, sample), join(home, kept));
    const { code, stdout } = await runHere(['search', 'birds'], { cwd: home, home });
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/--resume|--session/);
  });

  test('but none of the session of a subagent in a database', async () => {
    const home = tempDir();
    cpSync(join(SAMPLES, 'opencode/db-1.18.33'), join(home, '.local/share/opencode'), { recursive: true });
    const { stdout } = await runHere(['search', 'notes'], { cwd: home, home });
    const ofSubagent = stdout.split('\n\n').filter((block) => block.includes('subagent)'));
    expect(ofSubagent).toHaveLength(1);
    expect(ofSubagent.join()).not.toContain('--session');
  });
});

describe('search prints no command for', () => {
  const ID = '5e550000-0000-4000-8000-00000000a001';
  const CODEX =
    'codex/sessions/2026/11/23/rollout-2026-11-23T02-13-13-01a2062d-c8d2-7ce3-a3bd-3c4c7f6dc389.jsonl';
  const PROJECT = '.claude/projects/-home-usr-shop';
  const DAY = '.codex/sessions/2026/09/01';

  test.each([
    ['a session of another name', SHOP, `${PROJECT}/copy-of-a-session.jsonl`],
    ['a session in a folder of a project', SHOP, `${PROJECT}/backup/${ID}.jsonl`],
    ['a session outside of a project', SHOP, `.claude/projects/${ID}.jsonl`],
    ['a thread whose id is an option', CODEX, `${DAY}/rollout---last.jsonl`],
    ['a thread whose id is a word', CODEX, `${DAY}/rollout-2026-09-01T10-00-00-last.jsonl`],
    ['a copied thread', CODEX, `${DAY}/rollout-2026-09-01T10-00-00-${ID} copy.jsonl`],
    ['an archived thread', CODEX, `.codex/archived_sessions/rollout-2026-09-01T10-00-00-${ID}.jsonl`],
    [
      'a session in a folder of chats',
      'qwen/resumed-0.24.4.jsonl',
      `.qwen/projects/-home-usr/chats/old/${ID}.jsonl`,
    ],
    [
      'a session in a folder of chats of Gemini CLI',
      'gemini/resumed-0.61.0.jsonl',
      '.gemini/tmp/garden/chats/old/session-2026-11-23T10-00-00000000.jsonl',
    ],
  ])('%s', async (_what, sample, kept) => {
    const home = tempDir();
    cpSync(resolve(SAMPLES, sample), join(home, kept));
    const { code, stdout } = await runHere(['search', 'e'], { cwd: home, home });
    expect(code).toBe(0);
    expect(stdout).not.toMatch(/--resume|codex resume/);
  });

  test('a session whose header has an option as its id', async () => {
    const home = tempDir();
    const folder = join(home, '.pi/agent/sessions/--home-usr-garden--');
    mkdirSync(folder, { recursive: true });
    const log = readFileSync(join(SAMPLES, 'pi/v3-fork-0.87.1.jsonl'), 'utf8');
    writeFileSync(join(folder, 'a.jsonl'), log.replace(/"id":"[^"]+"/, '"id":"--approve-all"'));
    const { code, stdout } = await runHere(['search', 'birds'], { cwd: home, home });
    expect([code, stdout.includes('--approve-all\n')]).toEqual([0, false]);
  });
});

describe('a resume command', () => {
  const resumes = allDialects().flatMap(({ name, resume }) =>
    resume === undefined ? [] : [[name, resume] as const],
  );
  const made = (resume: Resume, id: string, cwd?: string): string | undefined => {
    const made = resumeOf(
      { resume: { ...resume, idOf: () => id } },
      { log: 'x', head: {}, cwd, isFolder: () => true },
    );
    return 'command' in made ? made.command : undefined;
  };

  test.each(resumes)('of %s never has an id that is an option or several words', (_name, resume) => {
    for (const id of [
      '--approve-all',
      '-c',
      '',
      'a b',
      'a\n',
      'a;b',
      '$(a)',
      "a'b",
      '../a',
      '.',
      '\u2010a',
      'a/b',
    ])
      expect([id, made(resume, id)]).toEqual([id, undefined]);
    for (const id of ['ses_01aB', 'd0c7', '5e550000-0000-4000-8000-00000000a001', 'a.b'])
      expect(made(resume, id)).toMatch(new RegExp(`^[a-z]+ [a-z-]+[ =]${id}$`));
  });

  test('changes only to an absolute folder', () => {
    const resume: Resume = { command: (id) => `go ${id}`, idOf: () => undefined };
    const plain = made(resume, 'a');
    for (const cwd of ['-', '', '~', '.', '..', 'shop', '-P', '$HOME', undefined])
      expect([cwd, made(resume, 'a', cwd)]).toEqual([cwd, plain]);
    expect(made(resume, 'a', '/home/my shop')).toBe(`cd '/home/my shop' && ${plain}`);
    expect(made(resume, 'a', '/-')).toBe(`cd /- && ${plain}`);
  });
});

test('search reads the sessions in a database of a program', async () => {
  const home = tempDir();
  cpSync(join(SAMPLES, 'opencode/db-1.18.33'), join(home, '.local/share/opencode'), { recursive: true });
  const { code, stdout } = await runHere(['search', 'three birds'], { cwd: home, home });
  expect(code).toBe(0);
  expect(stdout).toContain('ses_');
});

test('search -q prints a log per line, whatever its name has, and each name is one that list -q prints too', async () => {
  const cwd = tempDir();
  const names = ['a\nb', 'c\u001b]0;t\u0007', `d 'q' "z"`, '-e', 'f\u202eg', 'h$(x)', 'i\r\u009b2J', '#j'];
  for (const name of names)
    writeFileSync(join(cwd, `${name}.jsonl`), '{"id":"a","phase":"act","payload":{"x":"needle"}}\n');
  const { code, stdout } = await runHere(['search', '-q', 'needle', '.'], { cwd });
  expect(code).toBe(0);
  const found = stdout.trimEnd().split('\n');
  expect(found).toHaveLength(names.length);
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  expect(found).toEqual(expect.arrayContaining(['a\\nb.jsonl', `d 'q' "z".jsonl`, './-e.jsonl']));
  const listed = (await runHere(['list', '-q', '.'], { cwd })).stdout.trimEnd().split('\n');
  expect(found.toSorted()).toEqual(listed.toSorted());
});

describe('a regular expression that is not valid, or a text that looks like one', () => {
  const to = (...args: readonly string[]) => runHere([...args, SHOP]);

  test.each([
    [['search', '-e', '['], '[ is not a regular expression: unterminated character class', 'remove -e'],
    [['search', '-e', '(a:b'], '(a:b is not a regular expression: unterminated group', 'remove -e'],
    [
      ['events', '--grep', '/[/'],
      '[ is not a regular expression: unterminated character class',
      'remove a slash',
    ],
    [
      ['timeline', '--grep', '/a:(/i'],
      'a:( is not a regular expression: unterminated group',
      'remove a slash',
    ],
    [
      ['tail', '--grep', '/a/xq'],
      'a is not a regular expression: its flags may be i, m, s, u and v, not xq',
      'remove a slash',
    ],
    [['search', ''], 'there is nothing to search for', 'give the text'],
    [['events', '--grep', ''], 'there is nothing to search for', 'give the text'],
  ])('%j', async (args, said, hint) => {
    const { code, stderr } = await to(...args);
    expect([code, stderr]).toEqual([2, `error: ${said}\n${stderr.slice(stderr.indexOf('help: '))}`]);
    expect(stderr).toContain(`help: ${hint}`);
  });

  test('search says how a text between slashes is read, if it is not found', async () => {
    const { code, stderr } = await to('search', '/zz+z/');
    expect([code, stderr.split('\n').at(-2)]).toEqual([
      1,
      "the text was searched for with its slashes; as a regular expression: noesis search -e 'zz+z'",
    ]);
    expect((await to('search', '-e', '/zz+z/')).stderr).toContain(
      "the slashes are a part of the expression; without them: noesis search -e 'zz+z'",
    );
    expect((await to('search', 'zzz')).stderr).not.toContain('expression');
  });
});
