import { resolve } from 'node:path';
import { below } from '../../render/location.ts';

/** Where a build server says that the checkout lies: GitHub, GitLab. */
const VARIABLES = ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'] as const;

/**
 * The folder that build servers take the paths of a report to be relative to: the checkout, where the command runs in it,
 * or below it as with `working-directory`. Elsewhere the working directory.
 */
export function checkoutOf(env: Readonly<Record<string, string | undefined>>, cwd: string): string {
  const here = resolve(cwd);
  const folders = VARIABLES.map((name) => env[name]).filter((dir) => dir !== undefined && dir !== '');
  return folders.find((dir) => dir !== undefined && below(here, dir) !== undefined) ?? here;
}
