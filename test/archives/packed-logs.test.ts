import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import { entriesOf, makeTar } from '../support/archives.ts';
import { EXAMPLES } from '../support/cli.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

// What commands say of compressed logs and documents names what the user named, never the copy that was read.

const LEDGER = readFileSync(join(EXAMPLES, 'other-dialects/fishbowl/ledger.jsonl'));
/** The same records as one JSON document. */
const DOCUMENT = `[${LEDGER.toString().trim().split('\n').join(',\n')}]\n`;

/** An episode whose log is compressed. */
function packedEpisode(cwd: string): string {
  const { dir, log } = episodeIn(cwd, GOOD);
  writeFileSync(`${log}.gz`, gzipSync(readFileSync(log)));
  rmSync(log);
  return dir;
}

const cut = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length - 20);

test('a run of a document, of a compressed log, and of both is the run in the log', async () => {
  const cwd = tempDir();
  writeFileSync(join(cwd, 'ledger.jsonl'), LEDGER);
  writeFileSync(join(cwd, 'ledger.jsonl.gz'), gzipSync(LEDGER));
  writeFileSync(join(cwd, 'ledger.json'), DOCUMENT);
  mkdirSync(join(cwd, 'packed'));
  writeFileSync(join(cwd, 'packed/ledger.json.gz'), gzipSync(DOCUMENT));
  const events = (target: string) => runHere(['events', '-j', target], { cwd });
  const { stdout } = await events('ledger.jsonl#debate-0001');
  expect(stdout).toContain('debate-0001');
  for (const file of ['ledger.jsonl.gz', 'ledger.json', 'packed/ledger.json.gz']) {
    expect((await events(`${file}#debate-0001`)).stdout, file).toBe(stdout);
    const listed = await runHere(['list', '-q', file], { cwd });
    expect(listed.stdout.trim().split('\n'), file).toContain(`${file}#debate-0001`);
    for (const command of ['show', 'verify']) {
      const seen = await runHere([command, `${file}#debate-0001`], { cwd });
      expect([seen.code, seen.stderr.includes('error')], `${command} ${file}`).toEqual([0, false]);
    }
    for (const command of ['show', 'events', 'verify']) {
      const { code, stderr } = await runHere([command, `${file}#nope`], { cwd });
      const said = command === 'verify' ? 'nothing was checked' : `no run "nope" in ${file}`;
      expect([code, stderr], `${command} ${file}`).toEqual([3, expect.stringContaining(said)]);
      expect(stderr).not.toMatch(/\/noesis-(?!test-)|\.json\.jsonl/);
    }
  }
});

test.each(['TAR', 'ZIP', 'zip', 'zst'])(
  'an added file that is named like the compressed log is reported: .%s',
  async (ending) => {
    const dir = packedEpisode(tempDir());
    writeFileSync(join(dir, `events.jsonl.${ending}`), 'added');
    const { stdout } = await runHere(['verify', '-j', dir]);
    const { episodes } = JSON.parse(stdout) as VerifyReport;
    const unlisted = episodes.flatMap(({ findings }) =>
      findings.filter(({ code }) => code === 'manifest/unlisted-file'),
    );
    expect(unlisted.map(({ file }) => file)).toEqual([`events.jsonl.${ending}`]);
  },
);

test('an error about a compressed log names that log', async () => {
  const cwd = tempDir();
  const dir = packedEpisode(cwd);
  const log = join(dir, 'events.jsonl.gz');
  writeFileSync(log, cut(readFileSync(log)));
  const name = dir.slice(cwd.length + 1);
  const folder = await runHere(['show', name], { cwd });
  expect(folder.stderr).toContain(`${name}/events.jsonl.gz: `);
  mkdirSync(join(cwd, 'all/q'), { recursive: true });
  cpSync(log, join(cwd, 'all/q/cut.jsonl.gz'));
  writeFileSync(join(cwd, 'all/ledger.jsonl'), LEDGER);
  writeFileSync(join(cwd, 'all.tar'), await makeTar(entriesOf(join(cwd, 'all'))));
  const archive = await runHere(['show', 'all.tar'], { cwd });
  expect(archive.stderr).toContain('all.tar/q/cut.jsonl.gz: ');
});

test('a compressed file that is not a log is refused by its name', async () => {
  const cwd = tempDir();
  writeFileSync(join(cwd, 'cfg.json.gz'), gzipSync('{\n"a": 1\n}\n'));
  writeFileSync(join(cwd, 'bad.state.json.gz'), gzipSync('{"a"\n'));
  for (const command of ['show', 'events', 'state'])
    for (const file of ['cfg.json.gz', 'bad.state.json.gz']) {
      const { code, stdout, stderr } = await runHere([command, file], { cwd });
      expect([code === 0, stdout], `${command} ${file}`).toEqual([false, '']);
      expect(stderr, command).not.toMatch(/\/noesis-(?!test-)/);
    }
});
