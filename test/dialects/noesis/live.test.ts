import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { lookAgain } from '../../../src/dialects/noesis/files/live.ts';
import { verifyNoesis } from '../../../src/dialects/noesis/verify.ts';
import { DEFAULT_VERIFY_OPTIONS } from '../../../src/findings/options.ts';
import type { EpisodeReport } from '../../../src/findings/report.ts';
import { sampled } from '../../support/length.ts';
import { realEpisodes } from '../../support/runtime-episodes.ts';
import { tempDir } from '../../support/temp.ts';

/** How often a look waited for a writer. */
const pauses = vi.hoisted(() => ({ count: 0 }));
vi.mock('node:timers/promises', async (original) => {
  const timers = await original<typeof import('node:timers/promises')>();
  const setTimeout: typeof timers.setTimeout = (...given) => {
    pauses.count += 1;
    return timers.setTimeout(...given);
  };
  return { ...timers, setTimeout };
});

const WRITER = fileURLToPath(new URL('../../support/live-writer.mjs', import.meta.url));

const verify = (dir: string, policy = DEFAULT_VERIFY_OPTIONS.policy) =>
  verifyNoesis(
    { name: basename(dir), dir, log: join(dir, 'events.jsonl') },
    { ...DEFAULT_VERIFY_OPTIONS, policy },
  );

const inShort = ({ findings }: EpisodeReport) => findings.map(({ severity, code }) => `${severity} ${code}`);
const alarms = (report: EpisodeReport) =>
  report.findings
    .filter(({ severity }) => severity !== 'info')
    .map(({ code, file, message }) => `${code} ${file}: ${message}`);

/** After so long without a change somebody who looks takes the writer for gone. */
const SILENCE_MS = 140;

/** A look at an episode: when it began and ended, and its errors and warnings. */
interface Look {
  readonly from: number;
  readonly to: number;
  readonly alarms: readonly string[];
}

/** Whether a process stood still for long during a look: it steps every 10 ms, unless the machine is at other work. */
const stoodStill = (steps: readonly number[], { from, to }: Look): boolean =>
  steps.some(
    (at, index) => at - (steps[index - 1] ?? at) > SILENCE_MS && at > from && (steps[index - 1] ?? at) < to,
  );

/** Sealed episodes of both cores, with tools that fail, decisions, prompts and vetoes. */
const SOURCES = realEpisodes().filter(({ name }) =>
  [
    'produced/gov-enforce-allow-adapter',
    'produced/gov-enforce-veto',
    'produced/failed-tool',
    'produced/prompts-full',
    'newest/new-allow',
    'newest/new-meta',
  ].includes(name),
);

describe('while a process writes an episode as the runtime does', () => {
  test.each(sampled([3, 10], 1))(
    'no look at it gives an error or a warning (%d ms between its steps)',
    async (pause) => {
      expect(SOURCES.length).toBe(6);
      const dirs = SOURCES.map(({ dir }) => dir);
      const alarmsSeen = new Set<string>();
      let judged = 0;
      const unsealed = new Set<number>();
      // The writer has another go, and takes more time, where it was done before anybody had looked, or where the machine
      // was busy during every look.
      for (let wait = pause; unsealed.size === 0 || judged === 0; wait *= 2) {
        const to = tempDir();
        const writer = spawn(process.execPath, [WRITER, to, String(wait), ...dirs], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let written = '';
        writer.stdout.setEncoding('utf8').on('data', (text: string) => {
          written += text;
        });
        const looks: Look[] = [];
        const ticks: number[] = [];
        const ticking = setInterval(() => ticks.push(Date.now()), 10);
        const ended = once(writer, 'close');
        for (const { id } of SOURCES) {
          const dir = join(to, id);
          while (!existsSync(join(dir, 'events.jsonl')))
            await new Promise((resolve) => setTimeout(resolve, 1));
          let report: EpisodeReport;
          do {
            const from = Date.now();
            report = await verify(dir);
            looks.push({ from, to: Date.now(), alarms: alarms(report) });
            if (!report.sealed) unsealed.add(report.events);
          } while (!existsSync(join(dir, 'manifest.json')));
        }
        expect(await ended).toEqual([0, null]);
        clearInterval(ticking);
        const steps = written.trimEnd().split('\n').map(Number);
        for (const look of looks.filter((one) => !stoodStill(steps, one) && !stoodStill(ticks, one))) {
          judged += 1;
          for (const alarm of look.alarms) alarmsSeen.add(alarm);
        }
      }
      expect([...alarmsSeen]).toEqual([]);
    },
    120_000,
  );
});

describe('an episode whose writer is gone', () => {
  /** A copy of a sealed episode, its files of this very moment. */
  function copy(): string {
    const source = SOURCES.find(({ name }) => name === 'newest/new-allow');
    const dir = join(tempDir(), source?.id ?? '');
    cpSync(source?.dir ?? '', dir, { recursive: true });
    return dir;
  }

  test('gets all its findings, although its files are new', async () => {
    const dir = copy();
    rmSync(join(dir, 'manifest.json'));
    pauses.count = 0;
    expect(inShort(await verify(dir))).toContain('error seal/incomplete');
    expect(pauses.count).toBeGreaterThan(0);
    const log = join(dir, 'events.jsonl');
    rmSync(join(dir, 'final.json'));
    truncateSync(log, readFileSync(log).length - 7);
    expect(inShort(await verify(dir))).toContain('error log/truncated');
  });

  test('is not waited for when it is older than a second, or nothing is wrong', async () => {
    const dir = copy();
    rmSync(join(dir, 'manifest.json'));
    const past = new Date(Date.now() - 60_000);
    for (const name of ['events.jsonl', 'final.json', 'state.json', 'summary.json', 'learn.jsonl', '.'])
      utimesSync(join(dir, name), past, past);
    pauses.count = 0;
    expect(inShort(await verify(dir))).toContain('error seal/incomplete');
    expect(pauses.count).toBe(0);
  });
});

describe('a writer that does not stop', () => {
  async function busy<Seen>(dir: string, use: () => Promise<Seen>): Promise<Seen> {
    const timer = setInterval(() => appendFileSync(join(dir, 'note'), 'x'), 5);
    try {
      return await use();
    } finally {
      clearInterval(timer);
    }
  }

  function torn(): string {
    const source = SOURCES.find(({ name }) => name === 'newest/new-allow');
    const dir = join(tempDir(), source?.id ?? '');
    mkdirSync(dir);
    const log = readFileSync(join(source?.dir ?? '', 'events.jsonl'));
    writeFileSync(join(dir, 'events.jsonl'), log.subarray(0, log.indexOf('\n', 900) + 100));
    return dir;
  }

  test('is reported as open, and its unfinished files are not defects', async () => {
    const dir = torn();
    expect(inShort(await busy(dir, () => verify(dir)))).toContain('info seal/open');
    expect(alarms(await busy(dir, () => verify(dir)))).toEqual([]);
    expect(inShort(await verify(dir))).toContain('error log/truncated');
  });

  test('is awaited also between the two files of a seal', async () => {
    const dir = torn();
    writeFileSync(join(dir, 'final.json'), '{}');
    const said = inShort(await busy(dir, () => verify(dir)));
    expect(said).toContain('info seal/open');
    expect(said).not.toContain('error seal/incomplete');
  });

  test('does not excuse a missing seal that is required, or damage that no writer causes', async () => {
    const dir = torn();
    const strict = { ...DEFAULT_VERIFY_OPTIONS.policy, requireSeal: true };
    expect(inShort(await busy(dir, () => verify(dir, strict)))).toContain('error seal/missing');
    writeFileSync(join(dir, 'events.jsonl'), '{"id":"a"}\n{"id":"a"}\n');
    expect(inShort(await busy(dir, () => verify(dir)))).toContain('error event/duplicate-id');
  });
});

test('a log that is truncated while it is read is reported, even if the next look would find it intact', async () => {
  const dir = join(tempDir(), 'ep_1');
  mkdirSync(dir);
  const log = join(dir, 'events.jsonl');
  const line = (id: string) => `${JSON.stringify({ id, phase: 'start', payload: {} })}\n`;
  writeFileSync(log, line('a') + line('b').repeat(100_000));
  const onBytes = () => truncateSync(log, line('a').length);
  const report = await verifyNoesis({ name: 'ep_1', dir, log }, { ...DEFAULT_VERIFY_OPTIONS, onBytes });
  expect(inShort(report)).toContain('error log/changed');
});

test('a folder that disappears while it is checked is not awaited', async () => {
  const dir = tempDir();
  writeFileSync(join(dir, 'events.jsonl'), '');
  const report = { ...(await verify(dir)), verdict: 'warn' } as const;
  let looks = 0;
  const target = { name: 'ep', dir, log: join(dir, 'events.jsonl') };
  const seen = await lookAgain(target, async () => {
    looks += 1;
    rmSync(dir, { recursive: true });
    return report;
  });
  expect([seen, looks]).toEqual([report, 1]);
});

test('a file that disappears after the first listing is a change, after which the next one is awaited', async () => {
  const dir = tempDir();
  writeFileSync(join(dir, 'events.jsonl'), '');
  const report = { ...(await verify(dir)), verdict: 'warn' } as const;
  writeFileSync(join(dir, 'note'), '');
  let asked = 0;
  const target = {
    name: 'ep',
    log: join(dir, 'events.jsonl'),
    get dir() {
      asked += 1;
      if (asked === 2) rmSync(join(dir, 'note'));
      return dir;
    },
  };
  const looks: string[][] = [];
  await lookAgain(target, async ({ open, listing }) => {
    expect(open).toBe(false);
    looks.push(listing.files.map(({ name }) => name));
    return report;
  });
  expect(looks).toEqual([['events.jsonl', 'note'], ['events.jsonl']]);
});

test('a file that appears after the first listing is a change, which the next look notices', async () => {
  const dir = tempDir();
  const log = join(dir, 'events.jsonl');
  writeFileSync(log, '');
  let asked = 0;
  const target = {
    name: 'ep',
    log,
    get dir() {
      asked += 1;
      if (asked === 2) writeFileSync(join(dir, 'state.json'), '{}');
      return dir;
    },
  };
  const looks: string[][] = [];
  const report = await verify(dir);
  await lookAgain(target, async ({ listing }) => {
    const names = listing.files.map(({ name }) => name);
    looks.push(names);
    return { ...report, verdict: names.includes('state.json') ? 'ok' : 'warn' };
  });
  expect(looks).toEqual([['events.jsonl'], ['events.jsonl', 'state.json']]);
});
