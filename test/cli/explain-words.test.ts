import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CATALOGUE } from '../../src/dialects/catalogue.ts';
import { LEVEL_MEANINGS, WORDS } from '../../src/dialects/words.ts';
import { FAMILIES } from '../../src/findings/catalogue/families.ts';
import { LEVELS } from '../../src/findings/level.ts';
import { SEVERITIES } from '../../src/findings/severity.ts';
import { eventTypes } from '../../src/read/describe/event-types.ts';
import { GROUPINGS } from '../../src/read/describe/run-groups.ts';
import { EFFECTS } from '../../src/show/render/changes.ts';
import { kindName } from '../../src/show/render/kind-name.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { isShort, sampled, times } from '../support/length.ts';

const explained = async (word: string) => (await runHere(['explain', word])).stdout;

interface Row {
  readonly path: string;
  readonly status?: string;
  readonly dialect: string;
}

/** The dialects of coding agents. */
const AGENTS = new Set(['claude-code', 'codex', 'copilot', 'pi', 'gemini', 'qwen', 'opencode', 'atif']);

/** All runs of the samples and examples, as list prints them. */
const rows: Promise<readonly Row[]> = runHere(['list', SAMPLES, EXAMPLES, '-j']).then(({ stdout }) =>
  JSON.parse(stdout),
);

test('explain explains each verdict, level and severity', async () => {
  for (const word of ['ok', 'warn', 'fail']) expect(await explained(word)).toContain(`${word}: a verdict\n`);
  for (const word of LEVELS) expect(await explained(word)).toContain(`${word}: a level\n`);
  for (const word of SEVERITIES) expect(await explained(word)).toContain(`${word}: a severity\n`);
});

test('explain explains each status that list prints, unless it is a phase of a workflow', async () => {
  const statuses = new Set(
    (await rows).flatMap(({ status, dialect }) =>
      status === undefined || (dialect === 'exarchos' && !/^(?:completed|cancelled)$/.test(status))
        ? []
        : [status],
    ),
  );
  expect(statuses.size).toBeGreaterThan(10);
  for (const status of statuses) expect(await explained(status), status).toContain(`${status}: a status of `);
});

test.each(['noesis', 'exarchos', 'fishbowl'])(
  'explain gives the meaning of each type of event of %s',
  async (dialect) => {
    const types = (await eventTypes()).filter((one) => one.dialect === dialect);
    expect(types.length).toBeGreaterThan(9);
    for (const { type, meaning = '' } of types) {
      expect(meaning, type).not.toBe('');
      expect((await explained(type)).replace(/\s+/g, ' ')).toContain(
        `${type}: a type of event of ${dialect} ${meaning}`,
      );
    }
  },
);

test('explain explains words of tables and summaries', async () => {
  for (const word of ['cost', 'idle', 'double', 'meta', 'generic', 'vetoes', 'waiting for you', 'at least'])
    expect(await explained(word)).toContain(`${word}: a word of outputs\n`);
  for (const word of ['≥', 'lasted', 'worked'])
    expect(await explained(word)).toContain(`${word}: a word of outputs\n`);
});

test('idle is the time outside turns, as the page about commands says', async () => {
  const parts = 'before the first turn, between turns and after the last one';
  expect((await explained('idle')).replace(/\s+/g, ' ')).toContain(parts);
  expect(readFileSync('docs/commands.md', 'utf8').replace(/\s+/g, ' ')).toContain(parts);
});

test('help has prices, and the archives and compressed logs that targets can be', async () => {
  expect((await runHere(['help', 'prices'])).stdout.replace(/\s+/g, ' ')).toContain(
    '"prices of DATE" is the day',
  );
  const { stdout } = await runHere(['help', 'targets']);
  for (const text of ['.gz', '.zst', '.tar', '.tar.gz', '.zip', 'ARCHIVE/PATH'])
    expect(stdout).toContain(text);
});

test('a word with several meanings has all of them, as JSON too', async () => {
  const text = await explained('completed');
  expect(text).toContain('completed: a status of exarchos');
  const { stdout } = await runHere(['explain', 'error', '-j']);
  const kinds = (JSON.parse(stdout) as { kind?: string }[]).map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(['severity', 'status']));
});

test('a name of a family that is also a word has the word before the findings, as JSON too', async () => {
  const both = WORDS.filter(({ word }) => FAMILIES.has(word));
  expect(both.length).toBeGreaterThan(0);
  for (const { word, meaning } of both) {
    expect((await explained(word)).replace(/\s+/g, ' ')).toContain(meaning);
    const printed = JSON.parse((await runHere(['explain', word, '-j'])).stdout) as unknown[];
    const findings = CATALOGUE.filter(({ code }) => code.startsWith(`${word}/`));
    expect(printed).toContainEqual(expect.objectContaining({ word, meaning }));
    expect(printed[0]).toMatchObject({ word });
    expect(printed.slice(-findings.length)).toMatchObject(findings.map(({ code }) => ({ code })));
    const types = (await eventTypes()).filter(({ type }) => type === word);
    expect(printed).toHaveLength(
      WORDS.filter((one) => one.word === word).length + types.length + findings.length,
    );
    const ofFamily = JSON.parse((await runHere(['explain', `${word}/`, '-j'])).stdout) as unknown[];
    expect(ofFamily).toHaveLength(findings.length);
  }
});

test('without a word, explain lists the names of all findings and words, in groups', async () => {
  const { code, stdout } = await runHere(['explain'], { env: { COLUMNS: '80' }, columns: 80 });
  expect(code).toBe(0);
  const text = stdout.replace(/\u001b\[\d+m/g, '').replace(/\s+/g, ' ');
  for (const title of [
    'findings of verify',
    'verdicts of verify',
    'levels of verify, the lowest first',
    'severities of findings',
    'statuses of sessions',
  ])
    expect(text).toContain(title);
  for (const { word } of WORDS) expect(text).toContain(word);
  for (const entry of CATALOGUE) expect(text).toContain(entry.code.split('/')[1]);
  expect(stdout.trimEnd().split('\n').length).toBeLessThan(120);
});

/** The titles, labels and heads of columns in an output for a terminal: they are bold. Names in the log have other forms. */
const boldIn = (text: string): string[] =>
  [...text.matchAll(/\u001b\[1m(.*?)\u001b\[22m/g)]
    .flatMap(([, part = '']) => part.split(/ {2,}/))
    .map((part) => part.trim())
    .filter((part) => /^[A-Z][A-Za-z0-9]*(?: [a-z]+| UTC| \(LINE\))*$/.test(part) && part !== 'APIError');

/** It runs about a hundred commands, some of them over all samples, which takes minutes on a busy machine. */
const LONG = { timeout: 600_000 };

test(
  'explain explains each label and head of a column of list, show, stats, timeline and diff',
  LONG,
  async () => {
    const world = { columns: 160, cwd: SAMPLES };
    const byDialect = new Map<string, string[]>();
    for (const { path, dialect } of await rows)
      byDialect.set(dialect, [...(byDialect.get(dialect) ?? []), path]);
    const targets = isShort ? [join(SAMPLES, 'claude-code'), EXAMPLES] : [SAMPLES, EXAMPLES];
    const commands = [
      ['list', ...targets, '--wide'],
      ['list', ...targets, '--sort', 'start'],
      ['list', ...targets, '--sort', 'took'],
      ['doctor', ...targets.map((target) => join(target, 'claude-code')).slice(0, 1), '--all'],
      ['search', 'the', ...targets],
      ['stats', ...targets],
      ...sampled(GROUPINGS, 3).map((by) => ['stats', join(SAMPLES, 'claude-code'), '--by', by]),
      ...sampled([...byDialect.values()], 6).flatMap(([one = '', other = one]) => [
        ['show', one, '--full'],
        ['show', one, '--changes'],
        ['timeline', one],
        ['events', one],
        ['show', other, '--full'],
        ['diff', one, other],
      ]),
    ];
    const labels = new Map<string, string>();
    for (const command of commands)
      for (const label of boldIn((await runHere(command, world)).stdout))
        labels.set(label.replace(/ UTC$/, '').replace(/^By (?=[a-z])/, ''), command.join(' '));
    expect(labels.size).toBeGreaterThan(times(60, 20));
    const unknown: string[] = [];
    for (const [label, from] of labels)
      if ((await runHere(['explain', label])).code !== 0) unknown.push(`${label}: ${from}`);
    expect(unknown).toEqual([]);
  },
);

test.each([
  'took',
  'refused',
  'denied',
  'refused call bash',
  'no result',
  'no price',
  'P50',
  'p95',
  'Copies',
  'further logs',
  'phase',
  'step',
  'reasoning',
  'Stored',
  'Outcome',
  'compaction',
  'usage',
  'turn',
  '≤',
  '≥',
  'turns',
  'LATEST (LINE)',
  'resume',
  'taken back',
  'took back',
  'withdrew',
  'not sealed',
  '(taken back)',
  'Further  Logs',
  'on the way',
  'level',
  'think',
  'thinking',
  'answers',
  'branch',
  'prices',
  'requests',
  'PARTS',
  'header',
  'left out',
  'TIME UTC',
  'not verified',
  'other branches',
  'skipped stages',
  'waiting',
  'glued',
  'further',
  'repeated',
  'Counts',
  'Durations',
  'not compared',
  'the same',
  'in both',
  'in A only',
  'expected',
  'actual',
  'kept',
  'repaired',
  'not read',
  'not examined',
  'Repair a copy with',
  'Continue or repair with',
  'Its place',
  'calls without success',
  'Leaderboard of models',
  'By tool',
  'Turn 3',
  'line 8',
  'entrypoint',
  'links',
  'format',
  '█',
  '▒',
  '░',
  '·',
  '?',
  '…',
  'not conversation',
  'last test run',
  'The last test run',
  'may have changed more',
  'repeated records counted once',
  'fork',
  'forked',
  'rewind',
  'sidechain',
  'cache read',
  'failed call bash',
  'last event receipt',
  '≥ 1,234',
  'not stored by turn',
  'a guess',
  'repaired copy',
  'original',
  'placeholder',
  'as opencode wrote it',
  'records chained as hermes',
  'events not checked',
  'copied tokens',
  'outside turns',
  'around damaged lines',
  'longest',
  'median',
  'origin',
  'rejected',
  'replaced',
  'redacted',
  '≠',
  '+',
  '~',
  '│',
  '[x]',
])('explain explains %s', async (word) => {
  expect((await runHere(['explain', word])).stdout).toMatch(/: a (?:word of outputs|status of .*)\n/);
});

/** The titles of columns in the code of tables, also of those that no sample has. */
function titlesInCode(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  );
  const texts = files
    .map((path) => readFileSync(join('src', path), 'utf8'))
    .filter((text) => /able|column/.test(text));
  const titles = texts.flatMap((text) => [
    ...[...text.matchAll(/title: '([A-Z][A-Z ()\d]*)'/g)].map(([, title = '']) => title),
    ...[...text.matchAll(/^\s*(?:\S+\(.*, )?\[('[A-Z][A-Z ()\d]*'(?:, '[A-Z][A-Z ()\d]*')+)\],/gm)].flatMap(
      ([, list = '']) => list.split(', ').map((title) => title.replaceAll("'", '')),
    ),
  ]);
  return [...new Set(titles)];
}

test('explain explains the title of each column of each table', async () => {
  const titles = titlesInCode();
  expect(titles).toEqual(expect.arrayContaining(['LASTED', 'ACTOR', 'LATEST (LINE)', 'WAITS FOR', 'SCORES']));
  const unknown: string[] = [];
  for (const title of titles) if ((await runHere(['explain', title])).code !== 0) unknown.push(title);
  expect(unknown).toEqual([]);
});

test.each(['VERDICT', 'failed', 'Parts'])(
  'the first meaning of %s is the one of all commands, before the status of a dialect or a type of event',
  async (word) => {
    const { stdout } = await runHere(['explain', word]);
    expect(stdout.split('\n')[0]).toMatch(/: a word of outputs$/);
  },
);

/** Labels, titles and buttons in the code of the page. */
function labelsOfPage(): string[] {
  const folder = 'src/show/page/app';
  const texts = readdirSync(folder)
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
  const forms = [
    /title: '([A-Z][A-Za-z ]+)'/g,
    /\['([A-Z][A-Za-z ]+)',/g,
    /^ +'([A-Z][a-z]+)',$/gm,
    /<(?:h\d|summary|strong|th)[^>]*>([A-Z][A-Za-z ]+)</g,
  ];
  return [
    ...new Set(
      texts.flatMap((text) =>
        forms.flatMap((form) => [...text.matchAll(form)].map(([, label = '']) => label)),
      ),
    ),
  ];
}

const unexplained = async (words: Iterable<string>): Promise<string[]> => {
  const unknown: string[] = [];
  for (const word of words) if ((await runHere(['explain', word])).code !== 0) unknown.push(word);
  return unknown;
};

test('explain explains each label of a page', async () => {
  const labels = labelsOfPage();
  expect(labels).toEqual(expect.arrayContaining(['Story', 'Led to', 'What to do', 'Stored JSON', 'Warned']));
  expect(await unexplained(labels)).toEqual([]);
});

test('explain explains the titles of the lists of changes, and the kinds of records as summaries name them', async () => {
  const titles = EFFECTS.map(({ title }) => title);
  expect(titles).toContain('May have changed files');
  const kinds = ['meta', 'double', 'call'].map(kindName);
  expect(kinds).toContain('meta (not conversation)');
  expect(await unexplained([...titles, ...kinds])).toEqual([]);
});

/** The names of the rows that show prints below the title Session. */
const rowsOfSession = (text: string): string[] =>
  [...(/^Session\n((?:.+\n)+)/m.exec(text)?.[1] ?? '').matchAll(/^([a-z][a-z_]*)(?= )/gm)].map(
    ([, row = '']) => row,
  );

test('explain explains each row that show prints about a session', LONG, async () => {
  const names = new Set<string>();
  const paths = (await rows).filter(({ dialect }) => AGENTS.has(dialect)).map(({ path }) => path);
  for (const path of sampled(paths, 40))
    for (const row of rowsOfSession((await runHere(['show', path, '--full'], { cwd: SAMPLES })).stdout))
      names.add(row);
  expect([...names]).toEqual(expect.arrayContaining(['id', 'models']));
  expect(await unexplained(names)).toEqual([]);
});

test('explain explains each phase that events prints for the session of a coding agent', async () => {
  const phases = new Map<string, string>();
  for (const { path } of (await rows).filter((row) => AGENTS.has(row.dialect))) {
    if (isShort && phases.size > 8) break;
    const { stderr } = await runHere(['events', path, '--phase', 'no-such-phase'], { cwd: SAMPLES });
    for (const phase of /found: (.*)/.exec(stderr)?.[1]?.split(', ') ?? []) phases.set(phase, path);
  }
  expect([...phases.keys()]).toEqual(expect.arrayContaining(['answer', 'call', 'prompt', 'result']));
  const unknown: string[] = [];
  for (const [phase, path] of phases)
    if ((await runHere(['explain', phase])).code !== 0) unknown.push(`${phase}: ${path}`);
  expect(unknown).toEqual([]);
});

test('explain takes words without quotes', async () => {
  for (const words of ['took back', 'further logs', 'not sealed', 'why it ended', 'waiting for you']) {
    const { code, stdout } = await runHere(['explain', ...words.split(' ')]);
    expect([words, code, stdout]).toEqual([words, 0, (await runHere(['explain', words])).stdout]);
  }
  const { code, stderr } = await runHere(['explain', 'further', 'lags']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean further logs')]);
});

test('texts of findings and levels use no word that the glossary replaces, and pile up no exceptions', () => {
  for (const { code, meaning, why, fix } of CATALOGUE)
    for (const text of [meaning, why, fix]) {
      expect([code, text.replace(/without a trace/g, '')]).toEqual([
        code,
        expect.not.stringMatching(/\btraces?\b|\bcorrupt/),
      ]);
      for (const sentence of text.split(/(?<=\.) /))
        expect([code, sentence.split('; ').length > 3, sentence]).toEqual([code, false, sentence]);
    }
});

test('the mark … has both of its meanings', async () => {
  const meaning = (await explained('…')).replace(/\s+/g, ' ');
  for (const part of ['the log does not say that it ended', 'the text goes on'])
    expect(meaning).toContain(part);
});

test.each([
  ['Claude Code', 'claude-code'],
  ['Codex', 'codex'],
  ['Gemini CLI', 'gemini'],
])('the name of a program, %s, leads to the help of its dialect', async (name, dialect) => {
  const { code, stderr } = await runHere(['explain', name]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`run noesis help ${dialect}`)]);
});

test.each([
  'error[log/glued-records]',
  'warn[log/glued-records]:',
  '(log/glued-records)',
  'log/glued-records:',
  'LOG/Glued-Records',
  'glued-records',
])('explain takes a code as reports print it, %s', async (typed) => {
  expect(await explained(typed)).toBe(await explained('log/glued-records'));
  expect(await explained(typed)).toContain('error[log/glued-records]\n');
});

test('a name that findings of several families have lists all of them', async () => {
  const printed = JSON.parse((await runHere(['explain', 'duplicate-id', '-j'])).stdout) as { code: string }[];
  expect(printed.map(({ code }) => code)).toEqual(
    CATALOGUE.map(({ code }) => code).filter((code) => code.endsWith('/duplicate-id')),
  );
  expect(printed.length).toBeGreaterThan(2);
});

test('a mistyped word gets the nearest one', async () => {
  const { code, stderr } = await runHere(['explain', 'consistnt']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean consistent?')]);
});

test.each(['none', 'nothing proven', 'level none'])(
  'explains the lowest level in the words of verify: %s',
  async (word) => {
    expect((await runHere(['explain', word])).stdout).toMatch(/^none: a level\nnothing proven: /);
  },
);

test('the page about reports says the same of each level', () => {
  const page = readFileSync('docs/reports.md', 'utf8');
  for (const [level, meaning] of Object.entries(LEVEL_MEANINGS))
    expect(page).toContain(`| ${level} | ${meaning}`);
});

test.each([
  'private key',
  'attested',
  'envelope',
  'policy',
  'adapter',
  'candidate',
  'directive',
  'enforced',
  'roll-up',
  'not derivable',
  'sidecar',
])('explain explains %s, a term of findings', async (word) => {
  expect(await explained(word)).toContain(': a word of the glossary\n');
});

test.each([
  ['lowest level', 'level: a word of outputs\n'],
  ['2 infos', 'info: a severity\n'],
  ['8/9 stages', 'stage: a word of the glossary\n'],
])('explain takes %s as reports print it', async (text, begin) => {
  expect((await explained(text)).slice(0, begin.length)).toBe(begin);
});

test('explain takes a word with its kind, as outputs print it', async () => {
  expect(await explained('level none')).toContain('none: a level\n');
  expect(await explained('status error')).not.toContain('a severity');
  expect((await runHere(['explain', 'level nothing'])).code).toBe(2);
});

test('explain and help give the meaning of each term of the glossary', async () => {
  const rows = readFileSync('docs/glossary.md', 'utf8').split('## Marks')[0] ?? '';
  const terms = [...rows.matchAll(/^\| (?!term|word|---)([^|]+) \|/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  );
  expect(terms.length).toBeGreaterThan(30);
  for (const term of terms) {
    const meaning = await explained(term);
    expect(meaning, term).not.toBe('');
  }
  for (const term of ['episode', 'status', 'rebuilt state'])
    expect((await runHere(['help', ...term.split(' ')])).stdout).toBe(await explained(term));
});

test.each([
  ['list filters', 'Usage: noesis list '],
  ['exit code', '  0   done, nothing wrong'],
  ['config', 'Configuration, from the nearest noesis.toml'],
  ['latest', 'A target names a run or its log.'],
])('help %s gives the nearest page of the help', async (words, begin) => {
  const { stdout, code } = await runHere(['help', ...words.split(' ')]);
  expect([code, stdout.slice(0, begin.length)]).toEqual([0, begin]);
});
