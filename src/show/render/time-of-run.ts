import { formatDuration } from '../../base/time/duration.ts';
import type { TimeOfRun } from '../../dialects/kit/account.ts';

/** The parts of the time of a run, in order: their names, and how a bar draws them, which needs no colour. */
export const TIME_PARTS = [
  { name: 'model', key: 'model_ms', mark: '█' },
  { name: 'tools', key: 'tools_ms', mark: '▒' },
  { name: 'waiting for you', key: 'waited_ms', mark: '░' },
  { name: 'idle', key: 'idle_ms', mark: '·' },
] as const;

/** `█ model 12.1 s ▒ tools 6.90 s · idle 4m 57s`: where the time of a run went, with the marks of the bar. */
export const timeText = (time: TimeOfRun): string =>
  TIME_PARTS.filter(({ key }) => time[key] > 0)
    .map(({ name, key, mark }) => `${mark} ${name} ${formatDuration(time[key])}`)
    .join(' ');

/** A bar of these parts. A part that took any time has at least one column. */
export function timeBar(time: TimeOfRun, width: number): string {
  const parts = TIME_PARTS.filter(({ key }) => time[key] > 0);
  const sizes = parts.map(({ key }) => Math.max(1, Math.round((time[key] / time.lasted_ms) * width)));
  const excess = sizes.reduce((sum, size) => sum + size, 0) - width;
  const longest = sizes.indexOf(Math.max(...sizes));
  return parts
    .map(({ mark }, at) => mark.repeat(Math.max(1, (sizes[at] ?? 0) - (at === longest ? excess : 0))))
    .join('');
}
