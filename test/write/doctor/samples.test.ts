import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dialectNamed } from '../../../src/dialects/registry.ts';
import { loadOf, type Patient, planRepair } from '../../../src/write/doctor/plan.ts';
import {
  damagedOf,
  expectedOf,
  originalOf,
  rulesOf,
  SAMPLE_PROGRAMS,
  type SampleProgram,
} from '../../support/doctor-samples.ts';
import { times } from '../../support/length.ts';

const DIALECTS = {
  claude: 'claude-code',
  'claude-compact': 'claude-code',
  codex: 'codex',
  copilot: 'copilot',
  pi: 'pi',
  gemini: 'gemini',
  qwen: 'qwen',
} satisfies Record<SampleProgram, string>;

async function patientOf(program: SampleProgram, bytes: Buffer): Promise<Patient> {
  const repair = await dialectNamed(DIALECTS[program])?.repair?.();
  if (repair === undefined) throw new Error(`no repair of ${program}`);
  const rules = rulesOf(program);
  const path = expectedOf(program).session;
  const surroundings = { path, isFolder: (folder: string) => folder === '/home/usr/work' };
  return { bytes, rules, repair, surroundings, version: rules.versions[0] };
}

const keys = (parts: readonly { readonly key: string }[]) => new Set(parts.map(({ key }) => key));

describe.each(SAMPLE_PROGRAMS)('repairs of %s', (program) => {
  test.each(damagedOf(program))('$name: loads at least what the repaired session loaded', async (sample) => {
    const patient = await patientOf(program, sample.bytes);
    const before = loadOf(patient, sample.bytes);
    const plan = planRepair(patient, before, { path: patient.surroundings.path });
    const after = plan?.after ?? before;
    const { repaired } = sample;
    if (repaired !== undefined) {
      // The program adds the results of open calls, and the log does not have them.
      const arrived = after.loaded.length + after.closed.length;
      expect(arrived).toBeGreaterThanOrEqual(repaired.kept ?? repaired.sent ?? 0);
      expect(after.refused).toEqual([]);
      expect(after.refusal).toBeUndefined();
    }
    // A repair that is planned loads more, or is accepted where the damaged session was refused.
    if (plan === undefined) return;
    const [had, has] = [keys(before.loaded), keys(after.loaded)];
    const gains = [...has].some((key) => !had.has(key)) || before.refusal !== undefined;
    expect(
      gains || after.refused.length < before.refused.length || before.danger.length > after.danger.length,
    ).toBe(true);
  });
});

test('most repairs are byte for byte those that the programs resumed', async () => {
  let equal = 0;
  for (const program of SAMPLE_PROGRAMS)
    for (const { bytes, repaired } of damagedOf(program)) {
      if (repaired === undefined) continue;
      const patient = await patientOf(program, bytes);
      const plan = planRepair(patient, loadOf(patient, bytes), { path: patient.surroundings.path });
      const sha256 = plan && createHash('sha256').update(plan.log.bytes()).digest('hex');
      if (sha256 === repaired.sha256) equal += 1;
    }
  expect(equal).toBe(34);
});

test('the undamaged sessions need no repair, apart from those of Gemini CLI', async () => {
  for (const program of SAMPLE_PROGRAMS) {
    const { bytes } = originalOf(program);
    const patient = await patientOf(program, bytes);
    const plan = planRepair(patient, loadOf(patient, bytes), { path: patient.surroundings.path });
    expect([program, plan !== undefined]).toEqual([program, program === 'gemini']);
  }
});

/** Damage of a log: lines lost, written twice, moved, torn, joined, or with NUL bytes. */
const damage = fc.array(
  fc.record({
    what: fc.constantFrom('lost', 'twice', 'torn', 'joined', 'nul', 'moved'),
    at: fc.nat({ max: 1_000_000 }),
    to: fc.nat({ max: 1_000_000 }),
  }),
  { minLength: 1, maxLength: 4 },
);

function damaged(bytes: Buffer, faults: readonly { what: string; at: number; to: number }[]): Buffer {
  const lines = bytes.toString('latin1').split('\n');
  for (const { what, at, to } of faults) {
    const index = at % lines.length;
    const line = lines[index] ?? '';
    if (what === 'lost') lines.splice(index, 1);
    else if (what === 'twice') lines.splice(index, 0, line);
    else if (what === 'torn') lines[index] = line.slice(0, to % (line.length + 1));
    else if (what === 'joined') lines.splice(index, 2, `${line}${lines[index + 1] ?? ''}`);
    else if (what === 'nul') lines[index] = `${'\0'.repeat(to % 100)}${line}`;
    else lines.splice(to % lines.length, 0, ...lines.splice(index, 1));
  }
  return Buffer.from(lines.join('\n'), 'latin1');
}

test.each(SAMPLE_PROGRAMS)(
  'whatever is damaged in a session of %s, no repair loads less',
  async (program) => {
    const { bytes } = originalOf(program);
    const given = await patientOf(program, bytes);
    fc.assert(
      fc.property(damage, (faults) => {
        const broken = damaged(bytes, faults);
        const copy = Buffer.from(broken);
        const patient = { ...given, bytes: broken };
        const before = loadOf(patient, broken);
        const plan = planRepair(patient, before, { path: patient.surroundings.path });
        expect(broken.equals(copy)).toBe(true);
        if (plan === undefined) return;
        const has = keys(plan.after.loaded);
        const left = new Set(plan.log.rejected.map(({ line }) => line));
        const missing = before.loaded.filter(({ key, line }) => !has.has(key) && !left.has(line));
        expect(missing).toEqual([]);
        expect(plan.after.refused.length).toBeLessThanOrEqual(before.refused.length);
        expect(plan.after.refusal).toBeUndefined();
        // What a second repair would do was already done.
        const again = { ...patient, bytes: plan.log.bytes() };
        const second = planRepair(again, loadOf(again, again.bytes), { path: patient.surroundings.path });
        expect(second?.after.loaded.length ?? plan.after.loaded.length).toBeGreaterThanOrEqual(
          plan.after.loaded.length,
        );
      }),
      { numRuns: times(60, 15) },
    );
  },
);
