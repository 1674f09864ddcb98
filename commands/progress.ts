import type { Context } from './context.ts';

/** A progress indicator on standard error. */
export interface Progress {
  readonly update: (done: number) => void;
  readonly stop: () => void;
}

const SILENT: Progress = { update: () => {}, stop: () => {} };

/** Work shorter than this shows nothing. */
const DELAY_MS = 500;

/**
 * Shows a spinner, and how many of several are done, once the work takes longer than half a second; only in a terminal
 * that says how wide it is: in one of 0 columns (`script`, some containers) ora clears lines without end.
 */
export function startProgress(context: Context, total: number): Progress {
  const { stderr } = context.io;
  if (!stderr.isTTY || !stderr.columns || context.quiet) return SILENT;
  let done = 0;
  let spinner: { text: string; stop(): unknown } | undefined;
  let stopped = false;
  const text = () => (total === 1 ? 'verifying' : `verifying ${done} of ${total} episodes`);
  const timer = setTimeout(async () => {
    const { default: ora } = await import('ora');
    if (!stopped)
      spinner = ora({ text: text(), stream: stderr as NodeJS.WriteStream, discardStdin: false }).start();
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
