import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LAUNCH, SAMPLES } from '../support/cli.ts';
import { tempDir } from '../support/temp.ts';

/** Runs a script of a shell that may mount file systems for itself, with a folder for one. */
function mounting(script: string, disk: string) {
  return spawnSync('unshare', ['-rm', 'sh', '-ec', `mount -t tmpfs -o size=1m none "$DISK"\n${script}`], {
    encoding: 'utf8',
    env: {
      ...process.env,
      DISK: disk,
      HOME: disk,
      XDG_CACHE_HOME: join(disk, 'cache'),
      CLAUDE_CONFIG_DIR: join(SAMPLES, 'claude-code'),
    },
  });
}

const FILL = 'cat /dev/zero > "$DISK/filler" 2> /dev/null || true';
const LIST = `${LAUNCH} list -j --config none`;
const KNOWN = 'find "$DISK" -path "*/known/*"';

test.for([
  ['for the first time', '', ''],
  // Another build ignores the memory, so it must be written again.
  ['again', `${LIST} > /dev/null; sed -i '1s/\\t[^\\t]*/\\tother/' "$(${KNOWN})"`, 'logs'],
])('a list on a full disk is no error, and leaves no part of a memory: %s', ([, before, kept], { skip }) => {
  const disk = tempDir();
  if (mounting('', disk).status !== 0) skip('no file system can be mounted here');
  const { status, stdout } = mounting(
    `mkdir -m 700 "$DISK/cache"\n${before}\n${FILL}\n${LIST}\necho "known: $(${KNOWN} -exec basename {} \\;)"`,
    disk,
  );
  const expected = mounting(`NOESIS_KNOWN=never ${LIST}`, disk);
  expect(status).toBe(0);
  expect(expected.stdout).toContain('"dialect"');
  expect(stdout).toBe(`${expected.stdout}known: ${kept}\n`);
});
