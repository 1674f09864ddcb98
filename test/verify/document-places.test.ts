import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../src/findings/finding.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import { runHere } from '../support/in-process.ts';
import { outputIn } from '../support/json.ts';
import { tempDir } from '../support/temp.ts';

const step = (step_id: number, more: object = {}) => ({ step_id, source: 'agent', message: 'hm', ...more });
const DOCUMENT = {
  schema_version: 'ATIF-v1.7',
  agent: { name: 'a', version: '1' },
  steps: [step(1, { source: 'user' }), step(2), step(2, { metrics: { prompt_tokens: 'many' } })],
  final_metrics: { total_prompt_tokens: 1, total_steps: 40 },
};
/** As a program writes it for people, and on one line. */
const PRETTY = JSON.stringify(DOCUMENT, null, 2);
const COMPACT = JSON.stringify(DOCUMENT);

function fileOf(text: string): string {
  const path = join(tempDir(), 'trajectory.json');
  writeFileSync(path, text);
  return path;
}

async function findingsIn(text: string): Promise<Finding[]> {
  const { stdout } = await runHere(['verify', fileOf(text), '-j']);
  return (outputIn(stdout) as { episodes: [{ findings: Finding[] }] }).episodes[0].findings;
}

/** The text at the place that a finding names. */
const textAt = (text: string, { line = 0, column = 0 }: Finding): string =>
  text.split('\n')[line - 1]?.slice(column - 1) ?? '';

test.each([
  ['over many lines', PRETTY],
  ['on one line', COMPACT],
])('findings name the place in a document %s', async (_, text) => {
  const findings = await findingsIn(text);
  const found = findings.map(({ code, path, byteStart }) => [
    code,
    path,
    text.slice(byteStart, (byteStart ?? 0) + 6),
  ]);
  expect(found.sort()).toEqual([
    ['event/wrong-type', 'steps[2].metrics.prompt_tokens', '"many"'],
    ['sequence/duplicate', 'steps[2].step_id', expect.stringMatching(/^2,/)],
    ['usage/steps', 'final_metrics', expect.stringMatching(/^\{/)],
  ]);
  for (const finding of findings) {
    expect(textAt(text, finding)).toMatch(/^(?:"many"|2,|\{)/);
    expect(finding.excerpt).toContain('"');
  }
});

test('annotations, SARIF and the library name the line of the file', async () => {
  const path = fileOf(PRETTY);
  const line = PRETTY.slice(0, PRETTY.indexOf('"many"')).split('\n').length;
  const github = await runHere(['verify', path, '--format', 'github']);
  expect(github.stdout).toMatch(
    new RegExp(`^::error file=[^,]*,line=${line},col=\\d+,title=event/wrong-type`, 'm'),
  );
  const sarif = outputIn((await runHere(['verify', path, '--format', 'sarif'])).stdout);
  const results: { ruleId: string; locations: { physicalLocation: { region: { startLine: number } } }[] }[] =
    sarif.runs[0].results;
  const { locations } = results.find(({ ruleId }) => ruleId === 'event/wrong-type') ?? { locations: [] };
  expect(locations[0]?.physicalLocation.region.startLine).toBe(line);
  const { findings } = await verifyEpisode(path);
  expect(findings.find(({ code }) => code === 'event/wrong-type')?.line).toBe(line);
});

test('a finding that names another record names its line, or its number where lines do not tell them apart', async () => {
  const twice = (count?: number) =>
    JSON.stringify(
      {
        sessionId: 's-1',
        projectHash: 'h',
        startTime: '2026-11-23T09:30:00.000Z',
        messages: ['user', 'info'].map((type) => ({
          id: 'm1',
          timestamp: '2026-11-23T09:30:00.000Z',
          type,
          content: 'x',
        })),
      },
      null,
      count,
    );
  const messages = async (text: string) =>
    (await findingsIn(text)).map(({ code, message, line }) => `${code} ${line}: ${message}`);
  expect(await messages(twice(2))).toEqual([
    'event/type-changed 13: the message has another type or time than on line 6',
  ]);
  expect(await messages(twice())).toEqual([
    'event/type-changed 1: the message has another type or time than in record 2',
  ]);
});

test('events, show and tail number the records of a document by the same lines', async () => {
  const path = fileOf(PRETTY);
  const starts = PRETTY.split('\n').flatMap((line, index) => (/^ {4}\{/.test(line) ? [index + 1] : []));
  const { stdout } = await runHere(['events', path]);
  const lines = stdout.trimEnd().split('\n').slice(1);
  expect(lines.map((line) => Number(line.split(' ')[0]))).toEqual([1, ...starts]);
  expect((await runHere(['show', path])).stdout).toContain(`line ${starts[2]}`);
  expect((await runHere(['show', path, String(starts[1])])).stdout).toContain('hm');
});
