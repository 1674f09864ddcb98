import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const cwd = fileURLToPath(new URL('../..', import.meta.url));

test('an uncaught error prints a few lines, however the package is bundled', async () => {
  const program = "import { verifyEpisode } from 'noesis'; await verifyEpisode('no/such/folder');";
  const stderr = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', program], { cwd }, (_, __, said) =>
      resolve(said),
    );
  });
  // The class has its name too: Node prints both where they differ.
  expect(stderr).toContain('\nTargetError: no/such/folder does not exist');
  expect(stderr.length).toBeLessThan(4000);
});
