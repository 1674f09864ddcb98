import { rmSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../test/support/browser.ts';
import unpackBrowser from '../../test/support/browser-setup.ts';
import { interleave } from '../measure/rounds.ts';
import { below, type Goal, nodePeer, noesis, type Row } from './row.ts';
import { describe } from './verify.ts';

const mostTimesLog = 1.3;
const mostOpenMs = 1500;
/** In milliseconds: a frame at 60 per second, and the overhead of a headless browser. */
const mostFrameMs = 17;
const frames = 120;

const milliseconds = (value: number): string => `${value.toFixed(0)} ms`;

/** Scrolls through the whole list, a step per frame, and returns the median time of a frame. */
const scroll = `(async () => {
  const list = document.querySelector('.list');
  const times = [];
  let last = performance.now();
  for (let step = 0; step < ${frames}; step += 1) {
    list.scrollTop = (step / ${frames}) * list.scrollHeight;
    await new Promise((done) => requestAnimationFrame(done));
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times.sort((a, b) => a - b)[${frames / 2}];
})()`;

/** Returns a function for the milliseconds of work on the page's main thread. Other programs do not count. */
async function mainThread(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
}

async function inBrowser(browser: Browser, file: string): Promise<Goal[]> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const worked = await mainThread(page);
  await page.goto(pathToFileURL(file).href);
  await page.locator('.story-row').first().waitFor();
  const opened: number = await page.evaluate('performance.now()');
  const opening = await worked();
  await page.locator('#tab-events').click();
  await page.locator('.row').first().waitFor();
  const listed = await worked();
  const frame: number = await page.evaluate(scroll);
  const work = ((await worked()) - listed) / frames;
  const tenths = (value: number) => `${value.toFixed(1)} ms`;
  return [
    below('the page is open on its story', opened, mostOpenMs, milliseconds),
    below('… of that the work of its main thread', opening, mostOpenMs, milliseconds),
    below('a frame while the list is scrolled, median', frame, mostFrameMs, tenths),
    below('… of that the work of its main thread, mean', work, mostFrameMs, tenths),
  ];
}

/** Writes a log as a page, and opens it in a browser if there is one. */
export const viewRow: Row = {
  name: 'view',
  title: 'view of a log of a hundred thousand events, to a file that is opened and scrolled',
  async run(bench) {
    const episode = bench.store.viewed();
    const { repeat: rounds, warmUp } = bench.options;
    const output = bench.store.output('noesis.html');
    const subject = noesis(bench, ['view', episode.dir, '-o', output]);
    const timings = interleave([subject, nodePeer(bench, 'bare-loop', [episode.log])], { rounds, warmUp });
    const { size } = statSync(output);
    const goals = [
      below(
        'the page, times the log',
        size / episode.bytes,
        mostTimesLog,
        (value) => `${value.toFixed(2)} ×`,
      ),
    ];
    await unpackBrowser();
    const browser = await launchBrowser();
    try {
      if (browser) goals.push(...(await inBrowser(browser, output)));
    } finally {
      await browser?.close();
      rmSync(output);
    }
    const notes = browser ? [] : ['there is no browser for this machine: the page was not opened'];
    return { data: describe(episode), bytes: episode.bytes, timings, goals, notes };
  },
};
