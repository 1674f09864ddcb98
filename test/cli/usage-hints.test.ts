import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildProgram } from '../../commands/program.ts';
import { UsageError } from '../../src/base/errors.ts';
import { KNOWN_NAMES, SUGGESTED_LINES } from '../../src/cli/help/near-misses.ts';
import type { Io } from '../../src/cli/io.ts';
import { IS_SCRIPT, noesis } from '../support/cli.ts';
import { GOOD, rootWith } from '../support/episodes.ts';
import { reportHere, runHere } from '../support/in-process.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const { cwd, episodes } = rootWith(GOOD);
const [{ id, dir, lines }] = episodes;

describe('a word that is not known', () => {
  test.each([
    [['evnts'], 'did you mean events?'],
    [['verfiy'], 'did you mean verify?'],
    [['time', 'ep_01KJQ6PS'], 'did you mean timeline?'],
    [['verify', '--all'], 'leave it out: noesis verify checks all runs that it finds'],
    [['stats', '--all'], 'leave it out: noesis stats counts all runs that it finds'],
    [['list', '--tool', 'codex'], 'use --dialect codex'],
    [
      ['list', '--tool', 'Bash'],
      'use noesis events --tool <name>, or noesis search --tool <name>, or noesis',
    ],
    [['read', 'latest', '--tail'], 'use noesis events --last <n>'],
    [['version'], 'did you mean noesis --version?'],
    [['frobnicate'], 'run noesis --help for a list: list, '],
    [['n', 'ep_01KJQ6PS'], 'use noesis show ep_01KJQ6PS to see a run; noesis --help lists the commands'],
    [['list', '--upside', 'x'], 'run noesis list --help for its arguments and options'],
    [['-q', 'list', '--limit', 'x'], 'run noesis list --help for its arguments and options'],
    [['seal'], 'name a run, as in noesis seal latest; noesis list shows the runs'],
    [['salvage', '-o', 'x'], 'name a run, as in noesis salvage latest -o x; noesis list shows the runs'],
    [
      ['read', '-n', '5'],
      'use noesis list --limit 5, or noesis events --limit 5, or noesis search --limit 5',
    ],
    [['--upside'], 'run noesis --help for the commands'],
    [['events', 'x', '--phse', 'act'], 'did you mean --phase?'],
    [['verify', '--max-warning', '3'], 'did you mean --max-warnings?'],
    [['--colour'], 'did you mean --color?'],
    [['help', 'evnts'], 'did you mean events?'],
    [['help', 'statuses'], 'run noesis explain for the words of outputs, such as statuses'],
    [['list', '--since', 'yesturday'], 'did you mean yesterday?'],
    [['events', 'x', '--until', 'wensday'], 'did you mean wednesday?'],
    [['list', '--since', 'day'], 'use 1d, which means that long ago'],
    [
      ['explain', '01a207bb-a'],
      'run noesis show 01a207bb-a to see a run; list shows 8 characters of an id, or as many more as tell it from other ids',
    ],
    [['explain', 'list', 'filters'], 'run noesis help list'],
    [['explain', 'claude-code'], 'run noesis help claude-code'],
    [['explain', 'exit', 'code'], 'run noesis help exit-codes'],
    [['sql', 'selec'], "give the whole query in quotes: noesis sql 'select * from episodes'"],
    [['verify', '-f', 'sarfi'], 'did you mean sarif?'],
    [['events', 'x', '--dialect=noises'], 'did you mean noesis?'],
    [['events', 'x', '--dialect', 'genric'], 'did you mean generic?'],
    [['schema', 'manifets'], 'did you mean manifest?'],
    [['verify', '--rule', 'log/trunated=off'], 'did you mean log/truncated?'],
    [['cost'], 'use noesis list --sort cost, or noesis stats --by model'],
    [['grep'], 'use noesis search <text>'],
    [['resume'], 'use noesis doctor <run>, or noesis show <run>'],
    [['compare', 'a', 'b'], 'use noesis diff a b'],
    [['continue'], 'use noesis doctor <run>, or noesis show <run>'],
    [['help', 'history'], 'use noesis list'],
    [['list', '--program', 'codex'], 'use --dialect codex'],
    [['list', '--format', 'csv'], 'use -j for JSON, the only other format'],
    [['sql', '--format=csv', 'select 1'], 'use -j for JSON, the only other format'],
    [['list', '--last=5'], 'use --limit 5'],
    [['list', '-n', '5'], 'use --limit 5'],
    [['list', '-5'], 'use --limit 5'],
    [['list', '-n', '-q'], 'use --limit <n>'],
    [['list', '--all'], 'leave it out: noesis list lists all runs, and --limit N only the newest N'],
    [['list', '--damaged'], 'run noesis doctor --all, which lists damaged sessions first'],
    [
      ['diff', 'a', 'b', '-f', 'html'],
      'run noesis view <a> <b> for a page that compares both; -j prints JSON',
    ],
    [['diff', 'a', 'b', '--html'], 'run noesis view <a> <b> for a page that compares both; -j prints JSON'],
    [['show', 'latest', '-f', 'csv'], 'use -j for JSON, the only other format'],
    [['cost', 'ep_01KJQ6PS'], 'use noesis show ep_01KJQ6PS'],
    [['tokens', 'ep_01KJQ6PS'], 'use noesis show ep_01KJQ6PS'],
    [['sessions', 'ep_01KJQ6PS'], 'use noesis show ep_01KJQ6PS'],
    [['tools', 'ep_01KJQ6PS'], 'use noesis timeline ep_01KJQ6PS'],
    [['login'], 'noesis needs no account: it reads the logs on this machine; noesis list shows them'],
    [['init'], 'there is nothing to set up: noesis list shows the runs of this machine'],
    [['upgrade'], 'noesis does not install or update itself: use what installed it'],
    [['help', 'foo'], 'run noesis --help for the commands, noesis help topics for the topics'],
    [['help', 'topcs'], 'did you mean topics?'],
    [['read', 'ep_01KJQ6PS', '2'], 'for a turn, use noesis read ep_01KJQ6PS --turn 2'],
    [['read', 'latest', '2..3'], 'for a turn, use noesis read latest --turn 2..3'],
    [['read', 'latest', 'x'], 'run noesis read --help'],
    [['show', '--turn', '2'], 'use noesis read --turn <n..m>'],
    [['show', '--turns', '2'], 'use noesis read --turn <n..m>'],
    [['list', '--sort', 'date'], 'did you mean written, start?'],
    [['list', '--sort', 'time'], 'did you mean written, start?'],
    [['list', '--sort', 'newest'], 'did you mean written, start?'],
    [['list', '--sort', 'duration'], 'did you mean took?'],
    [['list', '--sort', 'model'], 'run noesis list --help'],
    [['list', '--sort', 'program'], 'run noesis list --help'],
    [['stats', '--by', 'folder'], 'did you mean project?'],
    [['stats', '--by', 'date'], 'did you mean day?'],
    [['stats', '--by', 'program'], 'did you mean dialect?'],
    [['stats', '--by', 'provider'], 'did you mean dialect?'],
    [['stats', '--by', 'last'], 'run noesis stats --help'],
    [['stats', '--errors'], 'use --failed'],
    [['list', '--errors'], 'use --failed'],
    [['show', '--failed'], 'use noesis list --failed'],
    [['read', 'x', '--subagents'], 'use --all'],
    [['show', '--subagents'], 'use --full'],
    [['list', '--subagents'], 'use noesis read --all latest'],
    [['list', '--cost'], 'use --sort cost'],
    [['stats', '--tokens'], 'use --by model'],
    [['show', 'ep_01KJQ6PS', '--cost'], 'use noesis show ep_01KJQ6PS'],
    [['stats', '--tools'], 'use --by tool'],
    [['read', 'ep_01KJQ6PS', '--tools'], 'use noesis timeline ep_01KJQ6PS'],
    [['read', 'ep_01KJQ6PS', '--errors'], 'use noesis events --failed ep_01KJQ6PS'],
    [['show', '--verbose'], 'use --full'],
    [['list', '--verbose'], 'use --wide'],
    [['list', '--full'], 'use noesis show --full, or noesis read --full'],
    [['show', '--latest'], 'use noesis show latest'],
    [['read', '--last'], 'use noesis read latest'],
    [['list', '--tail', '3'], 'use --limit 3'],
    [['events', '--tail', '3'], 'use --last 3'],
    [['list', '--head', '3'], 'use --limit 3'],
    [['timeline', '--files'], 'use noesis show --changes latest'],
    [['stats', '--by', 'modle'], 'did you mean model?'],
    [['list', '--dialect', 'claude'], 'did you mean claude-code?'],
    [['list', '--dialect', 'gemini-cli'], 'did you mean gemini?'],
    [['list', '--dialect', 'claud'], 'did you mean claude-code?'],
    [['list', '--dialect', 'opncode'], 'did you mean opencode?'],
    [['schema', 'event', '--dialect', 'copiolt'], 'did you mean copilot?'],
    [['events', '--role', 'usr'], 'did you mean user?'],
    [['search', 'x', '--role', 'asistant'], 'did you mean assistant?'],
    [['verify', '--rule', 'log/truncated=offf'], 'did you mean off?'],
    [['verify', '--rule', 'log/truncated=zzzzz'], 'give off, info, warn or error'],
    [['verify', '--chain', 'agentt'], 'did you mean agent'],
    [['verify', '--chain', 'nonee'], 'did you mean none'],
    [['stats', '--day', '2'], 'use --by day'],
    [['list', '--day', '2'], 'use --since <time>'],
    [['explain', ''], 'give a finding or a word of an output; noesis explain lists all'],
    [['explain', ' '], 'give a finding or a word of an output; noesis explain lists all'],
    [['list', '--dialect', 'zzzzz'], 'run noesis help dialects for their names'],
  ])('%j', async (args, hint) => {
    const { code, stdout, stderr } = await runHere(args, { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.replace(/\s+/g, ' ')).toContain(`help: ${hint}`);
  });
});

test.each([
  ['verify', 'leave it out: noesis verify checks all runs that it finds'],
  ['doctor', 'use noesis doctor --all'],
])('%s all is answered with what reads all runs', async (command, hint) => {
  const { code, stderr } = await runHere([command, 'all'], { cwd });
  expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([3, expect.stringContaining(`help: ${hint}`)]);
});

test('the beginning of the name of a dialect instead of a run is answered with --dialect', async () => {
  const home = tempDir();
  cpSync('test/samples/claude-code/projects', join(home, '.claude/projects'), { recursive: true });
  for (const [word, dialect] of [
    ['claude', 'claude-code'],
    ['codex', 'codex'],
  ] as const) {
    const { code, stderr } = await noesis(['list', word], { cwd: home, env: { HOME: home } });
    expect([code, stderr]).toEqual([3, expect.stringContaining(`help: use --dialect ${dialect} to choose`)]);
  }
});

describe('an option with one value', () => {
  const commands: Command[] = [];
  beforeAll(async () => {
    commands.push(...(await buildProgram({ cwd } as Io, undefined)).commands);
  });

  test('is refused with two values, with both in the message', async () => {
    const { code, stdout, stderr } = await runHere(['stats', '--by', 'model', '--by', 'day'], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--by may be given only once; found "model" and "day"');
    expect(stderr).toContain('help: remove one of them, or run noesis stats once for each');
    expect((await runHere(['stats', '--by', 'model', '--by', 'model'], { cwd })).code).toBe(0);
    const roots = await runHere(['--root', 'a', 'list', '--root=b'], { cwd });
    expect([roots.code, roots.stderr]).toEqual([
      2,
      expect.stringMatching(/"a" and "b"[\s\S]*or run noesis once for each/),
    ]);
  });

  test('is refused in every command; what may be given more often says so or takes a list', () => {
    for (const command of commands)
      for (const option of command.options) {
        if (!option.required || option.long === '--color') continue;
        const [one, other] = option.argChoices ?? ['1', '2'];
        const twice = () => {
          let value: unknown;
          for (const word of [one, other]) value = option.parseArg?.(word ?? '', value as string);
          return value;
        };
        let said: unknown;
        try {
          said = twice();
        } catch (error) {
          said = error;
        }
        const isOnce = said instanceof UsageError && said.message.includes('may be given only once');
        const isMany = Array.isArray(said) && said.length === 2;
        // Some parsers refuse these words.
        if (said instanceof InvalidArgumentError) continue;
        expect([command.name(), option.long, isOnce || isMany]).toEqual([command.name(), option.long, true]);
      }
  });

  test('--color may replace that of an alias', async () => {
    const args = ['--color', 'always', 'events', id, '--color', 'never'];
    const { code, stdout } = await runHere(args, { cwd });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('\u001b')]);
  });
});

test('every command line in a hint is one that noesis accepts', async () => {
  const program = await buildProgram({ cwd } as Io, undefined);
  const commands = new Map(program.commands.map((command) => [command.name(), command]));
  for (const line of SUGGESTED_LINES) {
    const [name = '', ...words] = line.split(' ');
    const command = commands.get(name);
    const known = command?.options.flatMap(({ long, short }) => [long, short]);
    for (const option of words.filter((word) => word.startsWith('-')))
      expect([line, known]).toEqual([line, expect.arrayContaining([option])]);
    expect([line, command !== undefined]).toEqual([line, true]);
  }
  expect(KNOWN_NAMES.filter((name) => commands.has(name))).toEqual([]);
  expect(new Set(KNOWN_NAMES).size).toBe(KNOWN_NAMES.length);
});

test('search shows a text of several words in quotes', async () => {
  const home = tempDir();
  cpSync(dir, join(home, '.noesis/episodes', id), { recursive: true });
  const hint = async (...words: string[]) =>
    (await noesis(['search', ...words], { cwd: home })).stderr.replace(/\s+/g, ' ');
  expect(await hint('tests', 'fail', 'now')).toContain("needs quotes: noesis search 'tests fail now'");
  expect(await hint('exit', 'code', '1')).toContain("needs quotes: noesis search 'exit code 1'");
  for (const wrong of ['ep_99ZZZZZZ', '5e550000'])
    expect(await hint('tests', wrong)).toMatch(/help: (run noesis list to see the|did you mean)/);
  expect(await hint('tests', 'logs/a.jsonl')).not.toContain('quotes');
  mkdirSync(join(home, 'folder'));
  expect(await hint('tests', 'folder')).not.toContain('quotes');
});

test('--no-color is --color never', async () => {
  const { code, stdout } = await noesis(['events', id, '--no-color'], { cwd, env: { FORCE_COLOR: '1' } });
  expect(code).toBe(0);
  expect(stdout).not.toContain('\u001b');
  const failed = await noesis(['events', '--no-color', 'nothing'], { cwd, env: { FORCE_COLOR: '1' } });
  expect(failed.stderr).not.toContain('\u001b');
});

test('tail -5 is tail -n 5', async () => {
  expect((await noesis(['tail', id, '-5', '-j'], { cwd })).stdout).toBe(`${lines.slice(-5).join('\n')}\n`);
  expect((await noesis(['tail', '-1f', id, '-j'], { cwd })).stdout).toBe(`${lines.at(-1)}\n`);
  expect((await noesis(['tail', id, '-n', '-5'], { cwd })).code).toBe(2);
});

describe('help', () => {
  const commands = ['verify', 'events', 'insight', 'state', 'project', 'tail', 'list', 'explain', 'schema'];

  test.each([120, 80, 60, 44])('fits %i columns', async (columns) => {
    for (const args of [['--help'], ...commands.map((command) => [command, '--help'])]) {
      const { stdout } = await noesis(args, { env: { COLUMNS: String(columns) } });
      for (const line of stdout.split('\n')) {
        // A command that is to be copied stays whole.
        if (!line.startsWith('  noesis '))
          expect([args, line.length <= columns, line]).toEqual([args, true, line]);
      }
      expect(stdout.replace(/\s+/g, ' ')).toContain(
        args[0] === '--help' ? 'print help' : 'noesis help options',
      );
    }
  });
});

test('--version -j lists the supported formats', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  for (const args of [
    ['--version', '-j'],
    ['--json', '--version'],
    ['-V', '--json'],
  ]) {
    const { code, stdout } = await noesis(args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      version,
      // A single-file executable contains Node.
      node: IS_SCRIPT ? process.version : expect.stringMatching(/^v22\./),
      dialects: { noesis: { event: ['1.3.0'], state: ['1.0.0'] }, exarchos: { event: ['1.0'] } },
    });
  }
  expect((await noesis(['--version'])).stdout).toBe(`${version}\n`);
  expect((await noesis(['schema', 'event'])).stdout).toContain('1.3.0');
  expect((await noesis(['schema', 'state'])).stdout).toContain('1.0.0');
});

test('a bug says where to report it', async () => {
  const { code, stderr } = await reportHere(new TypeError('a bug'));
  expect(code).toBe(70);
  expect(stderr).toMatch(/report it at https:\/\/\S+\/issues /);
});

describe('a corrupt log', () => {
  const corrupt = tempFile(`${lines.slice(0, 3).join('\n')}\nrubbish\n`);

  test.each([['project'], ['tail'], ['tail', '-f']])(
    '%j advises no option that it lacks',
    async (...args) => {
      const { code, stderr } = await noesis([...args, corrupt]);
      expect(code).toBe(1);
      expect(stderr.replace(/\s+/g, ' ')).not.toMatch(/(?<!noesis events )--partial/);
    },
  );

  test('says "1 byte" of a record that ends after one', async () => {
    const { stderr } = await noesis(['events', tempFile('{')]);
    expect(stderr.replace(/\s+/g, ' ')).toContain('after 1 byte:');
  });
});

test('the length of a list is not a member of a state', async () => {
  const { code, stderr } = await noesis(['state', id, 'plan.steps.length'], { cwd });
  expect(code).toBe(3);
  expect(stderr).toMatch(/plan\.steps has \d+ elements/);
  expect((await noesis(['state', id, 'plan.steps.0.id'], { cwd })).code).toBe(0);
});

describe('list', () => {
  test('shows the path if several episodes have one id', async () => {
    const folder = tempDir();
    for (const label of ['a', 'b']) cpSync(dir, join(folder, label, id), { recursive: true });
    const { stdout } = await noesis(['list', folder], { cwd: folder, env: { COLUMNS: '160' } });
    expect(stdout).toContain(`\na/${id} `);
    expect(stdout).toContain(`\nb/${id} `);
  });

  test('-q escapes names, -q -0 does not', async () => {
    const folder = tempDir();
    const name = 'ep_\u001b]0;title\u0007\nx';
    mkdirSync(folder, { recursive: true });
    cpSync(dir, join(folder, name), { recursive: true });
    cpSync(dir, join(folder, 'ep_other'), { recursive: true });
    const { stdout } = await noesis(['list', '.', '-q'], { cwd: folder });
    expect(stdout.split('\n').sort()).toEqual(['', 'ep_\\x1b]0;title\\x07\\nx', 'ep_other']);
    const zero = await noesis(['list', '.', '-q', '-0'], { cwd: folder });
    expect(zero.stdout.split('\0').sort()).toEqual(['', name, 'ep_other'].sort());
    expect((await noesis(['list', folder, '-0'])).code).toBe(2);
    const names = tempFile(`${join(folder, name)}\0${join(folder, 'ep_other')}\0`);
    expect((await noesis(['list', '-q', '-0', '--targets', names], { cwd: folder })).stdout).toBe(
      zero.stdout,
    );
    const lines = tempFile(`${join(folder, 'ep_other')}\n`);
    expect((await noesis(['list', '-q', '-0', '--targets', lines], { cwd: folder })).stdout).toBe(
      'ep_other\0',
    );
  });
});

test('an insight without success is shown by its other metrics', async () => {
  const { stdout } = await noesis(['insight', '-'], {
    input: '{"id":"a","phase":"insight","payload":{"act_count":3}}\n',
  });
  expect(stdout).not.toContain('undefined');
  expect(stdout).toContain('acts 3');
});

test('readable output in a step of a workflow holds no commands for its runner', async () => {
  const env = { GITHUB_ACTIONS: 'true', COLUMNS: '60' };
  const said = '##[error]x ::add-mask::secret';
  const input = `{"id":"a","phase":"start","timestamp":"2026-01-01T00:00:00Z","payload":{"task":"${said}"}}\n`;
  const log = tempFile(input);
  const runs = [
    await noesis(['events', '-'], { input, env }),
    await noesis(['verify', log, '--dialect', 'noesis'], { env }),
    await noesis(['events', said], { env }),
    await noesis(['state', '::stop-commands::x'], { env }),
  ];
  for (const { stdout, stderr } of runs) {
    expect(stdout + stderr).not.toContain('##[');
    expect(stdout + stderr).not.toMatch(/^\s*::/m);
  }
  const json = (await noesis(['events', '-', '-j'], { input, env })).stdout;
  expect(json).not.toContain('##[');
  expect(JSON.parse(json)).toEqual(JSON.parse(input));
  expect((await noesis(['verify', log, '-f', 'github'], { env })).stdout).toMatch(/^::/m);
});

describe('a word in the place of a run that was meant as something else', () => {
  test.each([
    [['events', '-p', 'act', 'plan'], 'give the values of --phase as a list: --phase act,plan'],
    [['events', '--phase=act', 'plan', 'latest'], 'give the values of --phase as a list: --phase act,plan'],
    [
      ['timeline', '--type', 'act,plan', 'learn'],
      'give the values of --type as a list: --type act,plan,learn',
    ],
    [
      ['search', 'x', '--agent', 'a', 'two words'],
      "give the values of --agent as a list: --agent a,'two words'",
    ],
    [['state', 'outcomes.status'], 'name the run before the path: noesis state latest outcomes.status'],
    [['state', 'plan.steps[0].id'], "name the run before the path: noesis state latest 'plan.steps[0].id'"],
    [['events', 'plan', '-p', 'act'], 'run noesis list to see the runs'],
    [['events', '--limit', '5', 'plan'], 'run noesis list to see the runs'],
    [['show', 'latst'], 'did you mean latest?'],
    [['events', 'lastest'], 'did you mean latest?'],
    [['diff', 'latest', 'Newest'], 'did you mean latest?'],
    [['read', 'last'], 'did you mean latest?'],
    [['events', '-p', 'act', id.slice(0, -1).concat('0')], `did you mean ${id}?`],
  ])('%j', async (args, hint) => {
    const { code, stderr } = await runHere([...args, '-j'], { cwd });
    expect(code).toBe(3);
    expect(JSON.parse(stderr)).toMatchObject({ error: { hint } });
  });

  test('a type in the place of a phase', async () => {
    const { stderr } = await runHere(['events', id, '-p', 'act,run.state_projection'], { cwd });
    expect(stderr).toContain(
      'no event of phase run.state_projection: it is a type, so give --type run.state_projection',
    );
    const alone = await runHere(['events', id, '-p', 'run.state_projection'], { cwd });
    expect(alone.stderr).toContain(
      'no event of phase run.state_projection: it is a type, so give --type run.state_projection',
    );
    const neither = await runHere(['events', id, '-p', 'zzzzzz'], { cwd });
    expect(neither.stderr).toMatch(/no event of phase zzzzzz; found: /);
  });
});
