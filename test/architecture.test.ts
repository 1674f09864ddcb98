import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

/**
 * The layers of src/, the lowest first. A file imports from its own layer's folder or from lower layers; two folders
 * of one layer do not know each other. docs/architecture.md describes them.
 */
const LAYERS: readonly (readonly string[])[] = [
  ['errors.ts', 'version.ts'],
  ['json', 'time', 'text', 'keys'],
  ['schema'],
  // archives: what comes out of packed bytes; it knows no log.
  ['log', 'files', 'archives'],
  ['findings', 'projection'],
  ['dialects'],
  ['discover'],
  // fleet: parts of many targets, and reports that are put together; it verifies nothing itself.
  ['verify', 'select', 'describe', 'fleet'],
  // Beside them by its purpose; it reads runs by the spans and statistics of describe, and lines as select does.
  ['compare'],
  // attest: what was verified, signed. export: runs as tables and traces for other tools, with their verdicts.
  ['attest', 'export'],
  // Appending, sealing and salvaging: they verify what they write.
  ['write'],
  ['render'],
  // Pages: what stands in them is told by the layers below, in their words; `page/app/` runs in a browser.
  ['page'],
  [
    'index.ts',
    'library.ts',
    'library-compare.ts',
    'library-episodes.ts',
    'library-verify.ts',
    'library-write.ts',
  ],
];

/** The first part of a path below src/: a folder, or a file at the top. */
const room = (path: string): string => path.split('/')[0] as string;

const layerOf = (path: string): number => LAYERS.findIndex((rooms) => rooms.includes(room(path)));

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

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'),
);
const IMPORTS = FILES.flatMap(importsOf).filter(({ to }) => !to.startsWith('..'));

const shown = ({ from, to }: Import): string => `${from} -> ${to}`;

/** The dialect a file below dialects/ belongs to. */
const dialectOf = (path: string): string | undefined => /^dialects\/([^/]+)\//.exec(path)?.[1];

describe('the layers of src/', () => {
  it('know every file', () => {
    expect(FILES.filter((path) => layerOf(path) === -1)).toEqual([]);
  });

  it('are imported from above only', () => {
    const upward = IMPORTS.filter(({ from, to }) => layerOf(to) > layerOf(from));
    expect(upward.map(shown)).toEqual([]);
  });

  it('hold folders that do not know each other', () => {
    const sideways = IMPORTS.filter(
      ({ from, to }) => layerOf(from) === layerOf(to) && room(from) !== room(to) && room(from) !== 'index.ts',
    );
    expect(sideways.map(shown)).toEqual([]);
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

describe('the core', () => {
  // The catalogue tells people where a severity differs; the library of the main dialect is typed after it.
  const ROOMS = [
    'discover',
    'files',
    'log',
    'json',
    'projection',
    'select',
    'describe',
    'verify',
    'fleet',
    'render',
    'write',
    'text',
    'time',
  ];
  const core = FILES.filter((path) => ROOMS.includes(room(path)) || /^findings\/[^/]+$/.test(path));

  it('names no dialect', () => {
    const names = /\b(?:exarchos|fishbowl|coordinator|[cC]opilot|[cC]odex)\b|(['"`])noesis\1/;
    const naming = core.filter((path) => names.test(withoutComments(readFileSync(join(SRC, path), 'utf8'))));
    // There it is the name of the tool itself.
    expect(naming).toEqual(['findings/report-schema.ts', 'findings/report.ts', 'render/sarif-rules.ts']);
  });

  it('lets no command tell dialects apart by their names', () => {
    const commands = fileURLToPath(new URL('../commands/', import.meta.url));
    const names = /[=!]==? ['"](?:noesis|exarchos|fishbowl|coordinator|generic)['"]/;
    const telling = readdirSync(commands).filter((path) =>
      names.test(withoutComments(readFileSync(join(commands, path), 'utf8'))),
    );
    expect(telling).toEqual([]);
  });
});
