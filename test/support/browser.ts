import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const FOLDER = resolve('node_modules/.cache/chromium-143');

/** The browser of the tests; undefined on machines without one. Its package is for Linux on x64. */
export const BROWSER =
  process.platform === 'linux' && process.arch === 'x64'
    ? { folder: FOLDER, file: join(FOLDER, 'chromium') }
    : undefined;

/**
 * Starts the browser. If that fails, prints a message and returns undefined. The browser leaves files in the folder
 * for temporary files.
 */
export async function launchBrowser(tmpDir = tmpdir()): Promise<Browser | undefined> {
  if (BROWSER === undefined) {
    console.warn('the pages are not tested in a browser: there is none for this machine');
    return undefined;
  }
  try {
    return await chromium.launch({
      executablePath: BROWSER.file,
      args: ['--no-sandbox'],
      headless: true,
      env: { ...process.env, TMPDIR: tmpDir },
    });
  } catch (error) {
    console.warn(`the pages are not tested in a browser: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}
