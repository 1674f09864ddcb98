import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeLoading } from '../../src/dialects/sessions/claude-code/loading.ts';
import { codexLoading } from '../../src/dialects/sessions/codex/loading.ts';
import { copilotLoading } from '../../src/dialects/sessions/copilot/loading.ts';
import { geminiLoading } from '../../src/dialects/sessions/gemini/loading.ts';
import { linesOf } from '../../src/dialects/sessions/kit/loading/lines.ts';
import type { Loading, LoadingRules, Surroundings } from '../../src/dialects/sessions/kit/loading/model.ts';
import { piLoading } from '../../src/dialects/sessions/pi/loading.ts';
import { qwenLoading } from '../../src/dialects/sessions/qwen/loading.ts';

/** The samples of sessions that programs resumed (test/samples/doctor). */
export const DOCTOR_SAMPLES = join(import.meta.dirname, '../samples/doctor');

const RULES = {
  claude: claudeLoading,
  'claude-compact': claudeLoading,
  codex: codexLoading,
  copilot: copilotLoading,
  pi: piLoading,
  gemini: geminiLoading,
  qwen: qwenLoading,
} satisfies Record<string, LoadingRules>;

export type SampleProgram = keyof typeof RULES;
export const SAMPLE_PROGRAMS = Object.keys(RULES) as SampleProgram[];

export const rulesOf = (program: SampleProgram): LoadingRules => RULES[program];

/** What was seen of a log. */
export interface Seen {
  /** The number of parts that reached the API; null if the program did not open the session. */
  readonly sent: number | null;
  /** The number of them that are parts of the undamaged session, unchanged. */
  readonly kept?: number;
  readonly violations?: readonly string[];
}

interface Case {
  readonly sha256: string;
  readonly loads: Seen;
  readonly repaired?: Seen & { readonly sha256: string };
  readonly measured_on?: string;
}

interface Expected {
  readonly session: string;
  readonly of: number;
  readonly cases: Record<string, Case>;
}

interface Patch {
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

const json = (...names: string[]): unknown =>
  JSON.parse(readFileSync(join(DOCTOR_SAMPLES, ...names), 'utf8'));

export const expectedOf = (program: SampleProgram): Expected => json(program, 'expected.json') as Expected;

/** The undamaged log of a program, with its path below the home directory. */
export function originalOf(program: SampleProgram): { readonly path: string; readonly bytes: Buffer } {
  const { session } = expectedOf(program);
  return { path: session, bytes: readFileSync(join(DOCTOR_SAMPLES, program, 'original', session)) };
}

/** Every damaged log of a program that can be made from its original. */
export function damagedOf(
  program: SampleProgram,
): (Case & { readonly name: string; readonly bytes: Buffer })[] {
  const { bytes } = originalOf(program);
  const { cases } = expectedOf(program);
  const patches = json(program, 'patches.json') as Record<string, Patch>;
  return Object.entries(patches).map(([name, { at, remove, insert }]) => {
    const damaged = Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from(insert, 'base64'),
      bytes.subarray(at + remove),
    ]);
    const seen = cases[name];
    if (seen === undefined || createHash('sha256').update(damaged).digest('hex') !== seen.sha256)
      throw new Error(`the patch ${program}/${name} does not make the log that was resumed`);
    return { name, bytes: damaged, ...seen };
  });
}

/** What the rules of a program say about a log. */
export function loadSample(
  program: SampleProgram,
  bytes: Uint8Array,
  more: Partial<Surroundings> & { readonly version?: string } = {},
): Loading {
  const { version, ...surroundings } = more;
  const rules: LoadingRules = RULES[program];
  const isFolder = (path: string) => path === '/home/usr/work';
  const path = expectedOf(program).session;
  return rules.load(linesOf(bytes), { path, isFolder, ...surroundings }, version ?? rules.versions[0]);
}
