import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_DOCUMENT_BYTES } from '../../../src/base/json/limits.ts';
import { verifyNoesis } from '../../../src/dialects/noesis/verify.ts';
import type { LogVerifyOptions } from '../../../src/findings/options.ts';
import { DEFAULT_POLICY } from '../../../src/findings/policy.ts';
import type { EpisodeReport } from '../../../src/findings/report.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { AS_STORED } from '../../../src/log/log-form.ts';
import { episodeIn, GOOD, PAUSED, type Written } from '../../support/episodes.ts';
import { tempDir } from '../../support/temp.ts';

const told = ({ findings }: EpisodeReport) =>
  findings.map(({ severity, code, file, message }) => `${severity} ${code} ${file}: ${message}`);

/** The contents of files next to the log. */
type Files = Readonly<Record<string, string>>;

function put(dir: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), content);
  }
}

/** Verifies an episode once, as a copy that nobody writes to; `listed` is done when its folder has been listed. */
function verifyOnce({ id, dir, log }: Written, listed: () => void = () => {}): Promise<EpisodeReport> {
  let isListed = false;
  const options: LogVerifyOptions = {
    key: () => undefined,
    form: AS_STORED,
    get policy() {
      if (!isListed) listed();
      isListed = true;
      return DEFAULT_POLICY;
    },
  };
  return verifyNoesis({ name: id, dir, log, copy: true }, options);
}

/** The findings that appear when some files are added to an episode. */
async function newlyTold(files: Files, change: (dir: string) => void, shape = PAUSED): Promise<string[]> {
  const written = episodeIn(tempDir(), shape);
  const before = told(await verifyOnce(written));
  put(written.dir, files);
  const after = told(await verifyOnce(written, () => change(written.dir)));
  return after.filter((finding) => !before.includes(finding));
}

const CHECKPOINT = 'checkpoints/other/checkpoint.json';

describe('a file that was listed, and then removed or replaced', () => {
  test.each([
    ['an attachment', 'notes.json', 'gone'],
    ['an attachment of lines', 'transcript.jsonl', 'ENOENT'],
    ['the prompts', 'prompts.jsonl', 'ENOENT'],
    ['a checkpoint', CHECKPOINT, 'gone'],
  ])('%s is reported as unreadable', async (_, name, gone) => {
    const files = { [name]: '{}\n' };
    const message = (reason: string) => `error artifact/unreadable ${name}: cannot be read (${reason})`;
    expect(await newlyTold(files, (dir) => rmSync(join(dir, name)))).toEqual([message(gone)]);
    const turned = await newlyTold(files, (dir) => {
      rmSync(join(dir, name));
      mkdirSync(join(dir, name));
    });
    expect(turned).toEqual([message('EISDIR')]);
  });

  test('one that the manifest lists is not reported', async () => {
    const { dir, ...written } = episodeIn(tempDir(), { ...GOOD, leftovers: 1 });
    const { files } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as {
      files: { name: string }[];
    };
    const listed = files.find(({ name }) => name.startsWith('tmp'))?.name ?? '';
    expect(told(await verifyOnce({ ...written, dir }))).not.toContainEqual(expect.stringContaining(listed));
    const report = await verifyOnce({ ...written, dir }, () => rmSync(join(dir, listed)));
    expect(told(report)).toContain(`error artifact/unreadable ${listed}: cannot be read (ENOENT)`);
  });
});

test('a document above the size limit is only checked by the hash of the manifest', async () => {
  const grow = (dir: string) => truncateSync(join(dir, 'large.json'), MAX_DOCUMENT_BYTES + 1);
  expect(await newlyTold({ 'large.json': 'no JSON' }, grow)).toEqual([]);
  expect(await newlyTold({ 'small.json': 'no JSON' }, () => {})).toHaveLength(1);
});

describe('a checkpoint', () => {
  test('that is not JSON is reported', async () => {
    expect(await newlyTold({ [CHECKPOINT]: '{' }, () => {})).toEqual([
      expect.stringContaining(`error artifact/corrupt ${CHECKPOINT}: `),
    ]);
  });

  test('covers the state and the manifest while the run is at it', async () => {
    const mismatch = expect.stringMatching(
      /^warn checkpoint\/mismatch checkpoints\/.*: the files of the episode have changed since this checkpoint$/,
    );
    expect(await newlyTold({}, (dir) => rmSync(join(dir, 'state.json')))).not.toContainEqual(mismatch);
    const gone = episodeIn(tempDir(), PAUSED);
    rmSync(join(gone.dir, 'state.json'));
    expect(told(await verifyOnce(gone))).toContainEqual(mismatch);
    expect(await newlyTold({ 'manifest.json': '{}' }, () => {})).toContainEqual(mismatch);
  });

  test('is reported if its event has no id', async () => {
    const { dir, log, lines, ...rest } = episodeIn(tempDir(), PAUSED);
    const { payload } = rest.events.findLast(({ event_type: type }) => type === 'run.checkpoint') ?? {};
    const { checkpoint_path: file, event_offset: offset } = payload as Record<string, string | number>;
    writeFileSync(
      log,
      lines
        .map((line, index) => (index + 1 === offset ? line.replace(/"id":"[^"]*",/, '') : line))
        .map((line) => `${line}\n`)
        .join(''),
    );
    const { findings } = await verifyOnce({ dir, log, lines, ...rest });
    expect(findings.filter((finding) => finding.file === file)).toEqual([
      expect.objectContaining({
        code: 'checkpoint/mismatch',
        path: 'last_event_id',
        expected: 'an event without id',
      }),
    ]);
  });
});

test('a prompt may belong to no event if events have no id and lines are corrupt', async () => {
  const { dir, log, lines, ...rest } = episodeIn(tempDir(), { ...GOOD, sealed: false });
  const [first = '', second = '', ...others] = lines;
  const written = [first, second.replace(/"id":"[^"]*",/, ''), ...others];
  writeFileSync(log, written.map((line) => `${line}\n`).join(''));
  put(dir, { 'prompts.jsonl': '{"event_id":"nobody"}\nno JSON\n' });
  const { findings } = await verifyOnce({ dir, log, lines, ...rest });
  const found = findings.filter(({ file, code }) => file === 'prompts.jsonl' && code !== 'artifact/schema');
  expect(found.map(({ code, line, path }) => [code, line, path])).toEqual([
    ['lineage/broken-link', 1, 'event_id'],
    ['artifact/corrupt', 2, undefined],
  ]);
});

test('a record of learning may have the form of early demos, and no other', async () => {
  const record = { id: 'p-1', kind: 'policy', proposal: {} };
  const lines = [record, { id: 7 }].map((one) => `${JSON.stringify(one)}\n`).join('');
  const found = await newlyTold({ 'learn.jsonl': lines }, () => {});
  expect(found.filter((finding) => finding.includes('learn.jsonl'))).toEqual(
    [
      'episode_id is missing',
      'payload is missing',
      'schema_version is missing',
      'id must be a string, is a number',
    ].map((message) => `error artifact/schema learn.jsonl: ${message}`),
  );
});

test('a folder with a log and an artifact that cannot be read is an episode', async () => {
  const folder = join(tempDir(), 'any-name');
  put(folder, { 'events.jsonl': '{"text":"x"}\n' });
  expect((await verifyEpisode(folder)).dialect).toBe('generic');
  const artifact = join(folder, 'manifest.json');
  symlinkSync('/nowhere', artifact);
  expect((await verifyEpisode(folder)).dialect).toBe('noesis');
  rmSync(artifact);
  writeFileSync(artifact, ' '.repeat(1024 * 1024 + 1));
  expect((await verifyEpisode(folder)).dialect).toBe('noesis');
  writeFileSync(artifact, '{}');
  expect((await verifyEpisode(folder)).dialect).toBe('generic');
});
