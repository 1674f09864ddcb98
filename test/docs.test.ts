import { type ExecFileException, execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { EXAMPLES } from './support/cli.ts';
import { runInTurn } from './support/in-process.ts';
import { isProcess, sampled } from './support/length.ts';
import {
  asOnPage,
  binFolder,
  blocks,
  canRun,
  fits,
  OMITTED,
  PAGES,
  ROOT,
  stepsOf,
  textOf,
  trimmed,
  writingTo,
} from './support/pages.ts';
import { tempDir, tempFile } from './support/temp.ts';
import { isInstalled } from './support/tools.ts';

// Every output in the README and in docs/ is real: each command of a ```console block is run from the root of the
// repository and must print what the block shows. A line […] means any number of omitted lines.
// UPDATE_DOCS=1 npx vitest run test/docs.test.ts puts what the commands print now into the blocks.

const bin = binFolder();

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** A command that needs no shell: no pipes, redirections or variables, and quotes only around whole words. */
const PLAIN = /^noesis( (?:[\w./:=,@#+-]+|'[^']*'|"[^"$`\\]*"))+$/;

const wordsOf = (script: string): string[] =>
  [...script.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, bare]) => one ?? two ?? bare ?? '');

/**
 * Runs a shell script; standard output and standard error come back as one. Only the full form of the tests starts a process
 * for a plain command, see `isProcess`.
 */
function shell(script: string, cwd = ROOT, extra: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const env = {
    PATH: [bin, process.env['PATH']].join(delimiter),
    HOME: bin,
    COLUMNS: '80',
    NO_COLOR: '1',
    TZ: 'UTC',
    ...extra,
  };
  if (PLAIN.test(script) && !isProcess()) {
    const [, ...args] = wordsOf(script);
    return runInTurn(args, { cwd, env, home: bin, joined: true }).then(({ code, stdout }) => ({
      code,
      output: stdout,
    }));
  }
  return new Promise((resolve) => {
    const done = (error: ExecFileException | null, output: string) =>
      resolve({ code: Number(error?.code ?? 0), output });
    execFile('sh', ['-c', `exec 2>&1\n${script}`], { cwd, env, encoding: 'utf8' }, done);
  });
}

/** The output that a page should show. One omission keeps its numbers of lines before and after it; several stay. */
function updated(actual: readonly string[], shown: readonly string[]): readonly string[] {
  const at = shown.indexOf(OMITTED);
  if (at === -1) return actual;
  if (fits(actual, shown) || shown.lastIndexOf(OMITTED) > at) return shown;
  const after = shown.length - at - 1;
  return [...actual.slice(0, at), OMITTED, ...actual.slice(actual.length - after)];
}

const git = isInstalled('git');

/** Each of them writes tables first: the short form runs a few. */
const QUERIES = PAGES.flatMap((page) => blocks(page, 'console')).filter((block) =>
  block.includes('noesis sql'),
);
const LEFT_OUT = new Set(QUERIES.filter((block) => !sampled(QUERIES, 2).includes(block)));

describe.concurrent.each(PAGES)('the outputs in %s', (page) => {
  const replacements: [string, string][] = [];
  const folder = tempDir();
  for (const block of blocks(page, 'console')) {
    const steps = stepsOf(block);
    test.runIf(canRun(block) && !LEFT_OUT.has(block))(steps[0]?.command ?? 'an empty block', async () => {
      let text = '';
      for (const { command, prompt, shown } of steps) {
        const { output } = await shell(writingTo(folder, command), ROOT, { TMPDIR: folder });
        const actual = trimmed(asOnPage(folder, output));
        if (process.env['UPDATE_DOCS']) {
          text += `${`${prompt}${updated(actual, shown).join('\n')}`.trimEnd()}\n\n`;
        } else expect(fits(actual, shown) ? shown : actual, command).toEqual(shown);
      }
      if (text !== '') replacements.push([block, `${text.trimEnd()}\n`]);
    });
  }

  test('are in blocks that have a language and an end', () => {
    const fences = textOf(page).match(/^```.*$/gm) ?? [];
    expect(fences.filter((fence, at) => (fence === '```') !== (at % 2 === 1))).toEqual([]);
    expect(fences.length % 2).toBe(0);
  });

  afterAll(() => {
    const before = textOf(page);
    let text = before;
    for (const [old, now] of replacements) text = text.replace(old, () => now);
    if (text !== before) writeFileSync(join(ROOT, page), text);
  });
});

test('the README and the page of commands show real output', () => {
  expect(blocks('README.md', 'console').length).toBeGreaterThan(5);
  expect(blocks('docs/commands.md', 'console').length).toBeGreaterThan(10);
});

test('the README has fewer than 200 lines', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThan(200);
});

test('the demo shows, reads and verifies runs, and writes a page', async () => {
  const { code, output } = await shell(`"${process.execPath}" scripts/demo.mjs`, ROOT, { TMPDIR: tempDir() });
  expect(code).toBe(0);
  for (const command of ['list', 'show', 'read', 'verify', 'view'])
    expect(output).toContain(`$ noesis ${command} `);
  const [page = ''] = /^.*\.html$/m.exec(output) ?? [];
  expect(readFileSync(page, 'utf8')).toContain('<title>Migrate the orders table');
});

test('the site has an index and three small pages', async () => {
  const folder = tempDir();
  expect((await shell(`"${process.execPath}" scripts/make-site.mjs "${folder}"`)).code).toBe(0);
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  const pages = [...index.matchAll(/href="\.\/([\w.-]+)"/g)].map(([, name = '']) => join(folder, name));
  const sizes = pages.map((page) => readFileSync(page).length);
  expect(sizes).toHaveLength(3);
  expect(sizes.reduce((sum, size) => sum + size, index.length)).toBeLessThan(650_000);
});

test('the examples of the library print the output shown below them', async () => {
  const examples = [
    ...textOf('docs/library.md').matchAll(/^```js\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$/gm),
  ];
  expect(examples.length).toBeGreaterThan(0);
  for (const [, code = '', shown = ''] of examples) {
    const script = tempFile(code, 'example.mjs');
    const { output } = await shell(`"${process.execPath}" --input-type=module < "${script}"`);
    expect(trimmed(output)).toEqual(trimmed(shown));
  }
});

test('the configuration is accepted and lets an old trace pass', async () => {
  const config = PAGES.flatMap((page) => blocks(page, 'toml')).join('\n');
  const folder = tempDir();
  writeFileSync(join(folder, 'noesis.toml'), config);
  const { code, output } = await shell(`noesis verify "${join(EXAMPLES, 'legacy')}"`, folder);
  expect(code, output).toBe(0);
});

/** A repository with a trace in it. */
async function repository(): Promise<string> {
  const folder = tempDir();
  mkdirSync(join(folder, 'traces'));
  const good = join(EXAMPLES, '.noesis', 'episodes');
  cpSync(good, join(folder, 'traces'), { recursive: true });
  await shell('git init -q && git config user.name test && git config user.email test@localhost', folder);
  return folder;
}

const damage = 'for log in traces/*/events.jsonl; do printf x >> "$log"; done';

test.skipIf(!git)('the hook lets a good episode in and keeps a damaged one out', async () => {
  const hook = blocks('docs/ci.md', 'sh').find((block) => block.startsWith('#!/bin/sh')) ?? '';
  const folder = await repository();
  writeFileSync(join(folder, '.git', 'hooks', 'pre-commit'), hook, { mode: 0o755 });
  const good = await shell('git add -A && git commit -q -m good', folder);
  expect(good).toEqual({ code: 0, output: '' });

  const bad = await shell(`${damage}; git add -A && git commit -q -m bad`, folder);
  expect(bad.code).toBe(1);
  expect(bad.output).toContain('error[log/truncated]');
  const unrelated = await shell(
    'git reset -q && echo text > note && git add note && git commit -q -m note',
    folder,
  );
  expect(unrelated).toEqual({ code: 0, output: '' });
  const removed = await shell('git rm -q -r -f traces && git commit -q -m gone', folder);
  expect(removed).toEqual({ code: 0, output: '' });
});

test.skipIf(!git)('the steps of the workflow run', async () => {
  const workflow = blocks('docs/ci.md', 'yaml').find((block) => block.includes('noesis verify')) ?? '';
  const lines = [...workflow.matchAll(/^ +run: (noesis .*)$/gm)].map(([, line]) => line ?? '');
  expect(lines).toHaveLength(2);
  const folder = await repository();
  const summary = join(folder, 'summary.md');
  const run = (line: string) => shell(line, folder, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
  for (const line of lines) expect((await run(line)).code).toBe(0);
  expect(readFileSync(summary, 'utf8')).toContain('| Verdict |');
  await shell(damage, folder);
  const [verify = '', sarif = ''] = lines;
  const failed = await run(verify);
  expect(failed.code).toBe(1);
  expect(failed.output).toMatch(/^::error file=traces\//m);
  expect((await run(sarif)).code).toBe(0);
  expect(readFileSync(join(folder, 'noesis.sarif'), 'utf8')).toContain('"ruleId": "log/truncated"');
});

const LINKED = [
  ...PAGES,
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'examples/README.md',
  'bench/README.md',
];

/** The anchors that a page gives its headings, and those that it sets itself. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = textOf(page);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]);
}

test.each(LINKED)('%s links only to files and headings that exist', (page) => {
  for (const [, link = ''] of textOf(page).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
    const [file = '', anchor] = link.split('#');
    const path = file === '' ? page : join(dirname(page), file);
    expect(existsSync(join(ROOT, path)), link).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(path), link).toContain(anchor);
  }
});

test('every section that the code cites exists', () => {
  const sources = ['src', 'commands', 'bin'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path)),
  );
  const cited = new Set(
    sources.flatMap((path) =>
      [...textOf(path).matchAll(/([a-z-]+\.md) §(\d+(?:\.\d+)?)/g)].map(([, page, n]) => `${page} §${n}`),
    ),
  );
  expect(cited.size).toBeGreaterThan(20);
  const missing = [...cited].filter((citation) => {
    const [page = '', section = ''] = citation.split(' §');
    const path = join('docs', 'formats', page);
    return !existsSync(join(ROOT, path)) || !new RegExp(`^##+ ${section}\\.? `, 'm').test(textOf(path));
  });
  expect(missing).toEqual([]);
});
