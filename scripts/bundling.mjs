// The options, plugins and licences of the bundles.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { build, transform } from 'esbuild';
import * as zod from 'zod';
import { commitOf } from './commit.mjs';

/** The accelerator's tables, which replace names in the sources. */
async function tables() {
  const { outputFiles } = await build({
    entryPoints: ['scripts/tables.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  const { TABLES } = await import(`data:text/javascript;base64,${code}`);
  return Object.fromEntries(Object.entries(TABLES).map(([name, text]) => [name, JSON.stringify(text)]));
}

/** The options of every bundle. */
export const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // Licences are collected in a separate file.
  legalComments: 'none',
  define: { NOESIS_COMMIT: JSON.stringify(commitOf('.')) ?? 'undefined', ...(await tables()) },
  minify: true,
  // Node prints the line of an error, also in programs that use the library, so lines are kept short.
  lineLimit: 400,
  metafile: true,
  logLevel: 'warning',
};

/** Commander can start subcommands as processes. noesis never does, and loading that code takes time. */
export const commandsAreNoProcesses = {
  name: 'commands-are-no-processes',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('commander') ? { path: 'child_process', namespace: 'never-called' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'never-called' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Of ora's hundred spinners, keeps the one that is shown and the one for plain terminals. */
export const twoSpinners = {
  name: 'two-spinners',
  setup({ onLoad }) {
    onLoad({ filter: /cli-spinners[/\\]spinners\.json$/ }, async ({ path }) => {
      const { dots, line } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ dots, line }), loader: 'json' };
    });
  },
};

/** The code that every command needs at its start. */
const START = resolve('commands/program.ts');

/**
 * Keeps the code that every command needs in one file, because node needs time for each file. esbuild makes a file for code
 * that the same entries share, and everything loaded on demand is an entry. Here each such entry imports the start, which
 * is loaded by then anyway. `on-demand:FILE` makes such an entry.
 */
export const startInOneFile = {
  name: 'start-in-one-file',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^on-demand:/ }, ({ path }) => ({
      path: resolve(path.slice('on-demand:'.length)),
      namespace: 'on-demand',
    }));
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const file = join(resolveDir, path);
      return kind === 'dynamic-import' && file !== START ? { path: file, namespace: 'on-demand' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'on-demand' }, ({ path }) => ({
      contents: `import ${JSON.stringify(START)}; export * from ${JSON.stringify(path)};`,
      resolveDir: '.',
    }));
  },
};

/** The names of zod that the sources use at run time. Names in types cost nothing. */
export async function namesOfZod() {
  const sources = ['src', 'commands'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(folder, path), 'utf8'))
      .filter((text) => text.includes("from 'zod'")),
  );
  const plain = await Promise.all(sources.map((text) => transform(text, { loader: 'ts' })));
  const used = plain.flatMap(({ code }) => [...code.matchAll(/\bz\.([A-Za-z]\w*)/g)].map(([, name]) => name));
  return [...new Set(used)].filter((name) => name in zod).sort();
}

/** The folder of the package that a file of node_modules belongs to; undefined for files of the project. */
const packageOf = (path) =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replace(/^[\w-]+:/, ''))?.[0];

/** The packages that went into bundles, each with its manifest, sorted by name. */
export function bundledPackages(metafiles) {
  const inputs = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs: parts }) =>
      Object.entries(parts).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    ),
  );
  const folders = [...new Set(inputs.flatMap((path) => packageOf(path) ?? []))];
  return folders
    .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const COPYRIGHT = /^\s*Copyright (?:\([cC]\)|\u00a9|\d|[A-Z]).*$/gm;
const TITLE = /^\s*\(?(?:the )?(?:mit|isc|bsd)[\w -]*licen[cs]e\)?(?: \(\w+\))?\s*$/gim;

/** The text of a licence file without the lines that differ between packages, and those lines. */
function licenceOf({ folder }) {
  const file = readdirSync(folder).find((path) => /^licen[cs]e/i.test(path));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').replaceAll('\r', '');
  const own = (text.match(COPYRIGHT) ?? []).map((line) => line.trim());
  return { own, rest: text.replace(COPYRIGHT, '').replace(TITLE, '').trim() };
}

/** The licences of bundled packages. Each text is printed once, below the packages that have it. */
export function licenceTexts(packages) {
  const groups = new Map();
  for (const one of packages) {
    const { own, rest } = licenceOf(one);
    const key = rest.toLowerCase().replace(/[^a-z]+/g, ' ');
    const group = groups.get(key) ?? { heads: [], rest };
    group.heads.push(
      [`${one.name} ${one.version} (${one.license})`, ...own.map((line) => `  ${line}`)].join('\n'),
    );
    groups.set(key, group);
  }
  const texts = [...groups.values()].map(({ heads, rest }) => `${heads.join('\n')}\n\n${rest}\n`);
  return `What is bundled here, besides noesis itself, and under which licence.\n\n${texts.join(`\n${'-'.repeat(72)}\n\n`)}`;
}

/** Code that compares texts without the data of languages, which takes longer to load than the prices. */
const withoutLanguages = (code) =>
  code.replace(/([\w.]+)\.localeCompare\(([\w.]+)\)/g, '($1 < $2 ? -1 : $1 > $2 ? 1 : 0)');

/** Of the price list, keeps what decides a price. Texts about providers and models are most of it. */
export const onlyPrices = {
  name: 'only-prices',
  setup({ onLoad }) {
    onLoad({ filter: /genai-prices[/\\]dist[/\\]index\.js$/ }, async ({ path }) => {
      const { waitForUpdate } = await import(pathToFileURL(path).href);
      const providers = await waitForUpdate();
      const text = readFileSync(path, 'utf8');
      // The list is the first value of the file, and ends with the first line that begins with a bracket.
      const [, name] = /^const (\S+) = \[/.exec(text) ?? [];
      const end = text.indexOf('\n]') + 2;
      const list = compileFunction(`return ${text.slice(text.indexOf('['), end)}`)();
      if (name === undefined || JSON.stringify(list) !== JSON.stringify(providers))
        throw new Error(`${path} does not begin with its price list`);
      return {
        contents: `const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(providers.map(withoutTexts)))})${withoutLanguages(text.slice(end))}`,
      };
    });
  },
};

const withoutTexts = ({
  models,
  id,
  api_pattern,
  model_match,
  provider_match,
  fallback_model_providers,
}) => ({
  id,
  api_pattern,
  model_match,
  provider_match,
  fallback_model_providers,
  models: models.map(({ id: model, match, prices }) => ({ id: model, match, prices })),
});
