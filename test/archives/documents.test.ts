import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
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

/** What a report says about each episode, by its path below the target. */
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
