import { expect, test } from 'vitest';
import { tellingLine } from '../../src/dialects/kit/telling-line.ts';

const LINES = (text: string): string => text.replace(/^\n/, '');

const PYTEST = LINES(`
.FF                                                                      [100%]
=================================== FAILURES ===================================
__________________________________ test_total __________________________________

    def test_total():
>       assert total([57]) == 58
E       assert 57 == 58
E        +  where 57 = total([57])

test_a.py:8: AssertionError
=========================== short test summary info ============================
FAILED test_a.py::test_total - assert 57 == 58
FAILED test_a.py::test_b - assert 1 == 4
2 failed, 1 passed in 5.97s
`);

const COLLECTING = LINES(`

==================================== ERRORS ====================================
__________________________ ERROR collecting test_b.py __________________________
ImportError while importing test module '/home/dev/a/test_b.py'.
Hint: make sure your test modules/packages have valid Python names.
Traceback:
test_b.py:1: in <module>
    import nomod
E   ModuleNotFoundError: No module named 'nomod'
=========================== short test summary info ============================
ERROR test_b.py
!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!
1 error in 7.34s
`);

const UNITTEST = LINES(`
F
======================================================================
FAIL: test_a (__main__.T.test_a)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/home/dev/a/u.py", line 4, in test_a
    self.assertEqual(57, 58)
AssertionError: 57 != 58

----------------------------------------------------------------------
Ran 1 test in 0.001s

FAILED (failures=1)
`);

const PYTHON = LINES(`
Traceback (most recent call last):
  File "/home/dev/a/tb.py", line 2, in <module>
    int("x")
ValueError: invalid literal for int() with base 10: 'x'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/home/dev/a/tb.py", line 4, in <module>
    raise RuntimeError("cannot read port") from e
RuntimeError: cannot read port
`);

const VITEST = LINES(`

\u001b[1m\u001b[30m\u001b[46m RUN \u001b[49m\u001b[39m\u001b[22m \u001b[36mv4.1.11 \u001b[39m\u001b[90m/home/dev/a\u001b[39m

 \u001b[31m❯\u001b[39m a.test.ts \u001b[2m(\u001b[22m\u001b[2m2 tests\u001b[22m\u001b[2m | \u001b[22m\u001b[31m2 failed\u001b[39m\u001b[2m)\u001b[22m\u001b[32m 63\u001b[2mms\u001b[22m\u001b[39m
\u001b[31m   \u001b[31m×\u001b[31m adds\u001b[39m\u001b[32m 52\u001b[2mms\u001b[22m\u001b[39m

\u001b[31m⎯⎯⎯⎯⎯⎯⎯\u001b[39m\u001b[1m\u001b[41m Failed Tests 1 \u001b[49m\u001b[22m\u001b[31m⎯⎯⎯⎯⎯⎯⎯\u001b[39m

\u001b[41m\u001b[1m FAIL \u001b[22m\u001b[49m a.test.ts\u001b[2m > \u001b[22madds
\u001b[31m\u001b[1mAssertionError\u001b[22m: expected 57 to be 58 // Object.is equality\u001b[39m
`);

const JEST = LINES(`
FAIL ./sum.test.js
  ✓ adds (2 ms)
  ✕ subtracts (3 ms)

  ● subtracts

    expect(received).toBe(expected) // Object.is equality

    Expected: 58
    Received: 57

      at Object.toBe (sum.test.js:6:20)

Tests:       1 failed, 1 passed, 2 total
`);

const GO = LINES(`
=== RUN   TestAdd
--- FAIL: TestAdd (0.00s)
    add_test.go:8: got 57, want 58
FAIL
FAIL	example.com/add	0.002s
FAIL
`);

const CARGO = LINES(`
   Compiling cr v0.1.0 (/home/dev/cr)
error[E0308]: mismatched types
 --> src/main.rs:1:26
  |
1 | fn main() { let x: i32 = "a"; println!("{x}"); }
  |                    ---   ^^^ expected \`i32\`, found \`&str\`

For more information about this error, try \`rustc --explain E0308\`.
error: could not compile \`cr\` (bin "cr") due to 1 previous error
`);

const CARGO_TEST = LINES(`
running 1 test
test adds ... FAILED

failures:

---- adds stdout ----

thread 'adds' (5917) panicked at src/main.rs:2:21:
assertion \`left == right\` failed
  left: 57
 right: 58

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.74s

error: test failed, to rerun pass \`--bin cr\`
`);

const TSC = LINES(`
> billing-api@1.0.0 build
> tsc -p .

src/tax.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.
src/tax.ts(9,1): error TS2304: Cannot find name 'rate'.
`);

const ESLINT = LINES(`

/home/dev/billing-api/src/tax.js
  1:1  warning  Unexpected console statement  no-console
  3:7  error    'rate' is assigned a value but never used  no-unused-vars

✖ 2 problems (1 error, 1 warning)
`);

const NODE = LINES(`
/home/dev/a/a.js:1
throw new TypeError("x is bad");
^

TypeError: x is bad
    at Object.<anonymous> (/home/dev/a/a.js:1:7)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)

Node.js v20.20.2
`);

const NODE_TEST = LINES(`
TAP version 13
# Subtest: adds
not ok 1 - adds
  ---
  duration_ms: 26.935417
  error: '57 == 58'
  ...
1..1
# fail 1
`);

const GCC = LINES(`
c.c: In function ‘main’:
c.c:1:20: error: ‘x’ undeclared (first use in this function)
    1 | int main(){ return x; }
      |                    ^
make: *** [Makefile:2: all] Error 1
`);

const NPM = LINES(`
npm error code ENOENT
npm error syscall open
npm error path /home/dev/package.json
npm error errno -2
npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/home/dev/package.json'
npm error enoent This is related to npm not being able to find a file.
`);

test.each<[program: string, output: string, line: string]>([
  ['pytest', PYTEST, 'FAILED test_a.py::test_total - assert 57 == 58'],
  ['pytest without a summary', PYTEST.replaceAll(/^FAILED.*\n/gm, ''), 'assert 57 == 58'],
  ['pytest without details', '.FF        [100%]\n2 failed, 1 passed in 0.21s', '2 failed, 1 passed in 0.21s'],
  ['pytest that cannot collect', COLLECTING, "ModuleNotFoundError: No module named 'nomod'"],
  ['unittest', UNITTEST, 'AssertionError: 57 != 58'],
  ['Python', PYTHON, 'RuntimeError: cannot read port'],
  ['vitest', VITEST, 'FAIL a.test.ts > adds AssertionError: expected 57 to be 58 // Object.is equality'],
  ['jest', JEST, '● subtracts expect(received).toBe(expected) // Object.is equality'],
  ['go test', GO, '--- FAIL: TestAdd (0.00s) add_test.go:8: got 57, want 58'],
  ['cargo build', CARGO, 'error[E0308]: mismatched types --> src/main.rs:1:26'],
  [
    'cargo test',
    CARGO_TEST,
    "thread 'adds' (5917) panicked at src/main.rs:2:21: assertion `left == right` failed",
  ],
  ['tsc', TSC, "src/tax.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'."],
  ['eslint', ESLINT, "3:7 error 'rate' is assigned a value but never used no-unused-vars"],
  ['node', NODE, 'TypeError: x is bad'],
  ['node --test', NODE_TEST, 'not ok 1 - adds'],
  ['gcc under make', GCC, 'c.c:1:20: error: ‘x’ undeclared (first use in this function)'],
  ['make', 'false\nmake: *** [Makefile:2: all] Error 1\n', 'make: *** [Makefile:2: all] Error 1'],
  [
    'npm',
    NPM,
    "npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/home/dev/package.json'",
  ],
  ['git', 'hint: see above\nfatal: not a git repository\n', 'fatal: not a git repository'],
  ['a shell', 'building\nbash: line 1: cmake: command not found\n', 'bash: line 1: cmake: command not found'],
  [
    'ls',
    'a.txt\nls: cannot access b: No such file or directory',
    'ls: cannot access b: No such file or directory',
  ],
  ['any other program', '\n  the first line \nthe second line\n', 'the first line'],
  ['a command in Claude Code', `Exit code 1\n${PYTEST}`, 'FAILED test_a.py::test_total - assert 57 == 58'],
  [
    'an edit that quotes its text',
    '<tool_use_error>String to replace not found in file.\nString: x\nValueError: y</tool_use_error>',
    '<tool_use_error>String to replace not found in file.',
  ],
])('of a failed output of %s, the most telling line is shown', (_program, output, line) => {
  expect(tellingLine(output)).toBe(line);
});

test('a long output of any shape is read in time that grows with its length', () => {
  const parts = [
    'E   ',
    'FAILED a - ',
    'Traceback (most recent call last):\n  a\n',
    '1:',
    ' error ',
    'Error',
    'make',
    'a/',
    'panicked at ',
    '"',
    'error[E1]: ',
    'error TS1',
  ];
  const starts = [
    '',
    'thread a ',
    'Exception in thread ',
    'Exception in thread "',
    '● ',
    '--- FAIL: ',
    'fatal: ',
  ];
  for (const part of [...parts, '--- FAIL: a\n', '  at a\n', '● a\n', '\n', ' ', '1 '])
    for (const start of starts)
      expect(tellingLine(`x\n${start}${part.repeat(200_000 / part.length)}`).length).toBeLessThan(501);
});
