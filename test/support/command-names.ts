import { runHere } from './in-process.ts';

/** All commands, from the help of the program, so that new ones are included. */
export async function commandNames(): Promise<string[]> {
  const { stdout } = await runHere(['--help']);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].flatMap(([, name]) => name ?? []);
  // Without any name, every test of all commands would pass.
  if (names.length === 0) throw new Error('the help lists no command');
  return names;
}
