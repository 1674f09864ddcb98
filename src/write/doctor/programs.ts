import type { ProgramRepair } from './program.ts';

/** How the sessions of each program are repaired, by the name of its dialect. */
const PROGRAMS: Readonly<Record<string, () => Promise<ProgramRepair>>> = {
  'claude-code': async () => (await import('./programs/claude-code.ts')).claudeRepair,
  codex: async () => (await import('./programs/codex.ts')).codexRepair,
  copilot: async () => (await import('./programs/copilot.ts')).copilotRepair,
  pi: async () => (await import('./programs/pi.ts')).piRepair,
  gemini: async () => (await import('./programs/gemini.ts')).geminiRepair,
  qwen: async () => (await import('./programs/qwen.ts')).qwenRepair,
};

/** The repair of a dialect's sessions; undefined if there is none. */
export async function repairOf(dialect: string): Promise<ProgramRepair | undefined> {
  return Object.hasOwn(PROGRAMS, dialect) ? PROGRAMS[dialect]?.() : undefined;
}
