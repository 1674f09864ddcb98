import { mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SESSION_DIALECTS, sampleLogs } from '../dialects/sessions.ts';
import { launchBrowser } from '../support/browser.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { sampled, takesPictures } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';
import { LOOKS, type Look, OpenedPage } from './opened-page.ts';
import { VISIBLE_FAULTS } from './visible-faults.ts';

/** Git ignores this folder. Its pictures show how the page of each sample looked last, if they are asked for. */
const PICTURES = 'screenshots';

/** The logs in a folder. An episode is its folder. */
const logsIn = (folder: string, pattern: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path))
    .sort()
    .map((path) => join(folder, basename(path) === 'events.jsonl' ? dirname(path) : path));

const TARGETS = [
  ...SESSION_DIALECTS.flatMap(sampleLogs),
  ...logsIn(SAMPLES, /^(?:noesis\/.*events|exarchos\/.*\.events|coordinator\/.*|fishbowl\/.*)\.jsonl$/),
  ...logsIn(EXAMPLES, /(?:events|ledger|steps|event-log)\.jsonl$/),
].map((target, index) => ({ target, index, name: relative('.', target) }));

const VIEWS = ['story', 'timeline', 'changes', 'state', 'findings', 'events'];

let browser: Browser | undefined;
beforeAll(async () => {
  browser = await launchBrowser(tempDir());
  if (takesPictures) mkdirSync(PICTURES, { recursive: true });
});
afterAll(() => browser?.close());

async function pictured({ page }: OpenedPage, name: string, { width, colours }: Look): Promise<void> {
  if (takesPictures) await page.screenshot({ path: join(PICTURES, `${name}.${width}.${colours}.png`) });
}

/**
 * How a sample is looked at: wide in the light and narrow in the dark, or the other way round. Of the many episodes that
 * one runtime wrote, each is looked at in one way.
 */
const looksAt = ({ name, index }: (typeof TARGETS)[number]): readonly Look[] =>
  name.includes('runtime')
    ? LOOKS.slice(index % LOOKS.length).slice(0, 1)
    : LOOKS.filter(({ width, colours }) => ((width === 390) === (colours === 'dark')) === (index % 2 === 0));

test.each(sampled(TARGETS, 2))('every view of $name is shown whole and in good contrast', async (sample) => {
  const { target, name } = sample;
  const file = join(tempDir(), 'page.html');
  const { code, stderr } = await runHere(['view', target, '-q', '-o', file]);
  expect([0, 1], stderr).toContain(code);
  if (browser === undefined) return;
  for (const look of looksAt(sample)) {
    const opened = await OpenedPage.open(browser, file, '', look);
    const faults: string[] = [];
    for (const view of VIEWS) {
      if ((await opened.page.locator(`#tab-${view}`).count()) === 0) continue;
      await opened.go(view);
      await opened.page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
      const found: string[] = await opened.page.evaluate(VISIBLE_FAULTS);
      faults.push(...found.map((fault) => `${view}, ${look.width}: ${fault}`));
      await pictured(opened, `${name.replace(/[^\w.-]+/g, '_')}.${view}`, look);
    }
    expect(faults).toEqual([]);
    expect(opened.noise).toEqual([]);
    await opened.close();
  }
});

const SESSION = join(SAMPLES, 'claude-code/projects/-home-usr-demo-site');
const OTHER = join(SAMPLES, 'claude-code/projects/-home-usr-git-sync');

test.each([
  ['a report', ['verify', EXAMPLES, '-f', 'html']],
  ['two runs', ['view', SESSION, OTHER]],
])('the page of %s is shown whole and in good contrast', async (name, args) => {
  const folder = tempDir();
  const file = join(folder, 'page.html');
  const views = args.includes('html') ? ['--views', folder] : [];
  await runHere([...args, '-q', '-o', file, ...views]);
  if (browser === undefined) return;
  for (const look of sampled(LOOKS, 1)) {
    const opened = await OpenedPage.open(browser, file, '', look);
    expect(await opened.page.evaluate(VISIBLE_FAULTS)).toEqual([]);
    expect(opened.noise).toEqual([]);
    await pictured(opened, name.replaceAll(' ', '_'), look);
    await opened.close();
  }
});
