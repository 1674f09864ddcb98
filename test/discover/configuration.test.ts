import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NoesisError } from '../../src/base/errors.ts';
import { findConfiguration } from '../../src/find/configuration.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const read = (toml: string) => findConfiguration({ cwd: writeTree({ 'noesis.toml': toml }) });

/** The error that a configuration is refused with. */
async function refusal(toml: string): Promise<NoesisError> {
  const error = await read(toml).then(
    () => new Error('it was taken'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof NoesisError) return error;
  throw error;
}

describe('a configuration', () => {
  test('says where episodes are, how they are verified, and what dialects take', async () => {
    const toml = `
runs_dir = "runs"
[verify]
strict = true
max_warnings = 3
[verify.rules]
"manifest/*" = "warn"
[exarchos]
custom_types = ["deploy.started"]
`;
    expect(await read(toml)).toMatchObject({
      runsDir: 'runs',
      verify: { strict: true, max_warnings: 3, rules: { 'manifest/*': 'warn' } },
      dialects: { exarchos: { custom_types: ['deploy.started'] } },
    });
    expect(await read('')).toMatchObject({ verify: {}, dialects: {} });
  });

  test('may be that of the runtime: its known keys at the top, and any key in its table', async () => {
    const top = `
runs_dir = "runs"
agents = "agents.toml"
timeout_sec = 5
planner_mode = "meta"
learn_mode = "off"
prompt_provenance_enabled = true
[policy_aliases]
a = "b"
[verify]
strict = true
`;
    expect(await read(top)).toMatchObject({ runsDir: 'runs', verify: { strict: true } });
    const own =
      '[noesis]\nruns_dir = "runs"\nof_tomorrow = 7\n[noesis.deeper]\nx = 1\n[verify]\nstrict = true\n';
    expect(await read(own)).toMatchObject({ runsDir: 'runs', verify: { strict: true } });
    expect(await read('[noesis]\nx = 1\n')).not.toHaveProperty('runsDir');
  });

  test.each([
    ['[verfy]\nstrict = true', 'verfy is not a table', 'did you mean [verify]?', 1],
    ['[verify]\nstrickt = true', 'verify.strickt is not a setting', 'did you mean strict?', 2],
    [
      '[verify]\nrequire-seal = true',
      'verify.require-seal is not a setting',
      'did you mean require_seal?',
      2,
    ],
    ['[verify]\nconstructor = true', 'verify.constructor is not a setting', /the settings are strict, /, 2],
    ['[exarkos]\ncustom_types = []', 'exarkos is not a table', 'did you mean [exarchos]?', 1],
    [
      '[exarchos]\ncustom_type = []',
      'exarchos.custom_type is not a setting',
      'did you mean custom_types?',
      2,
    ],
    ['\nstrict = true', 'strict is not a setting', /the settings are verify, /, 2],
    ['run_dir = "x"', 'run_dir is not a setting', 'did you mean runs_dir?', 1],
    ['[verify.rule]\n"a/b" = "off"', 'verify.rule is not a setting', 'did you mean rules?', 1],
    ['[fishbowl]\nx = 1', 'fishbowl is not a table', /./, 1],
  ])('with a name that nobody knows is refused: %j', async (toml, message, hint, line) => {
    const error = await refusal(toml);
    expect(error.code).toBe('config-invalid');
    expect(error.message.startsWith(`${message} (`)).toBe(true);
    expect(error.hint).toEqual(typeof hint === 'string' ? hint : expect.stringMatching(hint));
    expect(error.place).toMatchObject({ line, file: expect.stringContaining('noesis.toml') as string });
  });

  test.each([
    ['verify = true', /^verify must be a table \(/],
    ['[verify]\nstrict = "yes"', /^verify\.strict must be true or false \(/],
    ['[verify]\nmax_warnings = -1', /^verify\.max_warnings must be a whole number \(/],
    ['[verify]\nmax_warnings = 1.5', /^verify\.max_warnings must be a whole number \(/],
    ['[verify]\nmax_warnings = "1"', /^verify\.max_warnings must be a whole number \(/],
    ['[verify]\nrules = []', /^verify\.rules must be a table \(/],
    ['[verify.rules]\n"seal/missing" = 7', /seal\/missing.* must be one of off, info, warn, error \(/],
    ['[verify.rules]\n"seal/missing" = "fatal"', /seal\/missing.* must be one of off, info, warn, error \(/],
    ['verify = 2026-01-02', /^verify must be a table \(/],
    [
      '[verify]\nrequire_level = "high"',
      /^verify\.require_level must be one of readable, consistent, sealed, signed, anchored \(/,
    ],
    ['[dialects]\nmine = 2026-01-02', /^dialects\.mine must be a table \(/],
    ['[dialects.Mine]\nid = "x"', /^dialects\.Mine must have a name of a-z, 0-9 and - \(/],
    ['[prices]\ncurrency = "USD"\n[prices.models.m]\ninput = 1', /^prices\.models\.m\.output is missing \(/],
    [
      `${'[[upcast]]\ndialect = "exarchos"\nto = 1\n'}from = ""`,
      /^upcast\[0\]\.from must be a version, as in/,
    ],
    [
      `${'[[upcast]]\ndialect = "exarchos"\nto = 1\nfrom = 2\n'}set = { a = inf }`,
      /^upcast\[0\]\.set\.a must be a JSON value \(/,
    ],
    ['runs_dir = 7', /^runs_dir must be a non-empty string \(/],
    ['noesis = 7', /^noesis must be a table \(/],
    ['exarchos = 7', /^exarchos must be a table \(/],
    ['[exarchos]\ncustom_types = "deploy.started"', /^exarchos\.custom_types must be a list, as in/],
    ['[exarchos]\ncustom_types = [7]', /^exarchos\.custom_types\[0\] must be a name, as in/],
    ['[exarchos]\ncustom_types = ["deploy"]', /"deploy" is not a type name: write category\.name/],
    ['[exarchos]\ncustom_types = ["task.completed"]', /task\.completed is a built-in type/],
    ['[exarchos]\ncustom_types = ["a.b", "a.b"]', /a\.b is already registered/],
  ])('with a value that cannot be is refused: %j', async (toml, message) => {
    const error = await refusal(toml);
    expect(error.code).toBe('config-invalid');
    expect(error.message).toMatch(message);
  });

  test.each([
    ['', '[__proto__]\nx = 1', 1],
    ['verify', '[verify.__proto__]\nx = 1', 1],
    ['verify.rules', '[verify.rules]\n"__proto__" = "off"', 2],
    ['dialects', '[dialects.__proto__]\nid = "x"', 1],
    ['dialects.mine', '[dialects.mine]\n__proto__ = "x"', 2],
    ['exarchos', '[exarchos]\n__proto__ = 1', 2],
    ['noesis', '[noesis.__proto__]\nruns_dir = "x"', 1],
    ['prices', '[prices]\ncurrency = "USD"\nmodels = {}\n__proto__ = 1', 4],
    ['prices.models', '[prices]\ncurrency = "USD"\n[prices.models.__proto__]\ninput = 1\noutput = 1', 3],
    ['upcast[0]', '[[upcast]]\ndialect = "exarchos"\nfrom = 1\nto = 2\n__proto__ = 1', 5],
  ])('refuses a key __proto__ in [%s]', async (path, toml, line) => {
    const error = await refusal(toml);
    expect(error.code).toBe('config-invalid');
    expect(error.message).toMatch(/ is not (a setting|a table|a valid name) \(/);
    expect(error.message.startsWith(`${path}${path && '.'}__proto__ `)).toBe(true);
    expect(error).toMatchObject({ hint: expect.stringMatching(/./) as string, place: { line } });
  });

  test('is never awaited in a pipe, and not searched for behind a broken link', async () => {
    const dir = tempDir();
    execFileSync('mkfifo', [join(dir, 'noesis.toml')]);
    await expect(findConfiguration({ cwd: dir })).rejects.toMatchObject({ code: 'config-invalid' });
    const other = tempDir();
    symlinkSync('nowhere', join(other, '.noesis.toml'));
    await expect(findConfiguration({ cwd: other })).rejects.toMatchObject({ code: 'config-invalid' });
  });

  test('is not a folder with its name', async () => {
    const dir = writeTree({ 'noesis.toml': 'runs_dir = "above"', 'sub/noesis.toml/x': '' });
    expect((await findConfiguration({ cwd: join(dir, 'sub') }))?.runsDir).toBe('above');
  });
});

test('a path through a file has the configuration of its folder', async () => {
  const dir = writeTree({ 'noesis.toml': 'runs_dir = "runs"\n', f: '' });
  expect((await findConfiguration({ cwd: join(dir, 'f/below') }))?.runsDir).toBe('runs');
});

test('a place that cannot be searched is a failure', async () => {
  const name = 'x'.repeat(300);
  await expect(findConfiguration({ cwd: join(tempDir(), name) })).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringMatching(/noesis\.toml: the path is too long$/),
  });
});

test('an unknown key with an escape is refused like any other, without a line', async () => {
  const { code, message, place } = await refusal('[verify]\n"st\\u0072ict" = 5\n');
  expect([code, place]).toEqual(['config-invalid', { file: expect.stringContaining('noesis.toml') }]);
  expect(message).toContain('verify.strict must be true or false');
});

test('a broken configuration is reported when it is read to find the root of an id', async () => {
  const cwd = writeTree({ 'noesis.toml': 'runs_dir = 5\n' });
  const { code, stderr } = await runHere(['events', 'ep_01ABCDEFGH', '-j'], { cwd });
  expect([code, JSON.parse(stderr)]).toMatchObject([
    2,
    { error: { code: 'config-invalid', message: expect.stringContaining('runs_dir') } },
  ]);
});
