import type { EpisodeReport } from './report.ts';

const BEGIN = 'probably not a log of an agent: ';

/** What is said of a file that is probably not the log of an agent: in `notProven` of its report, and by commands. */
export const unlikelyLog = (why: string): string => `${BEGIN}${why}`;

/** Whether a report says that its log is probably not that of an agent. */
export const isUnlikely = ({ notProven = '' }: EpisodeReport): boolean => notProven.startsWith(BEGIN);
