import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LONGEST_SAMPLE } from '../../src/dialects/kit/sample.ts';
import type { VerifyReport } from '../../src/findings/report.ts';
import { entriesOf, makeTar, makeZip } from '../support/archives.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { simulateEpisode, writeEpisode } from '../support/simulator/episode.ts';
import { tempDir } from '../support/temp.ts';

/** A folder with documents, whole and torn, and with compressed logs. */
function runs(): string {
  const dir = join(tempDir(), 'runs');
  for (const name of [
    'atif/v1.0-minimal.json',
    'atif/killed-v1.5.json',
    'gemini/document-failed-tools-0.21.3.json',
  ])
    cpSync(join(SAMPLES, name), join(dir, name));
  for (const name of ['atif/damaged/torn.json', 'gemini/damaged/document-torn.json'])
    cpSync(join(SAMPLES, name), join(dir, name));
  const episode = writeEpisode(join(dir, 'episodes'), simulateEpisode({ seed: 7 }));
  const log = join(episode, 'events.jsonl');
  writeFileSync(`${log}.gz`, gzipSync(readFileSync(log)));
  rmSync(log);
  const document = readFileSync(join(dir, 'atif/killed-v1.5.json'));
  writeFileSync(join(dir, 'packed.json.gz'), gzipSync(document));
  return dir;
}

/** The verdicts, levels and findings of a report, by the path of the episode below the target. */
async function said(cwd: string, target: string, tmpDir = tempDir()) {
  const { stdout, stderr } = await runHere(['verify', '-j', target], { cwd, tmpDir });
  if (stdout === '') throw new Error(stderr);
  const { episodes } = JSON.parse(stdout) as VerifyReport;
  return episodes.map(({ path, verdict, events, level, findings }) => ({
    path: path.slice(path.indexOf(target) + target.length),
    verdict,
    events,
    level,
    findings: findings.map(({ code, line, message }) => [code, line, message]),
  }));
}

test('documents and compressed logs get the same report in a folder and in an archive', async () => {
  const dir = runs();
  const cwd = join(dir, '..');
  const entries = entriesOf(dir);
  writeFileSync(join(cwd, 'runs.tar'), await makeTar(entries));
  writeFileSync(join(cwd, 'runs.zip'), makeZip(entries));
  const expected = await said(cwd, 'runs');
  expect(expected).toHaveLength(7);
  expect(expected.every(({ events }) => events > 0)).toBe(true);
  for (const target of ['runs.tar', 'runs.zip']) expect(await said(cwd, target), target).toEqual(expected);
  const listed = await runHere(['list', '-q', 'runs.tar'], { cwd, tmpDir: tempDir() });
  expect(listed.stderr).not.toContain('one JSON document');
  for (const name of listed.stdout.trim().split('\n')) {
    const events = await runHere(['events', name], { cwd, tmpDir: tempDir() });
    expect(events.stderr, name).not.toMatch(/does not look like|noesis-/);
  }
});

test('a compressed document is read like the document', async () => {
  const dir = runs();
  const alone = await said(dir, 'atif/killed-v1.5.json');
  const [packed] = await said(dir, 'packed.json.gz');
  expect({
    ...packed,
    findings: packed?.findings.filter(([code]) => code !== 'archive/compressed-log'),
  }).toEqual(alone[0]);
  const [shown, same] = await Promise.all(
    ['packed.json.gz', 'atif/killed-v1.5.json'].map((name) => runHere(['events', name], { cwd: dir })),
  );
  expect(shown?.stdout).toBe(same?.stdout);
});

test('a compressed document below a folder is found, however long or damaged', async () => {
  const cwd = tempDir();
  const dir = join(cwd, 'runs');
  mkdirSync(dir);
  const steps = Array.from({ length: 3000 }, (_, at) => ({
    step_id: at + 1,
    source: 'user',
    message: 'x'.repeat(1500),
  }));
  const agent = { name: 'a', version: '1' };
  const long = JSON.stringify({ schema_version: 'ATIF-v1.4', session_id: 's', agent, steps });
  expect(long.length).toBeGreaterThan(LONGEST_SAMPLE);
  writeFileSync(join(dir, 'long.json.gz'), gzipSync(long));
  const packed = gzipSync(readFileSync(join(SAMPLES, 'atif/killed-v1.5.json')));
  writeFileSync(join(dir, 'torn.json.gz'), packed.subarray(0, -9));
  const reports = await said(cwd, 'runs');
  expect(reports.map(({ path, verdict }) => [path, verdict])).toEqual([
    ['/long.json.gz', 'ok'],
    ['/torn.json.gz', 'fail'],
  ]);
});

test('the limit of an archive is for everything in it, also in the compressed files', async () => {
  const dir = tempDir();
  const log = readFileSync(join(SAMPLES, 'codex/damaged/ordinals.jsonl'));
  const entries = [1, 2, 3].map((at) => ({ name: `runs/rollout-${at}.jsonl.gz`, content: gzipSync(log) }));
  writeFileSync(join(dir, 'runs.tar'), await makeTar(entries));
  const codes = async (limit: number) => {
    const { stdout } = await runHere(['verify', '-j', 'runs.tar', '--max-unpacked', String(limit)], {
      cwd: dir,
      tmpDir: tempDir(),
    });
    const { episodes } = JSON.parse(stdout) as VerifyReport;
    return episodes.flatMap(({ findings }) => findings.filter(({ code }) => code === 'archive/too-large'));
  };
  expect(await codes(log.length * 10)).toEqual([]);
  expect(await codes(log.length * 2)).not.toEqual([]);
});
