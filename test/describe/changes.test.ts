import { expect, test } from 'vitest';
import { changeOfTexts, changesOfPatch } from '../../src/dialects/kit/file-change.ts';
import type { CallItem } from '../../src/dialects/kit/story.ts';
import { changesOfStory } from '../../src/read/describe/changes-of-story.ts';
import { changesText } from '../../src/show/render/changes.ts';
import { plain } from '../../src/show/render/style.ts';

let line = 0;
const call = (tool: string, input: string, more: Partial<CallItem> = {}): CallItem => {
  line += 1;
  return { kind: 'call', line, tool, input, status: 'ok', ...more };
};
const changesOf = (...items: CallItem[]) => changesOfStory({ turns: [{ turn: 1, line: 1, items }] });

test.each([
  'git mv a b',
  "sed -i 's/a/b/' x",
  'echo hi > notes.txt',
  'cat a >> b',
  'npm run build && rm -rf dist',
  'cp a b',
  'tee x',
  'gofmt -l -w .',
  'cd web && npx prettier --log-level warn --write src',
  'ruff check --fix .',
  'cargo fmt',
  'python -m black -q src',
  "sed -E -i'' 's/a/b/' x",
  'git -C repo merge main',
  'git stash pop',
  'git restore a',
  'npm ci',
  'go mod tidy',
  'tar -xzf a.tar.gz',
  'mkdir -p a',
  'touch a',
  'Set-Content a.txt x',
  'make 2> errors.txt',
  'make &> log.txt',
])('says that a command may have changed files: %s', (command) => {
  expect(changesOf(call('Bash', command)).may_have_changed).toHaveLength(1);
});

test.each([
  'ls -l',
  'grep -rn remove src',
  'npm test 2>&1',
  'make > /dev/null',
  'git status',
  "sed -n '1,5p' x",
  'echo "a -> b" | wc',
  'git commit -am done',
  'git stash list',
  'gofmt -l .',
  'prettier --check . && grep -i x y',
  'eslint --fix-dry-run .',
  'cargo fmt -- --check',
  'black --check .',
  'black --version',
  'sed -n 5p x | grep -i a',
  'tar -czf - a | wc -c',
  'npm run build',
  'make 2>/dev/null',
  'make &> /dev/null',
  'jq .a->b x',
])('says nothing of a command that writes no file: %s', (command) => {
  expect(changesOf(call('Bash', command)).may_have_changed).toEqual([]);
});

test('never takes a search pattern as a command', () => {
  expect(changesOf(call('Grep', 'rm -rf')).may_have_changed).toEqual([]);
});

test('leaves out what was denied, and edits that failed', () => {
  const change = changeOfTexts('a.ts', 'x\n', 'y\n', 'edit');
  const { files, may_have_changed } = changesOf(
    call('Edit', 'a.ts', { changes: [change], status: 'error' }),
    call('Bash', 'rm a', { status: 'denied' }),
  );
  expect({ files, may_have_changed }).toEqual({ files: [], may_have_changed: [] });
});

test('adds up the changes of a file, and says that it was tested before its last edit', () => {
  line = 0;
  const first = changeOfTexts('a.ts', 'one\ntwo\n', 'one\n2\n', 'edit');
  const second = changeOfTexts('a.ts', '', 'three\n', 'write');
  const changes = changesOf(
    call('Edit', 'a.ts', { changes: [first] }),
    call('Bash', 'npm test'),
    call('Write', 'a.ts', { changes: [second] }),
    call('Bash', 'git mv b c'),
  );
  expect(changes).toMatchObject({
    last_edit: 3,
    last_test: 2,
    files: [{ path: 'a.ts', added: 2, removed: 1 }],
  });
  expect(changesText(changes, { width: 60, style: plain }).join('\n')).toMatchInlineSnapshot(`
    "1 file changed
        +2     -1  a.ts

    a.ts
      line 1, edit
      @@ -1,2 +1,2 @@
       one
      -two
      +2
      line 3, write
      @@ -0,0 +1,1 @@
      +three

    May have changed
      line 4  git mv b c

    The last test run (line 2) is older than the last edit (line 3)."
  `);
});

test('says nothing of tests that ran after the last edit', () => {
  const changes = changesOf(
    call('Edit', 'a.ts', { changes: [changeOfTexts('a.ts', 'x', 'y', 'edit')] }),
    call('Bash', 'npx vitest run'),
  );
  expect(changesText(changes, { width: 60, style: plain }).join('\n')).not.toContain('older');
});

test('reads a patch with several files', () => {
  const patch = [
    '*** Begin Patch',
    '*** Add File: new.txt',
    '+hello',
    '*** Update File: a.txt',
    '@@',
    ' kept',
    '-old',
    '+new',
    '*** Delete File: gone.txt',
    '*** End Patch',
  ].join('\n');
  expect(changesOfPatch(patch)).toEqual([
    { path: 'new.txt', kind: 'write', added: 1, removed: 0, diff: '+hello' },
    { path: 'a.txt', kind: 'edit', added: 1, removed: 1, diff: '@@\n kept\n-old\n+new' },
    { path: 'gone.txt', kind: 'delete', added: 0, removed: 0, diff: '' },
  ]);
});

test('keeps three lines around what was replaced', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].join('\n');
  expect(changeOfTexts('x', before, before.replace('e', 'E'), 'edit').diff).toBe(
    ['@@ -2,7 +2,7 @@', ' b', ' c', ' d', '-e', '+E', ' f', ' g', ' h'].join('\n'),
  );
  expect(changeOfTexts('x', 'same', 'same', 'edit')).toMatchObject({ added: 0, removed: 0, diff: '' });
});
