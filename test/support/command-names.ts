import { runHere } from './in-process.ts';

/** All commands, from the help of the program: a new one is among them by itself. */
export async function commandNames(): Promise<string[]> {
  const { stdout } = await runHere(['--help']);
  return [...stdout.matchAll(/^ {2}([a-z]+)(?: \[options\])? [<[]/gm)].flatMap(([, name]) => name ?? []);
}
