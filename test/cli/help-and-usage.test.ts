import { describe, expect, test } from 'vitest';
import { version } from '../../src/base/version.ts';
import { CATALOGUE } from '../../src/dialects/catalogue.ts';
import { noesis } from '../support/cli.ts';
import { commandNames } from '../support/command-names.ts';
import { GOOD, rootWith } from '../support/episodes.ts';

const { cwd, episodes } = rootWith(GOOD);
const [{ id }] = episodes;

const COMMANDS = await commandNames();

describe('help', () => {
  test('of the program', async () => {
    const { code, stdout, stderr } = await noesis(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    await expect(stdout).toMatchFileSnapshot('__snapshots__/help.txt');
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect((await noesis(['-h'])).stdout).toBe(stdout);
    expect((await noesis(['help'])).stdout).toBe(stdout);
  });

  test.each(COMMANDS)('of %s', async (command) => {
    const { code, stdout, stderr } = await noesis([command, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    await expect(stdout).toMatchFileSnapshot(`__snapshots__/help-${command}.txt`);
    for (const text of stdout.split('\n')) expect(text.length).toBeLessThanOrEqual(80);
  });

  test('is printed as an error for a call without arguments', async () => {
    const { code, stdout, stderr } = await noesis([]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe((await noesis(['--help'])).stdout);
  });

  test('the version is one line', async () => {
    for (const args of [['--version'], ['-V']]) {
      expect(await noesis(args)).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
    }
  });
});

describe('a command line that makes no sense is exit 2', () => {
  test.each<[string[], string]>([
    [['evnts'], 'unknown command "evnts"'],
    [['timeline', id, 'more'], 'timeline takes one argument; found 2'],
    [['events', id, '--bogus'], 'unknown option "--bogus"'],
    [['events', id, '--phse', 'act'], 'did you mean --phase?'],
    [['events', id, '--phase'], '--phase needs a value'],
    [['events', id, '--phase', ','], 'must not be empty'],
    [['events', id, '--limit', '-1'], 'expected a whole number, 0 or more; found'],
    [['events', id, '--limit', '1.5'], 'expected a whole number, 0 or more; found'],
    [['events', id, '--limit', 'many'], 'expected a whole number, 0 or more; found'],
    [['events', id, '--limit', '1', '--last', '1'], 'cannot be used with'],
    [['events', id, '--chain', 'a', '--descendants', 'b'], 'cannot be used with'],
    [['events', id, '--since', 'some day'], 'expected a time (ISO 8601, an age'],
    [['events', id, '--until', '2026-02-30'], 'expected a time (ISO 8601, an age'],
    [['events', id, '--since', '15'], 'expected a time (ISO 8601, an age'],
    [['events', id, '--fields', 'id'], '--fields needs -j'],
    [['tail', id, '--fields', 'id'], '--fields needs -j'],
    [['tail', id, '-n', 'x'], 'expected a whole number, 0 or more; found'],
    [['list', '--limit', 'x'], 'expected a whole number, 0 or more; found'],
    [['list', '--status', ''], 'must not be empty'],
    [['events', id, '--dialect', 'klingon'], 'there is no dialect "klingon"'],
    [['events', id, '--color', 'sometimes'], '--color: expected auto, always or never; found "sometimes"'],
    [['verify', '--format', 'yaml'], '--format: expected pretty, json'],
    [['verify', '--jobs', '0'], 'expected a whole number, 1 or more; found'],
    [['verify', '--max-warnings', 'x'], 'expected a whole number, 0 or more; found'],
    [['explain', 'log/nothing'], 'there is nothing to explain about "log/nothing"'],
    [['explain', 'task.claimd'], 'did you mean task.claimed, '],
    [['schema', 'nothing'], '<name>: expected event, state, manifest, report'],
    [['schema'], 'schema needs <name>'],
  ])('%j', async (args, words) => {
    const { code, stdout, stderr } = await noesis(args, { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: /);
    // Long messages are laid out over several lines.
    expect(stderr.replace(/\s+/g, ' ')).toContain(words);
    const json = await noesis([...args, '--json'], { cwd });
    if (words === '--fields needs -j') return;
    expect([json.code, json.stdout]).toEqual([2, '']);
    expect(JSON.parse(json.stderr)).toMatchObject({
      error: { code: 'usage', hint: expect.any(String) as unknown },
    });
  });
});

test.each(['a..b', '[', 'a,', ''])('--fields %j is exit 2', async (fields) => {
  for (const args of [
    ['events', id],
    ['tail', id],
    ['tail', id, '-f'],
  ]) {
    const { code, stdout, stderr } = await noesis([...args, '-j', '--fields', fields], { cwd });
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage' } });
  }
});

describe('explain', () => {
  test('says what a finding means, why it matters, an example, and what to do', async () => {
    const { code, stdout } = await noesis(['explain', 'log/truncated']);
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot('__snapshots__/explain.txt');
  });

  test('knows every code that can be found', async () => {
    const { stdout } = await noesis(['explain']);
    for (const { code } of CATALOGUE) expect(stdout).toContain(code.replace(/^.*\//, ''));
    const json = JSON.parse((await noesis(['explain', '-j'])).stdout) as { code: string }[];
    expect(json.map(({ code }) => code)).toEqual(CATALOGUE.map(({ code }) => code));
    const [entry] = json;
    expect(JSON.parse((await noesis(['explain', entry?.code ?? '', '-j'])).stdout)).toEqual(entry);
  });

  test('names the nearest codes for an unknown one', async () => {
    const { stderr } = await noesis(['explain', 'log/truncate']);
    expect(stderr).toContain('did you mean log/truncated');
  });
});

describe('schema', () => {
  test.each(['event', 'state', 'manifest', 'report'])(
    'of %s is a JSON Schema that fits the examples',
    async (name) => {
      const { Ajv2020 } = await import('ajv/dist/2020.js');
      const { code, stdout } = await noesis(['schema', name]);
      expect(code).toBe(0);
      const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
        JSON.parse(stdout) as object,
      );
      const documents = {
        event: ['events', id, '-j'],
        state: ['state', id, '-j'],
        manifest: ['state', `${episodes[0].dir}/manifest.json`, '-j'],
        report: ['verify', id, '-j'],
      };
      if (name === 'manifest') {
        const { readFileSync } = await import('node:fs');
        expect(validate(JSON.parse(readFileSync(`${episodes[0].dir}/manifest.json`, 'utf8')))).toBe(true);
      } else {
        const text = (await noesis(documents[name as 'event'], { cwd })).stdout;
        const values = name === 'event' ? text.trimEnd().split('\n') : [text];
        for (const value of values)
          expect([validate(JSON.parse(value)), validate.errors]).toEqual([true, null]);
      }
      expect(validate('text')).toBe(false);
    },
  );
});
