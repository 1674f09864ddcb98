import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLES, LAUNCH } from '../support/cli.ts';
import { tempDir } from '../support/temp.ts';

const EPISODE = join(EXAMPLES, '.noesis/episodes/ep_01KJQ38XW0B21102BHVMR95HBJ');

/** Runs a command line as a shell script. The cache of compiled code is off, because it is a file too. */
function shell(script: string, cwd: string) {
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1', TZ: 'UTC' };
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { cwd, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

// Without room for a byte, a file can be created, but not written.
test.each([
  ['redact', `redact ${EPISODE} -o out/made`],
  ['salvage', `salvage ${EPISODE} -o out/made`],
  ['export to tables', `export ${EPISODE} --format csv -o out`],
  ['export of traces', `export ${EPISODE} --format otlp -o out/spans.json`],
  ['view', `view ${EPISODE} -o out/page.html`],
  ['verify', `verify ${EPISODE} -f sarif -o out/report.json`],
  ['keygen', 'keygen out/k'],
])('%s on a full disk says that it cannot write, and leaves no file', (_, args) => {
  const cwd = tempDir();
  const { status, stderr } = shell(`mkdir out; ulimit -f 0; exec ${LAUNCH} ${args}`, cwd);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^error: cannot write .*too large\n/)]);
  const left = readdirSync(join(cwd, 'out'), { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => !/^(?:events|episodes|findings)$/.test(name))).toEqual([]);
});

// Every output has the same rule, so that exit code 1 of verify never means a wrong name of a file.
test.each([
  ['redact', `redact ${EPISODE} -o file/made`],
  ['salvage', `salvage ${EPISODE} -o file/made`],
  ['checkpoint', `keygen k >/dev/null; exec ${LAUNCH} checkpoint ${EPISODE} -o file/point --key k.key`],
  ['export to tables', `export ${EPISODE} --format csv -o file/tables`],
  ['export of traces', `export ${EPISODE} --format otlp -o file/spans.json`],
  ['view', `view ${EPISODE} -o file/page.html`],
  ['verify', `verify ${EPISODE} -f sarif -o file/report.json`],
  ['pages of verify', `verify ${EPISODE} -f html -o page.html --views file/pages`],
  ['keygen', 'keygen file/k'],
])('%s into a place that cannot be written is a usage error', (_, args) => {
  const cwd = tempDir();
  const { status, stderr } = shell(`touch file; ${LAUNCH} ${args}`, cwd);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^error: cannot write .*file.*\nhelp: give /)]);
});

describe('the folder for temporary files', () => {
  const packed = () => {
    const cwd = tempDir();
    const made = shell(
      `tar cf a.tar -C ${dirname(EPISODE)} ${basename(EPISODE)}; gzip -c ${EPISODE}/events.jsonl > a.jsonl.gz;
      cp -r ${EPISODE} run; gzip run/events.jsonl; mkdir tmp; echo '{"steps":[{}],"schema_version":"ATIF-v1.4","agent":{}}' > a.json`,
      cwd,
    );
    expect(made).toEqual({ status: 0, stdout: '', stderr: '' });
    return cwd;
  };

  test.each(['a.tar', 'a.jsonl.gz', 'run', 'a.json', '- < a.jsonl.gz'])(
    'that is full or missing is no fault of %s',
    (target) => {
      const cwd = packed();
      for (const [limit, folder, reason] of [
        ['ulimit -f 0', 'tmp', 'the file would be too large'],
        ['true', 'none', 'no such file or folder'],
      ])
        for (const command of ['verify', 'events']) {
          const run = `export TMPDIR=${cwd}/${folder}; ${limit}; exec ${LAUNCH} ${command} ${target}`;
          const { status, stdout, stderr } = shell(run, cwd);
          const error = `error: cannot write temporary files to ${cwd}/${folder}: ${reason}`;
          expect([command, status, stdout]).toEqual([command, 1, '']);
          expect(stderr.split('\n')).toContain(error);
          expect(readdirSync(join(cwd, 'tmp'))).toEqual([]);
        }
    },
  );
});

test('keygen leaves no half of a pair', () => {
  const cwd = tempDir();
  const { status, stderr } = shell(`echo > k.pub; exec ${LAUNCH} keygen k`, cwd);
  expect([status, stderr]).toEqual([2, expect.stringContaining('k.pub already exists')]);
  expect(readdirSync(cwd)).toEqual(['k.pub']);
});

test.skipIf(process.platform !== 'linux').each([
  ['redact', `redact ${EPISODE} -o /proc/none/of/these`],
  ['salvage', `salvage ${EPISODE} -o /proc/none/of/these`],
  ['export', `export ${EPISODE} --format csv -o /proc/none/of/these`],
])('%s ends where no folder can be created', (_, args) => {
  const { status, stderr } = shell(`timeout -s KILL 60 ${LAUNCH} ${args}`, tempDir());
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^error: cannot write/)]);
});
