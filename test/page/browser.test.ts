import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { StoryItem, StoryTurn } from '../../src/dialects/kit/story.ts';
import type { ChangedFile } from '../../src/read/describe/changes-of-story.ts';
import { EXAMPLES, noesis, SAMPLES } from '../support/cli.ts';
import { sampled, times } from '../support/length.ts';
import { tempDir, tempFile, writeSettled } from '../support/temp.ts';
import { hostileLog, LINK, MARKUP } from './hostile-log.ts';
import { browserTests } from './in-browser.ts';
import { LOOKS, OpenedPage, written } from './opened-page.ts';

const RESUMED = join(EXAMPLES, '.noesis', 'episodes', 'ep_01KJQ6PSG0DGB6DN0XWB2R05AD');
const VETOED = join(EXAMPLES, '.noesis', 'episodes', 'ep_01KJQ38XW0B21102BHVMR95HBJ');
const OTHERS = join(EXAMPLES, 'other-dialects');
const DAMAGED = join(EXAMPLES, 'damaged');
const LEDGER = join(SAMPLES, 'fishbowl', 'ledger-10-runs.scrubbed.jsonl');
const TWO_TASKS = join(
  SAMPLES,
  'claude-code/projects/-home-usr-w-128-twosubs/cdc3a354-ab26-491a-bb65-d328eb16cc5f.jsonl',
);
const SHOP = join(SAMPLES, 'claude-code/projects/-home-usr-shop');
const CODEX = join(
  SAMPLES,
  'codex/sessions/2026/11/22/rollout-2026-11-22T08-37-29-01a20267-3b5a-7330-8e90-645a845357cd.jsonl',
);
const WAITED = fileURLToPath(new URL('../inputs/sessions/runs/permission-wait.jsonl', import.meta.url));
const SITE = join(
  SAMPLES,
  'claude-code/projects/-home-usr-demo-site/b25638d7-b104-4f06-a797-70ac33d069ed.jsonl',
);

const inBrowser = browserTests();

describe('every view of a run', () => {
  for (const look of sampled(LOOKS, 1)) {
    inBrowser(`fits and can be read by all: ${look.width} pixels, ${look.colours}`, async (browser) => {
      const file = await written(['view', RESUMED]);
      const opened = await OpenedPage.open(browser, file, '', look);
      // The rules of axe depend on colours and on sizes, not on both together.
      const isAsked = (look.width === 390) === (look.colours === 'light');
      const expectGood = async (view: string) => {
        expect(await opened.overflow(), view).toBeLessThanOrEqual(0);
        if (isAsked) expect(await opened.faults(), view).toEqual([]);
      };
      for (const view of ['story', 'timeline', 'state', 'findings', 'events']) {
        await opened.go(view);
        await expectGood(view);
      }
      await opened.page.locator('.row').nth(8).click();
      await opened.page.locator('.pane').waitFor();
      await expectGood('event');
      const last = await opened.page.locator('[role=tab]').last().boundingBox();
      expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(look.width);
      await opened.go('story');
      await opened.page.locator('.pane').waitFor();
      await expectGood('item');
      expect(opened.noise).toEqual([]);
      await opened.close();
    });
  }

  inBrowser.once(
    'is printed whole, also where only the visible rows are in the document',
    async (browser) => {
      const opened = await OpenedPage.open(browser, await written(['view', SITE]), '#events');
      const { page } = opened;
      const count = Number.parseInt(await opened.text('.filters output'), 10);
      const rows = page.locator('.list .row');
      expect(await rows.count()).toBeLessThan(count);
      await page.emulateMedia({ media: 'print' });
      await expect.poll(() => rows.count()).toBe(count);
      const bottomOf = async (selector: string) => {
        const box = await page.locator(selector).last().boundingBox();
        return (box?.y ?? 0) + (box?.height ?? 0);
      };
      expect(await bottomOf('.list .row')).toBeLessThanOrEqual(await bottomOf('.list'));
      await page.emulateMedia({ media: 'screen' });
      await expect.poll(() => rows.count()).toBeLessThan(count);
      expect(opened.noise).toEqual([]);
      await opened.close();
    },
  );

  inBrowser.once('says at its top what it can without its script', async (browser) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    for (const args of [
      ['view', RESUMED],
      ['view', RESUMED, VETOED],
    ]) {
      const page = await context.newPage();
      await page.goto(pathToFileURL(await written(args)).href);
      const box = await page.locator('noscript pre').boundingBox();
      expect(box?.y).toBeLessThan(200);
      expect((box?.x ?? 0) + (box?.width ?? 390)).toBeLessThanOrEqual(390);
    }
    await context.close();
  });

  inBrowser.once('offers to hide outputs only where a call has one', async (browser) => {
    const hides = async (log: string) => {
      const opened = await OpenedPage.open(browser, await written(['view', log]));
      await opened.page.locator('.story-row').first().waitFor();
      const count = await opened.page.getByRole('button', { name: 'Hide outputs' }).count();
      await opened.close();
      return count;
    };
    expect(await hides(SITE)).toBe(1);
    expect(await hides(join(OTHERS, 'exarchos', 'checkout.events.jsonl'))).toBe(0);
  });

  inBrowser.once('has room for six tabs on a phone', async (browser) => {
    const opened = await OpenedPage.open(browser, await written(['view', SHOP]), '', {
      width: 390,
      colours: 'light',
    });
    const tabs = opened.page.locator('[role=tab]');
    expect(await tabs.count()).toBe(6);
    const last = await tabs.last().boundingBox();
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(390);
    await opened.close();
  });

  inBrowser.once('follow the system or the chosen colours', async (browser) => {
    const opened = await OpenedPage.open(browser, await written(['view', RESUMED]));
    const ground = () => opened.page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await opened.page.getByLabel('colours: auto').click();
    expect(await ground()).toBe(light);
    await opened.page.getByLabel('colours: light').click();
    await expect.poll(ground).not.toBe(light);
    await opened.close();
  });
});

describe('the story', () => {
  inBrowser.once('is printed whole and in the light', async (browser) => {
    const { stdout } = await noesis(['read', LEDGER, '-j']);
    const items = JSON.parse(stdout).turns.flatMap((turn: StoryTurn) => turn.items).length;
    const opened = await OpenedPage.open(browser, await written(['view', LEDGER]), '', {
      width: 1280,
      colours: 'dark',
    });
    const { page } = opened;
    const rows = page.locator('.story-row[class*=kind-of]');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect.poll(() => rows.count()).toBe(items);
    const last = await page.evaluate(`document.querySelector('.story').getBoundingClientRect().height`);
    expect(last).toBeGreaterThan(3000);
    expect(await page.locator('[role=tablist], .axis').first().isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(252, 252, 251)');
    expect(opened.noise).toEqual([]);
    await opened.close();
  });

  inBrowser.once('has dialogs that Esc closes', async (browser) => {
    const opened = await OpenedPage.open(browser, await written(['view', RESUMED]));
    const { page } = opened;
    await page.keyboard.press('?');
    await page.locator('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.locator('.pane').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.pane').waitFor({ state: 'detached' });
    expect(opened.noise).toEqual([]);
    await opened.close();
  });

  inBrowser.once('is searched by / from other views', async (browser) => {
    const opened = await OpenedPage.open(browser, await written(['view', RESUMED]), '#findings');
    await opened.page.keyboard.press('/');
    await opened.page.keyboard.type('reflect');
    await expect.poll(() => opened.text('.filters output')).toMatch(/^\d+$/);
    expect(await opened.page.locator('#tab-story').getAttribute('aria-selected')).toBe('true');
    expect(opened.noise).toEqual([]);
    await opened.close();
  });

  inBrowser.once('names what of the state was not compared', async (browser) => {
    const [legacy = ''] = readdirSync(join(EXAMPLES, 'legacy'));
    const opened = await OpenedPage.open(browser, await written(['view', join(EXAMPLES, 'legacy', legacy)]));
    await opened.go('findings');
    expect(await opened.text('.findings .card')).toContain('it has no evidence for outcomes, links');
    await opened.close();
  });

  inBrowser.once('says what was asked, how it ended and why, and leads to the event', async (browser) => {
    const opened = await OpenedPage.open(browser, await written(['view', VETOED]));
    expect(await opened.text('h1')).toBe('Deploy billing to production');
    expect(await opened.text('.why')).toContain('Task flagged as dangerous');
    await opened.page.locator('.reason a').first().click();
    await opened.page.locator('.pane').waitFor();
    const line = /line (\d+)/.exec(await opened.text('.pane h2'))?.[1];
    expect(await opened.text('.pane .json')).toContain('"veto"');
    await opened.go('events');
    expect(await opened.page.locator('.row[aria-selected=true] .line').innerText()).toBe(line);
    await opened.close();
  });

  inBrowser.once(
    'shows a call and its result as one row, an edit as a diff, and folds what is long',
    async (browser) => {
      const opened = await OpenedPage.open(browser, await written(['view', SITE]));
      const { page } = opened;
      expect(await opened.text('h1')).toContain('not supported by Chrome');
      // The log of this run has a call for each of these lines, and the line of its result.
      const { stdout } = await noesis(['read', SITE, '-j']);
      const items: StoryItem[] = JSON.parse(stdout).turns.flatMap((turn: StoryTurn) => turn.items);
      const calls = items.filter((item) => item.kind === 'call');
      const edit = calls.find(({ status, changes = [] }) => status === 'ok' && changes.length > 0);
      const failed = calls.find(({ status }) => status === 'error');
      const long = calls.find(({ status, output = '' }) => status === 'ok' && output.split('\n').length > 20);
      const rowOf = (line = 0) =>
        page.locator('.story-row', { has: page.locator(`a[href="#story/${line}"]`) });
      for (const call of [edit, failed, long]) {
        await page.evaluate(`location.hash = 'story/${call?.line}'`);
        await rowOf(call?.line).waitFor();
        expect(await rowOf(call?.line).locator('.call-head').innerText()).toContain(call?.tool);
      }
      expect(await rowOf(failed?.line).locator('.call-head').innerText()).toContain('✗');
      expect(await rowOf(edit?.line).locator('.call-head').innerText()).toContain('✓');
      expect(await rowOf(edit?.line).locator('.diff-added').count()).toBeGreaterThan(0);
      // Its result has no separate row, and leads to the row of the call.
      expect(await rowOf(long?.result_line).count()).toBe(0);
      expect(await rowOf(long?.line).locator('.lines > span').count()).toBe(12);
      await rowOf(long?.line).locator('button.more').click();
      expect(await rowOf(long?.line).locator('.lines > span').count()).toBeGreaterThan(12);
      await page.evaluate(`location.hash = 'story/${long?.result_line}'`);
      await expect
        .poll(() => page.locator('.story-row[aria-current] .line').innerText())
        .toBe(`${long?.line}`);
      expect(opened.noise).toEqual([]);
      await opened.close();
    },
  );

  inBrowser.once(
    'puts the text first in the pane and the stored JSON last, and begins at its head',
    async (browser) => {
      const opened = await OpenedPage.open(browser, await written(['view', SITE]), '#story/1');
      const { page } = opened;
      await page.locator('.pane').waitFor();
      expect(await page.locator('.pane > :nth-child(2)').innerText()).toContain('not supported by Chrome');
      expect(await page.locator('.pane > :last-child > summary').innerText()).toBe('Stored JSON');
      expect(await page.locator('.pane .json').isVisible()).toBe(false);
      await page.locator('.pane summary').first().click();
      await page.evaluate(`document.querySelector('.pane').scrollTop = 1000`);
      await page.keyboard.press('j');
      await expect.poll(() => opened.text('.pane h2')).not.toContain('line 1');
      expect(await page.evaluate(`document.querySelector('.pane').scrollTop`)).toBe(0);
      await opened.close();
    },
  );

  inBrowser.once('shows a list of tasks and a plan as text, and their JSON on demand', async (browser) => {
    const file = await written(['view', SITE]);
    const calls = readFileSync(SITE, 'utf8').split('\n');
    for (const [tool, text, member] of [
      ['TodoWrite', /^\d of \d done.*\n\[.\] Update JavaScript/s, 'todos'],
      ['ExitPlanMode', /^## Plan to Fix Ruby Element Support/, 'plan'],
    ] as const) {
      const line = calls.findIndex((record) => record.includes(`"name":"${tool}"`)) + 1;
      const opened = await OpenedPage.open(browser, file, `#story/${line}`);
      expect(await opened.text('.story-row[aria-current] .call-input')).not.toContain('{');
      expect(await opened.text('.pane .lines')).toMatch(text);
      expect(await opened.page.locator('.pane .json').isVisible()).toBe(false);
      await opened.page.locator('.pane summary', { hasText: 'Stored JSON' }).click();
      await opened.page.locator('.pane summary', { hasText: 'As it is stored' }).click();
      expect(await opened.text('.pane .stored')).toContain(`"input":{"${member}":`);
      await opened.close();
    }
  });

  inBrowser.once('says that tokens are not stored by turn, as show does', async (browser) => {
    const file = join(SAMPLES, 'atif/damaged/totals-and-agent-only.json');
    const opened = await OpenedPage.open(browser, await written(['view', file]));
    expect(await opened.text('.facts-row')).toMatch(/Tokens\s+1,330 \(not stored by turn\)/);
    await opened.close();
  });

  inBrowser.once('says what a run cost and where it waited, as show does', async (browser) => {
    const config = join(tempDir(), 'noesis.toml');
    writeFileSync(
      config,
      '[prices]\ncurrency = "EUR"\n[prices.models."*"]\ninput = 3\ncached = 1\ncache_write = 4\noutput = 15\n',
    );
    const { stdout } = await noesis(['show', SHOP, '--config', config]);
    const shown = (label: string) => new RegExp(`^${label} +(.*)$`, 'm').exec(stdout)?.[1] ?? '';
    const opened = await OpenedPage.open(
      browser,
      await written(['view', SHOP, '--config', config]),
      '#story/35',
    );
    const facts = (await opened.text('.facts-row')).split(/\n+/);
    expect(shown('Cost')).not.toBe('');
    expect(facts[facts.indexOf('Cost') + 1]).toBe(shown('Cost'));
    expect(shown('Time')).toContain('waiting for you 6.00 s');
    // The terminal has a legend of its bar between the words.
    const times = shown('Time')
      .replace(/^█ /, '')
      .replace(/ [▒░·] /g, ', ')
      // What follows is on the next line of the terminal.
      .replace(/ \?$/, '');
    expect(await opened.text('.time summary')).toContain(times);
    expect(await opened.text('.story-row[aria-current]')).toContain('waited for you 6.00 s');
    expect(await opened.text('.pane')).toContain('waited for you 6.00 s');
    await opened.close();
  });

  inBrowser.once(
    'names the log of a failure in a subagent and does not link to its line on the page',
    async (browser) => {
      const folder = tempDir();
      cpSync(join(SAMPLES, 'parts/claude-code/projects/-home-usr-shop'), folder, { recursive: true });
      const [session = ''] = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
      const agents = join(folder, session.replace('.jsonl', ''), 'subagents');
      const log = readFileSync(join(agents, 'agent-abcd123.jsonl'), 'utf8');
      writeFileSync(
        join(agents, 'agent-other.jsonl'),
        log.replaceAll('toolu_', 'other_').replaceAll('abcd123', 'other'),
      );
      const opened = await OpenedPage.open(browser, await written(['view', join(folder, session)]));
      const { page } = opened;
      await page.locator('summary', { hasText: 'on the way' }).click();
      const reasons = page.locator('details[open] .reason');
      expect((await reasons.allInnerTexts()).map((text) => /line.*/.exec(text)?.[0])).toEqual([
        'line 2 of agent-abcd123',
        'line 2 of agent-other',
      ]);
      expect(await reasons.locator('a').count()).toBe(0);
      expect(opened.noise).toEqual([]);
      await opened.close();
    },
  );

  inBrowser.once('has times along its axis that only grow', async (browser) => {
    for (const target of [RESUMED, join(SAMPLES, 'coordinator/nested-two-sessions.jsonl'), CODEX]) {
      const opened = await OpenedPage.open(browser, await written(['view', target]));
      const times = await opened.page.locator('.axis-time').allInnerTexts();
      const seconds = times.map((time) => {
        const [, hours = 0, minutes = 0, rest = 0] =
          /^\+(?:(\d+)h)?(?:(\d+)m)?(?:([\d.]+)s)?$/.exec(time) ?? [];
        return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
      });
      expect(times.length).toBeGreaterThan(1);
      expect(seconds, target).toEqual(seconds.toSorted((a, b) => a - b));
      await opened.close();
    }
  });

  inBrowser.once('has an axis whose marks lead to what failed and to findings', async (browser) => {
    const { page, ...opened } = await OpenedPage.open(browser, await written(['view', SITE]));
    const mark = page.locator('.axis-bad').first();
    const line = (await mark.getAttribute('href'))?.replace('#story/', '');
    await mark.click();
    await expect.poll(() => page.locator('.story-row[aria-current] .line').innerText()).toBe(line);
    expect(await page.locator('.story-row[aria-current] .tone-bad').first().innerText()).toContain('✗');
    await page.locator('.story-row[aria-current]').scrollIntoViewIfNeeded();
    expect(opened.noise).toEqual([]);
    await page.context().close();
    const found = await OpenedPage.open(browser, await written(['view', CODEX]));
    await found.page.locator('.axis-finding').first().click();
    await expect.poll(() => found.text('.pane')).toContain('Findings');
    await found.close();
  });

  inBrowser.once('shows Markdown without anything that loads, and links only to the web', async (browser) => {
    const text = [
      '# Title',
      '**bold** and `code`',
      '',
      '- item',
      '> quote',
      '',
      '| a | b |',
      '|---|---|',
      '| 1 | 2 |',
      '',
      '```js',
      '<b>code</b>',
      '```',
      '``` words after the first fence',
      '``` words after the last one',
      '```',
      '[docs](https://example.com/a?b=1) [bad](javascript:alert(1)) [data](data:text/html,x) https://example.org/x',
      '![picture](https://example.com/p.png) <img src="https://example.com/q.png">',
    ].join('\n');
    const records = readFileSync(SITE, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    records.at(-1).message.content[0].text = text;
    const log = tempFile(records.map((record) => `${JSON.stringify(record)}\n`).join(''), 'x.jsonl');
    const opened = await OpenedPage.open(browser, await written(['view', log, '--dialect', 'claude-code']));
    const { page } = opened;
    await page.keyboard.press('End');
    const markdown = page.locator('.story-row .markdown', { has: page.locator('.md-head') }).first();
    await markdown.waitFor();
    expect(await markdown.locator('strong, code').allInnerTexts()).toEqual(['bold', 'code']);
    expect(await markdown.locator('td').allInnerTexts()).toEqual(['1', '2']);
    expect(await markdown.locator('pre').allInnerTexts()).toEqual([
      '<b>code</b>',
      'words after the first fence\n``` words after the last one',
    ]);
    const links = await markdown
      .locator('a')
      .evaluateAll((all) =>
        all.map((a) =>
          ['href', 'rel', 'target'].map((name) =>
            (a as unknown as { getAttribute(name: string): string }).getAttribute(name),
          ),
        ),
      );
    expect(links).toEqual([
      ['https://example.com/a?b=1', 'noopener noreferrer', '_blank'],
      ['https://example.org/x', 'noopener noreferrer', '_blank'],
      // HTML is text, in which an address is found.
      ['https://example.com/q.png', 'noopener noreferrer', '_blank'],
    ]);
    expect(await markdown.innerText()).toContain('docs (https://example.com/a?b=1)');
    expect(await markdown.innerText()).toContain('[bad](javascript:alert(1))');
    expect(await page.locator('img').count()).toBe(0);
    expect(opened.noise).toEqual([]);
    await opened.close();
  });

  inBrowser.once(
    'of a ledger lists its runs, each with its winner, its scores and a link',
    async (browser) => {
      const opened = await OpenedPage.open(browser, await written(['view', LEDGER]));
      const { page } = opened;
      const rows = await page.locator('.story-head tbody tr').allInnerTexts();
      expect(rows).toHaveLength(10);
      expect(rows.filter((row) => row.includes('won'))).not.toEqual([]);
      await page.locator('.story-head tbody a').nth(3).click();
      await expect.poll(() => page.locator('.story-row[aria-current]').count()).toBe(1);
      expect(await opened.overflow()).toBeLessThanOrEqual(0);
      expect(opened.noise).toEqual([]);
      await opened.close();
      const example = join(OTHERS, 'fishbowl', 'ledger.jsonl');
      const scored = await OpenedPage.open(browser, await written(['view', example]));
      expect(await scored.text('.story-head tbody tr')).toMatch(/otto won\s+mira 6, otto 8/);
      await scored.close();
    },
  );

  inBrowser.once('leads from a changed file to the call that changed it', async (browser) => {
    const opened = await OpenedPage.open(browser, await written(['view', SITE]), '#changes');
    const { page } = opened;
    const { files } = JSON.parse((await noesis(['show', SITE, '--changes', '-j'])).stdout);
    const heads = await page.locator('.changed-files details > summary').allInnerTexts();
    expect(heads.map((head) => head.split(/\s+/).slice(0, 3))).toEqual(
      files.map(({ path, net, ...sums }: ChangedFile) => {
        const { added, removed } = net ?? sums;
        return [path, `+${added}`, `−${removed}`];
      }),
    );
    expect(await page.locator('.diff-added').count()).toBeGreaterThan(0);
    expect(await opened.faults()).toEqual([]);
    await page.locator('.changed-files a.line').first().click();
    await expect
      .poll(() => page.locator('.story-row[aria-current] .line').innerText())
      .toBe(`${files[0].changes[0].line}`);
    expect(opened.noise).toEqual([]);
    await opened.close();
  });

  inBrowser('of every format is what read prints', async (browser) => {
    for (const [name, target] of sampled(STATES, 2)) {
      const opened = await OpenedPage.open(browser, await written(['view', target]));
      const story = JSON.parse((await noesis(['read', target, '-j'])).stdout);
      const items: StoryItem[] = story.turns.flatMap((turn: StoryTurn) => turn.items);
      const chosen = () => opened.page.locator('.story-row[aria-current] .line').innerText();
      for (const [key, item] of [
        ['Home', items[0]],
        ['End', items.at(-1)],
      ] as const) {
        await opened.page.keyboard.press(key);
        await expect.poll(chosen, { message: name }).toBe(`${item?.line}`);
      }
      expect(opened.noise, name).toEqual([]);
      await opened.close();
    }
  });
});

describe('the list of events', () => {
  inBrowser.once('is searched, filtered and walked through with keys', async (browser) => {
    const { page, ...opened } = await OpenedPage.open(browser, await written(['view', RESUMED]), '#events');
    const stored = (await noesis(['events', RESUMED, '-j'])).stdout.trimEnd().split('\n');
    const events = stored.map((line) => JSON.parse(line));
    const count = events.length;
    const lineOf = (id: string) => events.findIndex((event) => event.id === id) + 1;
    const shown = () => page.locator('.filters output').innerText();
    const chosen = async () => Number(await page.locator('.row[aria-selected=true] .line').innerText());
    await expect.poll(shown).toBe(`${count} events`);
    expect((await page.locator('.heads').innerText()).split(/\s+/)).toEqual([
      'Line',
      'Offset',
      'Event',
      'Agent',
      'What',
      'Took',
    ]);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(chosen).toBe(2);
    await page.keyboard.press('n');
    const failed = events.findIndex(({ payload }) => payload.outcome === 'error') + 1;
    await expect.poll(chosen).toBe(failed);
    await page.keyboard.press('c');
    const cause = lineOf(events[failed - 1].caused_by);
    await expect.poll(chosen).toBe(cause);
    await page.keyboard.press('e');
    await expect.poll(chosen).toBe(events.findIndex((event) => event.caused_by === events[cause - 1].id) + 1);
    await page.keyboard.press('Escape');
    await page.locator('.pane').waitFor({ state: 'detached' });
    await page.getByLabel('phase').selectOption('act');
    await page.getByLabel('status').selectOption('error');
    const errors = events.filter(({ phase, payload }) => phase === 'act' && payload.outcome === 'error');
    await expect.poll(shown).toBe(`${errors.length} of ${count}`);
    await page.getByLabel('phase').selectOption('');
    await page.getByLabel('status').selectOption('');
    await page.keyboard.press('/');
    await page.keyboard.type('CHK_');
    await expect.poll(shown).toBe(`${stored.filter((line) => line.includes('chk_')).length} of ${count}`);
    await page.keyboard.press('Enter');
    await page.keyboard.press('?');
    expect(await page.locator('dialog').innerText()).toContain('search');
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    expect(opened.noise).toEqual([]);
    await page.context().close();
  });

  inBrowser('shows a hundred thousand events as soon as a few', async (browser) => {
    const count = times(100_000, 20_000);
    const line = (number: number) =>
      JSON.stringify({
        id: `e${number}`,
        type: ['ask', 'think', 'call'][number % 3],
        timestamp: new Date(1_772_442_000_000 + number * 37).toISOString(),
        agent_id: `agent-${number % 7}`,
        caused_by: number > 0 ? `e${number - 1}` : null,
        payload: { step: number, text: `${(number * 2_654_435_761) % 4_294_967_296} of a long run` },
      });
    const text = `${Array.from({ length: count }, (_, number) => line(number)).join('\n')}\n`;
    const log = join(tempDir(), 'long.jsonl');
    writeSettled(log, text);
    const file = await written(['view', log]);
    expect(readFileSync(file).length).toBeLessThan(text.length * 1.3);
    const { page, ...opened } = await OpenedPage.open(browser, file, '#events');
    await page.locator('.row').first().waitFor();
    expect(await page.locator('.row').count()).toBeLessThan(100);
    await page.keyboard.press('End');
    await expect.poll(() => page.locator('.row[aria-selected=true] .line').innerText()).toBe(String(count));
    await page.getByLabel('type').selectOption('call');
    await expect
      .poll(() => page.locator('.filters output').innerText())
      .toBe(`${Math.floor(count / 3).toLocaleString('en')} of ${count.toLocaleString('en')}`);
    expect(opened.noise).toEqual([]);
    await page.locator('#tab-timeline').click();
    await page.locator('canvas').waitFor();
    await page.context().close();
  });
});

describe('the timeline', () => {
  /** A log of calls: when each began, and how long it took, in milliseconds. */
  const calls = (spans: readonly (readonly [start: number, took: number])[]): string => {
    const [first = ''] = readFileSync(TWO_TASKS, 'utf8').split('\n');
    const at = (ms: number) => new Date(Date.parse('2026-03-02T09:00:00Z') + ms).toISOString();
    const record = (number: number, type: string, ms: number, content: object) =>
      JSON.stringify({
        ...JSON.parse(first),
        type,
        uuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
        parentUuid: null,
        timestamp: at(ms),
        message: { role: type, id: `m${number}`, content: [content] },
      });
    const lines = spans.flatMap(
      ([start, took], index) =>
        [
          [
            start,
            record(index * 2, 'assistant', start, {
              type: 'tool_use',
              id: `t${index}`,
              name: 'Bash',
              input: {},
            }),
          ],
          [
            start + took,
            record(index * 2 + 1, 'user', start + took, {
              type: 'tool_result',
              tool_use_id: `t${index}`,
              content: 'x',
            }),
          ],
        ] as const,
    );
    return tempFile(
      lines
        .toSorted(([a], [b]) => a - b)
        .map(([, line]) => `${line}\n`)
        .join(''),
      'x.jsonl',
    );
  };
  const opened = async (browser: Browser, spans: readonly (readonly [number, number])[]) =>
    OpenedPage.open(browser, await written(['view', calls(spans), '--dialect', 'claude-code']), '#timeline');
  const heightOf = async ({ page }: OpenedPage) => (await page.locator('canvas').boundingBox())?.height ?? 0;

  inBrowser.once('puts overlapping spans below each other, and marks steps of a clock', async (browser) => {
    const apart = await opened(browser, [
      [0, 10_000],
      [12_000, 10_000],
      [24_000, 10_000],
    ]);
    const label = ({ page }: OpenedPage) => page.locator('canvas').getAttribute('aria-label');
    expect(await label(apart)).toContain('marks every 5.00 s');
    const together = await opened(browser, [
      [0, 60_000],
      [20_000, 60_000],
      [30_000, 60_000],
    ]);
    expect(await label(together)).toContain('marks every 15.0 s');
    expect((await heightOf(together)) - (await heightOf(apart))).toBe(2 * 18);
    expect([...apart.noise, ...together.noise]).toEqual([]);
    await apart.close();
    await together.close();
  });

  inBrowser('shows the number of events where there is no room for each', async (browser) => {
    const count = times(20_000, 4000);
    const dense = Array.from({ length: count }, (_, at) => [(at * 30_000) / count, 1] as const);
    const sparse = Array.from({ length: 30 }, (_, at) => [30_000 + at * 10_000, 1] as const);
    const timeline = await opened(browser, [...dense, ...sparse]);
    const { page } = timeline;
    await page.locator('canvas').waitFor();
    // The highest column of a colour that no text has, in the first tenth of the axis and in the rest.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const [many, few]: [number, number] = await page.evaluate(`(() => {
        const { width, height } = document.querySelector('canvas');
        const { data } = document.querySelector('canvas').getContext('2d').getImageData(0, 0, width, height);
        const heights = Array.from({ length: width }, (_, x) => Array.from({ length: height }, (_, y) => {
          const [r, g, b] = data.subarray((y * width + x) * 4);
          return Math.max(r, g, b) - Math.min(r, g, b) > 30 ? 1 : 0;
        }).reduce((sum, one) => sum + one));
        const highest = (from, to) => Math.max(...heights.slice(Math.floor(from * width), Math.floor(to * width)));
        return [highest(0.13, 0.2), highest(0.3, 1)];
      })()`);
    expect(few).toBeGreaterThan(0);
    expect(many).toBeGreaterThan(2 * few);
    expect(timeline.noise).toEqual([]);
    await timeline.close();
  });

  inBrowser.once('shows a run in which nothing lasted from its first event to its last', async (browser) => {
    const log = join(SAMPLES, 'atif/continued-v1.5.json');
    const timeline = await OpenedPage.open(browser, await written(['view', log]), '#timeline');
    expect(await timeline.page.locator('canvas').getAttribute('aria-label')).toContain('marks every 1.00 s');
    expect(await timeline.page.locator('.idle').count()).toBe(0);
    await timeline.close();
  });

  inBrowser.once('zooms to the stretch that is selected by a drag', async (browser) => {
    const timeline = await opened(browser, [
      [0, 20_000],
      [30_000, 20_000],
      [60_000, 20_000],
    ]);
    const { page } = timeline;
    const canvas = page.locator('canvas');
    const picture = async () => (await canvas.screenshot()).toString('base64');
    const storyRows = () => page.locator('.timeline .story-row').count();
    const [whole, allRows] = [await picture(), await storyRows()];
    const box = await canvas.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 300, (box?.y ?? 0) + 60];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 100, y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => canvas.getAttribute('aria-label')).toContain('marks every 1.00 s');
    await expect.poll(storyRows).toBeLessThan(allRows);
    await page.mouse.dblclick(x, y);
    await page.keyboard.press('Escape');
    await page.mouse.move(5, 5);
    await expect.poll(picture).toBe(whole);
    expect(timeline.noise).toEqual([]);
    await timeline.close();
  });

  inBrowser.once(
    'draws what a call waited for a person paler than its work, and names both',
    async (browser) => {
      const pale = (page: OpenedPage['page']) => async () =>
        Number(
          await page.evaluate(`(() => {
          const canvas = document.querySelector('canvas');
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          // 40 percent of 255: otherwise only edges of letters are as pale.
          return data.filter((alpha, at) => at % 4 === 3 && alpha === 102).length;
        })()`),
        );
      const waiting = await OpenedPage.open(browser, await written(['view', WAITED]), '#timeline');
      await expect.poll(pale(waiting.page)).toBeGreaterThan(100);
      await waiting.page.getByText('Pale: waiting for you.').waitFor();
      const { stdout } = await noesis(['timeline', WAITED, '-j']);
      const call = stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
        .find(({ kind, waited_ms: waited = 0 }) => kind === 'call' && waited > 60_000);
      await waiting.page.evaluate(`location.hash = '#timeline/' + ${call.result_line}`);
      await waiting.page.locator('.pointed', { hasText: /waited for you/ }).waitFor();
      expect(waiting.noise).toEqual([]);
      await waiting.close();
      const allowed = await opened(browser, [[0, 5000]]);
      expect(await pale(allowed.page)()).toBeLessThan(50);
      expect(await allowed.page.getByText('Pale:').count()).toBe(0);
      await allowed.close();
    },
  );

  inBrowser.once('is zoomed, moved and clicked', async (browser) => {
    const { page, ...opened } = await OpenedPage.open(browser, await written(['view', RESUMED]), '#timeline');
    const canvas = page.locator('canvas');
    const picture = async () => (await canvas.screenshot()).toString('base64');
    const whole = await picture();
    await page.keyboard.press('+');
    await expect.poll(picture).not.toBe(whole);
    await page.keyboard.press('0');
    await expect.poll(picture).toBe(whole);
    await canvas.hover({ position: { x: 400, y: 200 } });
    await page.mouse.wheel(0, -400);
    await expect.poll(picture).not.toBe(whole);
    await page.getByRole('button', { name: 'All' }).click();
    await page.keyboard.press('j');
    await page.keyboard.press('n');
    await page.locator('.pane').waitFor();
    const plain = await picture();
    await page.keyboard.press('a');
    await expect.poll(picture).not.toBe(plain);
    expect(opened.noise).toEqual([]);
    await page.context().close();
  });
});

const STATES: readonly (readonly [string, string, string?])[] = [
  ['noesis', RESUMED],
  ['exarchos', join(OTHERS, 'exarchos', 'checkout.events.jsonl')],
  ['exarchos, as its program wrote it', join(SAMPLES, 'exarchos', 'demo-feature.events.jsonl')],
  ['fishbowl', join(OTHERS, 'fishbowl', 'ledger.jsonl')],
  ['coordinator', join(SAMPLES, 'coordinator', 'nested-two-sessions.jsonl')],
  [
    'claude-code',
    join(
      SAMPLES,
      'claude-code',
      'projects',
      '-home-usr-project',
      '03eb5929-52b3-4b13-ada3-b93ae35806b8.jsonl',
    ),
  ],
  ['codex', CODEX],
  ['copilot', join(SAMPLES, 'copilot', 'session-state', '4e847a81-138a-4613-9f96-49673e91c9c3')],
];

describe('the state at any event', () => {
  for (const [name, target] of sampled(STATES, 2)) {
    inBrowser(`is what project --at says: ${name}`, async (browser) => {
      const opened = await OpenedPage.open(browser, await written(['view', target]), '#state');
      const { page } = opened;
      const count = Number(await page.getByLabel('event', { exact: true }).getAttribute('max')) + 1;
      // From the last one back and forth: earlier states are rebuilt.
      for (const row of [
        count - 1,
        Math.floor(count / 2),
        Math.floor(count / 2) - 1,
        0,
        Math.floor(count / 3),
      ]) {
        await page.getByLabel('event', { exact: true }).fill(String(row));
        await page.locator(`[data-row="${row}"]`).waitFor();
        const line = Number(await page.locator('.travel .line').innerText());
        await page.locator('.states summary').click();
        const { stdout } = await noesis(['project', target, '--at', String(line), '-j']);
        const state = await opened.longText('.states details pre');
        expect(JSON.parse(state), `line ${line}`).toEqual(JSON.parse(stdout));
      }
      expect(opened.noise).toEqual([]);
      await opened.close();
    });
  }

  inBrowser.once('says what an event changed in it', async (browser) => {
    const stateAt = async (line: number) =>
      (await noesis(['project', RESUMED, '--at', String(line), '-j'])).stdout;
    const [first, last] = [10, 16];
    const states = await Promise.all(
      Array.from({ length: last - first + 1 }, (_, at) => stateAt(first + at)),
    );
    const changes = states.flatMap((state, at) => (at > 0 && state !== states[at - 1] ? [first + at] : []));
    const [one = 0, two = 0] = changes;
    expect(two).toBeGreaterThan(one);

    const { page, ...opened } = await OpenedPage.open(
      browser,
      await written(['view', RESUMED]),
      `#state/${first}`,
    );
    // A line is a row here: no line is blank.
    const isAt = (line: number) => page.locator(`[data-row="${line - 1}"][aria-busy=false]`).waitFor();
    await isAt(first);
    for (const [key, line] of [
      [']', one],
      [']', two],
      ['[', one],
    ] as const) {
      await page.keyboard.press(key);
      await isAt(line);
      expect(await page.locator('.changes li').count()).toBeGreaterThan(0);
    }
    await page.keyboard.press('ArrowRight');
    await isAt(one + 1);
    const isChange = changes.includes(one + 1);
    expect((await page.locator('.states').innerText()).includes('changed nothing')).toBe(!isChange);
    expect(opened.noise).toEqual([]);
    await page.context().close();
  });
});

describe('the lines that a sentence names', () => {
  inBrowser.once('are links, in points of the story and in messages of findings', async (browser) => {
    const vetoed = await OpenedPage.open(browser, await written(['view', VETOED]));
    const point = vetoed.page.locator('.point', { hasText: 'veto by' });
    const line = /line (\d+)$/.exec(await point.innerText())?.[1];
    await point.locator('a').click();
    await expect.poll(() => vetoed.text('.pane h2')).toMatch(new RegExp(`line ${line}$`));
    await vetoed.close();

    const opened = await OpenedPage.open(browser, await written(['view', CODEX]), '#findings');
    await opened.page.getByRole('link', { name: 'line 15' }).click();
    await expect.poll(() => opened.text('.row[aria-selected=true] .line')).toBe('15');
    expect(opened.noise).toEqual([]);
    await opened.close();
  });

  inBrowser.once('stay text where a message quotes a log', async (browser) => {
    const phases = ['see line 3', '` see line 4'];
    const quoted = phases.map((phase) =>
      JSON.stringify({ id: phase, timestamp: '2026-03-02T09:00:00Z', phase }),
    );
    const file = await written(['view', tempFile(`${quoted.join('\n')}\n`), '--dialect', 'noesis']);
    const opened = await OpenedPage.open(browser, file, '#findings');
    for (const hasText of ['`see line 3`', '"` see line 4"']) {
      const message = opened.page.locator('.finding p', { hasText });
      await message.first().waitFor();
      expect(await message.locator('a').count()).toBe(0);
    }
    await opened.close();
  });
});

describe('a finding', () => {
  inBrowser.once('is shown at its event', async (browser) => {
    const log = join(DAMAGED, 'edited-log', 'ep_01KJPWD6M0GKJVH2GKEFTDNN55');
    const opened = await OpenedPage.open(browser, await written(['view', log]), '#findings');
    expect(await opened.text('.finding code')).toMatch(/^[a-z]+\/[a-z-]+$/);
    expect(await opened.text('.findings')).toContain('consistent: the seal is not valid, so files may have');
    await opened.page.getByRole('button', { name: 'What this means' }).first().click();
    await expect.poll(() => opened.text('.finding')).toContain('Why it matters');
    await opened.close();
  });

  inBrowser.once('is next to the stages that concern the log, each reason once', async (browser) => {
    const log = join(SAMPLES, 'claude-code/damaged/nul-and-torn.jsonl');
    const opened = await OpenedPage.open(browser, await written(['view', log], 1), '#findings');
    const stages = await opened.text('.stages');
    expect(stages).toMatch(
      /^✓ checked: log\s+✓ checked: events, lineage, consistency the log is damaged: [^✓–]*$/,
    );
    await opened.go('story');
    expect(await opened.text('.banner')).toContain('. 1 more line is damaged too. ');
    expect(await opened.text('.turns')).toContain('1 damaged line');
    const labels = await opened.page.locator('.axis .unseen').allInnerTexts();
    expect(labels.filter((label) => /^damaged line \d+: /.test(label))).toHaveLength(2);
    expect(labels.join('\n')).not.toMatch(/failed: .*damaged line/);
    expect(await opened.text('.story-head')).toMatch(/\d events, 2 damaged lines, [\d,]+ bytes/);
    await opened.close();
  });

  inBrowser.once(
    'that has no end: a call without a result is grey, and the head says when it was left',
    async (browser) => {
      const log = join(tempDir(), 'open.jsonl');
      const name = 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl';
      writeFileSync(log, readFileSync(join(SAMPLES, name)));
      const opened = await OpenedPage.open(browser, await written(['view', log]), '#timeline');
      expect(await opened.text('.idle')).toContain('Grey: without an end or a result.');
      await opened.go('story');
      expect(await opened.text('.story-head')).toMatch(
        /the log does not say that it ended; its last event is of \d{4}-\d\d-\d\d /,
      );
      const ended = join(
        SAMPLES,
        'claude-code/projects/-home-usr-w-330-sub/adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1.jsonl',
      );
      const other = await OpenedPage.open(browser, await written(['view', ended]), '#timeline');
      expect(await other.page.locator('.idle').allInnerTexts()).not.toContainEqual(
        expect.stringContaining('Grey'),
      );
      for (const one of [opened, other]) await one.close();
    },
  );

  inBrowser.once(
    'of a corrupt log is in its place, and the story of the intact records is under a banner',
    async (browser) => {
      const log = join(DAMAGED, 'bad-json', 'ep_01KJPWD6M0GKJVH2GKEFTDNN55');
      const opened = await OpenedPage.open(browser, await written(['view', log], 1));
      expect(await opened.text('.banner')).toMatch(
        /^line \d+ is damaged: .*\. What was on this line is missing here, and numbers may be too low\. Everything else is shown as the log has it\.$/,
      );
      expect(await opened.page.locator('.banner a').getAttribute('href')).toMatch(/^#events\/\d+$/);
      expect(await opened.page.locator('#tab-state').count()).toBe(0);
      expect(await opened.page.locator('.story-row').last().innerText()).toContain('calls');
      await opened.go('findings');
      await opened.page.locator('.finding header a').first().click();
      await expect.poll(() => opened.text('.row[aria-selected=true]')).toContain('damaged line');
      expect(opened.noise).toEqual([]);
      await opened.close();
    },
  );
});

describe('a hostile trace', () => {
  inBrowser.once('stays text, wherever it is shown', async (browser) => {
    const file = await written(['view', tempFile(hostileLog())]);
    const html = readFileSync(file, 'latin1');
    expect(html).not.toContain('<img');
    expect(html.match(/<\/script>/g)).toHaveLength(3);
    const opened = await OpenedPage.open(browser, file);
    const { page } = opened;
    expect(await opened.text('h1')).toBe(`${MARKUP} ${LINK} safe\\u{202e}txt.exe`);
    for (const view of ['story', 'timeline', 'events', 'state', 'findings']) {
      await opened.go(view);
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))');
      expect(
        await page.locator('img, svg, iframe, [onerror], [onload], a[href]:not([href^="#"])').count(),
        view,
      ).toBe(0);
      // Characters that reorder or hide text are nowhere in the document.
      expect(
        await page.evaluate('/[\\u202a-\\u202e\\u2066-\\u2069\\ufeff]/.test(document.body.textContent)'),
      ).toBe(false);
    }
    await opened.go('events');
    for (let row = 0; row < 6; row += 1) {
      await page.locator('.row').nth(row).click();
      await page.locator('.pane').waitFor();
    }
    await expect.poll(() => page.locator('.pane .json').innerText()).toContain('1e400');
    await page.locator('.row').nth(2).click();
    // Ten million characters are given a few at a time.
    await expect.poll(() => page.locator('.pane').innerText()).toContain('characters more');
    expect((await page.locator('.pane').innerText()).length).toBeLessThan(20_000);
    expect(await page.evaluate('({}).pwned')).toBeUndefined();
    expect(opened.noise).toEqual([]);
    await opened.close();
  });

  inBrowser.once('cannot run or load anything, even if it were not escaped', async (browser) => {
    const opened = await OpenedPage.open(browser, await written(['view', RESUMED]));
    await opened.page.evaluate(`(() => {
      globalThis.seen = [];
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => seen.push(effectiveDirective));
      try { document.body.innerHTML = '<img src=x onerror=alert(1)>'; } catch (error) { seen.push(error.name); }
      const script = document.createElement('img');
      script.src = 'https://example.invalid/x.png';
      document.body.append(script);
      fetch('https://example.invalid/').catch(() => {});
    })()`);
    const blocked = () => opened.page.evaluate('seen');
    await expect.poll(blocked).toEqual(expect.arrayContaining(['TypeError', 'img-src', 'connect-src']));
    await opened.close();
  });
});

describe('two runs', () => {
  inBrowser.once('are side by side, with their differences', async (browser) => {
    const run = await noesis(['diff', RESUMED, VETOED, '-j']);
    const { counts } = JSON.parse(run.stdout);
    const opened = await OpenedPage.open(browser, await written(['view', RESUMED, VETOED]));
    const { page } = opened;
    const facts = (await page.locator('.facts-row').innerText()).split(/\n+/);
    for (const [word, kind] of [
      ['same', 'same'],
      ['changed', 'changed'],
      ['only in A', 'missing'],
      ['only in B', 'added'],
    ] as const)
      expect(facts[facts.indexOf(word) + 1], word).toBe(String(counts[kind]));
    const rows = await page.evaluate(`[...document.querySelectorAll('.runs tbody tr')].map((row) => ({
      differs: row.cells[1].innerText !== row.cells[2].innerText,
      isMarked: row.querySelector('[aria-label=changed]') !== null,
    }))`);
    const differ = (rows as { differs: boolean; isMarked: boolean }[]).map(({ differs }) => differs);
    expect(new Set(differ)).toEqual(new Set([true, false]));
    expect(rows).toEqual(differ.map((differs) => ({ differs, isMarked: differs })));
    await page.getByText('A and B differ in this row.').waitFor();
    expect(await opened.text('.what-they-did')).toMatch(/Outcome\s+1 in B only\s+B, line 7\s+veto Task/);
    expect(await page.locator('.parting .step').count()).toBe(2);
    const done = page.locator('.what-they-did .step');
    await expect
      .poll(() => done.first().innerText())
      .toMatch(/A, line 7\s+adapter:core\.minimal Copy all rows/);
    await done.first().locator('button').click();
    await expect.poll(() => page.locator('.row[aria-selected=true] .line').first().innerText()).toBe('7');
    await opened.go('summary');
    expect(facts[facts.indexOf('First difference') + 1]).toMatch(/^[≠−+] \w+, line \d+ of [AB]$/);
    expect(await opened.faults()).toEqual([]);
    await page.locator('.facts-row .link').click();
    await page.locator('.pane').waitFor();
    expect(await opened.faults()).toEqual([]);
    await page.keyboard.press('d');
    const differing = counts.changed + counts.missing + counts.added;
    await expect
      .poll(() => page.locator('.filters output').innerText())
      .toBe(counts.same === 0 ? `${differing} rows` : `${differing} of ${differing + counts.same} rows`);
    expect(opened.noise).toEqual([]);
    await opened.close();
  });

  inBrowser.once('have their titles in the head, or the title that both have once', async (browser) => {
    const log = join(
      SAMPLES,
      'claude-code/projects/-home-usr-demo-site/b25638d7-b104-4f06-a797-70ac33d069ed.jsonl',
    );
    const copy = tempFile(readFileSync(log, 'utf8').replaceAll('Grep', 'Glob'), 'copy.jsonl');
    const one = await OpenedPage.open(browser, await written(['view', log, copy]));
    expect(await one.text('h1')).toMatch(/^A and B (?!.*\band B ).*not supported by Chrome/);
    await one.close();
    const two = await OpenedPage.open(browser, await written(['view', RESUMED, VETOED]));
    expect(await two.text('h1')).toMatch(/^A \S.* and B \S/);
    await two.close();
  });

  inBrowser.once('have one colour for each kind of pair, wherever the list is opened', async (browser) => {
    const sessions = [
      'demo-site/b25638d7-b104-4f06-a797-70ac33d069ed',
      'git-sync/665c2e57-8c9f-4dd8-ba40-05c63f801620',
    ];
    const logs = sessions.map((name) => join(SAMPLES, `claude-code/projects/-home-usr-${name}.jsonl`));
    const opened = await OpenedPage.open(browser, await written(['view', ...logs]), '#events/30');
    const { page } = opened;
    await page.locator('.row[aria-selected=true]').waitFor();
    const looks = `[...new Set([...document.querySelectorAll('.mark')].map(
      (mark) => mark.textContent + getComputedStyle(mark).color))].map(([sign]) => sign).sort().join('')`;
    expect(await page.evaluate(looks)).toBe('+−≠');
    await opened.close();
  });

  inBrowser.once('fit on a phone, however long their names are', async (browser) => {
    const file = await written(['view', RESUMED, VETOED]);
    const opened = await OpenedPage.open(browser, file, '', { width: 390, colours: 'dark' });
    const { page } = opened;
    const inside = (box: string) =>
      page.evaluate(`[...document.querySelectorAll('${box} td, ${box} th')].filter(
        (one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth).length`);
    expect([await opened.overflow(), await inside('.runs')]).toEqual([0, 0]);
    await page.locator('.facts-row .link').click();
    await page.locator('.pane').waitFor();
    // The new value is after its arrow.
    const sides = `[...document.querySelectorAll('.pane .changes .after')].map(
      (after) => after.getBoundingClientRect().top - after.previousSibling.getBoundingClientRect().top)`;
    expect(await page.evaluate(`${sides}.filter((distance) => Math.abs(distance) > 4).length`)).toBe(0);
    await opened.close();
  });
});

const FACING = LOOKS.filter(({ width, colours }) => (width === 390) === (colours === 'dark'));

describe('the report of many episodes', () => {
  for (const look of sampled(FACING, 1)) {
    inBrowser(`leads to the page of each: ${look.width} pixels, ${look.colours}`, async (browser) => {
      const folder = tempDir();
      const [file, views] = [join(folder, 'report.html'), join(folder, 'pages of runs')];
      const run = await noesis(['verify', DAMAGED, '-f', 'html', '-o', file, '--views', views]);
      expect(run.code).toBe(1);
      const opened = await OpenedPage.open(browser, file, '', look);
      const { page } = opened;
      expect(await opened.text('.facts-row')).toMatch(/Failed\s+8/);
      // Faults are shown before anything is opened.
      expect(await page.locator('.episode .codes li').first().innerText()).toMatch(/^\w+\/[\w-]+ [A-Z]\w+ /);
      await page.locator('.episode .link').first().click();
      await page.locator('.finding').first().waitFor();
      expect(await opened.faults()).toEqual([]);
      expect(await opened.overflow()).toBeLessThanOrEqual(0);
      await page.getByLabel('code').selectOption('log/invalid-json');
      await expect.poll(() => page.locator('.filters output').innerText()).toMatch(/^[1-3] of 8$/);
      await page.locator('.episode a').first().click();
      await page.locator('#tab-story').waitFor();
      expect(page.url()).toContain('pages%20of%20runs');
      expect(opened.noise).toEqual([]);
      await opened.close();
    });
  }
});
