import type { DoctorReport } from '../outputs/doctor.ts';

/** What to do about a session that its program opens only in a folder that does not exist. */
export function toHaveFolder({ cwd, can_move: canMove }: Pick<DoctorReport, 'cwd' | 'can_move'>): string {
  const create = cwd === null ? [] : ['create that folder'];
  return [...create, ...(canMove ? ['add --cwd DIR to repair the session for another one'] : [])].join(
    ', or ',
  );
}
