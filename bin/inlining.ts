import { setFlagsFromString } from 'node:v8';

/** A command that runs for longer reads much. */
const LONG_RUN_MS = 100;

/** In bytes of V8's code before it is compiled: how much of other functions it may put into one. */
const [USUAL, LESS] = [920, 150];

let isLess = false;
let timer: NodeJS.Timeout | undefined;

const inline = (most: number) => setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${most}`);

/**
 * V8 compiles each function that runs often together with functions that it calls. That is a quarter of the processor
 * time of a long run, and half of that if there are few of them (docs/decisions/0026-governed-runs-and-sessions.md).
 */
export function inlineLessLater(): void {
  // Only versions on which it was tried: V8 prints an error for a flag that it does not know.
  if (!/^v2[02]\./.test(process.version)) return;
  const begin = () => {
    isLess = true;
    inline(LESS);
  };
  timer = setTimeout(begin, LONG_RUN_MS).unref();
}

/** For threads that read long logs: they read so much that faster code pays for its compiler. */
export function inlineAsUsual(): void {
  clearTimeout(timer);
  if (isLess) inline(USUAL);
  isLess = false;
}

/** Calls a function that reads or makes compiled code: V8 accepts it only under the flags under which it was made. */
export function underUsualFlags<T>(run: () => T): T {
  if (!isLess) return run();
  inline(USUAL);
  const result = run();
  inline(LESS);
  return result;
}
