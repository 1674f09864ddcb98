import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import { entriesOf, makeTar, makeZstd } from '../support/archives.ts';
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
  for (const file of ['ledger.jsonl', 'ledger.jsonl.gz', 'ledger.json', 'packed/ledger.json.gz']) {
    expect((await events(`${file}#debate-0001`)).stdout, file).toBe(stdout);
    const listed = await runHere(['list', '-q', file], { cwd });
    expect(listed.stdout.trim().split('\n'), file).toContain(`${file}#debate-0001`);
    // The name of the file, never that of a copy.
    expect((await runHere(['list', '-j', file], { cwd })).stdout).not.toContain('.json.jsonl');
    for (const command of ['show', 'verify']) {
      const seen = await runHere([command, `${file}#debate-0001`], { cwd });
      expect([seen.code, seen.stderr.includes('error')], `${command} ${file}`).toEqual([0, false]);
    }
    for (const command of ['show', 'events', 'stats', 'list', 'read', 'timeline', 'view', 'verify']) {
      const { code, stdout, stderr } = await runHere([command, `${file}#nope`], { cwd });
      expect([code, stderr], `${command} ${file}`).toEqual([
        3,
        expect.stringMatching(new RegExp(`no run "nope"[^]* in ${file}`)),
      ]);
      expect(stdout + stderr).not.toMatch(/\/noesis-(?!test-)|\.json\.jsonl/);
    }
    expect((await events(`${file}#debate-0`)).stdout, `${file}, by the first characters`).toBe(stdout);
  }
});

test('a run of an archive is found in the log that has it', async () => {
  const cwd = tempDir();
  const other = Buffer.from(LEDGER.toString().replaceAll('debate-0001', 'other-0001'));
  const entries = [
    { name: 'a/one.jsonl', content: LEDGER },
    { name: 'b/two.jsonl', content: other },
  ];
  writeFileSync(join(cwd, 'two.tar'), await makeTar(entries));
  for (const command of ['list', 'show', 'events', 'read', 'stats', 'timeline', 'verify']) {
    const found = await runHere([command, 'two.tar#other-0001'], { cwd });
    expect([command, found.code]).toEqual([command, 0]);
    const { code, stderr } = await runHere([command, 'two.tar#nope'], { cwd });
    expect([command, code, stderr]).toEqual([
      command,
      3,
      expect.stringMatching(/no run "nope" in \S*two\.tar\/a\/one\.jsonl\n/),
    ]);
  }
  const plain = await runHere(['verify', '-j', writtenIn(cwd, other)], { cwd });
  const packed = await runHere(['verify', '-j', 'two.tar#other-0001'], { cwd });
  const [a, b] = [plain, packed].map(({ stdout }) => (JSON.parse(stdout) as VerifyReport).episodes);
  expect(b?.map(({ episode, events }) => [episode, events])).toEqual(
    a?.map(({ episode, events }) => [episode, events]),
  );
  // What is missing does not keep the others from being verified.
  const both = await runHere(['verify', 'two.tar#nope', 'two.tar/b/nope.jsonl', 'two.jsonl'], { cwd });
  expect([both.code, both.stdout]).toEqual([3, expect.stringContaining('1 run: 1 ok')]);
});

/** Writes a ledger next to the archive; returns the name of a run in it. */
function writtenIn(cwd: string, ledger: Buffer): string {
  writeFileSync(join(cwd, 'two.jsonl'), ledger);
  return 'two.jsonl#other-0001';
}

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

describe('of several packed forms of one log', () => {
  const OTHER = Buffer.from('{"event_type":"planted"}\n');
  const forms = (dir: string): string[] =>
    readdirSync(dir)
      .filter((name) => /^events\.jsonl\./.test(name))
      .sort();

  test.each([
    [['events.jsonl.gz', 'events.jsonl.ZST', 'events.jsonl.GZ'], 'events.jsonl.gz'],
    [['events.jsonl.gz', 'events.jsonl.zst'], 'events.jsonl.gz'],
    [['events.jsonl.zst', 'events.jsonl.GZ'], 'events.jsonl.zst'],
    [['events.jsonl.ZST', 'events.jsonl.GZ'], 'events.jsonl.GZ'],
  ])('%j: the log is %s, and the others are runs of their own', async (names, own) => {
    const cwd = tempDir();
    const { dir, log } = episodeIn(cwd, GOOD);
    const bytes = readFileSync(log);
    rmSync(log);
    for (const name of names) {
      const content = name === own ? bytes : OTHER;
      writeFileSync(join(dir, name), /gz$/i.test(name) ? gzipSync(content) : await makeZstd(content));
    }
    // On a file system without case, two of the names are one file.
    if (forms(dir).length < names.length) return;
    const listed = await runHere(['verify', '-j', dir], { cwd });
    const { episodes } = JSON.parse(listed.stdout) as VerifyReport;
    expect(episodes.map(({ path, events }) => [path, events > 1]).sort()).toEqual(
      [[dir, true], ...names.filter((name) => name !== own).map((name) => [join(dir, name), false])].sort(),
    );
    const codes = episodes
      .find(({ path }) => path === dir)
      ?.findings.map(({ code, message }) => [code, message]);
    expect(codes).toContainEqual(['archive/compressed-log', expect.stringContaining(`the log is ${own},`)]);
    expect((await runHere(['events', '-j', dir], { cwd })).stdout).not.toContain('planted');
  });

  test('a folder with the name of a packed log is not the log', async () => {
    const dir = packedEpisode(tempDir());
    mkdirSync(join(dir, 'events.jsonl.GZ'));
    expect((await runHere(['events', '-j', dir])).code).toBe(0);
  });
});

test.each(['a.jsonl', 'a.jsonl.gz', 'a.events.jsonl', 'events.jsonl', 'events.jsonl.zst'])(
  'a link to nothing is reported once: %s',
  async (name) => {
    for (const folder of ['ep_x', 'logs']) {
      const cwd = tempDir();
      mkdirSync(join(cwd, folder));
      symlinkSync(join(cwd, 'nothing'), join(cwd, folder, name));
      const { stdout } = await runHere(['verify', '-j', cwd], { cwd });
      const { episodes } = JSON.parse(stdout) as VerifyReport;
      expect(episodes.map(({ path, findings }) => [path, findings.map(({ code }) => code)])).toEqual([
        [join(cwd, folder, name), ['verify/unfollowed-link']],
      ]);
    }
  },
);

test('a folder with a log and a packed run has two runs for every command', async () => {
  const cwd = tempDir();
  writeFileSync(join(cwd, 'a.jsonl'), LEDGER);
  writeFileSync(join(cwd, 'b.jsonl.gz'), gzipSync(LEDGER));
  for (const command of ['show', 'read', 'timeline', 'state', 'project']) {
    const { code, stderr } = await runHere([command, cwd], { cwd });
    expect([code, stderr], command).toEqual([3, expect.stringContaining('contains 2 runs')]);
  }
  const { stdout } = await runHere(['events', '-j', cwd], { cwd });
  expect(stdout.trim().split('\n')).toHaveLength(2 * LEDGER.toString().trim().split('\n').length);
});

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
