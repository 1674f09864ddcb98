import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CATALOGUE } from '../../src/dialects/catalogue.ts';
import { LEVEL_MEANINGS, WORDS } from '../../src/dialects/words.ts';
import { LEVELS } from '../../src/findings/level.ts';
import { SEVERITIES } from '../../src/findings/severity.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';

const explained = async (word: string) => (await runHere(['explain', word])).stdout;

test('explain explains each verdict, level and severity', async () => {
  for (const word of ['ok', 'warn', 'fail']) expect(await explained(word)).toContain(`${word}: a verdict\n`);
  for (const word of LEVELS) expect(await explained(word)).toContain(`${word}: a level\n`);
  for (const word of SEVERITIES) expect(await explained(word)).toContain(`${word}: a severity\n`);
});

test('explain explains each status that list prints, unless it is a phase of a workflow', async () => {
  const { stdout } = await runHere(['list', SAMPLES, EXAMPLES, '-j']);
  const rows = JSON.parse(stdout) as { status?: string; dialect?: string }[];
  const statuses = new Set(
    rows.flatMap(({ status, dialect }) =>
      status === undefined || (dialect === 'exarchos' && !/^(?:completed|cancelled)$/.test(status))
        ? []
        : [status],
    ),
  );
  expect(statuses.size).toBeGreaterThan(10);
  for (const status of statuses) expect(await explained(status), status).toContain(`${status}: a status of `);
});

test('explain explains words of tables and summaries', async () => {
  for (const word of ['cost', 'idle', 'double', 'meta', 'generic', 'vetoes', 'waiting for you', 'at least'])
    expect(await explained(word)).toContain(`${word}: a word of outputs\n`);
  for (const word of ['≥', 'lasted', 'worked'])
    expect(await explained(word)).toContain(`${word}: a word of outputs\n`);
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

test('without a word, explain lists every word below the findings, in groups', async () => {
  const { code, stdout } = await runHere(['explain'], { env: { COLUMNS: '80' } });
  expect(code).toBe(0);
  const [, words = ''] = stdout.split(/^(?=verdicts of verify$)/m);
  for (const title of [
    'verdicts of verify',
    'levels of verify, the lowest first',
    'severities of findings',
    'statuses of sessions',
  ])
    expect(words).toContain(`${title}\n  `);
  const listed = words.split('\n').flatMap((line) => /^ {2}(\S.*?) {2}/.exec(line)?.[1] ?? []);
  expect(listed).toEqual(WORDS.map(({ word }) => word));
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

test('a mistyped word gets the nearest one', async () => {
  const { code, stderr } = await runHere(['explain', 'consistnt']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean consistent?')]);
});

test('the page about reports says the same of each level', () => {
  const page = readFileSync('docs/reports.md', 'utf8');
  for (const [level, meaning] of Object.entries(LEVEL_MEANINGS))
    expect(page).toContain(`| ${level} | ${meaning}`);
});
