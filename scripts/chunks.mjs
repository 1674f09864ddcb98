// Which modules of the bundle share a file. node takes its time for every file, and esbuild makes one of the modules
// that the same entries need: of everything that is loaded on demand, which is an entry each, that would be a hundred.
import { join, relative, resolve } from 'node:path';

const NAMESPACE = 'on-demand';

/** All that the start of a command needs. */
const START = 'commands/program.ts';

/** Texts of findings. */
const isCatalogue = (path) => /\/catalogue/.test(path);
/** What shows events and verifies nothing: it is not to load what verifying takes. */
const SHOWS =
  /^src\/render\/|^commands\/(?:diff|events-of-many|follow-events|print-tree|progress|report-failure|show-event|stats|timeline)\.ts$/;
/** What a dialect does, beside telling of its schemas and types. */
const WORKS = /^src\/dialects\/[\w-]+\/(?:verify|projection|sealing|writing|state-reader)\b/;

/** As many entries need what stands in a file for many. */
const MANY = 3;

/**
 * The file of a module that several entries need: one has the texts of findings, one for each dialect what it works with,
 * one the page, one the small parts of renderers, one what many need that verify, and one what many need for other work.
 * Undefined for all others, which stand where esbuild puts them.
 */
function homeOf(path, entries, reaches) {
  if (isCatalogue(path)) return 'catalogue';
  const dialect = /^src\/dialects\/([\w-]+)\//.exec(path)?.[1];
  if (dialect !== undefined) return entries.every((entry) => WORKS.test(entry)) ? dialect : undefined;
  if (path.startsWith('src/page/')) return 'page';
  if (path.startsWith('src/render/')) return 'render';
  if (entries.length < MANY || entries.some((entry) => SHOWS.test(entry))) return undefined;
  return reaches(path, isCatalogue) ? 'verification' : 'work';
}

/** What is loaded with a file of a bundle, and itself. */
function loadedWith(outputs, path, seen = new Set()) {
  if (seen.has(path) || outputs[path] === undefined) return seen;
  seen.add(path);
  for (const { path: other, kind } of outputs[path].imports)
    if (kind !== 'dynamic-import') loadedWith(outputs, other, seen);
  return seen;
}

/** The modules that are to share a file, by its name, as a bundle without such files tells them. */
export function modulesTogether({ inputs, outputs }) {
  const sourcesOf = (path) =>
    Object.entries(outputs[path].inputs).flatMap(([source, { bytesInOutput }]) =>
      bytesInOutput > 0 && /^(?:src|commands)\//.test(source) ? [source] : [],
    );
  const start = Object.keys(outputs).find((path) => outputs[path].entryPoint === START);
  const atStart = new Set([...loadedWith(outputs, start)].flatMap(sourcesOf));
  const needed = new Map();
  for (const [path, { entryPoint = '' }] of Object.entries(outputs)) {
    if (!entryPoint.startsWith(`${NAMESPACE}:`)) continue;
    const entry = relative('.', entryPoint.slice(NAMESPACE.length + 1));
    for (const source of [...loadedWith(outputs, path)].flatMap(sourcesOf)) {
      if (atStart.has(source)) continue;
      needed.set(source, (needed.get(source) ?? new Set()).add(entry));
    }
  }
  const reaches = (path, test, seen = new Set()) => {
    if (seen.has(path)) return false;
    seen.add(path);
    const imports = inputs[path]?.imports ?? [];
    return (
      test(path) ||
      imports.some(({ path: other, kind }) => kind !== 'dynamic-import' && reaches(other, test, seen))
    );
  };
  const together = new Map();
  for (const [source, entries] of needed) {
    // Who imports the library needs all of it.
    const counted = [...entries].filter((entry) => entry !== 'src/index.ts');
    const home = counted.length > 1 ? homeOf(source, counted, reaches) : undefined;
    if (home === undefined) continue;
    const group = together.get(home) ?? { sources: [], entries: new Set() };
    group.sources.push(source);
    for (const entry of entries) group.entries.add(entry);
    together.set(home, group);
  }
  return together;
}

/**
 * Keeps what the start of a command needs in one file, and what stands together in one each: all that is loaded on
 * demand then needs the whole start, which is loaded by then anyway, and the whole of what it needs a part of.
 * `on-demand:FILE` makes an entry of that kind.
 */
export const fewChunks = (together) => ({
  name: 'few-chunks',
  setup({ onResolve, onLoad }) {
    const groups = [...together.values()];
    const start = resolve(START);
    onResolve({ filter: /^on-demand:/ }, ({ path }) => ({
      path: resolve(path.slice(NAMESPACE.length + 1)),
      namespace: NAMESPACE,
    }));
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      const file = join(resolveDir, path);
      return kind === 'dynamic-import' && file !== start ? { path: file, namespace: NAMESPACE } : undefined;
    });
    onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => {
      const entry = relative('.', path);
      const needed = groups.filter(({ entries }) => entries.has(entry)).flatMap(({ sources }) => sources);
      const first = ['commands/program.ts', ...needed].map(
        (one) => `import ${JSON.stringify(resolve(one))};`,
      );
      return { contents: `${first.join('')}export * from ${JSON.stringify(path)};`, resolveDir: '.' };
    });
  },
});
