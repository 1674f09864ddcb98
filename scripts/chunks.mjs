// Which modules of the bundle share a file. node takes its time for every file, and esbuild makes one of the modules
// that the same entries need: of everything that is loaded on demand, which is an entry each, that would be a hundred.
import { join, relative, resolve } from 'node:path';

const NAMESPACE = 'on-demand';

/** All that the start of a command needs. */
const START = 'commands/program.ts';

/** Texts of findings. */
const isCatalogue = (path) => /\/catalogue/.test(path);
/** What shows events and verifies nothing: it is not to load what verifying takes. */
const SHOWS = /^src\/render\/|^commands\/(?:stats|timeline)\.ts$/;
/** What a dialect does, beside telling of its schemas and types. */
const WORKS = /^src\/dialects\/[\w-]+\/(?:verify|projection|sealing|writing|state-reader)\b/;

/** A file for many has what so many entries need, or more. */
const MANY = 3;

/**
 * The file of a module that several entries need: one has the texts of findings, one for each dialect what it works with,
 * one the page, one the small parts of renderers, one what many need that verify, and one what many need for other work.
 * Undefined for all others, which stand where esbuild puts them.
 */
function homeOf(path, entries, inputs) {
  if (isCatalogue(path)) return 'catalogue';
  const dialect = /^src\/dialects\/([\w-]+)\//.exec(path)?.[1];
  if (dialect !== undefined) return entries.every((entry) => WORKS.test(entry)) ? dialect : undefined;
  if (path.startsWith('src/page/')) return 'page';
  if (path.startsWith('src/render/')) return 'render';
  if (entries.length < MANY || entries.some((entry) => SHOWS.test(entry))) return undefined;
  return loadedWith(path, inputs).some(isCatalogue) ? 'verification' : 'work';
}

/** What is loaded with a file, and itself: of a bundle, or of the sources. */
function loadedWith(path, files) {
  const loaded = new Set([path]);
  for (const one of loaded)
    for (const { path: other, kind } of files[one].imports)
      if (kind !== 'dynamic-import' && files[other] !== undefined) loaded.add(other);
  return [...loaded];
}

/** The modules that are to share a file, as a bundle without such files tells them, and the entries that need any of them. */
export function modulesTogether({ inputs, outputs }) {
  const sourcesWith = (path) =>
    loadedWith(path, outputs)
      .flatMap((file) => Object.entries(outputs[file].inputs))
      .filter(([source, { bytesInOutput }]) => bytesInOutput > 0 && /^(?:src|commands)\//.test(source))
      .map(([source]) => source);
  const atStart = new Set();
  const needed = new Map();
  for (const [path, { entryPoint = '' }] of Object.entries(outputs)) {
    if (entryPoint === START) for (const source of sourcesWith(path)) atStart.add(source);
    if (!entryPoint.startsWith(`${NAMESPACE}:`)) continue;
    const entry = relative('.', entryPoint.slice(NAMESPACE.length + 1));
    for (const source of sourcesWith(path)) needed.set(source, [...(needed.get(source) ?? []), entry]);
  }
  const together = new Map();
  for (const [source, entries] of needed) {
    // Who imports the library needs all of it.
    const counted = entries.filter((entry) => entry !== 'src/index.ts');
    if (atStart.has(source) || counted.length < 2) continue;
    const home = homeOf(source, counted, inputs);
    if (home === undefined) continue;
    const group = together.get(home) ?? { sources: [], entries: new Set() };
    group.sources.push(source);
    for (const entry of entries) group.entries.add(entry);
    together.set(home, group);
  }
  return [...together.values()];
}

/**
 * Keeps what the start of a command needs in one file, and what stands together in one each: all that is loaded on
 * demand then needs the whole start, which is loaded by then anyway, and the whole of what it needs a part of.
 * `on-demand:FILE` makes an entry of that kind.
 */
export const fewChunks = (groups) => ({
  name: 'few-chunks',
  setup({ onResolve, onLoad }) {
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
      const first = [START, ...needed].map((one) => `import ${JSON.stringify(resolve(one))};`);
      return { contents: `${first.join('')}export * from ${JSON.stringify(path)};`, resolveDir: '.' };
    });
  },
});
