import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import { inputText } from '../../src/dialects/kit/call-input.ts';
import type { CallItem, StoryDetails } from '../../src/dialects/kit/story.ts';
import { commonKeys, haveOtherShells } from '../../src/read/compare/call-key.ts';
import { Incidental } from '../../src/read/compare/incidental.ts';

const CWD = '/home/usr/shop';

/** The key of a call in a comparison of two programs. */
const keyOf = (tool: string, input: JsonObject): string => {
  const call: CallItem = { kind: 'call', line: 1, tool, input: inputText(input), status: 'ok' };
  const details: StoryDetails = {
    models: [],
    versions: [],
    ids: [],
    own: [],
    started: [],
    callOf: () => ({ input }),
  };
  return commonKeys(details, new Incidental([]), CWD).of(call);
};

describe('in runs of two programs, a call is', () => {
  test.each([
    ['list_directory', { dir_path: `${CWD}/src` }, 'Glob', { path: 'src' }],
    ['list_directory', { directory: '.' }, 'ls', {}],
    ['list_directory', { dir_path: CWD }, 'ls', { path: '.' }],
    ['read_file', { file_path: `${CWD}/a.js`, limit_tokens: 9 }, 'Read', { path: './a.js' }],
  ])('the same: %s %o and %s %o', (tool, input, other, otherInput) => {
    expect(keyOf(tool, input)).toBe(keyOf(other, otherInput));
  });

  test.each([
    [{ dir_path: 'src' }, { dir_path: 'test' }],
    [{ folder: 'src' }, { dir_path: 'test' }],
    [{ directory: `${CWD}/src` }, { path: '.' }],
    [{ path: 'src' }, {}],
  ])('another one for another folder: %o and %o', (input, other) => {
    expect(keyOf('list_directory', input)).not.toBe(keyOf('Glob', other));
  });
});

describe('in runs of two programs, a command is', () => {
  const key = (command: string): string => keyOf('Bash', { command });

  test.each([
    ["bash -lc 'npm test'", 'npm test'],
    ['/bin/zsh -lc "echo \\"a\\" | wc -l"', 'echo "a" | wc -l'],
    [`cd ${CWD} && npm test`, 'npm test'],
    [`sh -c "cd '${CWD}' && npm test"`, 'npm test '],
    ['cat src/a.js', `cat "${CWD}/src/a.js"`],
  ])('the same: %s and %s', (one, other) => {
    expect(key(one)).toBe(key(other));
  });

  test.each([
    ["bash -lc 'npm test' && ls", "bash -lc 'npm test'"],
    ['cd src && npm test', 'npm test'],
    [`cd ${CWD}/src && npm test`, 'npm test'],
    ["echo 'npm test'", 'npm test'],
  ])('another one: %s and %s', (one, other) => {
    expect(key(one)).not.toBe(key(other));
  });

  test.each(['shell', 'exec_command', 'run_shell_command', 'bash', 'Bash', 'run_in_terminal'])(
    'the same by any tool: %s',
    (tool) => {
      expect(keyOf(tool, { command: 'npm test' })).toBe(key('npm test'));
      expect(keyOf(tool, { cmd: 'npm test' })).toBe(key('npm test'));
    },
  );

  test.each(['cat notes.txt', "bash -lc 'cat notes.txt'", `cat ${CWD}/notes.txt`])(
    'a reading: %s',
    (command) => {
      expect(key(command)).toBe(keyOf('read_file', { path: 'notes.txt' }));
      expect(key(command)).not.toBe(keyOf('read_file', { path: 'notes.txt', offset: 9 }));
    },
  );

  test.each(['cat -n notes.txt', 'cat notes.txt b.txt', 'cat *.txt', 'cat notes.txt | wc', 'cat $FILE'])(
    'no reading of one whole file: %s',
    (command) => {
      expect(key(command)).toMatch(/^\["run"/);
    },
  );

  test.each([
    "printf 'hello\\n' > notes.txt",
    'printf "hello\\n" > notes.txt',
    'echo hello > notes.txt',
    "echo 'hello' > ./notes.txt",
    "cat > notes.txt <<'EOF'\nhello\nEOF",
    'cat <<EOF > notes.txt\nhello\nEOF',
    `bash -lc "echo hello > ${CWD}/notes.txt"`,
  ])('a writing: %s', (command) => {
    expect(key(command)).toBe(keyOf('write_file', { file_path: 'notes.txt', content: 'hello\n' }));
    expect(key(command)).not.toBe(keyOf('write_file', { file_path: 'notes.txt', content: 'hello 2\n' }));
  });

  test.each([
    'echo hello >> notes.txt',
    'echo $HOME > notes.txt',
    'echo -n hello > notes.txt',
    "printf '%s' x > notes.txt",
    'cat > notes.txt <<EOF\n$HOME\nEOF',
    "cat > notes.txt <<'EOF'\nhello\nEOF\nnpm test\nEOF",
  ])('no writing of a known text: %s', (command) => {
    expect(key(command)).toMatch(/^\["run"/);
  });
});

describe('two runs of one program have other shells', () => {
  const calls = (...tools: string[]) => tools.map((tool) => ({ tool }));

  test.each([
    [['shell'], ['exec_command'], true],
    [['shell', 'exec_command'], ['exec_command'], false],
    [['shell'], ['update_plan'], false],
    [['Read'], ['View'], false],
  ])('%o and %o: %s', (a, b, expected) => {
    expect(haveOtherShells(calls(...a), calls(...b))).toBe(expected);
  });
});
