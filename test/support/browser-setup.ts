import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER } from './browser.ts';

/**
 * Unpacks the browser once, before any test: two tests that unpack it at a time spoil it for each other. It goes into a
 * folder of the project, as the package takes whatever it finds in the system's folder for temporary files.
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
