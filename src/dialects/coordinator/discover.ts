import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LOG_FILE } from './names.ts';

/** A plan's log and the name of its plan. */
export interface PlanLog {
  /** The plan's slug; undefined for the oldest place, which held one log for all plans. */
  readonly plan: string | undefined;
  readonly log: string;
}

/** Where plans have their folders, newest place first; the last holds a log itself (coordinator.md §1). */
const PLACES = ['.claude/bonfire', '.claude/surrogate_activities'] as const;
const OLDEST = '.claude';

/** The folder name of a plan: its file's base name without `.md`, lower-cased, underscores as hyphens (§1). */
export function planSlug(planFile: string): string {
  return basename(planFile).replace(/\.md$/, '').toLowerCase().replaceAll('_', '-');
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function foldersIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** The logs of all plans below a project's folder, by place and name; symlinks are not followed. */
export async function planLogs(project: string): Promise<PlanLog[]> {
  const found: PlanLog[] = [];
  for (const place of PLACES) {
    for (const plan of (await foldersIn(join(project, place))).sort()) {
      const log = join(project, place, plan, LOG_FILE);
      if (await isFile(log)) found.push({ plan, log });
    }
  }
  const oldest = join(project, OLDEST, LOG_FILE);
  if (await isFile(oldest)) found.push({ plan: undefined, log: oldest });
  return found;
}
