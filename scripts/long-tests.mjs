// Prints the test files that do more in full than in their short form: those that ask test/support/length.ts how much to do,
// themselves or by what they import, and those that run the command line as a process.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const LENGTH = 'test/support/length.ts';
/** Its `noesis` runs the command line in the test's process, or in a new one. Nothing else there has two forms. */
const COMMAND_LINE = 'test/support/cli.ts';

const IMPORT = /^(?:import|export) ([^;]*?) from '(\.[^']+)'/gm;
const importsOf = (path) =>
  [...readFileSync(path, 'utf8').matchAll(IMPORT)]
    .map(([, names, specifier]) => ({ names, path: join(dirname(path), specifier) }))
    .filter((one) => one.path.startsWith('test/') && existsSync(one.path))
    .filter((one) => one.path !== COMMAND_LINE || /\bnoesis\b/.test(one.names));

const known = new Map();
function hasTwoForms(path) {
  if (path === LENGTH) return true;
  if (!known.has(path)) {
    known.set(path, false);
    known.set(
      path,
      importsOf(path).some((one) => hasTwoForms(one.path)),
    );
  }
  return known.get(path);
}

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join('test', path));
console.log(files.filter(hasTwoForms).sort().join('\n'));
