import { expect, test } from 'vitest';
import { changeOfTexts, changesOfPatch } from '../../src/dialects/kit/file-change.ts';
import type { CallItem } from '../../src/dialects/kit/story.ts';
import { changesOfStory, withNet } from '../../src/read/describe/changes-of-story.ts';
import { changesText } from '../../src/show/render/changes.ts';
import { plain } from '../../src/show/render/style.ts';

let line = 0;
const call = (tool: string, input: string, more: Partial<CallItem> = {}): CallItem => {
  line += 1;
  return { kind: 'call', line, tool, input, status: 'ok', ...more };
};
const changesOf = (...items: CallItem[]) => withNet(changesOfStory({ turns: [{ turn: 1, line: 1, items }] }));
const effectsOf = (command: string) =>
  changesOf(call('Bash', command)).may_have_changed.map(({ what }) => what);

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
  'tar -czf a.tar.gz a',
  'mkdir -p a',
  'touch a',
  'Set-Content a.txt x',
  'make 2> errors.txt',
  'make &> log.txt',
  'bash -lc "rm -rf x"',
  'git checkout -b next',
  'apply_patch <<EOF\n*** Begin Patch\nEOF',
  'cat <<EOF > x\na\nEOF',
  'find . -name x -delete',
  'find . -name x | xargs -0 rm',
  'cd a && FORCE=1 sudo rm x',
  'for f in a b; do mv $f c; done',
  'ls | tee x',
  '/bin/rm x',
  'curl -sO http://localhost/x',
])('says that a command may have changed files: %s', (command) => {
  expect(effectsOf(command)).toEqual(['files']);
});

test.each([
  'git commit -am done',
  'git add -A && git commit -m "rm the old one"',
  'git commit -m "$(cat <<\'EOF\'\nRemove x\n\nmv it\nEOF\n)"',
  'git -C repo push --force',
  'git --no-pager tag v1',
  'git branch next',
  'gh pr create --title x',
  'npm publish',
  'sudo apt-get install jq',
  'docker compose up -d',
  'kubectl apply -f x.yaml',
  'curl -X POST http://localhost/x',
  'curl -s -d @x http://localhost/x',
])('says that a command may have changed something other than files: %s', (command) => {
  expect(effectsOf(command)).toEqual(['elsewhere']);
});

test.each([
  'npm test 2>&1',
  'npm run build',
  'make > /dev/null',
  'make 2>/dev/null',
  'make &> /dev/null',
  'eslint --fix-dry-run .',
  './fix.sh',
  "python3 -c \"open('x', 'w')\"",
  'python3 - <<EOF\nrm = 1\nEOF',
  'ssh host rm x',
  'if [ -f x ]; then node fix.js; fi',
  'ls $(node names.js)',
  `ls ${'x '.repeat(20_000)}`,
])('does not know what a command changes: %s', (command) => {
  expect(effectsOf(command)).toEqual(['unknown']);
});

test.each([
  'ls -l',
  'grep -rn remove src',
  'git status',
  "sed -n '1,5p' x",
  'echo "a -> b" | wc',
  'git stash list',
  'gofmt -l .',
  'prettier --check . && grep -i x y',
  'cargo fmt -- --check',
  'black --check .',
  'black --version',
  'sed -n 5p x | grep -i a',
  'tar -czf - a | wc -c',
  'jq .a->b x',
  'ls > /dev/null 2>&1; cat x',
  'echo rm x',
  'ls install',
  'grep -c mv x || true',
  'git log --oneline -1 && pwd && ls',
  'git branch -a',
  'git tag -l',
  'git remote -v',
  'gh run view 1 --log-failed 2>&1 | grep -A2 "task failed" | head -40',
  'for f in a b; do cat "$f"; done',
  'node --version',
  'curl -s http://localhost/x | jq .',
  "cat <<'EOF'\nrm x\nEOF",
  '# rm x',
  '',
])('says nothing of a command that writes no file: %s', (command) => {
  expect(changesOf(call('Bash', command)).may_have_changed).toEqual([]);
});

test.each([
  'npm test',
  'npm t',
  'npm run test:unit -- feed',
  'npm run -s test',
  'pnpm -r test',
  'yarn test --watch=false',
  'npx vitest run test/a.test.ts',
  './node_modules/.bin/jest a',
  'cd web && CI=1 timeout 60 npx playwright test nav',
  'node --test',
  'uv run pytest -q',
  'python -m unittest discover',
  'python3 manage.py test shop',
  'cargo test --all',
  'cargo +nightly test',
  'go test ./...',
  'terraform test',
  'bats deploy/rollout.bats',
  'bats test --all 2>&1 | tail -5',
  'bundle exec rspec spec',
  'vendor/bin/phpunit',
  './gradlew :app:test',
  'mvn -q verify',
  'make -j4 test',
  'make check',
  'dotnet test',
  'mix test',
  'swift test',
  'bazel test //...',
  "bash -lc 'go test ./...'",
])('knows that a command runs tests: %s', (command) => {
  expect(changesOf(call('Bash', command)).last_test).toBe(line);
});

test.each([
  'npm run build',
  'pip install pytest',
  'cat test/a.bats',
  'git commit -m "go test"',
  'git clone https://example.org/bats',
  'which pytest',
  'echo npm test',
  'terraform plan',
  'go vet ./...',
  'make install',
  'test -f x',
  'ls test',
  "cat <<'EOF'\nnpm test\nEOF",
])('knows that a command runs no tests: %s', (command) => {
  expect(changesOf(call('Bash', command)).last_test).toBeUndefined();
});

test('never takes a search pattern or the id of a command as a command', () => {
  const { may_have_changed: maybe } = changesOf(call('Grep', 'rm -rf'), call('BashOutput', 'bash_1'));
  expect(maybe).toEqual([]);
});

test('says that an edit without a result may have been made, and that a command failed', () => {
  line = 0;
  const changes = changesOf(
    call('Edit', 'a.ts', { status: 'interrupted' }),
    call('Bash', 'git push', { status: 'error' }),
    ...Array.from({ length: 20 }, () => call('Bash', 'make')),
  );
  expect(changesText(changes, { width: 60, style: plain }).join('\n')).toMatchInlineSnapshot(`
    "No file changes in this log, but 22 calls that may have changed something

    May have changed files
      line 1  Edit a.ts (interrupted)

    May have changed a repository, the machine or a service
      line 2  git push (failed)

    Other commands, whose effects the log does not show
      line 3  make
      line 4  make
      line 5  make
      line 6  make
      line 7  make
      line 8  make
      line 9  make
      line 10  make
      line 11  make
      line 12  make
      line 13  make
      line 14  make
      and 8 more: add -j to see all"
  `);
});

test('leaves out what was denied, and names edits that failed', () => {
  line = 0;
  const change = changeOfTexts('a.ts', 'x\n', 'y\n', 'edit');
  const changes = changesOf(
    call('Edit', 'a.ts', { changes: [change], status: 'error' }),
    call('Bash', 'rm a', { status: 'denied' }),
    call('Write', 'a.ts', { status: 'denied' }),
  );
  expect(changes).toEqual({
    files: [],
    may_have_changed: [{ line: 1, what: 'failed_edit', command: 'Edit a.ts', failed: true }],
  });
  expect(changesText(changes, { width: 80, style: plain })).toEqual([
    'No file changes in this log; 1 edit failed',
    '',
    'Edits that failed',
    '  line 1  Edit a.ts',
  ]);
  const withCommand = changesOf(call('apply_patch', 'b.ts', { status: 'error' }), call('Bash', 'rm a'));
  expect(changesText(withCommand, { width: 80, style: plain })[0]).toBe(
    'No file changes in this log, but 1 call that may have changed something',
  );
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
        +2     -1  a.ts (sum of 2 edits)

    a.ts
      line 1, edit
      @@ -1,2 +1,2 @@
       one
      -two
      +2
      line 3, write
      @@ -0,0 +1,1 @@
      +three

    May have changed files
      line 4  git mv b c

    Other commands, whose effects the log does not show
      line 2  npm test

    The last test run (line 2) is older than the last edit (line 3)."
  `);
});

test.each([
  ['an edit of a line that an earlier edit wrote', ['a\nb\nc', 'a\nB\nc'], ['a\nB\nc', 'a\nX\nc'], [1, 1]],
  ['an edit that takes an earlier one back', ['a\nb\nc', 'a\nB\nc'], ['a\nB\nc', 'a\nb\nc'], [0, 0]],
  ['edits of different lines', ['a\nb', 'a\nB'], ['x\ny', 'x\nY'], [2, 2]],
  [
    'an edit that writes a line again whose place is not certain',
    ['gone\nb', 'b'],
    ['x', 'x\ngone'],
    undefined,
  ],
] as const)('puts together %s', (_title, first, second, counts) => {
  const edit = ([before, after]: readonly [string, string]) =>
    call('Edit', 'a.ts', { changes: [changeOfTexts('a.ts', before, after, 'edit')] });
  const [file] = changesOf(edit(first), edit(second)).files;
  expect(file?.net && [file.net.added, file.net.removed]).toEqual(counts);
});

test('counts the edits of a file that the run wrote and then edited or removed', () => {
  const write = changeOfTexts('a.ts', '', 'one\ntwo\n', 'write');
  const edit = changeOfTexts('a.ts', 'two\n', '2\n3\n', 'edit');
  const gone = { path: 'a.ts', kind: 'delete', added: 0, removed: 0, diff: '' } as const;
  const calls = [write, edit, gone].map((change) => call('Edit', 'a.ts', { changes: [change] }));
  expect(changesOf(...calls.slice(0, 2)).files[0]?.net).toEqual({
    added: 3,
    removed: 0,
    diff: '@@\n+one\n+2\n+3',
  });
  expect(changesOf(...calls).files[0]?.net).toEqual({ added: 0, removed: 0, diff: '' });
  expect(changesOf(...calls.slice(1)).files[0]?.net).toBeUndefined();
});

test('prints one diff per file on request', () => {
  line = 0;
  const changes = changesOf(
    call('Edit', 'a.ts', { changes: [changeOfTexts('a.ts', 'one\ntwo', 'one\n2', 'edit')] }),
    call('Edit', 'a.ts', { changes: [changeOfTexts('a.ts', 'one\n2', 'one\nzwei', 'edit')] }),
  );
  expect(changesText(changes, { width: 60, style: plain, isNet: true }).join('\n')).toMatchInlineSnapshot(`
    "1 file changed
        +1     -1  a.ts

    a.ts
      2 edits
      @@
       one
      -two
      +zwei"
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

test('counts the lines of an edit that differ, and keeps three lines around each', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].join('\n');
  expect(changeOfTexts('x', before, before.replace('e', 'E'), 'edit').diff).toBe(
    ['@@ -2,7 +2,7 @@', ' b', ' c', ' d', '-e', '+E', ' f', ' g', ' h'].join('\n'),
  );
  const twice = before.replace('a', 'A').replace('i', 'I');
  expect(changeOfTexts('x', before, twice, 'edit')).toMatchObject({
    added: 2,
    removed: 2,
    diff: '@@ -1,4 +1,4 @@\n-a\n+A\n b\n c\n d\n@@ -6,4 +6,4 @@\n f\n g\n h\n-i\n+I',
  });
  expect(changeOfTexts('x', 'same', 'same', 'edit')).toMatchObject({ added: 0, removed: 0, diff: '' });
});

test('marks how a call ended that did not succeed', () => {
  line = 0;
  const changes = changesOf(
    call('Bash', 'bats a'),
    call('Bash', 'bats b', { status: 'error' }),
    call('Bash', 'bats c', { status: 'interrupted' }),
    call('Bash', 'bats d', { status: 'no result' }),
    call('Bash', 'bats e', { status: 'open' }),
  );
  expect(changes.may_have_changed.map(({ failed, unfinished }) => failed ?? unfinished)).toEqual([
    undefined,
    true,
    'interrupted',
    'no result',
    'no result',
  ]);
  expect(changesText(changes, { width: 80, style: plain }).slice(3)).toEqual([
    '  line 1  bats a',
    '  line 2  bats b (failed)',
    '  line 3  bats c (interrupted)',
    '  line 4  bats d (no result)',
    '  line 5  bats e (no result)',
  ]);
});
