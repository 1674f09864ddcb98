import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { withoutCommands } from '../../src/show/render/workflow-commands.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeTree } from '../support/temp.ts';

/** White space of .NET, which GitHub's runner skips before a command. */
const SPACES = [
  ' ',
  '\t',
  '\u00a0',
  '\u3000',
  '\u2003',
  '\u1680',
  '\u0085',
  '\v',
  '\f',
  '\u2028',
  '\u202f',
  '\u205f',
];

/** What the runners obey, as their sources and documentation say. */
const OBEYED: readonly (readonly [runner: string, command: RegExp])[] = [
  ['GitHub', /(?:^|\n)(?:\u001b\[[\d;]*m|[\s\u0085])*::\w/],
  ['GitHub, older', /##\[/],
  ['Azure Pipelines', /##vso\[/i],
  ['TeamCity', /##teamcity\[/i],
  ['Buildkite', /(?:^|\n)(?:\u001b\[[\d;]*m)*(?:---|\+\+\+|~~~|\^\^\^)\s/],
  ['GitLab', /section_(?:start|end):\d+:/],
];

const ATTACKS = [
  '##vso[task.prependpath]/tmp/evil',
  '##VSO[task.setvariable variable=x]y',
  "##teamcity[buildStatus status='SUCCESS']",
  '##[group]hidden',
  'section_start:0:hidden',
  ...SPACES.flatMap((space) => [`${space}::error::x`, `x\n${space}::stop-commands::y`]),
  '::add-path::/tmp/evil',
  '--- all is well',
  'x\n+++ all is well',
  '^^^ +++',
];

const RUNNERS = [
  { GITHUB_ACTIONS: 'true' },
  { TF_BUILD: 'True' },
  { TEAMCITY_VERSION: '2026.1' },
  { BUILDKITE: 'true' },
  { GITLAB_CI: 'true' },
  { CI: 'true' },
];

let cwd = '';
beforeAll(() => {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const text = ATTACKS.join('\n');
  const session = { sessionId: 's', version: '2.0.0', cwd: text, timestamp: '2026-03-02T10:00:00.000Z' };
  const records = ATTACKS.map((attack, index) =>
    line({
      ...session,
      type: 'user',
      uuid: `u${index}`,
      parentUuid: index === 0 ? null : `u${index - 1}`,
      message: { role: 'user', content: attack },
    }),
  ).join('');
  cwd = writeTree(
    {
      'runs/session.jsonl': records,
      'runs/damaged.jsonl': `${records}{"type": ${JSON.stringify(text)}, tru`,
    },
    tempDir(),
  );
});

const obeyed = (output: string) =>
  OBEYED.filter(([, command]) => command.test(output)).map(([runner]) => runner);

describe.each(RUNNERS)('in a job with %o', (env) => {
  test.each([
    ['read', 'runs/session.jsonl'],
    ['read', 'runs/session.jsonl', '-f', 'markdown'],
    ['show', 'runs/session.jsonl'],
    ['events', 'runs/session.jsonl'],
    ['timeline', 'runs/session.jsonl'],
    ['search', 'e', 'runs'],
    ['list', 'runs'],
    ['stats', 'runs'],
    ['verify', 'runs/damaged.jsonl'],
    ['verify', 'runs', '-f', 'junit'],
    ['verify', 'runs', '-f', 'markdown'],
    ['verify', '##vso[task.x]y'],
  ])('noesis %s %s prints nothing that a runner obeys', async (...args) => {
    const { stdout, stderr } = await runHere(args, { cwd, env });
    expect(stdout + stderr).not.toBe('');
    expect([obeyed(stdout), obeyed(stderr)]).toEqual([[], []]);
  });

  test.each([
    ['read', 'runs/session.jsonl', '-j'],
    ['events', 'runs/session.jsonl', '-j'],
    ['search', 'e', 'runs', '-j'],
    ['list', 'runs', '-j'],
    ['verify', 'runs', '-f', 'sarif'],
    ['verify', 'runs', '-f', 'ndjson'],
    ['verify', 'runs', '-f', 'gitlab'],
    ['verify', '##vso[task.x]y', '-j'],
  ])('noesis %s %s %s is harmless JSON with the same values', async (...args) => {
    const values = (text: string): unknown[] =>
      (/^[[{]\s*\n/.test(text) ? [text] : text.split('\n').filter((line) => line !== '')).map((one) =>
        JSON.parse(one),
      );
    const inJob = await runHere(args, { cwd, env });
    const elsewhere = await runHere(args, { cwd });
    expect([obeyed(inJob.stdout), obeyed(inJob.stderr)]).toEqual([[], []]);
    expect(values(inJob.stdout)).toEqual(values(elsewhere.stdout));
  });
});

test('annotations for GitHub have no command of another runner in their text', async () => {
  const { stdout } = await runHere(['verify', 'runs', '-f', 'github'], { cwd });
  expect(obeyed(stdout)).toEqual(['GitHub']);
  for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^::(?:error|warning|notice) /);
});

test('no text has a command after it was escaped, whatever is around it', () => {
  const part = fc.constantFrom(
    '#',
    '##',
    '[',
    'vso[',
    'teamcity[',
    ':',
    '::',
    '\n',
    '-',
    '+++',
    ' ',
    'error::x',
    '\u001b[31m',
    ...SPACES,
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      expect(obeyed(withoutCommands(parts.join('')))).toEqual([]);
    }),
  );
});

test('search -q escapes names, as list -q does', async () => {
  const name = 'a\u001b[31m\nb.jsonl';
  const dir = writeTree(
    { [`runs/${name}`]: '{"type":"x","text":"needle"}\n{"type":"x","text":"needle"}\n' },
    tempDir(),
  );
  const { stdout } = await runHere(['search', 'needle', 'runs', '-q'], { cwd: dir });
  expect(stdout).not.toMatch(/\u001b/);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
});
