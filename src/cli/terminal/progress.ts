import { formatProgress, type Work } from '../../show/render/progress.ts';
import type { Context } from '../context.ts';

/** A progress indicator on standard error. */
interface Progress {
  /** Reports how much is done. */
  readonly update: (done: number) => void;
  readonly stop: () => void;
}

const SILENT: Progress = { update: () => {}, stop: () => {} };

/** In milliseconds. Work that ends sooner shows nothing. */
const DELAY_MS = 500;

/** In milliseconds: how often counters are checked. */
const CHECK_MS = 100;

/**
 * Shows a spinner with progress and remaining time after half a second. Only in a terminal with a known
 * width: with 0 columns (`script`, some containers) ora would clear lines forever.
 */
export function startProgress(context: Context, work: Work): Progress {
  const { stderr, now } = context.io;
  if (!stderr.isTTY || !stderr.columns || context.quiet) return SILENT;
  const began = now();
  let done = 0;
  let spinner: { text: string; stop(): unknown } | undefined;
  let stopped = false;
  const text = () => formatProgress(work, done, now() - began);
  const timer = setTimeout(async () => {
    const { default: ora } = await import('ora');
    const { cyan } = await context.errorStyle;
    if (stopped) return;
    const stream = stderr as NodeJS.WriteStream;
    // The spinner would choose its colours from the process and standard output, whatever the user asked for.
    const plain = ora({ text: text(), stream, discardStdin: false, color: false });
    plain.spinner = { ...plain.spinner, frames: plain.spinner.frames.map((frame) => cyan(frame)) };
    spinner = plain.start();
  }, DELAY_MS);
  return {
    update(count) {
      done = count;
      if (spinner) spinner.text = text();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      spinner?.stop();
    },
  };
}

/** Shows progress counted by threads, checked ten times a second. */
export function startCounting(context: Context, work: Work, count: () => number): Pick<Progress, 'stop'> {
  const progress = startProgress(context, work);
  if (progress === SILENT) return SILENT;
  const timer = setInterval(() => progress.update(count()), CHECK_MS);
  return {
    stop() {
      clearInterval(timer);
      progress.stop();
    },
  };
}
