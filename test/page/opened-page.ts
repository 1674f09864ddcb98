import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { noesis } from '../support/cli.ts';
import { tempDir } from '../support/temp.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The sizes and colours in which pages are looked at. */
export const LOOKS = [1280, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((colours) => ({ width, colours })),
);

export type Look = (typeof LOOKS)[number];

const pages = new Map<string, Promise<string>>();

/** The page that a command line writes, such as `noesis view`. Tests of one file share it. */
export async function written(args: readonly string[], code = 0): Promise<string> {
  const name = args.join(' ');
  const known = await pages.get(name);
  // The pages of another test file in the same process are gone.
  if (known !== undefined && existsSync(known)) return known;
  const page = write(args, code);
  pages.set(name, page);
  return page;
}

async function write(args: readonly string[], code: number): Promise<string> {
  const file = join(tempDir(), 'page.html');
  const run = await noesis([...args, '-o', file]);
  if (run.code !== code) throw new Error(`${args.join(' ')} ended with ${run.code}: ${run.stderr}`);
  return file;
}

/** A page in the browser, and the requests, errors and dialogs that it caused. */
export class OpenedPage {
  readonly page: Page;
  /** Errors, messages, dialogs and requests: there should be none. */
  readonly noise: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on('console', (message) => this.noise.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => this.noise.push(`error: ${error.message}`));
    page.on('request', (request) => {
      if (!/^(?:file|data):/.test(request.url())) this.noise.push(`request: ${request.url()}`);
    });
    page.on('dialog', (dialog) => {
      this.noise.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  }

  static async open(
    browser: Browser,
    file: string,
    hash = '',
    { width, colours }: Look = { width: 1280, colours: 'light' },
  ): Promise<OpenedPage> {
    const context = await browser.newContext({
      viewport: { width, height: width < 500 ? 844 : 800 },
      colorScheme: colours,
      timezoneId: 'UTC',
    });
    context.setDefaultTimeout(20_000);
    const opened = new OpenedPage(await context.newPage());
    await opened.page.goto(pathToFileURL(file).href + hash);
    await opened.page.locator('#view > *').first().waitFor();
    return opened;
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  async text(selector: string): Promise<string> {
    return (await this.page.locator(selector).first().innerText()).trim();
  }

  async go(view: string): Promise<void> {
    await this.page.locator(`#tab-${view}`).click();
  }

  /** The whole of a long text, which the page gives piece by piece. */
  async longText(selector: string): Promise<string> {
    const long = this.page.locator(selector);
    while ((await long.locator('button.more').count()) > 0) await long.locator('button.more').click();
    return long.innerText();
  }

  /** The findings of axe, as `rule: element`. */
  async faults(): Promise<string[]> {
    await this.page.evaluate(AXE);
    return this.page.evaluate(`axe.run().then(({ violations }) => violations
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`);
  }

  /** How much wider the page is than its window, in pixels. */
  async overflow(): Promise<number> {
    return this.page.evaluate('document.documentElement.scrollWidth - innerWidth');
  }
}
