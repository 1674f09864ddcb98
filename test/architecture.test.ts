import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');

/** The names in the first column of the rows of tables on the page, row by row. */
const ROWS = PAGE.split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));

/** The layers of src/ as the page lists them, the lowest first. Each is a list of folders, files and patterns with `*`. */
const LAYERS: readonly (readonly string[])[] = ROWS.filter((names) =>
  names.some((name) => name.startsWith('src/')),
)
  .map((names) => names.map((name) => name.slice('src/'.length).replace(/\/$/, '')))
  .reverse();

/** The first part of a path below src/: a folder, or a file at the top. */
const room = (path: string): string => path.split('/')[0] as string;

const fits = (name: string, pattern: string): boolean =>
  pattern.endsWith('-*.ts')
    ? name.startsWith(pattern.slice(0, -'*.ts'.length)) && name.endsWith('.ts')
    : name === pattern;

const layerOf = (path: string): number =>
  LAYERS.findIndex((rooms) => rooms.some((pattern) => fits(room(path), pattern)));

interface Import {
  readonly from: string;
  readonly to: string;
}

function importsOf(path: string): Import[] {
  const source = readFileSync(join(SRC, path), 'utf8');
  const specifiers = source.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)'/gm);
  return [...specifiers].map(([, specifier = '']) => ({
    from: path,
    to: relative(SRC, join(SRC, dirname(path), specifier)),
  }));
}

/** The sources in a folder, as paths from src/. */
const sourcesIn = (folder: string): string[] =>
  readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))
    .map((path) => join(folder, path));

const FILES = sourcesIn('.');
const ALL_IMPORTS = FILES.flatMap(importsOf);
const IMPORTS = ALL_IMPORTS.filter(({ to }) => !to.startsWith('..'));

const shown = ({ from, to }: Import): string => `${from} -> ${to}`;

/** The dialect a file in dialects/ belongs to. The kits are of all of them. */
const dialectOf = (path: string): string | undefined =>
  /^dialects\/(?:sessions\/)?(?!kit\/|sessions\/)([^/]+)\//.exec(path)?.[1];

/** The folder of a dialect, from src/. */
const folderOf = (path: string): string => /^dialects\/(?:sessions\/)?[^/]+/.exec(path)?.[0] ?? '';

describe('docs/architecture.md', () => {
  it('lists every folder of the repository that has code or pages, and no other', () => {
    const ignored = readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n');
    const real = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name))
      .map(({ name }) => name)
      .filter((name) => name !== 'src' && !ignored.includes(`${name}/`));
    const named = ROWS.flat().flatMap((name) => /^([^/]+)\/$/.exec(name)?.[1] ?? []);
    expect([...named].sort()).toEqual(real.sort());
  });

  it('lists every folder of src/ once, and no other', () => {
    const real = readdirSync(SRC, { withFileTypes: true });
    const folders = real.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const named = LAYERS.flat().filter((name) => !name.endsWith('.ts'));
    expect([...named].sort()).toEqual(folders.sort());
  });

  it('lists files that recur in the folders of dialects', () => {
    const [, table = ''] = PAGE.split('Most dialects have some of these files');
    const [, names = ''] = /^\n*((?:\|.*\n)+)/m.exec(table) ?? [];
    const recurring = [...names.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`*]+)\*?`/g)].map(([, name = '']) => name),
    );
    expect(recurring.length).toBeGreaterThan(10);
    const folders = new Set(FILES.filter((path) => dialectOf(path) !== undefined).map(folderOf));
    const counts = recurring.map((name) => [
      name,
      [...folders].filter((folder) => FILES.some((path) => path.startsWith(`${folder}/${name}`))).length,
    ]);
    expect(counts.filter(([, count]) => Number(count) < 2)).toEqual([]);
  });

  it('names only files that exist', () => {
    const paths = [...PAGE.matchAll(/`((?:src|commands|bin|test|scripts|docs)\/[^`\s*<>]+)`/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

describe('the layers of src/', () => {
  it('cover every file', () => {
    expect(FILES.filter((path) => layerOf(path) === -1)).toEqual([]);
  });

  it('are imported from above only', () => {
    const upward = IMPORTS.filter(({ from, to }) => layerOf(to) > layerOf(from));
    expect(upward.map(shown)).toEqual([]);
  });

  it('import nothing from commands/ and bin/', () => {
    const outward = ALL_IMPORTS.filter(({ to }) => /^\.\.\/(?:commands|bin)\//.test(to));
    expect(outward.map(shown)).toEqual([]);
  });

  it('contain folders that do not import each other', () => {
    const sideways = IMPORTS.filter(
      ({ from, to }) => layerOf(from) === layerOf(to) && room(from) !== room(to) && room(from) !== 'index.ts',
    );
    expect(sideways.map(shown)).toEqual([]);
  });
});

/** The imports between files that import each other, directly or through others. */
function circular(imports: readonly Import[]): readonly Import[] {
  const [from, to] = [new Set(imports.map((one) => one.from)), new Set(imports.map((one) => one.to))];
  // A file that imports nothing, or that nothing imports, is in no circle.
  const left = imports.filter((one) => from.has(one.to) && to.has(one.from));
  return left.length === imports.length ? left : circular(left);
}

describe('the files of src/, commands/ and bin/', () => {
  it('do not import each other in a circle, not even for types', () => {
    const known = ['cli/context.ts -> cli/targets/passed-over.ts'];
    const imports = ['.', '../commands', '../bin'].flatMap(sourcesIn).flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(3000);
    const found = circular(imports.filter((one) => !known.includes(shown(one))));
    expect(found.map(shown)).toEqual([]);
  });
});

/** Files of which, and of all that they import, nothing may need zod, because every command loads them before it begins. */
const START_SAFE = ['bin/noesis.ts', 'bin/start.ts', 'commands/program.ts', 'src/dialects/registry.ts'];

/** Files of which, and of all that they import, nothing may need Node.js or zod, because a page runs them in a browser. */
const BROWSER_SAFE = [
  'src/show/page/app/main-comparison.tsx',
  'src/show/page/app/main-episode.tsx',
  'src/show/page/app/main-report.tsx',
  ...FILES.filter((path) => /^dialects\/.+\/states\.ts$/.test(path)).map((path) => `src/${path}`),
];

/** The specifiers of the imports of a file, except those of types, and except those on demand unless `all`. */
function specifiersIn(path: string, all: boolean): string[] {
  const source = withoutComments(readFileSync(join(ROOT, path), 'utf8'));
  const fixed = [...source.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;']*?\bfrom\s+)?'([^']+)'/gm)];
  const onDemand = all ? [...source.matchAll(/\bimport\('([^']+)'\)/g)] : [];
  return [...fixed, ...onDemand].map(([, specifier = '']) => specifier);
}

/** The ways from files to a module that they must not load, as `a.ts -> b.ts -> zod`. */
function waysTo(forbidden: RegExp, from: readonly string[], all = false): { ways: string[]; seen: number } {
  const before = new Map<string, string | undefined>(from.map((path) => [path, undefined]));
  const ways: string[] = [];
  for (const path of before.keys()) {
    for (const specifier of specifiersIn(path, all)) {
      if (forbidden.test(specifier)) {
        const way = [specifier];
        for (let at: string | undefined = path; at !== undefined; at = before.get(at)) way.unshift(at);
        ways.push(way.join(' -> '));
      }
      const next = join(dirname(path), specifier);
      if (specifier.startsWith('.') && !before.has(next) && existsSync(join(ROOT, next)))
        before.set(next, path);
    }
  }
  return { ways, seen: before.size };
}

describe('what is loaded', () => {
  it('at the start of every command does not need zod', () => {
    const { ways, seen } = waysTo(/^zod$/, START_SAFE);
    expect(ways).toEqual([]);
    expect(seen).toBeGreaterThan(250);
    // Otherwise the search finds nothing at all.
    expect(waysTo(/^zod$/, ['src/dialects/noesis/rules.ts']).ways).not.toEqual([]);
  });

  it('in a browser needs neither Node.js nor zod', () => {
    const { ways, seen } = waysTo(/^(?:node:.*|zod)$/, BROWSER_SAFE, true);
    expect(ways).toEqual([]);
    expect(seen).toBeGreaterThan(80);
    expect(waysTo(/^node:/, ['src/find/find.ts'], true).ways).not.toEqual([]);
  });
});

describe('the dialects', () => {
  it('do not import each other', () => {
    const across = IMPORTS.filter(({ from, to }) => {
      const [a, b] = [dialectOf(from), dialectOf(to)];
      return a !== undefined && b !== undefined && a !== b;
    });
    expect(across.map(shown)).toEqual([]);
  });

  it('are known to the registry alone, and to its catalogue of findings', () => {
    const named = IMPORTS.filter(
      ({ from, to }) =>
        dialectOf(from) === undefined && dialectOf(to) !== undefined && room(from) === 'dialects',
    );
    expect([...new Set(named.map(({ from }) => from))].sort()).toEqual([
      'dialects/catalogue.ts',
      'dialects/registry.ts',
    ]);
  });
});

/** The words of a source, without what explains them. */
function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"])\/\/[^\n]*/g, '');
}

describe('src/', () => {
  it('spreads no list into push, because each entry would be an argument on the stack', () => {
    const spreading = FILES.filter((path) =>
      withoutComments(readFileSync(join(SRC, path), 'utf8')).includes('.push(...'),
    );
    // At most 256 bytes of a pattern, and the lines of one block of code in a page.
    expect(spreading.sort()).toEqual(['log/schema/pattern.ts', 'show/page/app/markdown.tsx']);
  });
});

describe('the core', () => {
  // The catalogue documents where a severity differs; the library of the main dialect is typed after it.
  const ROOMS = ['base', 'log', 'find', 'read', 'verify', 'write', 'show'];
  const core = FILES.filter((path) => ROOMS.includes(room(path)) || /^findings\/[^/]+$/.test(path));

  it('names no dialect', () => {
    const names =
      /\b(?:exarchos|fishbowl|coordinator|[cC]opilot|[cC]odex)\b|(['"`])(?:noesis|\.noesis|ep_.*)\1|\^ep_/;
    const naming = core.filter((path) => names.test(withoutComments(readFileSync(join(SRC, path), 'utf8'))));
    // There it is the name of the tool itself.
    expect(naming.sort()).toEqual([
      'base/files/own-folder.ts',
      'findings/report-schema.ts',
      'findings/report.ts',
      'show/export/otlp.ts',
      'show/render/sarif-rules.ts',
    ]);
  });

  it('lets no command distinguish dialects by their names', () => {
    const names = /[=!]==? ['"](?:noesis|exarchos|fishbowl|coordinator|generic)['"]/;
    const commands = ['commands', 'src/cli'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => join(folder, path)),
    );
    expect(commands.length).toBeGreaterThan(70);
    expect(
      commands.filter((path) => names.test(withoutComments(readFileSync(join(ROOT, path), 'utf8')))),
    ).toEqual([]);
  });
});
