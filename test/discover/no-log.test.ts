import { truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

const RECORD = { id: 'a', type: 'x' };
const indented = (value: unknown) => JSON.stringify(value, null, 2);

/** The answer of `events` about a file: its records, or the reason for refusing it and the hint. */
async function told(path: string): Promise<string> {
  const { stdout, stderr } = await runHere(['events', path, '-j'], { cwd: dirname(path) });
  if (stdout !== '') return stdout;
  const { error } = JSON.parse(stderr) as { error: { code: string; message: string; hint: string } };
  return `${error.code}: ${error.message}\n${error.hint}`;
}

const refused = (name: string, why: string, help: string) =>
  `log-missing: ${name} does not look like an event log: ${why}\n${help}`;

const NO_HELP =
  'a log has one JSON object per line, or is one document of a known dialect (noesis help dialects)';
const NAME_ONE = 'give a run, its log, or a folder with runs';

test.each<[name: string, content: string, why: string, help: string]>([
  ['state.json', indented({ version: '1' }), 'it is a state file', 'noesis state state.json'],
  ['w.state.json', indented({ version: '1' }), 'it is a state file', 'noesis state w.state.json'],
  [
    'manifest.json',
    indented({ files: [] }),
    'it belongs to an episode',
    'noesis verify . checks it with its episode',
  ],
  ['x.json', indented([1, 2]), 'it is one JSON document', NO_HELP],
  ['x.json', indented([]), 'it is one JSON document', NO_HELP],
  ['x.json', '7', 'it is one JSON document', NO_HELP],
  ['x.json', '{"version":1}', 'it is one JSON document', NO_HELP],
  ['x.json', indented({ a: [RECORD], b: [RECORD] }), 'it is one JSON document', NO_HELP],
  ['x.json', indented({ 'a b': [RECORD] }), 'it is one JSON document', NO_HELP],
  [
    'a b.json',
    indented({ steps: [RECORD] }),
    'it is one JSON document',
    "run jq -c '.steps[]' 'a b.json' > records.jsonl",
  ],
  ['x.json', '[{"id":"a","id":"b"}]', 'it is one JSON array', "run jq -c '.[]' 'x.json' > records.jsonl"],
  ['x.txt', 'a word', 'its only line is not a JSON object', NAME_ONE],
  ['x.txt', 'two\n\nlines\n', 'none of its 3 lines is a JSON object', NAME_ONE],
])('%s that is not a log is refused: %j', async (name, content, why, help) => {
  expect(await told(tempFile(content, name))).toBe(refused(name, why, help));
});

test('a long file is not read as one document', async () => {
  const path = tempFile('{\n', 'x.txt');
  truncateSync(path, 17 * 1024 * 1024);
  expect(await told(path)).toBe(refused('x.txt', 'none of its 2 lines is a JSON object', NAME_ONE));
});

test.each([
  ['x.txt', '\n\n'],
  ['x.txt', `a word\n${JSON.stringify(RECORD)}\n`],
  ['x.json', JSON.stringify(RECORD)],
  ['x.log', 'a word\n'],
])('%s is read as a log, however damaged: %j', async (name, content) => {
  const { stderr } = await runHere(['events', tempFile(content, name)]);
  expect(stderr).not.toContain('does not look like an event log');
});
