import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
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
