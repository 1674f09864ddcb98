import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { noesis } from '../support/cli.ts';
import { episodeIn, GOOD, rootWith } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const RULES = '[verify.rules]\n"state/links" = "off"\n"event/vocabulary" = "off"\n';
const SAID = '2 rules changed by noesis.toml';

const { dir } = episodeIn(tempDir(), GOOD);
const cwd = writeTree({
  'noesis.toml': RULES,
  'elsewhere/other.toml': '[verify]\nrequire_signature = true\n',
});
const verified = (...args: string[]) => noesis(['verify', dir, ...args], { cwd });

/** Text in which characters were written as entities. */
const plain = (text: string) =>
  text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** The document of a page, which is packed. */
const documentOf = (html: string): string =>
  gunzipSync(Buffer.from(/id="document"[^>]*>([^<]+)</.exec(html)?.[1] ?? '', 'base64')).toString();

describe('every report says which rules a configuration file changed', () => {
  test.each<[format: string, shown: (text: string) => string]>([
    ['pretty', (text) => text],
    ['markdown', plain],
    ['github', (text) => text],
    ['junit', (text) => text],
    ['gitlab', (text) => text],
    ['html', documentOf],
  ])('%s', async (format, shown) => {
    expect(shown((await verified('-f', format)).stdout)).toContain(SAID);
    expect(shown((await verified('-f', format, '--config', 'none')).stdout)).not.toContain('noesis.toml');
  });

  test('sarif', async () => {
    const [run] = JSON.parse((await verified('-f', 'sarif')).stdout).runs;
    expect(run.invocations[0].toolExecutionNotifications).toContainEqual({
      level: 'note',
      descriptor: { id: 'noesis/rules-changed' },
      message: { text: SAID },
    });
    expect((await verified('-f', 'sarif', '--config', 'none')).stdout).not.toContain('rules-changed');
  });

  test.each(['json', 'ndjson'])('%s', async (format) => {
    const headOf = (text: string) =>
      JSON.parse(format === 'json' ? text : (text.trim().split('\n').at(-1) ?? ''));
    const head = headOf((await verified('-f', format)).stdout);
    expect(head.configuration).toEqual({ path: join(cwd, 'noesis.toml'), rules: 2, settings: 0 });
    expect(headOf((await verified('-f', format, '--config', 'none')).stdout)).not.toHaveProperty(
      'configuration',
    );
  });

  test('a quiet one, even without other output', async () => {
    expect((await verified('-q')).stdout).toBe(`${SAID}\n`);
    expect((await verified('-q', '--config', 'none')).stdout).toBe('');
  });

  test('the summary of a step, and the output if the report goes to a file', async () => {
    const summary = join(tempDir(), 'summary.md');
    await noesis(['verify', dir, '-f', 'github'], { cwd, env: { GITHUB_STEP_SUMMARY: summary } });
    expect(plain(readFileSync(summary, 'utf8'))).toContain(SAID);
    for (const format of ['junit', 'ndjson'])
      expect((await verified('-f', format, '-o', join(tempDir(), 'r'))).stdout).toContain(SAID);
  });

  test('a merged one', async () => {
    const report = join(tempDir(), 'r.json');
    await verified('-j', '-o', report);
    expect((await noesis(['merge', report], { cwd })).stdout).toContain(SAID);
  });

  test('with the settings that change how logs are read, and without rules that --rule overrides', async () => {
    const toml = `${RULES}[exarchos]\ncustom_types = ["deploy.started"]\n[[upcast]]\ndialect = "exarchos"\nfrom = "0.9"\nto = "1.0"\n`;
    const other = writeTree({ 'noesis.toml': toml });
    const run = (...args: string[]) => noesis(['verify', dir, ...args], { cwd: other });
    expect((await run()).stdout).toContain('2 rules and 2 other settings changed by noesis.toml');
    const rules = ['--rule', 'state/links=info', '--rule', 'event/vocabulary=error'];
    expect((await run(...rules)).stdout).toContain('2 settings changed by noesis.toml');
  });

  test('a table of the runtime itself changes nothing', async () => {
    const other = writeTree({ 'noesis.toml': '[noesis]\nruns_dir = "runs"\n' });
    expect((await noesis(['verify', dir], { cwd: other })).stdout).not.toContain('noesis.toml');
  });
});

describe('--config', () => {
  test('names the file that is read, and its path is shown', async () => {
    const { code, stdout } = await noesis(['verify', dir, '--config', 'elsewhere/other.toml'], { cwd });
    expect([code, stdout]).toEqual([1, expect.stringContaining('manifest/unsigned')]);
    const rules = writeTree({ 'rules.toml': RULES });
    const path = join(rules, 'rules.toml');
    expect((await verified('--config', path)).stdout.replaceAll('\n', ' ')).toContain(
      `2 rules changed by ${path}`,
    );
  });

  test.each([
    ['a missing file', 'missing.toml'],
    ['a folder', 'elsewhere'],
    ['a path through a file', 'noesis.toml/x'],
  ])('refuses %s', async (_, name) => {
    const { code, stderr } = await verified('--config', name);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--config: ${join(cwd, name)}`)]);
  });

  test('applies to every command, before or after its name', async () => {
    const { cwd: at, episodes } = rootWith(GOOD);
    const elsewhere = writeTree({ 'c.toml': `runs_dir = ${JSON.stringify(at)}\n` });
    const [{ id }] = episodes;
    for (const args of [
      ['list', '-q', '--config', 'c.toml'],
      ['--config', 'c.toml', 'list', '-q'],
      ['--config=c.toml', 'list', '-q'],
    ])
      expect((await runHere(args, { cwd: elsewhere })).stdout).toContain(id);
    expect((await runHere(['list', '--config', 'none'], { cwd: elsewhere })).code).toBe(3);
    const broken = writeTree({ 'noesis.toml': '[dialects.mine]\nwrong = 1\n' });
    for (const command of ['verify', 'show', 'events', 'stats', 'timeline', 'export'])
      expect((await runHere([command, dir, '--config', 'none'], { cwd: broken })).stderr).not.toContain(
        'noesis.toml',
      );
  });
});

test('checking an attestation reports that other rules were used', async () => {
  const at = tempDir();
  await noesis(['keygen', 'k'], { cwd: at });
  const config = ['--config', join(cwd, 'noesis.toml')];
  await noesis(['verify', dir, ...config, '--attest', 'v.json', '--attest-key', 'k.key'], { cwd: at });
  const args = ['verify', dir, '--attestation', 'v.json', '--trust', 'k.pub'];
  expect((await noesis(args, { cwd: at })).stdout).toContain('  2 rules changed when it was verified\n');
  expect(JSON.parse((await noesis([...args, '-j'], { cwd: at })).stdout)).toMatchObject({ rules: 2 });
});
