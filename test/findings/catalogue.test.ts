import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { docsUrl } from '../../src/base/version.ts';
import type { TEMPLATE } from '../../src/dialects/_template/catalogue.ts';
import { CATALOGUE, catalogueEntry, type KnownCode } from '../../src/dialects/catalogue.ts';
import { matchCodes, nearestCodes } from '../../src/dialects/catalogue-search.ts';
import { COORDINATOR } from '../../src/dialects/coordinator/catalogue.ts';
import { EXARCHOS } from '../../src/dialects/exarchos/catalogue.ts';
import { FISHBOWL } from '../../src/dialects/fishbowl/catalogue.ts';
import { NOESIS } from '../../src/dialects/noesis/catalogue.ts';
import { CODEX } from '../../src/dialects/sessions/codex/catalogue.ts';
import { COPILOT } from '../../src/dialects/sessions/copilot/catalogue.ts';
import { OPENCODE } from '../../src/dialects/sessions/opencode/catalogue.ts';
import { FAMILIES, SHARED } from '../../src/findings/catalogue/index.ts';
import { pageOfCode, variations } from '../../src/findings/catalogue/page.ts';
import type { CatalogueEntry } from '../../src/findings/catalogue-entry.ts';
import { severitiesOf } from '../../src/findings/catalogue-severities.ts';
import type { FindingCode } from '../../src/findings/codes.ts';
import { renderCatalogueList, renderExplain } from '../../src/show/render/explain.ts';
import { familyPages, findingsPage } from '../../src/show/render/findings-page.ts';
import { sarifRules } from '../../src/show/render/sarif-rules.ts';
import { familyOf } from '../../src/show/render/stage-of.ts';
import { plain, styleOf } from '../../src/show/render/style.ts';
import { displayWidth } from '../../src/show/render/width.ts';
import type { PEBBLE } from '../dialects/support/pebble/catalogue.ts';

const DIALECTS = fileURLToPath(new URL('../../src/dialects/', import.meta.url));
/** The folders with code of dialects, below {@link DIALECTS}. */
const FOLDERS = ['.', 'sessions'].flatMap((parent) =>
  readdirSync(join(DIALECTS, parent), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'sessions')
    .map((entry) => join(parent, entry.name)),
);

const codes = CATALOGUE.map(({ code }) => code);

/** Their examples are about a line that is not JSON. */
const ABOUT_BROKEN_JSON = new Set<FindingCode>([
  'log/truncated',
  'log/invalid-json',
  'log/glued-records',
  'log/split-record',
  'log/non-finite',
  'state/invalid-json',
  'artifact/corrupt',
]);

/** A code of the catalogue that must be there. */
function entryOf(code: FindingCode): CatalogueEntry {
  const entry = catalogueEntry(code);
  if (entry === undefined) throw new Error(`no ${code}`);
  return entry;
}

describe('the catalogue', () => {
  test('has each code once, as family/name', () => {
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[a-z]+\/[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  test('describes each family, in its own order', () => {
    expect([...new Set(codes.map(familyOf))]).toEqual([...FAMILIES.keys()]);
  });

  test('has its codes as a type', () => {
    expectTypeOf<'log/truncated'>().toExtend<FindingCode>();
    expectTypeOf<string>().not.toExtend<FindingCode>();
    expectTypeOf<KnownCode>().toEqualTypeOf<
      Exclude<FindingCode, (typeof PEBBLE | typeof TEMPLATE)[number]['code']>
    >();
  });

  test.each([
    ['noesis', NOESIS],
    ['exarchos', EXARCHOS],
    ['fishbowl', FISHBOWL],
    ['coordinator', COORDINATOR],
    ['claude-code', []],
    ['pi', []],
    ['qwen', []],
    ['gemini', []],
    ['codex', CODEX],
    ['copilot', COPILOT],
    ['opencode', OPENCODE],
  ] as const)('%s reports shared findings and its own, which no other dialect reports', (name, own) => {
    const folderOf = (dialect: string) => FOLDERS.find((folder) => basename(folder) === dialect) ?? '';
    const codesIn = (folder: string): Set<string> => {
      const sources = readdirSync(join(DIALECTS, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.includes('catalogue'))
        .map((file) => readFileSync(join(DIALECTS, folder, file), 'utf8'));
      return new Set(sources.join('\n').match(/(?<=')[a-z]+\/[a-z0-9-]+(?=')/g));
    };
    const known = new Set<string>([...SHARED, ...own].map(({ code }) => code));
    const all = new Set<string>(codes);
    expect([...codesIn(folderOf(name))].filter((code) => all.has(code) && !known.has(code))).toEqual([]);
    const others = FOLDERS.filter((folder) => folder !== folderOf(name));
    const elsewhere = new Set(others.flatMap((folder) => [...codesIn(folder)]));
    expect(own.map(({ code }) => code).filter((code) => elsewhere.has(code))).toEqual([]);
  });

  describe.each(CATALOGUE.map((entry) => [entry.code, entry] as const))('%s', (code, entry) => {
    const { meaning, why, fix, varies, example } = entry;

    test('is written in whole sentences', () => {
      for (const text of [meaning, why, fix])
        expect(text).toMatch(/^([`A-Z]|(state|manifest)\.json |noesis )[^\n]*\.$/);
      expect(meaning.replace(/`[^`]*`/g, '')).not.toMatch(/[.?!] [A-Z]/);
      if (varies !== undefined) expect(varies).toMatch(/^(error|warn|info|reported) [^\n]*\.$/);
    });

    test('contains no Markdown markup', () => {
      for (const text of [meaning, why, fix, varies ?? '']) {
        expect(text.split('`').length % 2).toBe(1);
        expect(text.replace(/`[^`]*`/g, '')).not.toMatch(/[<>*|\\[\]]|(?<!\w)_|_(?!\w)/);
      }
      expect(example).not.toContain('```');
    });

    test('recommends no command that does not exist, and no editing', () => {
      for (const [, command] of fix.matchAll(/`noesis (\w+)/g)) {
        expect([
          'checkpoint',
          'doctor',
          'events',
          'explain',
          'help',
          'keygen',
          'list',
          'project',
          'read',
          'salvage',
          'schema',
          'search',
          'show',
          'state',
          'tail',
          'verify',
        ]).toContain(command);
      }
      for (const [, named] of `${varies} ${fix}`.matchAll(/([a-z]+\/[a-z-]+)=/g))
        expect(codes).toContain(named);
    });

    test('has an example that fits the format', () => {
      expect(example.trim()).toBe(example);
      expect(example).not.toBe('');
      for (const line of example.split('\n')) {
        if (ABOUT_BROKEN_JSON.has(code) || !line.startsWith('{')) continue;
        expect(() => JSON.parse(line), line).not.toThrow();
      }
    });
  });

  test('has broken examples if they are about damage', () => {
    for (const code of ABOUT_BROKEN_JSON) {
      const { example } = entryOf(code);
      expect(example).toMatch(/^\{/);
      for (const line of example.split('\n')) expect(() => JSON.parse(line), code).toThrow();
    }
  });
});

describe('a severity that a dialect changes', () => {
  /** Codes and their severities in the source, if both are in one literal. */
  function changed(): Map<string, Set<string>> {
    const found = new Map<string, Set<string>>();
    for (const file of readdirSync(DIALECTS, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.startsWith('_template/')) continue;
      for (const [, before, severities] of readFileSync(join(DIALECTS, file), 'utf8').matchAll(
        /code: ([^,]*),((?:(?!code:|;)[\s\S])*?severity: [^,}]*)/g,
      )) {
        const codes = [...(before ?? '').matchAll(/'(\w+\/[a-z-]+)'/g)];
        const words = [...(severities ?? '').matchAll(/'(info|warn|error)'/g)];
        for (const [, code = ''] of codes)
          for (const [, word = ''] of words) found.set(code, (found.get(code) ?? new Set()).add(word));
      }
    }
    return found;
  }

  test.each([...changed()])('is in the catalogue: %s', (code, severities) => {
    const { severity, varies = '' } = catalogueEntry(code) ?? {};
    for (const word of severities) if (word !== severity) expect(varies).toContain(word);
  });

  test('is found', () => {
    expect(changed().size).toBeGreaterThan(12);
  });
});

describe('looking up', () => {
  test('gives an entry and its severity', () => {
    expect(catalogueEntry('log/truncated')).toMatchObject({ code: 'log/truncated', severity: 'error' });
    expect(catalogueEntry('log/nothing')).toBeUndefined();
    expect(catalogueEntry('__proto__')).toBeUndefined();
    expect(severitiesOf(NOESIS).get('manifest/unlisted-file')).toBe('warn');
    expect(severitiesOf(FISHBOWL).get('manifest/unlisted-file')).toBeUndefined();
    expect(severitiesOf(FISHBOWL).get('log/truncated')).toBe('error');
  });

  test.each([
    ['log/trunkated', 'log/truncated'],
    ['LOG/TRUNCATED', 'log/truncated'],
    ['log/invalid_json', 'log/invalid-json'],
    ['hash-mismatch', 'manifest/hash-mismatch'],
    ['goverance/act-after-veto', 'governance/act-after-veto'],
    ['logtruncated', 'log/truncated'],
    ['seal/mis', 'seal/missing'],
  ])('%s may mean %s', (typed, meant) => {
    expect(nearestCodes(typed)[0]).toBe(meant);
  });

  test('offers the codes of a family, and at most the requested number', () => {
    expect(nearestCodes('seal')).toEqual(['seal/missing', 'seal/open', 'seal/incomplete']);
    expect(nearestCodes('lineage').every((code) => code.startsWith('lineage/'))).toBe(true);
    expect(nearestCodes('invalid-json').slice(0, 2)).toEqual(['log/invalid-json', 'state/invalid-json']);
    expect(nearestCodes('')).toHaveLength(3);
    expect(nearestCodes('x'.repeat(1_000_000))).toHaveLength(3);
  });

  test('matches globs', () => {
    expect(matchCodes('*')).toEqual(codes);
    expect(matchCodes('seal/*')).toEqual(['seal/missing', 'seal/open', 'seal/incomplete']);
    expect(matchCodes('*-mismatch')).toEqual(['manifest/hash-mismatch', 'manifest/size-mismatch']);
    expect(matchCodes('*/duplicate-*')).toEqual([
      'log/duplicate-key',
      'event/duplicate-id',
      'lineage/duplicate-id',
      'governance/duplicate-id',
      'manifest/duplicate-entry',
      'tool/duplicate-call',
      'tool/duplicate-result',
      'archive/duplicate-entry',
    ]);
    expect(matchCodes('log/truncated')).toEqual(['log/truncated']);
    expect(matchCodes('log/truncate')).toEqual([]);
    expect(matchCodes('log/truncated*')).toEqual(['log/truncated']);
    expect(matchCodes('log/trunc*uncated')).toEqual([]);
    expect(matchCodes('m*t/m*g-*e')).toEqual(['manifest/missing-file']);
    expect(matchCodes('.*')).toEqual([]);
    expect(matchCodes('')).toEqual([]);
    expect(matchCodes(`${'*a'.repeat(5000)}*b`)).toEqual([]);
  });
});

describe('explain', () => {
  test('shows an entry', () => {
    expect(
      renderExplain(entryOf('manifest/unlisted-file'), { style: plain, width: 80 }),
    ).toMatchInlineSnapshot(`
      "warn[manifest/unlisted-file]
      The episode has a file that the manifest does not list.

      Severity
        warn
        error under --strict
        info for a file in a subfolder that is called manifest.json, because the
        runtime does not list files with that name

      Why
        No hash covers it. A reader that takes everything in the folder as evidence
        takes this file too.

      Example
        ep_01KJPZV2802JY40PMHQ0XAGQMH/notes.txt, not among the 6 files of
        manifest.json.

      What to do
        Look at its owner and time with \`ls -l\`. A name such as \`tmp\` and 8 random
        characters is left from a write that was interrupted; .DS_Store or an editor
        backup came with a copy. Keep your own notes outside the episode.

      Page
        https://github.com/noesis-trace/noesis/blob/main/docs/findings/manifest.md
      "
    `);
    expect(renderExplain(entryOf('log/missing'), { style: plain, width: 72 })).toMatchInlineSnapshot(`
      "error[log/missing]
      The folder of the episode has no log.

      Severity
        error
        No rule can lower it.

      Why
        The log is the only record of what the run did. State, summary and
        manifest can repeat it, but cannot replace it.

      Example
        ep_01KJPWD6M0GKJVH2GKEFTDNN55/
          final.json
          manifest.json
          state.json

      What to do
        Look for events.jsonl where the episode was copied from, or in a
        backup, and compare its sha256 with the entry in manifest.json. If no
        copy is left, the episode is lost as evidence.

      Page
        https://github.com/noesis-trace/noesis/blob/main/docs/findings/log.md
      "
    `);
  });

  test('paints commands as a whole, even across lines', () => {
    const painted = { ...plain, cyan: (text: string) => `«${text}»` };
    const text = renderExplain(
      { ...entryOf('log/missing'), fix: 'Run `a b c`, then `d`.' },
      { style: painted, width: 11 },
    );
    expect(text).toContain('  Run `«a b»\n  «c»`, then\n  `«d»`.\n');
  });

  test.each([24, 40, 80, 132])('fits %i columns', (width) => {
    const texts = CATALOGUE.map((entry) => renderExplain(entry, { style: plain, width }));
    for (const text of [...texts, renderCatalogueList(CATALOGUE, { style: plain, width })]) {
      for (const line of text.split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(width);
    }
  });

  test('loses no word to the width', () => {
    for (const entry of CATALOGUE) {
      const squeeze = (text: string) => text.replace(/\s/g, '');
      const text = squeeze(renderExplain(entry, { style: plain, width: 40 }));
      for (const part of [entry.meaning, entry.why, entry.example, entry.fix])
        expect(text).toContain(squeeze(part));
    }
  });

  test('is the same text in colour', async () => {
    const options = { style: await styleOf(1), width: 60 };
    for (const render of [
      (style: typeof options) => renderExplain(entryOf('log/bom'), style),
      (style: typeof options) => renderCatalogueList(CATALOGUE, style),
    ]) {
      const coloured = render(options);
      expect(coloured).toContain('\x1b[');
      expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(render({ ...options, style: plain }));
    }
  });

  test('lists every code, by family', () => {
    const list = renderCatalogueList(CATALOGUE, { style: plain, width: 100 });
    const lines = list.trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('  '))).toHaveLength(CATALOGUE.length);
    expect(lines.filter((line) => /^\w/.test(line))).toHaveLength(FAMILIES.size);
    expect(renderCatalogueList(CATALOGUE.slice(0, 2), { style: plain, width: 80 })).toMatchInlineSnapshot(`
      "log: bytes, lines and JSON of the event log
        log/missing  error  The folder of the episode has no log.
        log/empty    warn   The event log has no event.
      "
    `);
  });

  test('cuts nothing without a width', () => {
    const list = renderCatalogueList(CATALOGUE, { style: plain, width: Number.POSITIVE_INFINITY });
    for (const { meaning } of CATALOGUE) expect(list).toContain(meaning);
    expect(list).not.toContain('…');
  });
});

describe('docs/findings', () => {
  const pages = familyPages(CATALOGUE);

  test('is fresh: node scripts/run.mjs scripts/make-docs.ts', () => {
    expect(readFileSync('docs/findings.md', 'utf8')).toBe(findingsPage(CATALOGUE));
    expect(readdirSync('docs/findings').sort()).toEqual([...pages.keys()].map((name) => `${name}.md`).sort());
    for (const [family, page] of pages) expect(readFileSync(`docs/findings/${family}.md`, 'utf8')).toBe(page);
  });

  test('has a section for every code, to which the index, SARIF and explain refer', async () => {
    const index = findingsPage(CATALOGUE);
    const { rules } = sarifRules(CATALOGUE, []);
    for (const [at, entry] of CATALOGUE.entries()) {
      const [file = '', anchor] = pageOfCode(entry.code).split('#');
      expect(index).toContain(`](${pageOfCode(entry.code)})`);
      expect(readFileSync(join('docs', file), 'utf8')).toContain(
        `<a id="${anchor}"></a>\n\n## ${entry.code}\n`,
      );
      expect(rules[at]?.helpUri).toBe(docsUrl + pageOfCode(entry.code));
      expect(renderExplain(entry, { style: plain, width: 200 })).toContain(`\n  ${docsUrl}${file}\n`);
    }
  });

  test('names the severity of each exception', () => {
    for (const { code, varies } of CATALOGUE)
      if (varies !== undefined)
        expect([code, variations(varies).every(([severity]) => severity !== '')]).toEqual([code, true]);
  });

  test('accepts a family without a description', () => {
    const entry = { ...entryOf('log/bom'), code: 'novel/thing' };
    expect(familyPages([entry]).get('novel')).toContain('<a id="novel-thing"></a>\n\n## novel/thing');
    expect(findingsPage([entry])).toContain('[thing](findings/novel.md#novel-thing)');
    expect(renderCatalogueList([entry], { style: plain, width: 80 })).toMatch(/^novel\n/);
  });
});
