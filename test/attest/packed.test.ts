import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { entriesOf, type MadeEntry, makeTar, makeZip } from '../support/archives.ts';
import { EXAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const NAME = 'ep_01KJPZV2802JY40PMHQ0XAGQMH';
const GOOD = join(EXAMPLES, 'signed', NAME);

async function workshop() {
  const cwd = tempDir();
  expect((await runHere(['keygen', 'k'], { cwd })).code).toBe(0);
  return {
    cwd,
    attest: (...names: string[]) =>
      runHere(['verify', ...names, '--attest', 'a.json', '--attest-key', 'k.key'], { cwd }),
    check: async (...names: string[]) => {
      const args = ['verify', ...names, '--attestation', 'a.json', '--trust', 'k.pub', '--json'];
      const { code, stdout } = await runHere(args, { cwd });
      return { code, ...JSON.parse(stdout) };
    },
  };
}

const damaged = (entries: readonly MadeEntry[]): MadeEntry[] =>
  entries.map((entry) =>
    entry.name.endsWith('events.jsonl') ? { ...entry, content: Buffer.from('{"torn":\n') } : entry,
  );

const PACKED: Readonly<Record<string, (cwd: string) => Promise<string>>> = {
  'a tar': async (cwd) => {
    writeFileSync(join(cwd, 'e.tar'), await makeTar(entriesOf(GOOD, `${NAME}/`)));
    return 'e.tar';
  },
  'a zip': async (cwd) => {
    writeFileSync(join(cwd, 'e.zip'), makeZip(entriesOf(GOOD, `${NAME}/`)));
    return 'e.zip';
  },
  'a folder with compressed logs': async (cwd) => {
    cpSync(GOOD, join(cwd, 'all', NAME), { recursive: true });
    const log = join(cwd, 'all', NAME, 'events.jsonl');
    writeFileSync(`${log}.gz`, gzipSync(readFileSync(log)));
    rmSync(log);
    return 'all';
  },
  'a compressed log': async (cwd) => {
    writeFileSync(join(cwd, 'run.jsonl.gz'), gzipSync(readFileSync(join(GOOD, 'events.jsonl'))));
    return 'run.jsonl.gz';
  },
};

test.each(Object.entries(PACKED))('an attestation of %s fits until a byte is added', async (_what, pack) => {
  const { cwd, attest, check } = await workshop();
  const target = await pack(cwd);
  expect((await attest(target)).code).toBe(0);
  expect(await check(target)).toMatchObject({ code: 0, fits: true, problems: [], absent: [] });
  appendFileSync(join(cwd, target === 'all' ? `all/${NAME}/events.jsonl.gz` : target), ' ');
  const changed = await check(target);
  expect(changed).toMatchObject({ code: 1, fits: false, problems: [{ kind: 'changed' }] });
});

test('an archive has the verdict over all, whatever its episodes are called', async () => {
  const { cwd, attest, check } = await workshop();
  cpSync(GOOD, join(cwd, NAME), { recursive: true });
  writeFileSync(join(cwd, 'bad.tar'), await makeTar(damaged(entriesOf(GOOD, `${NAME}/`))));
  expect((await attest(NAME, 'bad.tar')).code).toBe(1);
  expect(await check('bad.tar')).toMatchObject({ code: 1, fits: true, verdict: 'fail', absent: [NAME] });
  expect(await check(NAME)).toMatchObject({ code: 1, fits: true, verdict: 'fail', absent: ['bad.tar'] });
});

test('refuses to attest one episode of an archive with the hash of all', async () => {
  const { cwd, attest } = await workshop();
  writeFileSync(join(cwd, 'e.tar'), await makeTar(entriesOf(GOOD, `${NAME}/`)));
  const { code, stderr } = await attest(`e.tar/${NAME}`);
  expect(code).toBe(2);
  expect(stderr).toContain(`${NAME} is a part of one`);
});

test('refuses to compare an episode of an archive with an attestation of the archive', async () => {
  const { cwd, attest } = await workshop();
  writeFileSync(join(cwd, 'e.tar'), await makeTar(entriesOf(GOOD, `${NAME}/`)));
  expect((await attest('e.tar')).code).toBe(0);
  const args = ['verify', `e.tar/${NAME}`, '--attestation', 'a.json', '--trust', 'k.pub'];
  const { code, stdout, stderr } = await runHere(args, { cwd });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`--attestation takes a whole archive, and ${NAME} is a part of one`);
  expect(stderr).toContain('name the archive itself');
});
