import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import { entriesOf, makeTar, makeZip, makeZstd } from '../support/archives.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const CLAUDE = '-home-usr-shop/abc00041-0000-4000-8000-000003dfd240.jsonl';
const CODEX = 'rollout-2026-09-01T09-00-00-019f0000-0000-7000-8000-00000000000a.jsonl';
const SEGMENTS = 'rollout-2026-09-01T09-00-00-019f1111-0000-7000-8000-00000000000a.jsonl';
const GEMINI = 'chats/session-2026-11-23T10-00-0a1b2c3d.jsonl';

/** For each dialect that has parts: writes a session with parts to a folder, and returns the name of its log. */
const SESSIONS: Readonly<Record<string, (folder: string) => string>> = {
  'Claude Code': (folder) => {
    cpSync(join(SAMPLES, 'parts/claude-code/projects'), folder, { recursive: true });
    return CLAUDE;
  },
  'a Codex thread with a thread that it started': (folder) => {
    cpSync(join(SAMPLES, 'parts/codex-child'), folder, { recursive: true });
    return readdirSync(folder).includes(CODEX) ? CODEX : '';
  },
  'a Codex thread in several logs': (folder) => {
    cpSync(join(SAMPLES, 'parts/codex-segments/sessions/2026/09/01'), folder, { recursive: true });
    return SEGMENTS;
  },
  'Gemini CLI': (folder) => {
    const sample = join(SAMPLES, 'gemini/resumed-0.61.0.jsonl');
    cpSync(sample, join(folder, GEMINI));
    cpSync(sample, join(folder, 'chats/0a1b2c3d-0000-4000-8000-000000000001/agent1.jsonl'));
    return GEMINI;
  },
};

type Compress = (bytes: Buffer) => Buffer | Promise<Buffer>;

async function compressIn(
  folder: string,
  ending: string,
  compress: Compress,
  which: (name: string) => boolean,
) {
  for (const { name, content } of entriesOf(folder)) {
    if (content === undefined || !which(name)) continue;
    writeFileSync(join(folder, name + ending), await compress(Buffer.from(content)));
    rmSync(join(folder, name));
  }
}

/** Ways to pack a session in a folder. Each returns the path of the log then. */
const FORMS: Readonly<Record<string, (cwd: string, log: string) => Promise<string>>> = {
  'everything as gzip': async (cwd, log) => {
    await compressIn(join(cwd, 's'), '.gz', gzipSync, () => true);
    return `s/${log}.gz`;
  },
  'everything as zstd': async (cwd, log) => {
    await compressIn(join(cwd, 's'), '.zst', makeZstd, () => true);
    return `s/${log}.zst`;
  },
  'the log of the session': async (cwd, log) => {
    await compressIn(join(cwd, 's'), '.gz', gzipSync, (name) => name === log);
    return `s/${log}.gz`;
  },
  'the logs of the parts': async (cwd, log) => {
    await compressIn(join(cwd, 's'), '.gz', gzipSync, (name) => name !== log);
    return `s/${log}`;
  },
  'a tar': async (cwd, log) => {
    writeFileSync(join(cwd, 's.tar'), await makeTar(entriesOf(join(cwd, 's'))));
    return `s.tar/${log}`;
  },
  'a zip of compressed logs': async (cwd, log) => {
    await compressIn(join(cwd, 's'), '.gz', gzipSync, () => true);
    writeFileSync(join(cwd, 's.zip'), makeZip(entriesOf(join(cwd, 's'))));
    return `s.zip/${log}.gz`;
  },
};

/** Names as they are without packing. */
const asPlain = (text: string): string =>
  text.replaceAll(/\bs\.(?:tar|zip)\//g, 's/').replaceAll(/(\.jsonl)\.(?:gz|zst)\b/g, '$1');

/** What commands say of a run. */
async function answers(cwd: string, target: string) {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere(args, { cwd, env: { NO_COLOR: '1' } });
    expect(stdout + stderr).not.toMatch(/\/noesis-(?!test-)/);
    const named = (text: string) => asPlain(text.replaceAll(`${cwd}/`, ''));
    return { code, stdout: named(stdout), stderr: named(stderr) };
  };
  const out = tempDir();
  const redacted = await run('redact', target, '-o', join(out, 'copy'));
  const copied = entriesOf(out).flatMap(({ name, content }) => (content === undefined ? [] : name));
  expect(copied.length).toBeGreaterThan(1);
  const report = await run('verify', '-j', target);
  const { episodes } = JSON.parse(report.stdout) as VerifyReport;
  return {
    list: (await run('list', '-j', dirname(target))).stdout.replaceAll(/"log_bytes": \d+,?/g, ''),
    show: await run('show', target),
    read: await run('read', '-j', target),
    events: await run('events', '--failed', target),
    timeline: await run('timeline', '-j', target),
    stats: await run('stats', '--by', 'tool', target),
    search: await run('search', 'e', '-j', target),
    changes: await run('show', '--changes', target),
    verify: episodes.map(({ episode: _, findings, ...about }) => ({
      ...about,
      findings: findings.filter(({ code }) => code !== 'archive/compressed-log'),
    })),
    redact: [redacted.code, copied.map((name) => [name, readFileSync(join(out, name), 'utf8')])],
  };
}

describe.each(Object.entries(SESSIONS))('%s', (_name, write) => {
  const plain = tempDir();
  const log = write(join(plain, 's'));
  const expected = answers(plain, `s/${log}`);

  test.each(Object.entries(FORMS))(
    'packed as %s is the same run with the same parts',
    async (_form, pack) => {
      const cwd = tempDir();
      write(join(cwd, 's'));
      const target = await pack(cwd, log);
      expect(await answers(cwd, target)).toEqual(await expected);
      // The folder has one run, whose parts are not runs of their own.
      const { stdout } = await runHere(['list', '-q', target.split('/')[0] ?? ''], { cwd });
      expect(stdout.trim().split('\n').map(asPlain)).toEqual([`s/${log}`]);
    },
  );
});

const PART = '-home-usr-shop/abc00041-0000-4000-8000-000003dfd240/subagents/agent-abcd123.jsonl';

/** A home with the session of Claude Code whose subagent is compressed. */
function homeWithPackedPart(): string {
  const home = tempDir();
  cpSync(join(SAMPLES, 'parts/claude-code/projects'), join(home, '.claude/projects'), { recursive: true });
  const part = join(home, '.claude/projects', PART);
  writeFileSync(`${part}.gz`, gzipSync(readFileSync(part)));
  return home;
}

test('of several forms of the log of a part, the plain one belongs to the run', async () => {
  const home = homeWithPackedPart();
  const here = { home, cwd: join(home, '.claude/projects') };
  const { stdout } = await runHere(['list', '-q', '.'], here);
  expect(stdout.trim().split('\n').sort()).toEqual(['abc00041-0000-4000-8000-000003dfd240', 'agent-abcd123']);
  const tools = async () => (await runHere(['stats', '-j', CLAUDE], here)).stdout;
  const both = await tools();
  rmSync(join(home, '.claude/projects', `${PART}.gz`));
  expect(await tools()).toBe(both);
});

test('a compressed part is found by its id, and one that cannot be unpacked is reported', async () => {
  const home = homeWithPackedPart();
  const here = { home, cwd: home };
  const part = join(home, '.claude/projects', PART);
  rmSync(part);
  for (const target of ['abcd123', 'latest']) {
    const { code, stdout } = await runHere(['events', '--failed', target], here);
    expect([target, code, stdout]).toEqual([target, 0, expect.stringContaining('exit 1')]);
  }
  writeFileSync(`${part}.gz`, readFileSync(`${part}.gz`).subarray(0, -20));
  const { code, stdout } = await runHere(['verify', '-j', join('.claude/projects', CLAUDE)], here);
  const { episodes } = JSON.parse(stdout) as VerifyReport;
  expect([code, episodes.map(({ verdict }) => verdict).sort()]).toEqual([1, ['fail', 'ok']]);
  const shown = await runHere(['show', join('.claude/projects', CLAUDE)], here);
  expect([shown.code, shown.stderr]).toEqual([3, expect.stringContaining('agent-abcd123.jsonl.gz')]);
});
