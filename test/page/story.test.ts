import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { CallItem, StoryTurn } from '../../src/dialects/kit/story.ts';
import { EXAMPLES, noesis, SAMPLES } from '../support/cli.ts';
import { tempFile } from '../support/temp.ts';
import { browserTests } from './in-browser.ts';
import { commandOf, contextOf, longSession, needle, type Shape, toolOf } from './long-session.ts';
import { LOOKS, type Look, OpenedPage, written } from './opened-page.ts';

const inBrowser = browserTests();

const SMALL: Shape = { turns: 6, calls: 3, lines: 40, compactedAfter: [4] };
/** Longer than what a page has in its document at once. */
const HUGE: Shape = { turns: 45, calls: 3, lines: 3200 };

const logs = new Map<Shape, string>();
function logOf(shape: Shape): string {
  const log = logs.get(shape) ?? longSession(shape);
  logs.set(shape, log);
  return log;
}

const open = async (browser: Browser, shape: Shape, hash = '', look?: Look) =>
  OpenedPage.open(browser, await written(['view', logOf(shape)]), hash, look);

/** Waits until all rows of the story are in the document. */
const filled = (page: Page) => page.locator('.story-list[aria-busy=false]').waitFor();

const marked = (page: Page): Promise<string[]> =>
  page.evaluate(`[...(CSS.highlights.get('found') ?? [])].map((range) => range.toString())`);

/** Whether the chosen row has the marked text in the window. */
const isSeen = (page: Page): Promise<boolean> =>
  page.evaluate(`(() => {
    const row = document.querySelector('.story-row[aria-current]');
    const range = [...CSS.highlights.get('found')].find((one) => row?.contains(one.startContainer));
    const [place, list] = [range, document.querySelector('.story-list')].map((one) => one?.getBoundingClientRect());
    return place !== undefined && place.height > 0 && place.top >= list.top && place.bottom <= list.bottom;
  })()`);

describe('the timeline and the events of a run with a subagent', () => {
  inBrowser.once('say that those of the subagent are not in them', async (browser) => {
    const folder = join(SAMPLES, 'claude-code/projects/-home-usr-w-330-sub');
    const log = join(folder, 'adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1.jsonl');
    const opened = await OpenedPage.open(browser, await written(['view', log]), '#timeline');
    const text = await opened.page.locator('.idle', { hasText: 'subagent' }).textContent();
    expect(text).toBe('Without the calls of 1 subagent, which noesis timeline shows.');
    await opened.go('events');
    const events = await opened.page.locator('.idle', { hasText: 'subagent' }).textContent();
    expect(events).toBe('Without the events of 1 subagent, which noesis events shows.');
    expect(opened.noise).toEqual([]);
    await opened.close();
  });
});

inBrowser.once(
  'folds a subagent in the log of its session below its call, and finds what is in it',
  async (browser) => {
    const log = join(
      SAMPLES,
      'claude-code/projects/-home-usr-w-128-twosubs/cdc3a354-ab26-491a-bb65-d328eb16cc5f.jsonl',
    );
    const opened = await OpenedPage.open(browser, await written(['view', log]), '#story/9');
    const { page } = opened;
    // The line is one of the second subagent.
    const row = page.locator('.story-row[aria-current]');
    await row.waitFor();
    expect(await row.locator('a').first().textContent()).toBe('3');
    expect(await page.locator('details.subagent > summary').allTextContents()).toEqual([
      expect.stringContaining('↳ general-purpose: count lines; completed; 1 call; 3,702 tokens'),
      expect.stringContaining('↳ general-purpose: count words; completed; 1 call; 3,702 tokens'),
    ]);
    expect(await page.locator('.foot').first().textContent()).toContain('4 calls');
    expect(await page.locator('details.subagent[open]').count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type('helper: count the words');
    await expect.poll(() => opened.text('.filters output')).toBe('1 of 1');
    await page.keyboard.press('Enter');
    await page.locator('details.subagent[open]', { hasText: 'count words' }).waitFor();
    await opened.go('timeline');
    expect(await page.locator('.idle', { hasText: 'Without the calls' }).count()).toBe(0);
    expect(opened.noise).toEqual([]);
    await opened.close();
  },
);

inBrowser.once(
  'the events have the times at which they were written, as in noesis events',
  async (browser) => {
    const log = join(
      SAMPLES,
      'claude-code/projects/-home-usr-demo-site/b25638d7-b104-4f06-a797-70ac33d069ed.jsonl',
    );
    const { stdout } = await noesis(['events', log, '--limit', '12']);
    const offsets = [...stdout.matchAll(/ (\+\S+) /g)].map(([, offset]) => offset);
    expect(new Set(offsets).size).toBe(12);
    const opened = await OpenedPage.open(browser, await written(['view', log]), '#events');
    await opened.page.locator('.row .offset').first().waitFor();
    const shown = await opened.page.locator('.row .offset').allInnerTexts();
    expect(shown.slice(0, 12)).toEqual(offsets);
    await opened.close();
  },
);

describe('the texts of a story', () => {
  inBrowser.once(
    'are all in the document, where the browser finds those that are folded',
    async (browser) => {
      const opened = await open(browser, SMALL);
      const { page } = opened;
      await filled(page);
      for (let turn = 1; turn <= SMALL.turns; turn += 1)
        for (let call = 0; call < SMALL.calls; call += 1) {
          const texts = [
            needle(turn, call),
            ...(toolOf(call) === 'Bash' ? commandOf(turn, call).split('\n') : []),
          ];
          for (const text of texts)
            expect(
              await page.evaluate(
                `document.querySelector('.story').textContent.includes(${JSON.stringify(text)})`,
              ),
              text,
            ).toBe(true);
        }
      // The browser opens an element with this attribute when it finds its text, and sends this event.
      const folded = page.locator('[hidden=until-found]', { hasText: needle(5, 1) });
      expect(await folded.count()).toBe(1);
      expect(
        await page.evaluate(`[...document.querySelectorAll('[hidden=until-found]')]
        .filter((one) => getComputedStyle(one).contentVisibility !== 'hidden' || one.offsetHeight > 0).length`),
      ).toBe(0);
      await folded.dispatchEvent('beforematch');
      await expect.poll(() => folded.count()).toBe(0);
      expect(opened.noise).toEqual([]);
      await opened.close();
    },
  );

  inBrowser.once(
    'are found with /, which keeps the place and leaves the address as it is',
    async (browser) => {
      const opened = await open(browser, SMALL);
      const { page } = opened;
      await filled(page);
      const top = () => page.evaluate<number>(`document.querySelector('.story-list').scrollTop`);
      /** The place when rows above it have their final heights. */
      const settled = async () => {
        let last = -1;
        await expect
          .poll(async () => {
            const before = last;
            last = await top();
            return last === before;
          })
          .toBe(true);
        return last;
      };
      await page.keyboard.press('/');
      await page.keyboard.type('NEEDLE<5>');
      await expect.poll(() => opened.text('.filters output')).toBe('3');
      expect(await top()).toBe(0);
      for (const [place, call] of [
        ['1 of 3', 0],
        ['2 of 3', 1],
        ['3 of 3', 2],
        ['1 of 3', 0],
      ] as const) {
        await page.keyboard.press('Enter');
        await expect.poll(() => opened.text('.filters output')).toBe(place);
        await expect.poll(() => opened.text('.story-row[aria-current]')).toContain(needle(5, call));
        await expect.poll(() => isSeen(page)).toBe(true);
      }
      await page.keyboard.press('Shift+Enter');
      await expect.poll(() => opened.text('.filters output')).toBe('3 of 3');
      expect(await marked(page)).toEqual(Array.from({ length: 3 }, () => 'needle<5>'));
      await expect.poll(() => isSeen(page)).toBe(true);
      const before = await settled();
      await page.keyboard.press('Escape');
      expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
      expect(await settled()).toBe(before);
      // The search does not open an item, which would cover the story on a phone.
      expect(await page.locator('.pane').count()).toBe(0);
      expect(await page.evaluate('location.hash')).toBe('');
      expect(opened.noise).toEqual([]);
      await opened.close();
    },
  );

  inBrowser.once('are found with / in a story that is too long for the document', async (browser) => {
    const opened = await open(browser, HUGE);
    const { page } = opened;
    const rows = page.locator('.story-row[class*=kind-of]');
    expect(await rows.count()).toBeLessThan(HUGE.turns * (HUGE.calls + 2));
    expect(await page.locator('[hidden=until-found]').count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type(needle(44, 1));
    await expect.poll(() => opened.text('.filters output')).toBe('1');
    await page.keyboard.press('Enter');
    await expect.poll(() => opened.text('.story-row[aria-current]')).toContain(needle(44, 1));
    await expect.poll(() => isSeen(page)).toBe(true);
    expect(opened.noise).toEqual([]);
    await opened.close();
  });

  inBrowser.once('that are not there are said to be not found', async (browser) => {
    const opened = await open(browser, SMALL);
    await opened.page.keyboard.press('/');
    await opened.page.keyboard.type('.*');
    await expect.poll(() => opened.text('.filters output')).toBe('not found');
    await opened.page.keyboard.press('Enter');
    expect(await opened.page.locator('.story-row[aria-current]').count()).toBe(0);
    await opened.close();
  });
});

describe('the turns of a story', () => {
  const current = (page: Page) => page.locator('.story-row[aria-current]').innerText();

  inBrowser.once('are listed, and keys lead to the next and the previous prompt', async (browser) => {
    const opened = await open(browser, SMALL);
    const { page } = opened;
    const titles = await page.locator('.turns .turn-title').allInnerTexts();
    expect(titles).toEqual(Array.from({ length: SMALL.turns }, (_, at) => `Task ${at + 1}`));
    await page.locator('.turns button').nth(3).click();
    await expect.poll(() => current(page)).toContain('Task 4');
    await page.keyboard.press(']');
    await expect.poll(() => current(page)).toContain('Task 5');
    await page.keyboard.press('[');
    await page.keyboard.press('[');
    await expect.poll(() => current(page)).toContain('Task 3');
    expect(await page.locator('.turns [aria-current]').innerText()).toContain('Task 3');
    expect(await page.locator('.pane').count()).toBe(0);
    // From within a turn, back is to its own prompt first.
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await page.locator('.turns').waitFor({ state: 'detached' });
    expect(opened.noise).toEqual([]);
    await opened.close();
  });

  inBrowser.once('count the failed calls of a turn with a damaged line up to that line', async (browser) => {
    const lines = readFileSync(logOf(SMALL), 'utf8').split('\n');
    // The last turn has three results, of which the first and the last failed, and a torn line is before the last.
    const results = lines.flatMap((line, at) => (line.includes('"tool_result"') ? [at] : []));
    const last = results.at(-1) ?? 0;
    for (const at of results.slice(-3))
      if (at !== results.at(-2))
        lines[at] = (lines[at] ?? '').replace('"type":"tool_result"', '"type":"tool_result","is_error":true');
    lines.splice(last - 1, 0, '{"torn');
    const log = tempFile(lines.join('\n'), 'damaged.jsonl');
    const opened = await OpenedPage.open(browser, await written(['view', log], 1));
    const { page } = opened;
    const row = await page.locator('.turns button').last().innerText();
    expect(row).toContain('1 failed');
    await filled(page);
    expect(await page.locator('.story').textContent()).toContain('at least 2 calls, 1 failed');
    await opened.close();
  });

  inBrowser.once('are a list on demand on a phone, which closes when a turn is chosen', async (browser) => {
    const opened = await open(browser, SMALL, '', { width: 390, colours: 'dark' });
    const { page } = opened;
    expect(await page.locator('.turns').count()).toBe(0);
    await page.getByRole('button', { name: 'Turns' }).click();
    await page.locator('.turns button').last().click();
    await page.locator('.turns').waitFor({ state: 'detached' });
    await expect.poll(() => current(page)).toContain(`Task ${SMALL.turns}`);
    expect(await opened.overflow()).toBeLessThanOrEqual(0);
    expect(opened.noise).toEqual([]);
    await opened.close();
  });
});

describe('what is shown of a story', () => {
  inBrowser.once('is without outputs on request', async (browser) => {
    const opened = await open(browser, SMALL);
    const { page } = opened;
    const outputs = () => page.locator('.story-row .output:visible').count();
    expect(await outputs()).toBeGreaterThan(0);
    await page.keyboard.press('o');
    await expect.poll(outputs).toBe(0);
    // What is hidden is not searched.
    await page.keyboard.press('/');
    await page.keyboard.type('needle');
    await expect.poll(() => opened.text('.filters output')).toBe('not found');
    await page.getByRole('button', { name: 'Hide outputs' }).click();
    await expect.poll(() => opened.text('.filters output')).toBe(String(SMALL.turns * SMALL.calls));
    expect(await outputs()).toBeGreaterThan(0);
    await opened.close();
  });

  inBrowser.once('is the calls of one tool on request', async (browser) => {
    const opened = await open(browser, SMALL);
    const { page } = opened;
    await page.getByLabel('tool').selectOption('Grep');
    await filled(page);
    await expect
      .poll(() => page.locator('.story-row .call-head strong').allInnerTexts())
      .toEqual(Array.from({ length: SMALL.turns }, () => 'Grep'));
    expect(await page.locator('.kind-of-answer').count()).toBe(0);
    expect(await page.locator('.turn').count()).toBe(SMALL.turns);
    await opened.close();
  });

  inBrowser.once(
    'is copied with a button: inputs, texts and outputs as the log has them',
    async (browser) => {
      const opened = await open(browser, SMALL);
      const { page } = opened;
      const { stdout } = await noesis(['read', logOf(SMALL), '-j']);
      const items = JSON.parse(stdout).turns.flatMap((turn: StoryTurn) => turn.items);
      const call: CallItem = items.find(({ kind }: CallItem) => kind === 'call');
      const pasted = async () => {
        await page.evaluate(
          `document.body.append(Object.assign(document.createElement('textarea'), { id: 'pasted' }))`,
        );
        await page.locator('#pasted').focus();
        await page.keyboard.press('Control+V');
        const text = await page.locator('#pasted').inputValue();
        await page.evaluate(`document.getElementById('pasted').remove()`);
        return text;
      };
      const row = page.locator('.story-row.kind-of-call').first();
      await row.hover();
      await row.locator('.copy').click();
      await row.getByRole('button', { name: 'copied' }).waitFor();
      expect(await pasted()).toBe(commandOf(1, 0));
      await row.locator('.line').click();
      await page.getByRole('button', { name: 'copy the output' }).click();
      await page.locator('.pane').getByRole('button', { name: 'copied' }).waitFor();
      expect(await pasted()).toBe(call.output);
      await opened.close();
    },
  );
});

describe('the size of the context', () => {
  const text = ({ page }: OpenedPage) => page.locator('.context figcaption').innerText();

  inBrowser.once('is a curve over the requests, with turns and compactions', async (browser) => {
    const opened = await open(browser, SMALL);
    const { page } = opened;
    const most = contextOf(SMALL.turns, SMALL.calls).toLocaleString('en');
    expect(await text(opened)).toMatch(
      new RegExp(`^Size of the context: ${most} tokens at its largest \\(line \\d+\\), 1 compaction$`),
    );
    expect(await page.locator('.context-compaction').count()).toBe(1);
    expect(await page.locator('.context-turn').count()).toBe(SMALL.turns - 1);
    const steps = await page.locator('.context-size').getAttribute('d');
    expect(steps?.match(/H/g)).toHaveLength(SMALL.turns * (SMALL.calls + 1));
    // A click leads to the request at that place.
    const box = await page.locator('.context svg').boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) - 2, (box?.y ?? 0) + 20);
    await expect.poll(() => opened.text('.story-row[aria-current]')).toContain(`Done ${SMALL.turns}`);
    await opened.close();
  });

  inBrowser.once('is absent if the log has no tokens by request', async (browser) => {
    const episode = join(EXAMPLES, '.noesis', 'episodes', 'ep_01KJQ6PSG0DGB6DN0XWB2R05AD');
    const opened = await OpenedPage.open(browser, await written(['view', episode]));
    expect(await opened.page.locator('.context').count()).toBe(0);
    await opened.close();
  });
});

describe('the timeline of a session', () => {
  const lanes = async ({ page }: OpenedPage) =>
    /^timeline of (.*), marks/
      .exec((await page.locator('canvas').getAttribute('aria-label')) ?? '')?.[1]
      ?.split(', ');

  inBrowser.once('has lanes of turns, agents and tools, and bars with tool and command', async (browser) => {
    const opened = await open(browser, SMALL, '#timeline');
    const { page } = opened;
    await page.locator('canvas').waitFor();
    expect(await lanes(opened)).toEqual(['turns', 'main', 'Bash', 'Read', 'Grep']);
    // The first bar of the third lane is the first call.
    const box = await page.locator('canvas').boundingBox();
    await page.mouse.move((box?.x ?? 0) + 155, (box?.y ?? 0) + 28 + 2 * 34 + 20);
    await expect.poll(() => opened.text('.pointed')).toMatch(/^line \d+ · result · Bash run 1 0 · 1\.00 s$/);
    expect(await opened.text('.pointed')).not.toContain('\\');
    await opened.close();
  });

  inBrowser.once('is followed by the story of the range that is selected', async (browser) => {
    const opened = await open(browser, SMALL, '#timeline');
    const { page } = opened;
    const prompts = () => page.locator('.timeline .kind-of-prompt').allInnerTexts();
    await expect.poll(async () => (await prompts()).length).toBeGreaterThan(2);
    const box = await page.locator('canvas').boundingBox();
    const [left, width, y] = [(box?.x ?? 0) + 140, (box?.width ?? 0) - 140, (box?.y ?? 0) + 60];
    // The first two of six minutes, without the beginning of the third.
    await page.mouse.move(left + 2, y);
    await page.mouse.down();
    await page.mouse.move(left + width * 0.2, y);
    await page.mouse.move(left + width * 0.3, y);
    await page.mouse.up();
    await expect
      .poll(async () => (await prompts()).map((one) => one.replace(/\s+/g, ' ')))
      .toEqual([expect.stringContaining('Task 1'), expect.stringContaining('Task 2')]);
    await page.keyboard.press('0');
    await expect.poll(async () => (await prompts()).length).toBeGreaterThan(2);
    expect(opened.noise).toEqual([]);
    await opened.close();
  });
});

describe('the name of a tool', () => {
  inBrowser.once('is in every raw event of its calls, and filters them', async (browser) => {
    const opened = await open(browser, SMALL, '#events');
    const { page } = opened;
    await page.getByLabel('tool').selectOption('Read');
    const all = SMALL.turns * (2 * SMALL.calls + 2) + 1;
    await expect.poll(() => opened.text('.filters output')).toBe(`${2 * SMALL.turns} of ${all}`);
    expect(new Set(await page.locator('.row .tool').allInnerTexts())).toEqual(new Set(['Read']));
    expect(await page.locator('.row').count()).toBe(await page.locator('.row .tool').count());
    expect(new Set(await page.locator('.row .phase').allInnerTexts())).toEqual(new Set(['call', 'result']));
    await opened.close();
  });

  inBrowser.once('is in the events of two runs side by side, and filters them', async (browser) => {
    const other = longSession({ ...SMALL, calls: 4 });
    const opened = await OpenedPage.open(browser, await written(['view', logOf(SMALL), other]), '#events');
    const { page } = opened;
    await page.locator('.row.pair').first().waitFor();
    await page.getByLabel('tool').selectOption('Bash');
    const names = async () => [...new Set(await page.locator('.half .tool').allInnerTexts())];
    await expect.poll(names).toEqual(['Bash']);
    expect(opened.noise).toEqual([]);
    await opened.close();
  });
});

describe('a finding on the page', () => {
  inBrowser.once('has the title of its code', async (browser) => {
    const log = join(EXAMPLES, 'damaged', 'edited-log', 'ep_01KJPWD6M0GKJVH2GKEFTDNN55');
    const opened = await OpenedPage.open(browser, await written(['view', log]), '#findings');
    const cards = opened.page.locator('.finding');
    expect(await cards.count()).toBeGreaterThan(0);
    for (const card of await cards.all()) {
      const code = (await card.locator('header code').innerText()).trim();
      const { stdout } = await noesis(['explain', code]);
      const title = (await card.locator('h4').innerText()).trim();
      expect(stdout.split('\n').slice(1).join(' ').replace(/\s+/g, ' ')).toContain(title);
    }
    await opened.close();
  });
});

describe('a subagent with a log of its own', () => {
  const SESSION = join(
    SAMPLES,
    'parts/claude-code/projects/-home-usr-shop',
    'abc00041-0000-4000-8000-000003dfd240.jsonl',
  );

  inBrowser.once('is folded below the call that started it', async (browser) => {
    const { tools } = JSON.parse((await noesis(['show', SESSION, '-j'])).stdout) as {
      tools: { calls: number }[];
    };
    const calls = tools.reduce((sum, tool) => sum + tool.calls, 0);
    for (const look of LOOKS) {
      const opened = await OpenedPage.open(browser, await written(['view', SESSION]), '', look);
      const { page } = opened;
      await filled(page);
      const row = page
        .locator('.story-row', { hasText: 'Task' })
        .filter({ has: page.locator('details.subagent') });
      // The calls of the run are those of all its logs, as show has them.
      expect(await page.locator('.story-head').textContent()).toContain(`Calls${calls}`);
      const summary = row.locator('details.subagent summary');
      expect(await summary.textContent()).toMatch(
        /↳ p, agent-abcd123; done; 2 calls, 1 failed; 60 tokens; 0\.\d+ USD/,
      );
      const edit = row.locator('.subagent-step', { hasText: 'a.js' });
      expect(await edit.isVisible()).toBe(false);
      await summary.click();
      expect(await edit.isVisible()).toBe(true);
      expect(await edit.textContent()).toContain('+y');
      expect([await opened.faults(), await opened.overflow(), opened.noise]).toEqual([[], 0, []]);
      await opened.close();
    }
  });
});

inBrowser.once('a call that changes a file shows its path once', async (browser) => {
  const opened = await OpenedPage.open(
    browser,
    await written(['view', join(SAMPLES, 'pi/v3-compaction-0.87.1.jsonl')]),
    '',
  );
  await filled(opened.page);
  const row = opened.page.locator('.story-row', { has: opened.page.locator('.diff') }).first();
  // Folded outputs are in the document, but not shown.
  const text = await row.innerText();
  expect(text.split('diff.txt')).toHaveLength(2);
  expect(text).toContain('+1');
  await opened.close();
});
