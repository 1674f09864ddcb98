import { expect, test } from 'vitest';
import type { FileDifference } from '../../src/read/compare/behaviour.ts';
import { at, claude, logOf } from '../support/claude-records.ts';
import { runHere } from '../support/in-process.ts';

const PATH = '/home/usr/shop/notes.txt';
const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
const ORIGINAL = `${LINES.join('\n')}\n`;

/** The files that two runs left differently. */
async function filesOf(a: string, b: string): Promise<readonly FileDifference[]> {
  const { stdout } = await runHere(['diff', a, b, '-j']);
  return (JSON.parse(stdout) as { behaviour: { files: { differ: FileDifference[] } } }).behaviour.files
    .differ;
}

/** The lines that only one run has, with a mark. */
const marked = ({ lines }: FileDifference): string[] =>
  lines.flatMap(({ in: side, text }) => (side === 'both' ? [] : `${side} ${text}`));

interface Call {
  readonly tool: string;
  readonly input: object;
  readonly details?: object;
}

let logs = 0;

/** A session of Claude Code with these calls. */
function session(...calls: readonly Call[]): string {
  logs += 1;
  const records = calls.flatMap(({ tool, input, details }, index) => [
    claude(2 * index + 1, 'assistant', [{ type: 'tool_use', id: `t${index}`, name: tool, input }]),
    claude(2 * index + 2, 'user', [{ type: 'tool_result', tool_use_id: `t${index}`, content: 'done' }], {
      ...(details && { toolUseResult: details }),
    }),
  ]);
  return logOf(`s${logs}.jsonl`, [claude(0, 'user', 'change the notes'), ...records]);
}

const replaced = (from: string, to: string): object => ({
  file_path: PATH,
  old_string: from,
  new_string: to,
});

/** An edit of line `number`, with what its result says. */
function edit(number: number, to: string, details: object = {}): Call {
  const from = `line ${number}`;
  const patch = {
    oldStart: number,
    oldLines: 1,
    newStart: number,
    newLines: 1,
    lines: [`-${from}`, `+${to}`],
  };
  const result = { filePath: PATH, oldString: from, newString: to, structuredPatch: [patch], ...details };
  return { tool: 'Edit', input: replaced(from, to), details: result };
}

/** A call that reads the file from a line on. */
const read = (from: number): Call => ({
  tool: 'Read',
  input: { file_path: PATH },
  details: {
    type: 'text',
    file: { filePath: PATH, content: ORIGINAL, startLine: from, numLines: 41 - from, totalLines: 40 },
  },
});

const write = (content: string): Call => ({
  tool: 'Write',
  input: { file_path: PATH, content },
  details: { type: 'create', filePath: PATH, content, structuredPatch: [], originalFile: null },
});

const TABBED = ORIGINAL.replace('line 20', '\tline 20');
/** As some versions store a hunk of a line with a tab. */
const SPACED = { oldStart: 20, oldLines: 1, newStart: 20, newLines: 1, lines: ['-  line 20', '+  twenty'] };

test.each<[string, readonly Call[], readonly Call[]]>([
  [
    'the result of an edit has the file before it',
    [edit(20, 'twenty', { originalFile: ORIGINAL })],
    [edit(20, 'XX', { originalFile: ORIGINAL })],
  ],
  ['the run read the whole file before', [read(1), edit(20, 'twenty')], [read(1), edit(20, 'XX')]],
  [
    'an edit is in one of several places with the same lines',
    [
      write(`${ORIGINAL}${ORIGINAL}unique line 20`),
      { ...edit(20, 'twenty'), input: replaced('unique line 20', 'twenty') },
    ],
    [write(`${ORIGINAL}${ORIGINAL}XX`)],
  ],
  [
    'a hunk has spaces where the file has a tab',
    [edit(20, 'twenty', { originalFile: TABBED, structuredPatch: [SPACED] })],
    [edit(20, 'XX', { originalFile: TABBED })],
  ],
])('compares whole files if %s', async (_, a, b) => {
  const [file] = await filesOf(session(...a), session(...b));
  expect(file).toMatchObject({ of: 'content' });
  expect(file && marked(file).map((line) => line.replace('\t', ''))).toEqual(['a twenty', 'b XX']);
  expect(file?.lines.length).toBeGreaterThan(2);
});

test('takes what a person made of an edit from its result, not from the call', async () => {
  const details = { originalFile: ORIGINAL, userModified: true };
  const changed = edit(20, 'mine', details);
  const [file] = await filesOf(
    session({ ...changed, input: replaced('line 20', 'proposed') }),
    session(edit(20, 'XX', details)),
  );
  expect(file && marked(file)).toEqual(['a mine', 'b XX']);
});

test('shows the changes of a file that one run changed, because the other run may have another file', async () => {
  const [log, other] = [session(edit(20, 'twenty', { originalFile: ORIGINAL })), session()];
  const [file] = await filesOf(log, other);
  expect(file).toMatchObject({ of: 'changes' });
  expect(file).not.toHaveProperty('not_whole');
  expect(file && marked(file)).toEqual(['a -line 20', 'a +twenty']);
  expect((await runHere(['diff', log, other])).stdout).toMatch(/^ +\(the changes\)$/m);
});

test('shows the lines of a file that one run made', async () => {
  const [file] = await filesOf(session(write('one\n')), session());
  expect(file).toMatchObject({ of: 'content' });
  expect(file && marked(file)).toEqual(['a one']);
});

test.each<[string, readonly Call[]]>([
  ['has only the changes', [edit(20, 'twenty')]],
  ['has only a part of the file', [read(2), edit(20, 'twenty')]],
  ['has an edit whose place is not certain', [write('line 20\nline 20\n'), edit(20, 'twenty')]],
])('says whose log does not have the whole file if it %s', async (_, calls) => {
  const [file] = await filesOf(session(...calls), session(edit(20, 'XX', { originalFile: ORIGINAL })));
  expect(file).toMatchObject({ of: 'changes', not_whole: ['a'] });
});

test('finds the place of each hunk of a Codex patch after the one before it', async () => {
  const codex = (name: string, ...patches: readonly string[]) => {
    const head = {
      id: name,
      timestamp: at(0),
      cwd: '/home/usr/shop',
      originator: 'codex_cli_rs',
      cli_version: '0.1.0',
    };
    const calls = patches.flatMap((patch, index) => [
      {
        type: 'custom_tool_call',
        status: 'completed',
        call_id: `c${index}`,
        name: 'apply_patch',
        input: patch,
      },
      {
        type: 'custom_tool_call_output',
        call_id: `c${index}`,
        output: '{"output":"Success","metadata":{"exit_code":0}}',
      },
    ]);
    return logOf(`${name}.jsonl`, [
      { timestamp: at(0), type: 'session_meta', payload: head },
      ...calls.map((payload, index) => ({ timestamp: at(index + 1), type: 'response_item', payload })),
    ]);
  };
  const add = (lines: readonly string[]) =>
    ['*** Begin Patch', `*** Add File: ${PATH}`, ...lines.map((line) => `+${line}`), '*** End Patch'].join(
      '\n',
    );
  const lines = ['def a', '  x', 'def b', '  x', 'def c', '  x'];
  const update = [
    '*** Begin Patch',
    `*** Update File: ${PATH}`,
    '@@ def b',
    '-  x',
    '+  y',
    '@@',
    ' def c',
    '-  x',
    '+  z',
    '*** End Patch',
  ];
  const [file] = await filesOf(codex('left', add(lines), update.join('\n')), codex('right', add(lines)));
  expect(file).toMatchObject({ of: 'content' });
  expect(file && marked(file)).toEqual(['a   y', 'b   x', 'a   z', 'b   x']);
});

test('two runs that left a file alike by other edits did not leave it differently', async () => {
  const undone: Call = {
    tool: 'Edit',
    input: replaced('XX', 'twenty'),
    details: {
      filePath: PATH,
      structuredPatch: [{ oldStart: 20, oldLines: 1, newStart: 20, newLines: 1, lines: ['-XX', '+twenty'] }],
    },
  };
  const logs = [session(edit(20, 'XX'), undone), session(edit(20, 'twenty'))];
  expect(await filesOf(logs[0] ?? '', logs[1] ?? '')).toEqual([]);
  const { stdout } = await runHere(['diff', ...logs]);
  expect(stdout).toMatch(/^Files +both changed 1 file, with the same result$/m);
  expect(stdout).toContain('Edit');
});

test('files of which a log has only the changes differ in changes, not in content', async () => {
  const { stdout } = await runHere(['diff', session(edit(20, 'XX')), session(edit(20, 'twenty'))]);
  expect(stdout).toMatch(/^Files +both changed 1 file, with different changes$/m);
});

test('a tab in a line of a file is shown as space', async () => {
  const { stdout } = await runHere(['diff', session(edit(20, '\tXX')), session(edit(20, 'twenty'))]);
  expect(stdout).toMatch(/^ +A +\+? *XX$/m);
  expect(stdout).not.toContain('\\t');
});
