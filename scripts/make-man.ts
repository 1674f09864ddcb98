// Writes the pages of the manual: node scripts/run.mjs scripts/make-man.ts [FOLDER] (default dist/man).
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram } from '../commands/program.ts';
import { manualOf } from '../src/cli/help/manual.ts';

const folder = process.argv[2] ?? 'dist/man';
/** The date of the commit, so that the same commit gives the same pages. */
const { stdout } = spawnSync('git', ['log', '-1', '--format=%cs'], { encoding: 'utf8' });
const nothing = { env: {}, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
const program = await buildProgram(nothing as unknown as Parameters<typeof buildProgram>[0], undefined);
const pages = manualOf(program, stdout?.trim() ?? '');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
// npm only installs pages that are not compressed.
for (const [name, text] of pages) writeFileSync(join(folder, name), text);
console.error(`wrote ${pages.size} pages to ${folder}/`);
