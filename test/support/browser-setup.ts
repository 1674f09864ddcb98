import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER } from './browser.ts';

/**
 * Unpacks the browser once before any test, because two tests that unpack it at the same time would damage it. The folder
 * is in the project: the package uses whatever it finds in the system's temporary folder.
 */
export default async function unpackBrowser(): Promise<void> {
  if (BROWSER === undefined || existsSync(BROWSER.file)) return;
  const fresh = `${BROWSER.folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  const before = process.env['TMPDIR'];
  try {
    process.env['TMPDIR'] = fresh;
    const { default: chromium } = await import('@sparticuz/chromium');
    await chromium.executablePath();
    if (existsSync(join(fresh, 'chromium')) && !existsSync(BROWSER.file)) renameSync(fresh, BROWSER.folder);
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(fresh, { recursive: true, force: true });
  }
}
