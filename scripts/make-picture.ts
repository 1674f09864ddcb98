// Makes docs/view.png, a screenshot of a page: node scripts/run.mjs scripts/make-picture.ts (after node scripts/build.mjs)
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launchBrowser } from '../test/support/browser.ts';
import unpackBrowser from '../test/support/browser-setup.ts';

const RUN = 'examples/.noesis/episodes/ep_01KJQ6PSG0DGB6DN0XWB2R05AD';
const PICTURE = 'docs/view.png';
const MOST_BYTES = 200_000;

async function takePicture(page: string): Promise<void> {
  await unpackBrowser();
  const browser = await launchBrowser();
  if (browser === undefined) throw new Error('there is no browser to take the picture with');
  try {
    const tab = await browser.newPage({ viewport: { width: 1200, height: 680 }, timezoneId: 'UTC' });
    await tab.goto(pathToFileURL(page).href);
    await tab.locator('.story-row').first().waitFor();
    await tab.keyboard.press('n');
    await tab.locator('.pane').waitFor();
    // The list scrolls to the chosen row in the next frame.
    await tab.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))');
    await tab.screenshot({ path: PICTURE });
  } finally {
    await browser.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'noesis-picture-'));
try {
  const page = join(folder, 'page.html');
  const { status } = spawnSync(process.execPath, ['dist/bin/noesis.js', 'view', RUN, '-o', page, '-q']);
  if (status !== 0) throw new Error(`noesis view ended with ${status}`);
  await takePicture(resolve(page));
  const { size } = statSync(PICTURE);
  if (size > MOST_BYTES) throw new Error(`${PICTURE} has ${size} bytes, more than ${MOST_BYTES}`);
  console.error(`${PICTURE}: ${size} bytes`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
