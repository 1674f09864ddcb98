import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LAUNCH } from './cli.ts';
import { tempDir } from './temp.ts';
import { isInstalled } from './tools.ts';

// The pages of the documents, with their commands and the outputs below them.

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const OMITTED = '[…]';

/** The pages that people read; generated ones have separate tests. */
export const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((path) => path.endsWith('.md') && !/^docs\/findings(?:\.md|\/)/.test(path));

export const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

export const trimmed = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());

/** The fenced blocks of a language on a page. */
export function blocks(page: string, language: string): string[] {
  return [...textOf(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text]) => text ?? '',
  );
}

const jq = isInstalled('jq');
// A machine without DuckDB skips its queries.
const duckdb = await import('@duckdb/node-api').then(
  () => true,
  () => false,
);

/** Whether this machine has the programs that a command or block needs. */
export const canRun = (text: string): boolean =>
  (jq || !text.includes('jq')) && (duckdb || !text.includes('noesis sql'));

export interface Step {
  readonly command: string;
  /** The command as the block has it, with its prompt. */
  readonly prompt: string;
  readonly shown: readonly string[];
}

/** The commands of a block, each with the output below it. A backslash or `|` at the end of a line continues a command. */
export function stepsOf(block: string): Step[] {
  return block
    .split(/^(?=\$ )/m)
    .filter((text) => text.startsWith('$ '))
    .map((text) => {
      const [prompt = ''] = /^(?:.*[\\|]\n)*.*\n/.exec(text) ?? [];
      return { command: prompt.slice(2).trimEnd(), prompt, shown: trimmed(text.slice(prompt.length)) };
    });
}

/** A command of a page that writes to `folder` instead of `/tmp`, which other runs of the tests also use. */
export const writingTo = (folder: string, command: string): string =>
  command.replaceAll(/(?<=[ "'])\/tmp(?=\/)/g, folder);

/** The output of such a command as the page shows it. */
export const asOnPage = (folder: string, output: string): string => output.replaceAll(folder, '/tmp');

/** Whether lines match the shown ones, with omissions for any number of lines. */
export function fits(actual: readonly string[], shown: readonly string[]): boolean {
  const patterns = shown.map((line) =>
    line === OMITTED ? '(?:.*\\n)*?' : `${line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\n`,
  );
  return new RegExp(`^${patterns.join('')}$`).test(`${actual.join('\n')}\n`);
}

/** A folder with the built `noesis`, as an installation would put it on the PATH. */
export function binFolder(): string {
  const bin = tempDir();
  writeFileSync(join(bin, 'noesis'), `#!/bin/sh\nexec ${LAUNCH} "$@"\n`, { mode: 0o755 });
  return bin;
}
