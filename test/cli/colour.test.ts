import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { NoesisError } from '../../src/base/errors.ts';
import { FORMATS } from '../../src/cli/report/report-formats.ts';
import { EXIT_OF } from '../../src/cli/report-failure.ts';
import { SAMPLES } from '../support/cli.ts';
import { commandNames } from '../support/command-names.ts';
import { GOOD, PAUSED, rootWith, VETOED } from '../support/episodes.ts';
import { reportHere, runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const ESCAPE = '\u001b[';
const { cwd, episodes } = rootWith(GOOD, PAUSED, VETOED);
const [{ id, dir, lines }] = episodes;

/** A copy of the good episode with something wrong with it. */
function copyOf(name: string, damage: (copy: string) => void): string {
  const copy = join(cwd, name);
  cpSync(dir, copy, { recursive: true });
  damage(copy);
  return name;
}

const torn = copyOf('torn', (copy) =>
  writeFileSync(join(copy, 'events.jsonl'), `${lines.join('\n')}\n{"id":`),
);
const differs = copyOf('differs', (copy) =>
  writeFileSync(join(copy, 'state.json'), '{"plan":null,"outcomes":{"status":"error"}}'),
);
const stateless = copyOf('stateless', (copy) => rmSync(join(copy, 'state.json')));
const noState = copyOf('no-state', (copy) => writeFileSync(join(copy, 'state.json'), '{"plan":\n 01}'));
mkdirSync(join(cwd, 'empty'));

/** Command lines of every command, with and without success. */
const LINES: readonly (readonly string[])[] = [
  [],
  ['--help'],
  ['--version'],
  ['help'],
  ['help', 'verify'],
  ['help', 'vrify'],
  ['evnts'],
  ['--collor'],
  ['verify'],
  ['verify', dir],
  ['verify', torn],
  ['verify', torn, '-q'],
  ['verify', torn, differs, stateless, '--strict'],
  ...FORMATS.map((format) => ['verify', torn, '-f', format]),
  ['verify', 'empty'],
  ['verify', 'nothing-here'],
  ['verify', '--rule', 'nothing=off'],
  ['verify', '--rule', 'log/bom=loud'],
  ['verify', '--max-warnings', 'many'],
  ['verify', '--help'],
  ['events', id, '--utc'],
  ['events', id, '-p', 'act', '--last', '2', '--utc'],
  ['events', id, '-j', '--fields', 'id'],
  ['events', id, '--fields', 'id'],
  ['events', id, '--chain', 'nothing'],
  ['events', id, '--stream', 'x'],
  ['events', id, '--since', 'some day'],
  ['events', torn],
  ['events', torn, '--partial', '--utc'],
  ['events', 'empty'],
  ['events', 'ep_nothing'],
  ['events', 'ep_'],
  ['events'],
  ['events', '-'],
  ['insight', id, '--utc'],
  ['state', id],
  ['state', id, 'outcomes.status'],
  ['state', id, 'outcomes.nothing'],
  ['state', id, '['],
  ['state', stateless],
  ['state', noState],
  ['project', id],
  ['project', id, '--at', '3'],
  ['project', id, '--at', '3000'],
  ['project', id, '--diff'],
  ['project', differs, '--diff'],
  ['project', stateless, '--diff'],
  ['project', '-', '--diff'],
  ['project', torn],
  ['project', join(SAMPLES, 'fishbowl'), '--diff'],
  ['show', id, '3', '--utc'],
  ['show', id, 'nothing'],
  ['show', id],
  ['read', id],
  ['search', 'goal', id],
  ['search', 'nowhere', id],
  ['timeline', id, '--utc'],
  ['timeline', torn],
  ['stats', id],
  ['stats', 'empty'],
  ['tail', id, '--utc'],
  ['tail', torn],
  ['tail', '-f', '-'],
  ['list', '--utc'],
  ['list', '--status', 'ok', '--utc'],
  ['list', '-'],
  ['list', '--root', 'empty'],
  ['diff', id, differs],
  ['diff', id, 'nothing'],
  ['view', 'nothing'],
  ['sql', 'select 1 as one', id],
  ['checkpoint', id],
  ['merge', 'nothing'],
  ['append', 'nothing'],
  ['seal', 'nothing'],
  ['sign', 'nothing'],
  ['doctor', 'nothing'],
  ['salvage', torn, '--dry-run'],
  ['redact', 'nothing', '-o', 'x'],
  ['keygen'],
  ['export', id, '--format', 'csv'],
  ['completion', 'tcsh'],
  ['explain'],
  ['explain', 'log'],
  ['explain', 'log/truncated'],
  ['explain', 'log/trunkated'],
  ['schema', 'event'],
  ['schema', 'types'],
  ['schema', 'types', '--dialect', 'noesis'],
  ['schema', 'evnt'],
];

describe('coloured output is the plain output with colours', () => {
  test.each(LINES.map((args) => ({ args })))('$args', async ({ args }) => {
    for (const columns of [undefined, 80, 44]) {
      const world = { cwd, ...(columns !== undefined && { columns }) };
      const plain = await runHere(args, { ...world, env: { NO_COLOR: '1' } });
      const coloured = await runHere(args, { ...world, env: { FORCE_COLOR: '1' } });
      expect(plain.stdout + plain.stderr).not.toContain(ESCAPE);
      expect({
        code: coloured.code,
        stdout: stripVTControlCharacters(coloured.stdout),
        stderr: stripVTControlCharacters(coloured.stderr),
      }).toEqual(plain);
    }
  });

  test('each command is among them', async () => {
    const commands = await commandNames();
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter((name) => !LINES.some(([first]) => first === name))).toEqual([]);
  });

  test('each kind of failure', async () => {
    const place = { file: 'a b/events.jsonl', line: 7, column: 5, byteStart: 90, byteEnd: 92 };
    const long =
      'what is wrong, in a sentence that has to be broken because it is longer than a line is wide';
    const failures = [
      ...Object.keys(EXIT_OF).flatMap((code) => [
        new NoesisError(code as keyof typeof EXIT_OF, long),
        new NoesisError(code as keyof typeof EXIT_OF, long, { hint: long, place }),
        new NoesisError(code as keyof typeof EXIT_OF, long, { place: { ...place, excerpt: '{"a": 01}' } }),
      ]),
      new TypeError('a bug'),
    ];
    for (const failure of failures) {
      for (const columns of [undefined, 80, 44]) {
        const plain = await reportHere(failure, { env: { NO_COLOR: '1' }, columns });
        const coloured = await reportHere(failure, { env: { FORCE_COLOR: '1' }, columns });
        expect(coloured.stderr).toContain(ESCAPE);
        expect(stripVTControlCharacters(coloured.stderr)).toBe(plain.stderr);
        expect(coloured.code).toBe(plain.code);
      }
    }
  });
});

test('an error in colour has the same words', async () => {
  const { stderr } = await runHere(['evnts'], { cwd: tempDir(), env: { FORCE_COLOR: '1' } });
  expect(stripVTControlCharacters(stderr)).toMatch(/^error: unknown command "evnts"\n/);
});
