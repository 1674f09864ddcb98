import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

// A checkout may come from a stranger, and its noesis.toml can send a command elsewhere. Every report says so.

const SAID = 'runs_dir in noesis.toml is elsewhere';

function checkout(): { cwd: string; id: string } {
  const cwd = writeTree({
    'noesis.toml': 'runs_dir = "elsewhere"\n',
    '.noesis/episodes/.keep': '',
    'elsewhere/.noesis/episodes/.keep': '',
  });
  const { id } = episodeIn(join(cwd, 'elsewhere/.noesis/episodes'), GOOD);
  return { cwd, id };
}

const documentOf = (html: string): string =>
  gunzipSync(Buffer.from(/id="document"[^>]*>([^<]+)</.exec(html)?.[1] ?? '', 'base64')).toString();
const plain = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

test.each(['pretty', 'markdown', 'github', 'junit', 'gitlab', 'sarif', 'html'])(
  'a report in the format %s names the folder that a configuration chose',
  async (format) => {
    const { cwd } = checkout();
    const { stdout } = await runHere(['verify', '-f', format], { cwd });
    expect(format === 'html' ? documentOf(stdout) : plain(stdout)).toContain(SAID);
  },
);

test.each(['json', 'ndjson'])('a report in the format %s has the folder', async (format) => {
  const { cwd } = checkout();
  const { stdout } = await runHere(['verify', '-f', format], { cwd });
  const head = JSON.parse(format === 'json' ? stdout : (stdout.trim().split('\n').at(-1) ?? ''));
  expect(head.configuration).toEqual({
    path: join(cwd, 'noesis.toml'),
    rules: 0,
    settings: 0,
    runs_dir: join(cwd, 'elsewhere'),
  });
});

test('the folder is named for an id and in a quiet report, but not for a path or a root that the user named', async () => {
  const { cwd, id } = checkout();
  const stdout = async (...args: string[]) => (await runHere(['verify', ...args], { cwd })).stdout;
  for (const args of [['latest'], [id], ['-q']]) expect(await stdout(...args)).toContain(SAID);
  for (const args of [['elsewhere'], ['--root', 'elsewhere']])
    expect(await stdout(...args)).not.toContain('runs_dir');
});

describe('every other command that reads runs names what a configuration chose', () => {
  const read = async (args: string[], cwd: string) => runHere(args, { cwd });

  test.each([
    ['list'],
    ['list', '-q'],
    ['list', '-j'],
    ['show'],
    ['show', 'latest', '-j'],
    ['read'],
    ['read', 'latest', '-q'],
    ['timeline'],
    ['events'],
    ['events', '--all'],
    ['stats'],
    ['search', 'notes'],
    ['search', '-q', 'notes'],
    ['state'],
    ['project'],
    ['export', 'latest', '--format', 'otlp'],
    ['view', '-o', '-'],
  ])('%s %s %s', async (...args) => {
    const { cwd, id } = checkout();
    const { stdout, stderr } = await read(args, cwd);
    expect(stdout).not.toBe('');
    expect(stderr).toContain(SAID);
    expect(stderr.split(SAID)).toHaveLength(2);
    const named = args[0] === 'list' ? [] : [await read(['show', id], cwd)];
    for (const one of named) expect(one.stderr).toContain(SAID);
  });

  test('not for a path, a named root, or the root that would be found without the file', async () => {
    const { cwd } = checkout();
    for (const args of [
      ['list', 'elsewhere'],
      ['show', '--root', 'elsewhere'],
      ['list', '--config', 'none'],
    ])
      expect((await read(args, cwd)).stderr).not.toContain('runs_dir');
    const usual = writeTree({
      'noesis.toml': 'runs_dir = ".noesis/episodes"\n',
      '.noesis/episodes/.keep': '',
    });
    episodeIn(join(usual, '.noesis/episodes'), GOOD);
    for (const command of ['list', 'verify', 'show']) {
      const { stdout, stderr } = await read([command], usual);
      expect(stdout + stderr).not.toContain('runs_dir');
    }
  });

  test('an error as JSON stays one document', async () => {
    const { cwd } = checkout();
    const { stderr } = await read(['show', 'latest', '99999', '-j'], cwd);
    expect(JSON.parse(stderr)).toHaveProperty('error');
  });

  test('prices and formats, also in JSON and in the page', async () => {
    const { cwd, id } = checkout();
    const prices = '[prices]\ncurrency = "USD"\n[prices.models.m]\ninput = 1\noutput = 2\n';
    const format = '[dialects.mine]\ntype = "kind"\n';
    writeFileSync(join(cwd, 'noesis.toml'), `runs_dir = "elsewhere"\n${prices}${format}`);
    const said = `1 setting changed by noesis.toml; ${SAID}; prices of 1 model are from noesis.toml`;
    for (const command of ['list', 'show', 'read', 'stats'])
      expect((await read([command], cwd)).stderr).toContain(said);
    const chosen = {
      path: join(cwd, 'noesis.toml'),
      rules: 0,
      settings: 1,
      runs_dir: join(cwd, 'elsewhere'),
      prices: 1,
    };
    for (const args of [['show', id], ['stats'], ['read', id]])
      expect(JSON.parse((await read([...args, '-j'], cwd)).stdout).configuration).toEqual(chosen);
    expect(documentOf((await read(['view', id, '-o', '-'], cwd)).stdout)).toContain(said);
    // A command that shows no cost used no price.
    expect((await read(['events'], cwd)).stderr).not.toContain('prices');
  });
});
