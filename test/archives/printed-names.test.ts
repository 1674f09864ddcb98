import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import { entriesOf, makeTar, makeZip, makeZstd } from '../support/archives.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

/** Runs of every dialect; the folder in which each is. */
const SOURCES: Readonly<Record<string, string>> = {
  noesis: join(EXAMPLES, 'signed'),
  exarchos: join(EXAMPLES, 'other-dialects/exarchos'),
  fishbowl: join(EXAMPLES, 'other-dialects/fishbowl'),
  plain: join(EXAMPLES, 'other-dialects/plain'),
  coordinator: join(SAMPLES, 'coordinator/whole-state'),
  claude: join(SAMPLES, 'claude-code/projects/-home-usr-w-330-sub'),
  codex: join(SAMPLES, 'codex/sessions/2026/11/23'),
  copilot: join(SAMPLES, 'copilot/session-state'),
  gemini: join(SAMPLES, 'gemini'),
  pi: join(SAMPLES, 'pi'),
  qwen: join(SAMPLES, 'qwen'),
  atif: join(SAMPLES, 'atif'),
  opencode: join(SAMPLES, 'opencode/db-1.18.33'),
};

/** The names of the logs in these folders. Other files are read next to them. */
const LOG = /^(?:events|event-log|ledger|steps|rollout-.*|.*\.events|[^/]*\d[^/]*)\.jsonl?$/;

async function compressAll(
  folder: string,
  compress: (bytes: Buffer) => Buffer | Promise<Buffer>,
  ending: string,
) {
  for (const { name, content } of entriesOf(folder)) {
    if (content === undefined || !LOG.test(basename(name))) continue;
    writeFileSync(join(folder, name + ending), await compress(Buffer.from(content)));
    rmSync(join(folder, name));
  }
}

let cwd: string;
beforeAll(async () => {
  cwd = tempDir();
  const folder = (name: string) => {
    const into = join(cwd, name);
    for (const [to, from] of Object.entries(SOURCES))
      cpSync(from, join(into, to), {
        recursive: true,
        filter: (path) =>
          !/damaged|side|omp|expected\.json|README|summary-1|\.cont-/.test(path.slice(from.length)),
      });
    return into;
  };
  const plain = folder('plain');
  await compressAll(folder('gz'), gzipSync, '.gz');
  await compressAll(folder('zst'), makeZstd, '.zst');
  const save = (name: string, bytes: Buffer) => writeFileSync(join(cwd, name), bytes);
  save('a.tar', await makeTar(entriesOf(plain)));
  save('a.tgz', gzipSync(await makeTar(entriesOf(plain))));
  save('a.zip', makeZip(entriesOf(plain)));
  save('of-gz.tar', await makeTar(entriesOf(join(cwd, 'gz'))));
});

const run = (...args: string[]) => runHere(args, { cwd, env: { NO_COLOR: '1' } });

/** The names that `list` prints of a target. */
const namesIn = async (target: string): Promise<string[]> =>
  (await run('list', '-q', target)).stdout.trim().split('\n').sort();

/** The name that a run has if nothing is packed. */
const asPlain = (name: string): string => name.replace(/^[^/]+/, 'plain').replace(/\.(?:gz|zst)(?=#|$)/, '');

/** What commands say of a run. Numbers count the same whatever the run is called. */
async function answers(target: string) {
  const [shown, verified, listed] = [
    await run('show', '-j', target),
    await run('verify', '-j', target),
    await run('list', '-q', target),
  ];
  const { events, status, turns, tokens, level } =
    shown.code === 0 ? JSON.parse(shown.stdout) : { events: shown.stderr };
  const reports =
    verified.code <= 1 ? (JSON.parse(verified.stdout) as VerifyReport).episodes : [verified.stderr];
  return {
    codes: [shown.code, verified.code, listed.code, (await run('stats', '-q', target)).code],
    shown: { events, status, turns, tokens, level },
    verified: reports.map((one) => (typeof one === 'string' ? one : [one.events, one.verdict, one.level])),
    listed: listed.stdout.trim().split('\n').map(asPlain),
  };
}

/** The first run of each folder. */
const firstOfEach = (names: readonly string[]): string[] => [
  ...new Map(names.toReversed().map((name) => [name.split('/')[1], name])).values(),
];

test.each(['a.tar', 'a.tgz', 'a.zip'])(
  '%s has the runs of the folder, and each is accepted by the name that list prints, with the same answers',
  async (form) => {
    const names = await namesIn(form);
    const plain = await namesIn('plain');
    expect(names.map(asPlain)).toEqual(plain);
    expect(plain.length).toBeGreaterThan(30);
    for (const name of form === 'a.tar' ? names : firstOfEach(names))
      expect([name, await answers(name)]).toEqual([name, await answers(asPlain(name))]);
  },
);

test.each(['', 'a.tar/'])(
  '%sa name is read as the path of a file before it is read as one of a run',
  async (at) => {
    const here = tempDir();
    const ledger = readFileSync(join(EXAMPLES, 'other-dialects/fishbowl/ledger.jsonl'), 'utf8');
    const content = Buffer.from(ledger.replaceAll('debate-0001', 'debate#1'));
    mkdirSync(join(here, 'x#1'));
    for (const name of ['x#1/l#2.jsonl', 'x#1/l'])
      writeFileSync(join(here, name), name.endsWith('/l') ? 'not a log' : content);
    writeFileSync(join(here, 'a.tar'), await makeTar(entriesOf(here)));
    for (const [name, runs] of [
      ['x#1', 2],
      ['x#1/l#2.jsonl', 2],
      ['x#1/l#2.jsonl#debate#1', 1],
      ['x#1/l#2.jsonl#debate', 1],
    ] as const) {
      const { code, stdout } = await runHere(['list', '-q', at + name], { cwd: here });
      const expected = [`${at}x#1/l#2.jsonl#heist-0002`, `${at}x#1/l#2.jsonl#debate#1`].slice(-runs);
      expect([name, code, stdout.trim().split('\n').sort()]).toEqual([name, 0, expected.sort()]);
    }
  },
);

test('a run in a database in an archive is found by the beginning of its id, and the database by its path', async () => {
  const { stdout } = await run('list', '-q', 'a.tar/opencode/opencode.db');
  const names = stdout.trim().split('\n');
  expect(names.length).toBeGreaterThan(1);
  expect(await namesIn('a.tar/opencode')).toEqual(names.toSorted());
  const [name = ''] = names;
  for (const command of ['show', 'verify', 'list']) {
    const { code, stdout } = await run(command, '-q', name.slice(0, -4));
    expect([command, code, command === 'list' ? stdout.trim() : name]).toEqual([command, 0, name]);
    expect([command, (await run(command, 'a.tar/opencode/opencode.db#nope')).code]).toEqual([command, 3]);
    expect([command, (await run(command, 'a.tar/opencode/opencode.db#')).code]).toEqual([command, 3]);
  }
});
