import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_DOCUMENT_BYTES } from '../../src/base/json/limits.ts';
import type { EventCheck } from '../../src/findings/check.ts';
import { Findings } from '../../src/findings/findings.ts';
import { checkLog } from '../../src/findings/log-stage.ts';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import type { EpisodeReport } from '../../src/findings/report.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import { MAX_LINE_BYTES } from '../../src/log/limits.ts';
import { AS_STORED } from '../../src/log/log-form.ts';
import { type EpisodeShape, simulateEpisode, writeEpisode } from '../support/simulator/episode.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const brief = ({ findings }: Pick<EpisodeReport, 'findings'>) =>
  findings.map(
    ({ severity, code, file, line }) => `${severity} ${code} ${file}${line === undefined ? '' : `:${line}`}`,
  );

const episodeAt = (shape: EpisodeShape = {}) =>
  writeEpisode(tempDir(), simulateEpisode({ seed: 71, acts: 1, ...shape }));

describe('log/growing', () => {
  test('the verdict is for the length at the start, and a torn last line may still be being written', async () => {
    const path = tempFile('{"id":"a"}\n{"id":"b"}\n{"id":');
    const findings = new Findings(DEFAULT_POLICY);
    const seen: unknown[] = [];
    let whole: boolean | undefined;
    const checks: EventCheck[] = [{ row: ({ id }) => seen.push(id), end: (log) => (whole = log.whole) }];
    let grown = false;
    const bytes = () => {
      if (!grown) appendFileSync(path, '"c"}\n{"torn');
      grown = true;
    };
    const extent = await checkLog({ path, file: 'events.jsonl', checks, bytes, form: AS_STORED }, findings);
    expect(findings.conclude().findings).toEqual([
      {
        code: 'log/growing',
        severity: 'info',
        message: 'the log grew while it was read: only its first 28 bytes were verified',
        file: 'events.jsonl',
      },
    ]);
    expect([extent.bytes, extent.grew, seen, whole]).toEqual([28, true, ['a', 'b'], true]);
  });
});

describe('log/changed', () => {
  const line = '{"id":"a","text":"é"}\n';
  // Longer than one read, so that a part is unread when it changes.
  const long = line.repeat(200_000);

  test.each<[string, string, (path: string) => void]>([
    ['cut', 'it was truncated from 4600000 to 46 bytes', (path) => truncateSync(path, 46)],
    ['removed', 'it was removed', (path) => rmSync(path)],
    [
      'replaced',
      'another file replaced it',
      (path) => {
        writeFileSync(`${path}.new`, long);
        renameSync(`${path}.new`, path);
      },
    ],
  ])(
    'a log that is %s while it is read gets no verdict, and nothing is reported as missing',
    async (_, how, change) => {
      const path = tempFile(long);
      const findings = new Findings(DEFAULT_POLICY);
      let whole: boolean | undefined;
      let done = false;
      const bytes = () => {
        if (!done) change(path);
        done = true;
      };
      const checks: EventCheck[] = [{ end: (log) => (whole = log.whole) }];
      await checkLog({ path, file: 'events.jsonl', checks, bytes, form: AS_STORED }, findings);
      const { verdict, findings: found } = findings.conclude();
      expect([verdict, whole]).toEqual(['fail', false]);
      expect(found).toContainEqual({
        code: 'log/changed',
        severity: 'error',
        message: `the log changed while it was read: ${how}`,
        file: 'events.jsonl',
      });
    },
  );
});

test('log/line-too-long: a line over 64 MiB is refused, and the next ones are read', async () => {
  const path = tempFile('');
  const head = '{"id":"a","phase":"start","payload":{}}\n{"id":"';
  writeFileSync(path, head);
  // The file system keeps the hole that this makes as zeros, and none of it on the disk.
  truncateSync(path, 40 + MAX_LINE_BYTES + 1);
  appendFileSync(path, '\n[]\n');
  const report = await verifyEpisode(path);
  const refused = report.findings.filter(({ code }) => code.startsWith('log/'));
  expect(refused).toMatchObject([
    {
      code: 'log/line-too-long',
      severity: 'error',
      line: 2,
      column: 1,
      byteStart: 40,
      byteEnd: 40 + MAX_LINE_BYTES + 1,
      message: `the line has ${MAX_LINE_BYTES + 1} bytes; more than ${MAX_LINE_BYTES} (64 MiB) are refused`,
    },
    { code: 'log/not-object', line: 3, column: 1, byteStart: 40 + MAX_LINE_BYTES + 2 },
  ]);
});

describe('artifact/unreadable', () => {
  test('is reported for a directory in place of a document', async () => {
    const dir = episodeAt();
    for (const name of ['state.json', 'summary.json']) {
      rmSync(join(dir, name));
      mkdirSync(join(dir, name));
    }
    const report = await verifyEpisode(dir);
    expect(brief(report)).toEqual(
      expect.arrayContaining([
        'error artifact/unreadable state.json',
        'error artifact/unreadable summary.json',
      ]),
    );
    expect(brief(report).join()).not.toContain('state/missing');
    expect(report.stages).toContainEqual({
      name: 'projection',
      status: 'skipped',
      reason: 'state.json is missing or cannot be read',
    });
  });

  test('is reported for a symlink to a directory in place of lines, of an attachment or of a checkpoint', async () => {
    const dir = episodeAt({ ending: 'paused', acts: 0, governed: 'veto-enforced' });
    mkdirSync(join(dir, 'folder'));
    rmSync(join(dir, 'learn.jsonl'));
    mkdirSync(join(dir, 'checkpoints', 'chk_1'));
    for (const name of ['learn.jsonl', 'transcript.jsonl', 'pre.json'])
      symlinkSync('folder', join(dir, name));
    symlinkSync('../../folder', join(dir, 'checkpoints', 'chk_1', 'checkpoint.json'));
    expect(brief(await verifyEpisode(dir)).filter((line) => line.includes('unreadable'))).toEqual([
      'error artifact/unreadable checkpoints/chk_1/checkpoint.json',
      'error artifact/unreadable learn.jsonl',
      'error artifact/unreadable pre.json',
      'error artifact/unreadable transcript.jsonl',
    ]);
  });

  test('a document that is too long for memory is refused by its size', async () => {
    const dir = episodeAt();
    // Longer than a string may be, and a hole on the disk: reading it would be noticed.
    for (const name of ['state.json', 'summary.json', 'manifest.json'])
      truncateSync(join(dir, name), 8 * MAX_DOCUMENT_BYTES + 1);
    const report = await verifyEpisode(dir);
    expect(brief(report)).toEqual([
      'error artifact/unreadable manifest.json',
      'error artifact/unreadable state.json',
      'error artifact/unreadable summary.json',
    ]);
    expect(report.findings[0]?.message).toBe(
      'cannot be read (it has 536870913 bytes; more than 67108864 (64 MiB) are refused)',
    );
  });

  test('is reported for a FIFO in place of a file, which would block its reader', async () => {
    const dir = episodeAt();
    for (const name of ['state.json', 'learn.jsonl']) rmSync(join(dir, name));
    for (const name of ['state.json', 'fifo']) execFileSync('mkfifo', [join(dir, name)]);
    symlinkSync('fifo', join(dir, 'learn.jsonl'));
    expect(brief(await verifyEpisode(dir))).toEqual([
      'warn consistency/learn events.jsonl:9',
      'error artifact/unreadable fifo',
      'error artifact/unreadable learn.jsonl',
      'error manifest/missing-file manifest.json:1',
      'error manifest/missing-file manifest.json:1',
      'error artifact/unreadable state.json',
    ]);
  });

  test('is reported for a listed file that leads to a directory', async () => {
    const dir = episodeAt();
    rmSync(join(dir, 'learn.jsonl'));
    mkdirSync(join(dir, 'folder'));
    symlinkSync('folder', join(dir, 'learn.jsonl'));
    expect(brief(await verifyEpisode(dir)).filter((line) => line.includes('learn.jsonl'))).toEqual([
      'error artifact/unreadable learn.jsonl',
    ]);
  });
});

describe('symlinks', () => {
  test('out of the episode are never followed: neither read nor hashed', async () => {
    const dir = episodeAt();
    const secret = tempFile('{"secret":"do not show"', 'secret.json');
    for (const name of ['state.json', 'learn.jsonl']) {
      rmSync(join(dir, name));
      symlinkSync(secret, join(dir, name));
    }
    symlinkSync(secret, join(dir, 'extra.json'));
    const report = await verifyEpisode(dir);
    expect(brief(report)).toEqual(
      expect.arrayContaining([
        'error artifact/unreadable state.json',
        'error manifest/unsafe-path manifest.json:1',
        'warn manifest/unlisted-file extra.json',
      ]),
    );
    expect(brief(report).filter((line) => line.includes('unsafe-path'))).toHaveLength(2);
    expect(JSON.stringify(report)).not.toContain('do not show');
  });

  test('of an episode without a manifest are reported too, each once, without further findings', async () => {
    const dir = episodeAt({ sealed: false, acts: 0, prompts: true });
    const secret = tempFile('{"secret":"do not show"}', 'secret.json');
    const names = ['events.jsonl', 'state.json', 'summary.json', 'learn.jsonl', 'prompts.jsonl', 'pre.json'];
    mkdirSync(join(dir, 'checkpoints', 'chk_1'), { recursive: true });
    for (const name of [...names, 'checkpoints/chk_1/checkpoint.json']) {
      rmSync(join(dir, name), { force: true });
      symlinkSync(secret, join(dir, name));
    }
    const report = await verifyEpisode(dir);
    expect(brief(report)).toEqual([
      'error artifact/unreadable checkpoints/chk_1/checkpoint.json',
      'error artifact/unreadable events.jsonl',
      'error artifact/unreadable learn.jsonl',
      'info seal/missing manifest.json',
      'error artifact/unreadable pre.json',
      'error artifact/unreadable prompts.jsonl',
      'error artifact/unreadable state.json',
      'error artifact/unreadable summary.json',
    ]);
    expect(report.stages[0]).toEqual({
      name: 'log',
      status: 'skipped',
      reason: 'events.jsonl is missing or cannot be read',
    });
    expect(JSON.stringify(report)).not.toContain('do not show');
  });

  test('out of the episode still count as a seal, as they do for the runtime', async () => {
    const dir = episodeAt();
    const elsewhere = tempFile('{}', 'final.json');
    for (const name of ['final.json', 'manifest.json']) {
      rmSync(join(dir, name));
      symlinkSync(elsewhere, join(dir, name));
    }
    const report = await verifyEpisode(dir);
    expect(report.sealed).toBe(true);
    expect(brief(report)).toEqual([
      'error artifact/unreadable final.json',
      'error artifact/unreadable manifest.json',
    ]);
  });

  test('to the whole episode are followed, because the user named them', async () => {
    const link = join(tempDir(), simulateEpisode({ seed: 71, acts: 1 }).id);
    symlinkSync(episodeAt(), link);
    expect(brief(await verifyEpisode(link))).toEqual([]);
  });

  test('to a log that was named itself are followed', async () => {
    const link = join(tempDir(), 'events.jsonl');
    symlinkSync(join(episodeAt(), 'events.jsonl'), link);
    expect((await verifyEpisode(link)).verdict).toBe('ok');
  });

  test('inside the episode are files like any other', async () => {
    const dir = episodeAt();
    const episode = simulateEpisode({ seed: 71, acts: 1 });
    mkdirSync(join(dir, 'moved'));
    writeFileSync(join(dir, 'moved', 'state.json'), episode.files.get('state.json') ?? '');
    rmSync(join(dir, 'state.json'));
    symlinkSync('moved/state.json', join(dir, 'state.json'));
    expect(brief(await verifyEpisode(dir))).toEqual(['warn manifest/unlisted-file moved/state.json']);
  });
});

describe('a corrupt log', () => {
  /** An ended episode with a change to one line of its log. */
  function withLine(find: string, change: (line: string) => string) {
    const dir = episodeAt({ resumed: 'in-process', acts: 2, sealed: false });
    const log = join(dir, 'events.jsonl');
    const text = Buffer.from(
      simulateEpisode({ seed: 71, acts: 2, resumed: 'in-process', sealed: false }).files.get(
        'events.jsonl',
      ) ?? '',
    );
    const lines = text.toString().split('\n');
    const at = lines.findIndex((line) => line.includes(find));
    lines[at] = change(lines[at] ?? '');
    writeFileSync(log, lines.join('\n'));
    return { dir, line: at + 1 };
  }

  test.each([
    '"phase":"terminate"',
    '"event_type":"run.resume"',
    '"phase":"plan"',
    '"phase":"start"',
    '"phase":"act"',
  ])('says nothing that the lost line (%s) could explain', async (find) => {
    const { dir, line } = withLine(find, (text) => text.replace('"', ''));
    const report = await verifyEpisode(dir);
    expect(brief(report).filter((said) => !said.includes('seal/missing'))).toEqual([
      `error log/invalid-json events.jsonl:${line}`,
    ]);
    const skipped = report.stages.filter(({ status }) => status === 'skipped').map(({ name }) => name);
    expect(skipped).toEqual(['projection', 'manifest', 'consistency']);
    for (const { name, reason } of report.stages)
      if (['lineage', 'governance', 'artifacts'].includes(name))
        expect(reason).toMatch(/the log is damaged|damaged lines/);
  });
});
