import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { tempDir } from '../support/temp.ts';

/** Starts the browser for a file of tests. Returns a function that declares a test in it. */
export function browserTests(): (name: string, run: (browser: Browser) => Promise<void>) => void {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchBrowser(tempDir());
  });
  afterAll(() => browser?.close());
  // Only a machine without a browser leaves the tests out.
  return (name, run) =>
    test(name, async ({ skip }) => {
      if (browser === undefined) return skip('there is no browser for this machine');
      await run(browser);
    });
}
