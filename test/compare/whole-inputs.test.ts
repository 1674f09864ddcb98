import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Behaviour } from '../../src/read/compare/behaviour.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { outputIn } from '../support/json.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const SESSION = join(
  SAMPLES,
  'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
);
const TEXT = readFileSync(SESSION, 'utf8');

/** The session after a change of its text, compared with the session. */
async function compared(change: (text: string) => string) {
  const other = change(TEXT);
  expect(other).not.toBe(TEXT);
  const file = tempFile(other, 'other.jsonl');
  const { code, stdout } = await runHere(['diff', SESSION, file]);
  const behaviour = (
    outputIn((await runHere(['diff', SESSION, file, '-j'])).stdout) as { behaviour: Behaviour }
  ).behaviour;
  return { code, stdout, behaviour };
}

describe('two sessions of one program', () => {
  test('differ if an edit of one file has other contents, and the difference is shown', async () => {
    const { code, stdout, behaviour } = await compared((text) =>
      text
        .replaceAll('"new_string":"1"', '"new_string":"0.5"')
        .replaceAll('const rate = 1;', 'const rate = 0.5;'),
    );
    expect(code).toBe(1);
    expect(stdout).not.toContain('no difference in what the runs did');
    expect(stdout).toMatch(/^ +A {2}const rate = 1;\n +B {2}const rate = 0\.5;$/m);
    // The edit is of a part of a line, so its values are printed too, once.
    expect(stdout.replace(/the\s+changed\s+ones\s+differ[\s\S]*/, '').match(/new_string: .*/g)).toEqual([
      'new_string: "1" | "0.5"',
    ]);
    expect(behaviour).toMatchObject({
      same: false,
      steps: [
        { a: { what: 'Edit' }, b: { what: 'Edit' }, fields: [{ path: 'new_string', a: '1', b: '0.5' }] },
      ],
      parting: { kind: 'step', fields: [{ path: 'new_string' }] },
    });
  });

  test('part after the prompt if nothing else is the same before', async () => {
    // The first text of a list is the first answer, after which the first call comes.
    const { stdout, behaviour } = await compared((text) =>
      text.replace('"type":"text","text":"', '$&Another: '),
    );
    expect(behaviour.parting).toMatchObject({ after: 1, afterPrompts: true });
    expect(stdout).toMatch(/^They part after the prompt$/m);
  });

  test('differ if one reads a file and the other writes it: a tool is not renamed if both have its name', async () => {
    const { code, stdout, behaviour } = await compared((text) =>
      text.replace(/"name":"Read"(,"input":\{"file_path":"[^"]*")\}/, '"name":"Write"$1,"content":"x"}'),
    );
    expect([code, behaviour.renamed]).toEqual([1, []]);
    expect(stdout).not.toMatch(/Read in A is/);
    expect(stdout).toMatch(/^Calls .*1 in A only, 1 in B only$/m);
  });

  test('differ if a tool has another name, although nobody else has it', async () => {
    const { code, behaviour } = await compared((text) => text.replaceAll('"name":"Read"', '"name":"Peek"'));
    expect([code, behaviour.renamed]).toEqual([1, []]);
  });

  test('have numbers of calls also if only one of them made any', async () => {
    const { stdout } = await compared((text) => text.slice(0, text.indexOf('"tool_use"')).replace(/.*$/, ''));
    const rows = [...stdout.matchAll(/^(Calls|Failed|Tests|Files) +(?:\d+|none known|\d.*?) {2,}(\S.*)$/gm)];
    expect(rows.slice(0, 4).map(([, name, b]) => [name, b])).toEqual([
      ['Calls', '0'],
      ['Failed', '0'],
      ['Tests', 'none known'],
      ['Files', '0'],
    ]);
  });

  test('differ if another model made the calls', async () => {
    const { code, stdout, behaviour } = await compared((text) =>
      text.replaceAll('"model":"claude-sonnet-5"', '"model":"claude-opus-4-8"'),
    );
    expect([code, behaviour.same, behaviour.otherModel]).toEqual([1, false, behaviour.sameSteps]);
    expect(stdout).toMatch(/^Model +claude-sonnet-5 +claude-opus-4-8$/m);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/\d+ calls? that both made (?:is|are) by another model in B/);
  });

  test('differ if one log does not name the model, which is not said to be another one', async () => {
    const { code, stdout, behaviour } = await compared((text) =>
      text.replaceAll('"model":"claude-sonnet-5",', ''),
    );
    expect([code, behaviour.same, behaviour.otherModel]).toEqual([1, false, 0]);
    expect(behaviour.unnamedModel).toEqual({ a: 0, b: behaviour.sameSteps });
    expect(stdout).not.toContain('another model');
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      `the log of B does not name the model of ${behaviour.sameSteps} calls of both runs`,
    );
  });

  test('differ in a part of an edit that is not in the file, which is shown once', async () => {
    const { stdout } = await compared((text) =>
      text
        .replaceAll('"new_string":"1","replace_all":false', '"new_string":"0.5","replace_all":true')
        .replaceAll('const rate = 1;', 'const rate = 0.5;'),
    );
    expect(stdout.replace(/the\s+changed\s+ones\s+differ[\s\S]*/, '').match(/replace_all/g)).toHaveLength(1);
  });

  test('differ if a result differs', async () => {
    const { code, behaviour } = await compared((text) =>
      text.replaceAll('old-1.json is unused', 'old-1.json is used'),
    );
    expect([code, behaviour.results.differ.length > 0]).toEqual([1, true]);
    expect(behaviour.parting).toMatchObject({ kind: 'result' });
  });

  test('are the same if only counts of tokens differ, which are named', async () => {
    const { code, stdout } = await compared((text) =>
      text.replace(/"output_tokens":\d+/, '"output_tokens":99'),
    );
    expect(code).toBe(0);
    expect(stdout).toContain('message.usage.output_tokens (1 event)');
    expect(stdout).toContain('no difference in what the runs did; differences in storage do not count');
  });

  test('are the same if only their ids and the names of temporary folders differ', async () => {
    const use = (text: string, folder: string) =>
      text.replaceAll('/home/usr/shop/rate.js', `/tmp/${folder}/rate.js`);
    const folder = tempDir();
    const file = (name: string, text: string) => tempFile(text, join(folder, name).slice(folder.length + 1));
    const a = file('a.jsonl', use(TEXT, 'work-a1'));
    const b = file(
      'b.jsonl',
      use(
        TEXT.replaceAll('5e550000-0000-4000-8000-00000000a001', '5e550000-0000-4000-8000-00000000ffff'),
        'work-b2',
      ),
    );
    expect((await runHere(['diff', a, b])).stdout).toMatch(/^no difference in what the runs did/m);
    const c = file(
      'c.jsonl',
      use(TEXT, 'work-b2').replaceAll('/tmp/work-b2/rate.js', '/tmp/work-b2/other.js'),
    );
    expect((await runHere(['diff', a, c])).code).toBe(1);
  });
});

test('streams that differ only in the id of their workflow are the same, wherever it is', async () => {
  const stream = (id: string) =>
    tempFile(
      [
        ['workflow.started', { featureId: id, workflowType: 'feature' }],
        ['workflow.transition', { from: 'ideate', to: 'plan', trigger: 'x', featureId: id }],
      ]
        .map(
          ([type, data], at) =>
            `${JSON.stringify({ streamId: id, sequence: at + 1, timestamp: `2026-03-02T09:00:0${at}.000Z`, type, schemaVersion: '1.0', data })}\n`,
        )
        .join(''),
      `${id}.events.jsonl`,
    );
  expect(await runHere(['diff', stream('pay'), stream('pay-2')])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no difference in what the runs did'),
  });
});
