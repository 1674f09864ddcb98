import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { codex } from '../../../src/dialects/sessions/codex/index.ts';
import { runHere } from '../../support/in-process.ts';
import { tempFile } from '../../support/temp.ts';
import { brief, verifyEvents } from '../verify-events.ts';

// Versions 0.118 to 0.147 write what became of a patch and of a command once for the user and once for the model.

const FILE = '/home/usr/shop/src/price.ts';
const NEW = '/home/usr/shop/notes.md';
const PATCH = `*** Begin Patch
*** Update File: src/price.ts
@@
 export function price(net: number) {
-  return net;
+  return net * 1.19;
 }
*** Add File: ${NEW}
+# Notes
+
+Prices include tax.
*** End Patch`;
const PRINTED = `Success. Updated the following files:\nA ${NEW}\nM ${FILE}\n`;
const CHANGES = {
  [FILE]: {
    type: 'update',
    unified_diff:
      '@@ -4,3 +4,3 @@\n export function price(net: number) {\n-  return net;\n+  return net * 1.19;\n }\n',
    move_path: null,
  },
  [NEW]: { type: 'add', content: '# Notes\n\nPrices include tax.\n' },
};

const record = (type: string, payload: object, second: number): JsonObject => ({
  timestamp: new Date(Date.UTC(2026, 3, 8, 11, 0, second)).toISOString(),
  type,
  payload: { ...payload },
});

interface PatchParts {
  readonly patch?: string;
  readonly end?: object;
  readonly output?: string;
}

const forModel = (output: string, exit_code: number): string =>
  JSON.stringify({ output, metadata: { exit_code, duration_seconds: 0 } });

/** A thread in which the model changes two files with a patch. */
const patched = ({
  patch = PATCH,
  end = {},
  output = forModel(PRINTED, 0),
}: PatchParts = {}): JsonObject[] => [
  record(
    'session_meta',
    { id: '019d6d29-8cf7-7fe3-adc9-8c3e4d9d5603', cli_version: '0.118.0', cwd: '/home/usr/shop' },
    0,
  ),
  record('event_msg', { type: 'task_started', turn_id: 't1' }, 1),
  record('event_msg', { type: 'user_message', message: 'Add the tax' }, 2),
  record(
    'response_item',
    { type: 'custom_tool_call', status: 'completed', call_id: 'call_1', name: 'apply_patch', input: patch },
    3,
  ),
  record(
    'event_msg',
    {
      type: 'patch_apply_end',
      call_id: 'call_1',
      turn_id: 't1',
      stdout: PRINTED,
      stderr: '',
      success: true,
      changes: CHANGES,
      status: 'completed',
      ...end,
    },
    4,
  ),
  record('response_item', { type: 'custom_tool_call_output', call_id: 'call_1', output }, 4),
  record('event_msg', { type: 'agent_message', message: 'Done' }, 5),
  record('event_msg', { type: 'task_complete', turn_id: 't1', last_agent_message: 'Done' }, 6),
];

const FAILED = { success: false, status: 'failed', stdout: '', stderr: 'No space left on device' };
const CODE = 'warn session/copy-differs';

const found = async (parts: PatchParts) => brief(await verifyEvents(codex.verify, patched(parts)));
const withChange = (path: string, change: object) => ({ end: { changes: { ...CHANGES, [path]: change } } });
const edited = (from: string, to: string) =>
  withChange(FILE, {
    ...CHANGES[FILE],
    unified_diff: (CHANGES[FILE] as { unified_diff: string }).unified_diff.replace(from, to),
  });

describe('a patch', () => {
  test.each<[string, PatchParts]>([
    ['that was applied', {}],
    ['that failed', { end: FAILED, output: forModel('No space left on device', 1) }],
    [
      'that a person refused',
      {
        end: { ...FAILED, status: 'declined', stderr: 'patch rejected by user' },
        output: 'patch rejected by user',
      },
    ],
    ['that was applied with other indents', edited('+  return net * 1.19;', '+\treturn net * 1.19;')],
    ['with a line that stays as it was', { patch: PATCH.replace(' }\n', '-}\n+}\n') }],
    [
      'of a version that writes less',
      { end: { stdout: undefined, changes: undefined, status: undefined }, patch: 'x' },
    ],
  ])('%s has no finding', async (_, parts) => {
    expect(await found(parts)).toEqual([]);
  });

  test.each<[string, number, PatchParts]>([
    ['failed for the user alone', 5, { end: { success: false } }],
    ['failed for the user alone, with its status', 6, { end: FAILED }],
    ['failed for the model alone', 6, { output: forModel(PRINTED, 1) }],
    ['was applied for the model alone', 6, { end: FAILED, output: forModel(PRINTED, 0) }],
    ['has another status', 5, { end: { status: 'failed' } }],
    ['printed something else for the model', 6, { output: forModel('Failure', 0) }],
    ['printed something else', 6, { end: { stdout: 'Success. Updated nothing' } }],
    ['failed for another reason', 6, { end: FAILED, output: 'execution error: Denied' }],
    ['added another line', 5, edited('+  return net * 1.19;', '+  return net * 1.25;')],
    ['removed another line', 5, edited('-  return net;', '-  return 0;')],
    ['wrote another text', 5, withChange(NEW, { type: 'add', content: '# Notes\n' })],
    ['changed one more file', 5, withChange('/etc/passwd', { type: 'delete', content: 'root' })],
    ['changed one file less', 5, { end: { changes: { [FILE]: CHANGES[FILE] } } }],
    ['asked for another line', 5, { patch: PATCH.replace('1.19', '1.07') }],
    ['asked for another file', 5, { patch: PATCH.replace('src/price.ts', 'src/tax.ts') }],
  ])('that %s has one', async (_, line, parts) => {
    expect(await found(parts)).toEqual([`${CODE} ${line}`]);
  });

  test('is shown as it was applied, with whole paths and the numbers of lines', async () => {
    const log = tempFile(
      patched()
        .map((event) => `${JSON.stringify(event)}\n`)
        .join(''),
      'rollout-a.jsonl',
    );
    const { stdout } = await runHere(['show', log, '--changes']);
    expect(stdout).toContain(FILE);
    expect(stdout).toContain('@@ -4,3 +4,3 @@');
    expect(stdout).toContain('+Prices include tax.');
    const { files } = JSON.parse((await runHere(['show', log, '--changes', '-j'])).stdout);
    expect(
      files.map(({ path, added, removed }: { path: string; added: number; removed: number }) => [
        path,
        added,
        removed,
      ]),
    ).toEqual([
      [FILE, 1, 1],
      [NEW, 3, 0],
    ]);
    const shown = JSON.parse((await runHere(['show', log, '-j'])).stdout);
    expect(shown.files.map(({ path }: { path: string }) => path)).toEqual([FILE, NEW]);
  });
});

const ran = (
  end: object = {},
  output = 'Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nok 1\nfailed 2\n',
) => {
  const [head, start, prompt, , , , ...rest] = patched();
  const call = {
    type: 'function_call',
    call_id: 'c',
    name: 'exec_command',
    arguments: '{"cmd":"make test","workdir":"/home/usr/shop"}',
  };
  const done = {
    type: 'exec_command_end',
    call_id: 'c',
    turn_id: 't1',
    command: ['/bin/zsh', '-lc', 'make test'],
    cwd: '/home/usr/shop',
    aggregated_output: 'ok 1\nfailed 2\n',
    exit_code: 2,
    duration: { secs: 0, nanos: 100_000_000 },
    status: 'failed',
    ...end,
  };
  return [
    head,
    start,
    prompt,
    record('response_item', call, 3),
    record('event_msg', done, 4),
    record('response_item', { type: 'function_call_output', call_id: 'c', output }, 4),
    ...rest,
  ];
};

describe('a command', () => {
  test.each([
    ['that ended', ran()],
    ['whose record lacks its first lines', ran({ aggregated_output: 'failed 2\n' })],
    [
      'that still runs when the model gets its output',
      ran({}, 'Chunk ID: a1\nProcess running with session ID 7\nOutput:\nok 1\n'),
    ],
  ])('%s has no finding', async (_, events) => {
    expect(brief(await verifyEvents(codex.verify, events))).toEqual([]);
  });

  test.each<[string, number, object]>([
    ['exit code', 5, { exit_code: 0 }],
    ['exit code and status', 6, { exit_code: 0, status: 'completed' }],
    ['output', 6, { aggregated_output: 'ok 1\nok 2\n' }],
    ['command', 5, { command: ['/bin/zsh', '-lc', 'make clean'] }],
    ['folder', 5, { cwd: '/home/usr' }],
    ['status', 5, { status: 'completed' }],
  ])('of which only the record has another %s has one', async (_, line, end) => {
    expect(brief(await verifyEvents(codex.verify, ran(end)))).toEqual([`${CODE} ${line}`]);
  });
});

describe('a patch that moves a file', () => {
  const TO = '/home/usr/shop/src/tax.ts';
  const MOVED = { ...CHANGES, [FILE]: { ...CHANGES[FILE], move_path: TO } };
  const patch = PATCH.replace('src/price.ts', '$&\n*** Move to: src/tax.ts');
  const logOf = (end: object, folder: string) =>
    tempFile(
      patched({ patch, end })
        .map((event) => `${JSON.stringify(event)}\n`)
        .join(''),
      `${folder}.jsonl`,
    );

  test.each([
    ['as it was applied', { changes: MOVED }, [TO, FILE]],
    ['as the model asked for it', { changes: undefined }, ['src/tax.ts', 'src/price.ts']],
  ])('changes the file at its new path, and deletes the old one, %s', async (_, end, [to, from]) => {
    const log = logOf(end, 'rollout-m');
    const json = async (...args: string[]) => JSON.parse((await runHere([...args, '-j'])).stdout);
    const { files } = await json('show', log, '--changes');
    expect(files.slice(0, 2)).toMatchObject([
      { path: to, added: 1, removed: 1, changes: [{ kind: 'edit', moved_from: from }] },
      { path: from, added: 0, removed: 0, changes: [{ kind: 'delete', diff: '' }] },
    ]);
    const shown = await json('show', log);
    expect(shown.files.map(({ path }: { path: string }) => path).sort()).toEqual(
      files.map(({ path }: { path: string }) => path).sort(),
    );
    for (const path of [to, from]) expect(await json('list', log, '--changed', `${path}`)).toHaveLength(1);
    expect((await runHere(['show', log, '--changes'])).stdout).toContain(`edit, moved from ${from}\n`);
    const read = (await runHere(['read', log, '--full'])).stdout;
    expect(read).toContain(`${to}, moved from ${from}\n`);
    expect(read).toContain(`${from}, deleted\n`);
  });

  test('is the same in its copy, which may not name other paths', async () => {
    expect(await found({ patch, end: { changes: MOVED } })).toEqual([]);
    expect(await found({ patch, end: { changes: CHANGES } })).toEqual([`${CODE} 5`]);
  });
});
