import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BIN, EXAMPLES, IS_SCRIPT, LAUNCH, noesis, noesisSync, type RunOptions } from '../support/cli.ts';
import { GOOD, rootWith } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

// Problems that hurt a new user of the tool, each once.

const { cwd, episodes } = rootWith(GOOD);
const [{ id, dir, log }] = episodes;

async function failure(args: string[], options: RunOptions = {}) {
  const { stdout, ...rest } = await failureAfterReport(args, options);
  expect(stdout).toBe('');
  return rest;
}

async function failureAfterReport(args: string[], options: RunOptions = {}) {
  const { code, stdout, stderr } = await noesis([...args, '-j'], options);
  const { error } = JSON.parse(stderr) as { error: { code: string; message: string; hint?: string } };
  return { exit: code, stdout, ...error };
}

const verdictIn = (stdout: string) => (JSON.parse(stdout) as { episodes: object[] }).episodes;

const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

test('--max-warnings says why it failed', async () => {
  const args = ['verify', 'legacy', '--max-warnings', '0'];
  const { code, stdout } = await noesis(args);
  expect(code).toBe(1);
  expect(stdout.replaceAll('\n', ' ')).toContain(
    '1 run: 1 with warnings (2 warnings); failed: more than 0 warnings ',
  );
  expect((await noesis(['verify', 'legacy'])).stdout).not.toContain('more than');
  const [one, all] = [await noesis([...args, '-j']), await noesis(['verify', 'legacy', '-j'])];
  expect(
    one.stdout.replace('"verdict": "fail"', '"verdict": "warn"').replace(/,\s+"max_warnings": 0/, ''),
  ).toBe(all.stdout);
});

describe('a mistyped path', () => {
  test('is reported as missing, without looking up an id', async () => {
    const path = '.noesis/episodes/nope';
    const hint = '.noesis/episodes has no file or folder named "nope"';
    for (const command of ['verify', 'events', 'state', 'project', 'tail', 'list'])
      expect(await failure([command, path])).toMatchObject({
        exit: 3,
        code: 'target-missing',
        message: `${path} does not exist`,
        hint,
      });
    expect(await failure(['events', 'nope.jsonl'], { cwd: tempDir() })).toMatchObject({
      message: 'nope.jsonl does not exist',
    });
  });

  test('gets similar names, and the part of it that exists', async () => {
    const near = await failure(['verify', `.noesis/episodes/${id.slice(0, -1)}_`], { cwd });
    expect(near.hint).toBe(`did you mean .noesis/episodes/${id}?`);
    expect((await failure(['verify', 'a/b/c'])).hint).toBe(`${EXAMPLES} has no file or folder named "a"`);
  });
});

test('tail -f on a folder of episodes fails at once', async () => {
  expect(await failure(['tail', '-f', '.noesis'])).toMatchObject({ exit: 3, code: 'log-missing' });
});

describe('an empty log', () => {
  test.each(['', '\n', ' \n\n'])('does not pass on standard input: %j', async (input) => {
    expect(await failureAfterReport(['verify', '-'], { input })).toMatchObject({
      exit: 3,
      code: 'log-missing',
      message: 'standard input contains no event: nothing was checked',
    });
  });

  test('does not pass in a file, in any dialect, and has a report', async () => {
    const files = [[tempFile('', 'some.jsonl')], [tempFile('')], [tempFile(''), '--dialect', 'noesis']];
    for (const args of [...files, ['-', '--dialect', 'noesis']]) {
      const { stdout, ...error } = await failureAfterReport(['verify', ...args], { input: '' });
      expect(error).toMatchObject({ exit: 3, code: 'log-missing' });
      expect(verdictIn(stdout)).toEqual([
        expect.objectContaining({
          level: 'none',
          findings: expect.arrayContaining([expect.objectContaining({ code: 'log/empty' })]),
        }),
      ]);
    }
  });

  test('has its report in every format, and in a merged one', async () => {
    const log = tempFile('', 'some.jsonl');
    for (const format of ['pretty', 'markdown', 'sarif', 'junit', 'ndjson', 'github', 'gitlab']) {
      const { code, stdout, stderr } = await runHere(['verify', log, '-f', format]);
      expect([format, code, stderr]).toEqual([format, 3, expect.stringContaining('contains no event')]);
      expect([format, stdout]).toEqual([format, expect.stringMatching(/log\/empty/)]);
      expect([format, stdout]).toEqual([format, expect.not.stringContaining('exit code 0')]);
    }
    const report = tempFile((await runHere(['verify', log, '-j'])).stdout, 'report.json');
    for (const format of ['json', 'ndjson']) {
      const { code, stdout, stderr } = await runHere(['merge', report, '-f', format]);
      expect([code, stderr]).toEqual([3, expect.stringContaining('contains no event')]);
      expect(stdout).toContain('log/empty');
    }
  });

  test('does not pass next to a file that is not verified, in any report', async () => {
    const cwd = writeTree({ 'run/a/events.jsonl': '', 'run/other.jsonl': '{"a":1}\n' });
    for (const format of ['json', 'ndjson']) {
      const args = ['verify', 'run', '-f', format, '--rule', 'log/empty=info'];
      const { code, stderr } = await runHere(args, { cwd });
      expect([code, stderr]).toEqual([3, expect.stringContaining('run/a contains no event: nothing')]);
    }
  });
});

describe('a file that is not a log is refused', () => {
  const text = tempFile('# Notes\n\nNothing here.\n', 'notes.md');

  test.each([
    [join(dir, 'state.json'), 'it is a state file', `noesis state ${join(dir, 'state.json')}`],
    [tempFile('{"a":1}', 'x.state.json'), 'it is a state file', 'noesis state'],
    [join(dir, 'manifest.json'), 'it belongs to an episode', `noesis verify ${dir}`],
    [tempFile('{\n  "id": 1\n}\n', 'p.json'), 'it is one JSON document', 'one JSON object per line'],
    [tempFile('{"scripts":{}}', 'p.json'), 'it is one JSON document', 'one JSON object per line'],
    [text, 'none of its 3 lines is a JSON object', 'give a run'],
    [tempFile('x', 'x.txt'), 'its only line is not a JSON object', 'give a run'],
  ])('%s: %s', async (path, why, hint) => {
    for (const command of ['events', 'verify', 'project', 'tail']) {
      const { exit, code, ...said } = await failure([command, path]);
      expect([exit, code]).toEqual([3, 'log-missing']);
      expect(said.message).toBe(`${path} does not look like an event log: ${why}`);
      expect(said.hint).toContain(hint);
    }
    expect(await failure(['tail', '-f', path])).toMatchObject({ exit: 3, code: 'log-missing' });
  });

  test('a completely corrupt log is accepted and has findings, whatever its name', async () => {
    for (const name of ['events.jsonl', 'x.ndjson', 'x.log', 'x.jsonl.1']) {
      const { code, stdout } = await noesis(['verify', tempFile('not\na log\n', name)]);
      expect([name, code]).toEqual([name, 1]);
      expect(stdout).toContain('error[log/invalid-json]');
    }
    expect(await noesis(['verify', '-'], { input: 'not a log\n' })).toMatchObject({ code: 1, stderr: '' });
    const insisted = await noesis(['verify', text, '--dialect', 'noesis']);
    expect([insisted.code, insisted.stderr]).toEqual([1, '']);
  });

  test('a log may have any name', async () => {
    for (const name of ['x.json', 'x.txt', 'x']) {
      const file = tempFile('{"id":"1","type":"a"}\n{"id":"2"}\n', name);
      expect(await noesis(['events', file, '-jq'])).toMatchObject({ code: 0, stderr: '' });
      expect((await noesis(['events', tempFile('{"id":"1","type":"a"}\n', name), '-jq'])).code).toBe(0);
    }
  });
});

describe('a path that cannot be written', () => {
  test('is named: --output', async () => {
    const to = join(tempDir(), 'no/x');
    expect(await failure(['verify', 'signed', '-o', to])).toMatchObject({
      exit: 2,
      message: `cannot write ${to}: no such file or folder`,
    });
  });

  test('is named: the summary of a step', async () => {
    const env = { GITHUB_STEP_SUMMARY: join(tempDir(), 'no/x') };
    const { code, stderr } = await noesis(['verify', 'signed', '-f', 'github'], { env });
    expect(code).toBe(1);
    expect(stderr).toContain(`cannot write ${env.GITHUB_STEP_SUMMARY}`);
  });

  test
    .skipIf(!existsSync('/dev/full'))
    .each([
      [['--version']],
      [['--help']],
      [['verify', 'signed']],
      [['events', log]],
      [['events', log, '-j']],
      [['list']],
      [['tail', log, '-f']],
    ])('is one message for %j when the disk is full (where there is /dev/full)', (args) => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = noesisSync(args, { cwd: EXAMPLES, stdio: ['ignore', full, 'pipe'] });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      args.includes('-j')
        ? /^\{"error":\{"code":"unwritable","message":"cannot write standard output: no space left".*\n$/
        : /^error: cannot write standard output: no space left\nhelp: .*\n$/,
    );
  });

  test.skipIf(!existsSync('/dev/full'))(
    'does not hide the exit code where it is the message (where there is /dev/full)',
    () => {
      const full = openSync('/dev/full', 'w');
      expect(noesisSync(['events', 'no/where'], { stdio: ['ignore', 'pipe', full] }).status).toBe(3);
    },
  );

  test('does not matter if the reader went away', () => {
    const script = `${LAUNCH} events "${log}" -j | head -c 1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['0\n', '']);
  });
});

describe('help', () => {
  test('of an unknown word is a usage error that names it', async () => {
    expect(await failure(['help', 'nope'])).toMatchObject({
      exit: 2,
      code: 'usage',
      message: 'there is no help for "nope"',
      hint: expect.stringContaining('noesis --help') as unknown,
    });
    expect((await failure(['help', 'evnts'])).hint).toBe('did you mean events?');
    expect((await noesis(['help', 'events'])).stdout).toBe((await noesis(['events', '--help'])).stdout);
  });

  test('has the options of a command first, and says below where those of all are', async () => {
    const { stdout } = await noesis(['events', '--help']);
    const places = ['\nOptions:', '--phase', '\nGlobal options', 'noesis help options'].map((text) =>
      stdout.indexOf(text),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('has examples and exit codes; that of verify, the keys and the configuration', async () => {
    const { stdout } = await noesis(['--help']);
    expect(stdout).toMatch(
      /\nStart with noesis list, .*\n[\s\S]*noesis help <topic>: options, targets,\nexit-codes, /,
    );
    expect((await noesis(['help', 'exit-codes'])).stdout).toMatch(/^(?: {2}\d.*\n)+/);
    const verify = (await noesis(['verify', '--help'])).stdout;
    expect(verify).toMatch(/Examples:\n(?: {2}noesis .*\n)+/);
    expect(verify).toContain('NOESIS_MANIFEST_KEY_<KID>');
    expect(verify).toContain('noesis.toml');
  });
});

test.each(['80.5', '0', '-1', 'abc', '1e9'])('a width of %s makes nothing fail', async (COLUMNS) => {
  for (const args of [['events', log], ['list'], ['verify', 'signed'], ['--help']]) {
    const { code, stderr } = await noesis(args, { env: { COLUMNS } });
    expect([args[0], code, stderr.includes('bug')]).toEqual([args[0], 0, false]);
  }
});

describe('a narrow terminal', () => {
  test.each([99, 80, 60, 50, 40])('of %i columns holds the rows of list, with ids', async (columns) => {
    const { stdout } = await noesis(['list'], { env: { COLUMNS: `${columns}` } });
    expect(widest(stdout)).toBeLessThanOrEqual(columns);
    expect(stdout).toContain(' STATUS');
    expect(stdout.match(/^ep_01[0-9A-Z]{6} /gm)).toHaveLength(4);
    expect(stdout.includes('LOG')).toBe(columns >= 80);
    expect(stdout.includes('TITLE')).toBe(columns >= 60);
    const { stdout: whole } = await noesis(['list', '--wide'], { env: { COLUMNS: `${columns}` } });
    expect(whole.match(/^ep_01[0-9A-Z]{24} /gm)).toHaveLength(4);
  });

  test('of 80 columns leaves room for the title next to the size; a wide one has seconds', async () => {
    const { stdout } = await noesis(['list', '--utc']);
    expect(stdout).toMatch(/^ep_\w{8} 2026-03-02 12:00 ok/m);
    expect(stdout).toMatch(/ 10 kB Delete the production database$/m);
    const wide = (await noesis(['list', '--utc'], { env: { COLUMNS: '100' } })).stdout;
    expect(wide).toMatch(/^ep_\w{8} 2026-03-02 12:00:0\d ok/m);
    expect(wide).toContain(' 10.3 kB ');
  });

  test.each([80, 60, 40])('of %i columns holds the rows of events', async (columns) => {
    const { stdout } = await noesis(['events', log], { env: { COLUMNS: `${columns}` } });
    expect(widest(stdout)).toBeLessThanOrEqual(columns);
    expect(stdout).toContain('DETAIL');
  });

  test('shows no wider columns than events need', async () => {
    const { stdout } = await noesis(['events', log, '-p', 'start,act', '--utc']);
    const [header = '', first = ''] = stdout.split('\n');
    expect(header).toBe('LINE 2026-03-02 UTC OFFSET     PHASE DETAIL');
    expect(first.slice(0, 5)).toBe('1    ');
    const many = `${'{"id":"1","phase":"observe","payload":{}}\n'.repeat(12_345)}`;
    const last = (await noesis(['events', tempFile(many), '--last', '1'])).stdout.split('\n')[1];
    expect(last).toMatch(/^12345 /);
  });
});

describe('an error', () => {
  test('is broken at the width of the terminal, and names the file with its place and in the command', async () => {
    const bad = join(writeTree({ 'some/where/events.jsonl': 'x\n' }), 'some/where/events.jsonl');
    const { stderr } = await noesis(['events', bad], { env: { COLUMNS: '60' } });
    expect(stderr.split(bad)).toHaveLength(3);
    expect(stderr).toMatch(/^error: line 1 of events\.jsonl is damaged: /);
    expect(widest(stderr.replaceAll(/^ {2}(?:-->|noesis).*$/gm, ''))).toBeLessThanOrEqual(60);
    const piped = await noesis(['events', bad], { env: { COLUMNS: undefined } });
    expect(piped.stderr.split('\n').slice(-3)).toEqual([
      'help: add --partial to skip damaged lines; see all errors with',
      `  noesis verify ${bad}`,
      '',
    ]);
  });
});

describe('hints', () => {
  test('name a root that does not exist', async () => {
    const none = join(cwd, 'nowhere');
    for (const args of [['events', 'latest'], ['events', 'ep_01KJ'], ['verify'], ['list']])
      expect(await failure([...args, '--root', 'nowhere'], { cwd })).toMatchObject({
        exit: 3,
        code: 'root-missing',
        message: `there is no ${none}`,
      });
  });

  test('name one episode of a folder with several', async () => {
    expect((await failure(['show', '.noesis'])).hint).toBe(
      'give one of its runs, such as .noesis/episodes/ep_01KJPWD6M0GKJVH2GKEFTDNN55',
    );
  });

  test('say what an episode is if a folder has none', async () => {
    for (const command of ['verify', 'list'])
      expect((await failure([command, 'keys'])).hint).toContain('events.jsonl');
  });

  test('name codes only if some are similar', async () => {
    const rule = async (code: string) => (await failure(['verify', 'signed', '--rule', `${code}=off`])).hint;
    expect(await rule('foo')).toBe('run noesis explain for all findings and words');
    expect(await rule('log/truncatd')).toBe('did you mean log/truncated? noesis explain lists all');
    expect((await failure(['explain', 'foo'])).hint).toBe('run noesis explain for all findings and words');
  });

  test('name the schemas', async () => {
    expect((await failure(['schema', 'x'])).message).toContain('event, state, manifest, report');
  });
});

test('explain lists a family', async () => {
  for (const family of ['log', 'log/', 'log/*']) {
    const { code, stdout } = await noesis(['explain', family]);
    expect(code).toBe(0);
    expect(stdout).toContain('  log/truncated ');
    expect(stdout).not.toContain('manifest/');
  }
  const entries = JSON.parse((await noesis(['explain', 'seal', '-j'])).stdout) as {
    word?: string;
    code?: string;
  }[];
  // What the word means where it is used, then the findings of its family.
  expect(entries.map(({ word, code }) => word ?? code)).toEqual([
    'seal',
    'seal',
    'seal/missing',
    'seal/open',
    'seal/incomplete',
  ]);
});

test('one byte and one step are singular', async () => {
  expect((await noesis(['verify', 'damaged/bad-json', '-j'])).stdout).toContain('it is 1 byte shorter');
  const plan = JSON.stringify({ id: 'e1', phase: 'plan', payload: { steps: ['act:rotate'] } });
  expect((await noesis(['events', '-'], { input: `${plan}\n` })).stdout).toContain('1 step: act');
});

describe('episodes with one id', () => {
  const folder = tempDir();
  for (const name of ['a', 'b']) cpSync(dir, join(folder, name, id), { recursive: true });
  writeFileSync(join(folder, 'a', id, 'events.jsonl'), 'x\n');
  writeFileSync(join(folder, 'b', id, 'events.jsonl'), 'x\n');
  const paths = ['a', 'b'].map((name) => `${name}/${id}`);

  test('are distinguished by verify -q', async () => {
    const { stdout } = await noesis(['verify', '.', '-q'], { cwd: folder });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('  ').at(-1)),
    ).toEqual(paths);
    const alone = await noesis(['verify', 'a', '-q'], { cwd: folder });
    expect(alone.stdout).not.toContain('a/');
  });

  test('are distinguished in JUnit', async () => {
    const { stdout } = await noesis(['verify', '.', '-f', 'junit'], { cwd: folder });
    for (const path of paths) expect(stdout).toContain(`<testsuite name="${id} (${path})"`);
    expect(new Set(stdout.match(/classname="[^"]*"/g)).size).toBe(2);
  });

  test('are distinguished in the summary of a step', async () => {
    const GITHUB_STEP_SUMMARY = tempFile('', 'summary.md');
    await noesis(['verify', '.', '-f', 'github'], { cwd: folder, env: { GITHUB_STEP_SUMMARY } });
    const [, first = '', second = ''] =
      /\| fail \| (.*?) \|.*\n\| fail \| (.*?) \|/.exec(readFileSync(GITHUB_STEP_SUMMARY, 'utf8')) ?? [];
    expect(first).not.toBe('');
    expect(first).not.toBe(second);
  });
});

test('the package says where it comes from and where to report a bug', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
  for (const key of ['repository', 'bugs', 'homepage', 'license']) expect(manifest[key]).toBeDefined();
});

test('the package needs only the types of zod at run time', () => {
  const manifest = JSON.parse(readFileSync(join(EXAMPLES, '../package.json'), 'utf8')) as {
    dependencies?: object;
    peerDependencies: object;
  };
  expect(manifest.dependencies).toBeUndefined();
  expect(Object.keys(manifest.peerDependencies)).toEqual(['zod']);
});

test.skipIf(!IS_SCRIPT)(
  'events starts with a few files, without the table of list, the checks, colours and zod (where it is a script, not one program)',
  () => {
    // The loader reads the bundle itself, so Node does not list what it loads.
    const observer = join(tempDir(), 'observer.cjs');
    writeFileSync(
      observer,
      `const fs = require('node:fs');
      const { readFileSync } = fs;
      fs.readFileSync = (path, ...rest) => {
        if (/\\.c?js$/.test(path)) process._rawDebug('read ' + path);
        return readFileSync(path, ...rest);
      };
      require('node:module').syncBuiltinESMExports();`,
    );
    const { stderr } = spawnSync(process.execPath, ['--require', observer, BIN, 'events', log], {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' },
    });
    const files = stderr.match(/^read \/.*$/gm) ?? [];
    expect(files.length).toBeGreaterThan(1);
    expect(files.length).toBeLessThanOrEqual(12);
    expect(files.join()).not.toMatch(/episode-list|verify|chalk|source|zod/);
  },
);

describe('a pipe and no target', () => {
  const nowhere = tempDir();
  const piped = { cwd: nowhere, home: nowhere, isPiped: true } as const;

  test.each([['show'], ['read'], ['verify'], ['stats'], ['search', 'word'], ['timeline'], ['project']])(
    '%s says that - reads standard input',
    async (...args) => {
      const { code, stderr } = await runHere(args, { ...piped, input: readFileSync(log, 'utf8') });
      expect([code, stderr]).toEqual([3, expect.stringContaining('- to read standard input')]);
      const without = await runHere(args, { cwd: nowhere, home: nowhere });
      expect(without.stderr).not.toContain('standard input');
    },
  );

  test('a named target or a list says nothing of standard input', async () => {
    for (const args of [['list'], ['show', 'latest'], ['append', 'latest', '--event', '{}']])
      expect((await runHere(args, piped)).stderr).not.toContain('standard input');
  });

  test('is recognised by the program', () => {
    const run = (input: string) => {
      const env = { PATH: process.env['PATH'], HOME: nowhere };
      return spawnSync('sh', ['-c', `${input} ${LAUNCH} show`], { cwd: nowhere, env, encoding: 'utf8' })
        .stderr;
    };
    expect(run(`cat "${log}" |`)).toContain('- to read standard input');
    expect(run('< /dev/null')).not.toContain('standard input');
  });
});
