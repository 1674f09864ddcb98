import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Option } from 'commander';
import { describe, expect, test } from 'vitest';
import { buildProgram } from '../../commands/program.ts';
import { noesis } from '../support/cli.ts';
import { GOOD, rootWith } from '../support/episodes.ts';
import { runHere, within } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const { cwd, episodes } = rootWith(GOOD);
const [{ id, dir, lines }] = episodes;

/** The exit code and the message, on one line, of a command line that fails. */
async function failing(args: readonly string[], where: string = cwd): Promise<[number | null, string]> {
  const { code, stderr } = await noesis(args, { cwd: where });
  return [code, stderr.replace(/\s+/g, ' ')];
}

describe('an option that would have no effect is refused', () => {
  test.each([
    [['tail', id, '--forever'], '--forever needs -f'],
    [['verify', id, '--cache-mode', 'hash'], '--cache-mode needs --cache'],
    [['verify', id, '--trust', 'ops.pub'], '--trust needs --attestation'],
    [['verify', id, '-0'], '--null needs --targets'],
    [['events', id, '-0'], '--null needs --targets'],
    [['stats', id, '-0'], '--null needs --targets'],
    [['export', id, '--format', 'otlp', '-0'], '--null needs --targets'],
    [['verify', id, '-f', 'pretty', '-j'], '-f pretty cannot be combined with -j'],
    [['export', id, '--format', 'otlp', '--header', 'a=b'], '--header needs --to'],
    [['export', id, '--format', 'csv', '-o', 'tables', '--no-records'], '--no-records needs --format otlp'],
    [['export', id, '--format', 'otlp', '--force'], '--force is for tables'],
    [['export', id, '--format', 'chrome', '--jobs', '2'], '--jobs is for tables'],
    [['view', id, '-o', '-', '--open'], '--open needs a file'],
    [['view', id, '-o', '-', '-j'], '-j needs a file'],
    [['append', id, '--stream', 'x', '--event', '{}'], '(noesis) has no streams'],
    [
      ['events', id, '--map', 'id=x', '--dialect', 'noesis'],
      '--map cannot be combined with --dialect noesis',
    ],
    [['events', id, '--tree', '--shard', '1/1'], '--tree cannot be combined with --shard'],
    [['events', '--tree', '.noesis'], '--tree cannot be combined with the events of several logs'],
    [['events', id, '--tree', '--partial'], '--tree cannot be combined with --partial'],
  ])('%j', async (args, said) => {
    expect(await failing(args)).toEqual([2, expect.stringContaining(said)]);
  });

  test.each([['--key', 'ops.key'], ['-o', 'file'], ['--no-leaves']])(
    'checkpoint --verify with %s',
    async (...option) => {
      expect(await failing(['checkpoint', id, '--verify', 'f', '--trust', 'k', ...option])).toEqual([
        2,
        expect.stringContaining('--verify cannot be used with --'),
      ]);
    },
  );

  test('checkpoint --trust without --verify', async () => {
    expect(await failing(['checkpoint', id, '-o', 'f', '--key', 'k', '--trust', 'k'])).toEqual([
      2,
      expect.stringContaining('--trust needs --verify'),
    ]);
  });
});

test('insight accepts no other phase', async () => {
  expect(await failing(['insight', id, '-p', 'act'])).toEqual([
    2,
    expect.stringContaining('unknown option "-p"'),
  ]);
  expect((await noesis(['insight', '--help'])).stdout).not.toContain('--phase <name>');
  expect((await noesis(['insight', id, '--limit', '1'], { cwd })).code).toBe(0);
});

describe('a dash', () => {
  test.each([
    ['verify', id, '-f', 'json', '-o', '-'],
    ['verify', id, '-f', 'ndjson', '-o', '-'],
    ['export', id, '--format', 'otlp', '-o', '-'],
  ])('as a file is standard output: %j', async (...args) => {
    const out = tempDir();
    const { code, stdout } = await noesis([...args, '--root', join(cwd, '.noesis')], { cwd: out });
    const plain = await noesis([...args.slice(0, -2), '--root', join(cwd, '.noesis')], { cwd: out });
    expect([code, readdirSync(out)]).toEqual([0, []]);
    expect(stdout).toBe(plain.stdout);
  });

  test.each([
    ['checkpoint', id, '--key', 'k', '-o', '-'],
    ['verify', id, '--attest', '-', '--attest-key', 'k'],
    ['verify', id, '--baseline', '-', '--write-baseline'],
    ['salvage', id, '-o', '-'],
    ['redact', id, '-o', '-'],
    ['export', id, '--format', 'csv', '-o', '-'],
  ])('is refused where a file is needed: %j', async (...args) => {
    const out = tempDir();
    await noesis(['keygen', 'k'], { cwd: out });
    const made = [...args.map((word) => (word === 'k' ? 'k.key' : word)), '--root', join(cwd, '.noesis')];
    expect(await failing(made, out)).toEqual([2, expect.stringContaining('standard output')]);
    expect(existsSync(join(out, '-'))).toBe(false);
  });
});

describe('global options before the command', () => {
  const root = join(cwd, '.noesis');

  test('work as after it', async () => {
    const { stdout } = await noesis(['--root', root, '--color=never', 'tail', '-5', id, '-j']);
    expect(stdout).toBe(`${lines.slice(-5).join('\n')}\n`);
    const { stderr } = await noesis(['-q', 'list', '--upside']);
    expect(stderr).toContain('run noesis list --help for its arguments and options');
  });

  test('are not enough without a command', async () => {
    const { code, stdout, stderr } = await noesis(['-j']);
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', message: 'no command is named' } });
  });
});

test.each([['-jp'], ['-qjn5'], ['-j0', '--upside']])(
  '-j among others asks for JSON: %j',
  async (...words) => {
    const { code, stderr } = await noesis(['events', ...words]);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toHaveProperty('error.message');
  },
);

test('-jV is --version -j', async () => {
  expect(JSON.parse((await noesis(['-jV'])).stdout)).toHaveProperty('dialects');
});

test('an event, a key and a path must be named', async () => {
  for (const args of [
    ['events', id, '--chain', ''],
    ['events', id, '--descendants', ''],
    ['project', id, '--at', ''],
    ['keygen', ''],
    ['keygen', 'folder/'],
    ['redact', id, '-o', 'shared', '--drop', 'a..b'],
    ['redact', id, '-o', 'shared', '--keep', '[x'],
  ]) {
    const said = await failing(args);
    expect([args, said]).toEqual([
      args,
      [2, expect.stringMatching(/empty|not a valid path|expected a file name/)],
    ]);
  }
});

describe('nothing is written into an episode', () => {
  test.each(['salvage', 'redact'])('%s', async (command) => {
    const before = readdirSync(dir);
    for (const to of [join(dir, 'copy'), dir])
      expect(await failing([command, id, '-o', to])).toEqual([
        2,
        expect.stringMatching(/inside an episode|already exists/),
      ]);
    expect(readdirSync(dir)).toEqual(before);
  });
});

describe('no input is overwritten', () => {
  test.each([
    ['export', 'run.jsonl', '--format', 'otlp', '-o', 'run.jsonl'],
    ['export', 'run.jsonl', '--format', 'chrome', '-o', './run.jsonl'],
    ['checkpoint', 'run.jsonl', '--key', 'k.key', '-o', 'run.jsonl'],
    ['checkpoint', 'run.jsonl', '--key', 'k.key', '-o', 'k.key'],
    ['verify', 'run.jsonl', '--attest', 'k.key', '--attest-key', 'k.key'],
    ['checkpoint', id, '--key', 'k.key', '-o', join(dir, 'now')],
    ['verify', id, '-f', 'html', '--views', join(dir, 'pages')],
  ])('%j', async (...args) => {
    const folder = writeTree({ 'run.jsonl': `${lines.join('\n')}\n` });
    await noesis(['keygen', 'k'], { cwd: folder });
    const files = () =>
      [...readdirSync(dir), ...readdirSync(folder)].concat(
        ['run.jsonl', 'k.key'].map((name) => readFileSync(join(folder, name), 'utf8')),
      );
    const before = files();
    expect(await failing([...args, '--root', join(cwd, '.noesis')], folder)).toEqual([
      2,
      expect.stringMatching(/is one of the logs to read|inside an episode|name the same file/),
    ]);
    expect(files()).toEqual(before);
  });
});

test('a checkpoint has one signing key', async () => {
  expect(await failing(['seal', id, '--key', 'a=x', '--key', 'b=y'])).toEqual([
    2,
    expect.stringContaining('may be given only once; found "a=x" and "b=y"'),
  ]);
});

test('a value that is printed in a terminal cannot move it', async () => {
  const hostile = rootWith({ ...GOOD, task: 'x\u001b]0;title\u0007\u202e\ny' });
  const [{ id: named }] = hostile.episodes;
  const where = { cwd: hostile.cwd };
  const shown = await runHere(['state', named, 'goal.task'], { ...where, columns: 80 });
  expect(shown.stdout).toBe('x\\x1b]0;title\\x07\\u{202e}\\ny\n');
  const object = await runHere(['state', named, 'goal'], { ...where, columns: 80 });
  expect(object.stdout).not.toContain('\u202e');
  expect((await runHere(['state', named, 'goal.task'], where)).stdout).toBe(
    'x\u001b]0;title\u0007\u202e\ny\n',
  );
});

test('--dialect generic also works in the folder of an episode', async () => {
  for (const target of [dir, join(dir, 'events.jsonl')]) {
    const { code, stdout } = await noesis(['show', target, '--dialect', 'generic', '-j'], { cwd });
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ dialect: 'generic' })]);
  }
});

/** Whether an option collects its values, judging by what it makes of one. */
function collects({ parseArg }: Option): boolean {
  return ['assistant', '1'].some((value) => {
    try {
      return Array.isArray(parseArg?.(value, undefined));
    } catch {
      return false;
    }
  });
}

test('the help of each option that may be repeated says so', async () => {
  await within({}, async (io) => {
    const { commands } = await buildProgram(io, undefined);
    const repeatable = commands.flatMap(({ options }) => options.filter(collects));
    const silent = repeatable.filter(({ description }) => !description.includes('repeatable'));
    expect(silent.map(({ flags }) => flags)).toEqual([]);
    expect(repeatable.map(({ long }) => long)).toEqual(
      expect.arrayContaining(['--role', '--type', '--agent', '--changed', '--project']),
    );
    return 0;
  });
});
