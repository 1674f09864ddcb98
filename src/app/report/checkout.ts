import { resolve } from 'node:path';
import { below } from '../../render/location.ts';

/** Variables in which build servers store the path of the checkout: GitHub, GitLab. */
const VARIABLES = ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR'] as const;

/**
 * The folder for relative paths in reports on build servers: the checkout, if the command runs in it or below
 * (`working-directory`). Otherwise the working directory.
 */
export function checkoutOf(env: Readonly<Record<string, string | undefined>>, cwd: string): string {
  const here = resolve(cwd);
  const folders = VARIABLES.map((name) => env[name]).filter((dir) => dir !== undefined && dir !== '');
  return folders.find((dir) => dir !== undefined && below(here, dir) !== undefined) ?? here;
}
