import type { DoctorReport } from '../outputs/doctor.ts';

/** Whether the folder of the session does not exist, so that only a repair for another one opens it. */
export const needsFolder = ({ found, place, repairs }: DoctorReport): boolean =>
  [found.reason, place?.reason].some((why) => /does not exist: /.test(why ?? '')) &&
  !repairs.some(({ rule }) => rule === 'moved');

/** Whether a repair for another folder opens the session, and there is something to load. */
export const canMove = (report: DoctorReport): boolean =>
  needsFolder(report) && report.further_logs.length === 0 && report.loads.parts > 0;
