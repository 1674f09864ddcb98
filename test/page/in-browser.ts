import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { testOnce } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

type InBrowser = (name: string, run: (browser: Browser) => Promise<void>) => void;

/**
 * Starts the browser for a file of tests. Returns a function that declares a test in it; `once` declares one without a longer
 * form, see {@link testOnce}.
 */
export function browserTests(): InBrowser & { readonly once: InBrowser } {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await launchBrowser(tempDir());
  });
  afterAll(() => browser?.close());
  // Only a machine without a browser leaves the tests out.
  const declares =
    (declare: typeof testOnce): InBrowser =>
    (name, run) =>
      declare(name, async ({ skip }) => {
        if (browser === undefined) return skip('there is no browser for this machine');
        await run(browser);
      });
  return Object.assign(declares(test), { once: declares(testOnce) });
}
