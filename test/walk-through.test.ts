import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { displayWidth } from '../src/show/render/width.ts';
import { episodeIn, GOOD, type Written } from './support/episodes.ts';
import { sampled, times } from './support/length.ts';
import {
  asOnPage,
  binFolder,
  blocks,
  canRun,
  fits,
  PAGES,
  type Step,
  stepsOf,
  trimmed,
  writingTo,
} from './support/pages.ts';
import { tempDir } from './support/temp.ts';
import { hasTerminal, inTerminal } from './support/terminal.ts';

/** Repeats the log of an episode: reporting its many repeated ids takes seconds. */
function makeLong({ log, lines }: Written, megabytes: number): void {
  const text = `${lines.join('\n')}\n`;
  writeFileSync(log, text.repeat(Math.ceil((megabytes * 1024 * 1024) / text.length)));
}

// The commands of the pages again, as somebody types them: in a terminal, with colours, narrow and wide.

const BLOCKS = PAGES.filter((page) => !page.includes('/', 5)).flatMap((page) => blocks(page, 'console'));

/** Each command of blocks once. */
function stepsIn(some: readonly string[]): Step[] {
  const steps = some.flatMap(stepsOf).filter(({ command }) => canRun(command));
  return steps.filter(({ command }, index) => steps.findIndex((one) => one.command === command) === index);
}

/** The first step of each command: enough to see that a wide terminal is used. */
const ONE_EACH = stepsIn(BLOCKS).filter(
  ({ command }, index, all) =>
    /^noesis [^|;>]*$/.test(command) &&
    all.findIndex((one) => one.command.split(' ')[1] === command.split(' ')[1]) === index,
);

const written = tempDir();
const env = {
  PATH: [binFolder(), process.env['PATH']].join(delimiter),
  HOME: tempDir(),
  TMPDIR: tempDir(),
};
const END = '<end of the command>';

/** Commands whose output has colours. */
const COLOURED = /^noesis (?:list|show|read|timeline|events|stats|diff|explain|project) (?!.*-[jq]\b)/s;

/** Texts that are only shown on a terminal: the age of a time, and the next command. */
const ONLY_HERE = [
  / \((?:\d+ \w+ ago|just now)\)$/,
  // A path may leave no room for what the command shows.
  /^noesis show (?:.*: (?:why its status is|what happened in) .*|\S+)$/,
];

/** The lines of a page: those of a terminal without texts that are only shown there. */
const asInPages = (lines: readonly string[]): string[] =>
  lines
    .map((line) => ONLY_HERE.reduce((text, pattern) => text.replace(pattern, ''), line))
    .filter((line, index) => line !== '' || lines[index] === '');

/** Runs steps one after the other in one terminal. */
async function walked(steps: readonly Step[], columns: number) {
  const script = join(tempDir(), 'walk.sh');
  const commands = steps.map(({ command }) => `${writingTo(written, command)}\necho '${END}'\n`);
  writeFileSync(script, commands.join(''));
  const { raw, text } = await inTerminal(`sh ${script}`, { columns, rows: 500, env });
  const texts = asOnPage(written, text).split(`${END}\n`);
  return raw.split(`${END}\n`).map((part, index) => ({ raw: part, lines: trimmed(texts[index] ?? '') }));
}

describe.skipIf(!hasTerminal)('in a terminal (where script is installed)', () => {
  test('of 80 columns the commands print what the pages show, and in colour', async () => {
    expect(stepsIn(BLOCKS).length).toBeGreaterThan(60);
    // A list shows ages in a terminal, which change, and times in a pipe, as it does with --utc.
    const steps = stepsIn(sampled(BLOCKS, 8)).map((step) => ({
      ...step,
      command: step.command.replace(/^noesis list(?! .*-[jq])/, '$& --utc'),
    }));
    const outcomes = await walked(steps, 80);
    for (const [index, { command, shown }] of steps.entries()) {
      const lines = asInPages(outcomes[index]?.lines ?? []);
      // Remarks are broken at the width of a terminal, and are a line each in a pipe.
      const same = fits(lines, shown) || lines.join(' ') === shown.join(' ');
      expect(same ? shown : lines, command).toEqual(shown);
    }
    const plain = steps.filter(({ command }, index) => {
      const { raw = '' } = outcomes[index] ?? {};
      return COLOURED.test(command) && !raw.includes('\u001b[');
    });
    expect(plain).toEqual([]);
  });

  test('of 200 columns no line is broken early, and none is wider', async () => {
    const isList = ({ command }: Step) => command.startsWith('noesis list');
    const steps = [
      ...ONE_EACH.filter(isList),
      ...sampled(
        ONE_EACH.filter((step) => !isList(step)),
        3,
      ),
    ];
    const outcomes = await walked(steps, 200);
    for (const [index, { command }] of steps.entries()) {
      const lines = outcomes[index]?.lines ?? [];
      expect(lines.join('').length, command).toBeGreaterThan(0);
      // JSON is not laid out.
      if (!/ -j| schema /.test(command))
        expect([command, Math.max(...lines.map((line) => [...line].length)) <= 200]).toEqual([command, true]);
    }
    const table = outcomes[steps.findIndex(isList)];
    expect(Math.max(...(table?.lines ?? []).map((line) => line.length))).toBeGreaterThan(80);
  });

  test('of 40 columns only a path or a command for copying is wider', async () => {
    const [a, b] = ['ep_01KJQ6PSG0DGB6DN0XWB2R05AD', 'ep_01KJQA4N40CCE7NY92CB90Q783'].map(
      (id) => `examples/.noesis/episodes/${id}`,
    );
    const commands = [
      `show ${a}`,
      `show ${a} 9`,
      `timeline ${a}`,
      `diff ${a} ${b}`,
      'stats examples/.noesis',
      'list --root examples/.noesis',
      `events ${a}`,
      `events ${a} --tree`,
      'verify examples/.noesis',
      `state ${a}`,
      'show --help',
      '--help',
    ];
    const some = sampled(commands, 5);
    const outcomes = await walked(
      some.map((args) => ({ command: `noesis ${args} --no-pager 2>/dev/null`, prompt: '', shown: [] })),
      40,
    );
    for (const [index, command] of some.entries()) {
      const lines = outcomes[index]?.lines ?? [];
      expect(lines.join('').length, command).toBeGreaterThan(0);
      const wide = lines.filter(
        (line) => displayWidth(line) > 40 && !/^ *(?:\S+|\w+\[".*"\]|noesis \w+ \S+)$/.test(line),
      );
      expect(wide, command).toEqual([]);
    }
  });

  test('a long task shows progress, which is erased at the end', async () => {
    const folder = tempDir();
    for (const seed of [1, 2, 3]) makeLong(episodeIn(folder, { ...GOOD, seed }), times(16, 8));
    const { raw, code } = await inTerminal(`noesis verify ${folder}`, { columns: 80, rows: 9999, env });
    expect(code).toBe(1);
    expect(raw).toContain('verifying');
    expect(raw.slice(raw.lastIndexOf('verifying'))).toMatch(/^.*\u001b\[\d?K/);
    expect(raw).toContain('\u001b[?25h');
  });

  test('progress of one long log shows bytes, percent and the time left', async () => {
    const episode = episodeIn(tempDir(), GOOD);
    makeLong(episode, times(48, 24));
    const { raw } = await inTerminal(`noesis verify ${episode.log}`, {
      columns: 120,
      rows: 9999,
      env,
    });
    expect(stripVTControlCharacters(raw)).toMatch(/verifying: [\d.]+ MB of [\d.]+ MB, \d+ %, .* left/);
  });

  test('Ctrl-C ends a command that follows a log, with 130', async () => {
    const { dir } = episodeIn(tempDir(), { ...GOOD, ending: 'paused' });
    const { code, text } = await inTerminal(`exec noesis tail -f ${dir}`, {
      columns: 80,
      rows: 50,
      env,
      keys: [['LINE', '\u0003']],
    });
    expect([code, text]).toEqual([130, expect.stringContaining('LINE')]);
  });
});
