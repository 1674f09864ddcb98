import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { damagedOf, expectedOf, originalOf, type SampleProgram } from '../support/doctor-samples.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

// A command that does not work is worse than none: one rule says whether a program loads a session.

const PROGRAMS: readonly SampleProgram[] = ['claude', 'codex', 'copilot', 'pi', 'gemini', 'qwen'];
const COMMAND = /claude --resume|codex resume|copilot --resume|pi --session|gemini --resume|qwen --resume/;

/** A home with one session. */
function homeWith(program: SampleProgram, bytes: Buffer): { home: string; log: string } {
  const home = tempDir();
  const log = join(home, expectedOf(program).session);
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, bytes);
  return { home, log };
}

const env = { NO_COLOR: '1' };

test('there are sessions that their programs load, and others', async () => {
  const lost = damagedOf('codex').find(({ name }) => name === 'lost-first-line')?.bytes ?? Buffer.of();
  const codex = homeWith('codex', lost);
  const shown = (await runHere(['show', codex.log], { ...codex, cwd: codex.home, columns: 400, env })).stdout;
  expect(shown).toMatch(
    /Resume .*not possible: "rollout … does not start with session metadata"\n +see noesis doctor /,
  );
  const qwen = homeWith('qwen', originalOf('qwen').bytes);
  const report = await runHere(['doctor', qwen.log], { ...qwen, cwd: qwen.home, columns: 400, env });
  expect(report.code).toBe(1);
  expect(report.stdout).toContain('its working folder does not exist: ');
  const claude = homeWith('claude', originalOf('claude').bytes);
  const command = (await runHere(['show', claude.log], { ...claude, cwd: claude.home })).stdout;
  // The folder does not exist, so the command does not go there.
  expect(command).toMatch(/Resume [^/\n]*claude --resume /);
});

/** What doctor says of a session, and what show and search say. */
async function toldOf(program: SampleProgram, bytes: Buffer, beside?: (log: string) => void) {
  const { home, log } = homeWith(program, bytes);
  beside?.(log);
  const world = { home, cwd: home, columns: 400, env };
  const report = JSON.parse((await runHere(['doctor', log, '-j'], world)).stdout);
  const { stdout: json } = await runHere(['show', log, '-j'], world);
  const { stdout: shown } = await runHere(['show', log], world);
  const { stdout: searched } = await runHere(['search', 'e', log], world);
  return { report, json: JSON.parse(json), texts: [shown, searched].filter((text) => text !== '') };
}

describe('what doctor says is said where a command that continues the session would be', () => {
  test.each(PROGRAMS)('of sessions of %s, as it wrote them and damaged', async (program) => {
    const whole = { name: 'as its program wrote it', bytes: originalOf(program).bytes };
    for (const { name, bytes } of [whole, ...damagedOf(program)]) {
      // An empty log does not say which program wrote it.
      if (bytes.length === 0) continue;
      const { report, json, texts } = await toldOf(program, bytes);
      const { danger, found, refused, loads } = report;
      if (danger.length > 0 || !found.is_found || refused.length > 0) {
        expect(json.resume_command, name).toBeUndefined();
        const ofProgram = danger[0] ?? (found.is_found ? undefined : found.reason);
        expect(json.resume_refused, name).toBe(
          ofProgram ?? `the API refuses the request: ${refused[0].message}`,
        );
        for (const text of texts) expect(text, name).toMatch(/not possible: [^\n]+\n +see noesis doctor /);
        for (const text of texts) expect(text, name).not.toMatch(COMMAND);
      } else if (loads.parts < loads.of) {
        const lacks = `loads ${loads.parts} of ${loads.of} parts of the conversation`;
        for (const text of texts) expect(text, name).toContain(lacks);
        expect(json.resume_refused, name).toBeUndefined();
      } else {
        expect(json.resume_refused, name).toBeUndefined();
        for (const text of texts) expect(text, name).not.toMatch(/not possible|see noesis doctor/);
      }
    }
  });

  test('of a session that another log puts in danger', async () => {
    const { report, json, texts } = await toldOf('gemini', originalOf('gemini').bytes, (log) => {
      const [name = ''] = /-[0-9a-f]{8}\.jsonl$/.exec(log) ?? [];
      writeFileSync(join(dirname(log), `session-2026-11-30T12-18${name}`), '{"sessionId":"x"}\n');
    });
    expect(report.danger).toHaveLength(1);
    expect(json.resume_refused).toBe(report.danger[0]);
    for (const text of texts) expect(text).not.toMatch(COMMAND);
  });
});

describe('a session whose newest turns are not on the branch that continues', () => {
  const id = 'abc00095-0000-4000-8000-0000000000ab';
  /** A session with these turns, which is continued from the answer of one of them. */
  const sessionOf = (count: number, from: number, next: number, isNamed = true) => {
    const home = tempDir();
    const log = join(home, `.claude/projects/-x/${id}.jsonl`);
    const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const shared = { isSidechain: false, sessionId: id, version: '2.1.332', cwd: '/x' };
    const records: object[] = [];
    for (let turn = 1; turn <= count; turn += 1) {
      const before = turn === from + 1 ? next : turn - 1;
      const timestamp = new Date(Date.UTC(2026, 8, 1, 9, turn)).toISOString();
      const of = (record: object) => records.push({ ...shared, timestamp, ...record });
      const message = { role: 'user', content: `turn ${turn}` };
      of({ type: 'user', uuid: uuid(2 * turn), parentUuid: turn > 1 ? uuid(2 * before + 1) : null, message });
      const content = [{ type: 'text', text: `done with ${turn}` }];
      const answer = {
        id: `msg_${turn}`,
        role: 'assistant',
        model: 'claude-x',
        stop_reason: 'end_turn',
        content,
      };
      of({ type: 'assistant', uuid: uuid(2 * turn + 1), parentUuid: uuid(2 * turn), message: answer });
      if (isNamed && turn === from)
        records.push({ type: 'last-prompt', leafUuid: uuid(2 * turn + 1), sessionId: id });
    }
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(log, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    return { world: { home, cwd: home, columns: 400, env: { NO_COLOR: '1' } }, log };
  };

  test.each([
    [4, 2, 'loads turns 1 to 2 of 4; the newest turns 3 to 4 are not loaded'],
    [2, 1, 'loads turn 1 of 2; the newest turn 2 is not loaded'],
    [5, 2, 'loads turns 1 to 2 of 5; the newest turns 3 to 5 are not loaded'],
  ] as const)(
    'of %i turns and continued from %i: doctor, show and search say so',
    async (count, from, says) => {
      const { world, log } = sessionOf(count, from, from - 1);
      const { turns } = JSON.parse((await runHere(['doctor', log, '-j'], world)).stdout);
      const { resume_turns } = JSON.parse((await runHere(['show', log, '-j'], world)).stdout);
      expect(resume_turns).toEqual(turns);
      const examined = (await runHere(['doctor', log], world)).stdout;
      expect(examined.split('\n')[0]).toMatch(
        new RegExp(`^(?:behind|lost)  Resume ${says}\\. In all, it loads`),
      );
      expect(examined).toContain(' --newest\n');
      for (const command of [['show'], ['search', 'turn']])
        expect((await runHere([...command, log], world)).stdout).toMatch(
          new RegExp(`claude --resume ${id}\n +${says}\n`),
        );
    },
  );

  test('is nothing of a session whose older turns were taken back, or that continues from its last turn', async () => {
    for (const [from, next, isNamed] of [
      [2, 2, true],
      [2, 1, false],
    ] as const) {
      const { world, log } = sessionOf(4, from, next, isNamed);
      const shown = await runHere(['show', log], world);
      expect(shown.stdout).toContain(`claude --resume ${id}`);
      expect(shown.stdout).not.toContain('newest');
      expect((await runHere(['show', log, '-j'], world)).stdout).not.toContain('resume_turns');
    }
  });
});
