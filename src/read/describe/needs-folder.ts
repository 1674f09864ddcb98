import type { DoctorReport } from '../outputs/doctor.ts';

/** Whether the folder of the session does not exist, so that only a repair for another one opens it. */
export const needsFolder = ({ found, place, repairs }: DoctorReport): boolean =>
  [found.reason, place?.reason].some((why) => /does not exist: /.test(why ?? '')) &&
  !repairs.some(({ rule }) => rule === 'moved');
