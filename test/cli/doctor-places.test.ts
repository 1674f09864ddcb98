import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DoctorReport, doctorReport } from '../../src/read/outputs/doctor.ts';
import { DOCTOR_SAMPLES, expectedOf, originalOf, type SampleProgram } from '../support/doctor-samples.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

// A program finds a session by the place of its log: its folder and its name.

const PROGRAMS: readonly SampleProgram[] = ['claude', 'codex', 'copilot', 'pi', 'gemini', 'qwen'];

/** The session of a program, in a folder that exists. */
function sessionIn(home: string, program: SampleProgram): { readonly bytes: Buffer; readonly cwd: string } {
  const cwd = join(home, 'work');
  mkdirSync(cwd, { recursive: true });
  const hash = (path: string) => createHash('sha256').update(path).digest('hex');
  const text = originalOf(program)
    .bytes.toString()
    .replaceAll('/home/usr/work', cwd)
    .replace(/"projectHash":"\w+"/, `"projectHash":"${hash(cwd)}"`);
  if (program === 'gemini') {
    mkdirSync(join(home, '.gemini/tmp/work'), { recursive: true });
    writeFileSync(join(home, '.gemini/tmp/work/.project_root'), cwd);
  }
  return { bytes: Buffer.from(text), cwd };
}

/** Where the program keeps a session of this folder. */
function placeIn(home: string, program: SampleProgram, cwd: string): string {
  const path = expectedOf(program).session.replace(/^--home-usr-work--/, '');
  const slug = cwd.replace(/[^A-Za-z0-9]/g, '-');
  return join(
    home,
    path
      .replace('--home-usr-work--', `--${cwd.slice(1).replace(/[/\\:]/g, '-')}--`)
      .replace('-home-usr-work', slug),
  );
}

async function report(home: string, ...args: string[]): Promise<DoctorReport> {
  const { stdout, stderr } = await runHere(['doctor', ...args, '-j'], { home, cwd: home });
  expect(stderr).toBe('');
  return doctorReport.parse(JSON.parse(stdout));
}

/** A home with a log that is elsewhere. */
function misplaced(program: SampleProgram, name: string) {
  const home = tempDir();
  const { bytes, cwd } = sessionIn(home, program);
  const log = join(home, 'out', name);
  mkdirSync(dirname(log), { recursive: true });
  writeSettled(log, bytes);
  if (program === 'copilot') {
    const folder = dirname(expectedOf('copilot').session);
    cpSync(
      join(DOCTOR_SAMPLES, 'copilot/original', folder, 'workspace.yaml'),
      join(home, 'out/workspace.yaml'),
    );
  }
  return { home, log, cwd, place: placeIn(home, program, cwd) };
}

const OWN_NAME = (program: SampleProgram) => basename(expectedOf(program).session);

describe.each(PROGRAMS.filter((program) => program !== 'pi'))('a log of %s', (program) => {
  const names = program === 'copilot' ? [OWN_NAME(program)] : [OWN_NAME(program), 'notes.jsonl'];

  test.each(names)(
    'that is elsewhere, as %s: doctor says where it belongs, and puts a copy there',
    async (name) => {
      const { home, log, place } = misplaced(program, name);
      const found = await report(home, log);
      expect(found).toMatchObject({ found: { is_found: false }, place: { path: place, reason: null } });
      expect(found.loads.parts).toBe(found.loads.of);
      const { code, stdout } = await runHere(['doctor', log], { home, cwd: home });
      expect(code).toBe(1);
      expect(stdout).toContain(`\nIts place: ${place.slice(home.length + 1)}\n`);
      expect(stdout).toMatch(/^(?:Put a copy there|Repair a copy) with: noesis doctor --fix \S+$/m);
      const { written, after } = await report(home, log, '--fix');
      expect(after?.loads.parts).toBe(after?.loads.of);
      const again = await report(home, written?.log ?? '');
      expect(again).toMatchObject({ found: { is_found: true }, place: null });
      expect(written?.resume).toContain(written?.session);
      expect((await runHere(['doctor', written?.log ?? ''], { home, cwd: home })).stdout).toContain(
        `Continue with: ${written?.resume}\n`,
      );
    },
  );

  test('in its place is found there, and has no other place', async () => {
    const { home, log, place } = misplaced(program, OWN_NAME(program));
    mkdirSync(dirname(place), { recursive: true });
    for (const one of readdirSync(dirname(log)))
      renameSync(join(dirname(log), one), join(dirname(place), one));
    expect(await report(home, place)).toMatchObject({ found: { is_found: true }, place: null });
  });
});

describe('--fix -o DIR', () => {
  test.each(PROGRAMS)('prints a command that puts the copy of %s where it is found', async (program) => {
    const { home, log, cwd } = misplaced(program, OWN_NAME(program));
    const more = program === 'pi' ? ['--cwd', join(home, 'other folder')] : [];
    mkdirSync(join(home, 'other folder'));
    const { written } = await report(home, log, '--fix', '-o', join(home, 'new folder'), ...more);
    expect(written?.log.startsWith(join(home, 'new folder'))).toBe(true);
    const command = written?.resume ?? '';
    expect(command).toContain(program === 'pi' ? `'${written?.log}'` : ` && cd ${cwd} && `);
    // A shell runs all but the program itself, which is not here.
    const before = command.split(' && ').slice(0, -1).join(' && ');
    expect(spawnSync('sh', ['-c', before]).status).toBe(0);
    const name = program === 'copilot' ? (written?.session ?? '') : basename(written?.log ?? '');
    const below = readdirSync(home, { recursive: true, encoding: 'utf8' }).find(
      (path) => path.startsWith('.') && basename(path) === name,
    );
    if (program === 'pi') return;
    const copy = join(home, below ?? '', program === 'copilot' ? 'events.jsonl' : '');
    expect(await report(home, copy.replace(/\/$/, ''))).toMatchObject({ found: { is_found: true } });
    if (program === 'copilot') expect(existsSync(join(dirname(copy), 'workspace.yaml'))).toBe(true);
  });

  test('the command of a session whose folder does not exist goes to no folder', async () => {
    const home = tempDir();
    const log = join(home, basename(expectedOf('claude').session));
    writeSettled(log, originalOf('claude').bytes);
    const { written } = await report(home, log, '--fix', '-o', join(home, 'new'));
    expect(written?.resume).toMatch(/^mkdir -p \S+ && cp \S+ \S+ && claude --resume d0c7\S+$/);
    expect(readFileSync(written?.log ?? '').length).toBeGreaterThan(0);
  });
});

test('a log of pi has one verdict at every place, because pi opens it by its path', async () => {
  for (const isThere of [true, false]) {
    const home = tempDir();
    const { bytes, cwd } = sessionIn(home, 'pi');
    const text = isThere ? bytes : originalOf('pi').bytes;
    const logs = [
      placeIn(home, 'pi', cwd),
      join(home, '.pi/agent/sessions/--other--', OWN_NAME('pi')),
      join(home, 'out', OWN_NAME('pi')),
      join(home, 'out', 'a name.jsonl'),
    ];
    for (const log of logs) {
      mkdirSync(dirname(log), { recursive: true });
      writeSettled(log, text);
    }
    const found = await Promise.all(logs.map((log) => report(home, log)));
    for (const one of found) expect(one.found).toEqual({ ...found[0]?.found, is_found: isThere });
    const shown = await runHere(['doctor', logs[3] ?? ''], { home, cwd: home });
    expect(shown.code).toBe(isThere ? 0 : 1);
    expect(shown.stdout.includes(`Continue with: cd ${cwd} && pi --session '${logs[3]}'\n`)).toBe(isThere);
  }
});

test('a session of Codex in the folder of no day, or in the archive, is not found', async () => {
  for (const folder of ['.codex/sessions', '.codex/archived_sessions', '.codex/sessions/2026/11']) {
    const { home, log, place } = misplaced('codex', OWN_NAME('codex'));
    const moved = join(home, folder, basename(log));
    mkdirSync(dirname(moved), { recursive: true });
    renameSync(log, moved);
    expect(await report(home, moved)).toMatchObject({
      found: { is_found: false, reason: 'Codex does not look for sessions in this folder' },
      place: { path: place },
    });
  }
});

test('an id in a log chooses no folder', async () => {
  const { home, log } = misplaced('qwen', 'notes.jsonl');
  const text = readFileSync(log, 'utf8').replace(/"sessionId":"[^"]+"/g, '"sessionId":"../../../../escaped"');
  writeSettled(log, text);
  expect((await report(home, log)).place).toBeNull();
});

test('--cwd moves a session of Qwen Code to the folder of another project', async () => {
  const { home, log, place } = misplaced('qwen', OWN_NAME('qwen'));
  mkdirSync(dirname(place), { recursive: true });
  renameSync(log, place);
  const other = join(home, 'other');
  mkdirSync(other);
  const { written } = await report(home, place, '--fix', '--cwd', other);
  expect(written?.log).toContain(`${other.replace(/[^A-Za-z0-9]/g, '-')}/chats/`);
  expect(written?.resume).toContain(`cd ${other} && qwen --resume d0c7`);
  expect((await report(home, written?.log ?? '')).found.is_found).toBe(true);
});
