import { formatDuration } from '../../base/time/duration.ts';
import type { TimeOfRun } from '../../dialects/kit/account.ts';

/** The parts of the time of a run, in order: their names, and how a bar draws them, which needs no colour. */
const TIME_PARTS = [
  { name: 'model', key: 'model_ms', mark: '█' },
  { name: 'tools', key: 'tools_ms', mark: '▒' },
  { name: 'waiting for you', key: 'waited_ms', mark: '░' },
  { name: 'idle', key: 'idle_ms', mark: '·' },
  { name: 'unknown', key: 'unknown_ms', mark: '?' },
] as const;

/** The parts that took any time, in milliseconds. */
export const timeParts = (time: TimeOfRun) =>
  TIME_PARTS.map(({ key, ...part }) => ({ ...part, key, ms: time[key] ?? 0 })).filter(({ ms }) => ms > 0);

/** `█ model 12.1 s`, `▒ tools 6.90 s`, `· idle 4m 57s`: where the time of a run went, with the marks of the bar. */
export const timeTexts = (time: TimeOfRun): string[] =>
  timeParts(time).map(({ name, ms, mark }) => `${mark} ${name} ${formatDuration(ms)}`);

/** A bar of these parts. A part that took any time has at least one column. */
export function timeBar(time: TimeOfRun, width: number): string {
  const parts = timeParts(time);
  const sizes = parts.map(({ ms }) => Math.max(1, Math.round((ms / time.lasted_ms) * width)));
  const excess = sizes.reduce((sum, size) => sum + size, 0) - width;
  const longest = sizes.indexOf(Math.max(...sizes));
  return parts
    .map(({ mark }, at) => mark.repeat(Math.max(1, (sizes[at] ?? 0) - (at === longest ? excess : 0))))
    .join('');
}
