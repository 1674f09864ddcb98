import { setFlagsFromString } from 'node:v8';

/** In milliseconds. A command that runs longer reads much. */
const LONG_RUN_MS = 100;

/** The maximum size of functions that V8 includes in others, in bytes of code before it is compiled. */
const [USUAL, LESS] = [920, 150];

let isLess = false;
let timer: NodeJS.Timeout | undefined;

const inline = (most: number) => setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${most}`);

/**
 * V8 compiles a function that runs often together with functions that it calls. This takes a quarter of the processor time
 * of a long run, and half of that if fewer are included (docs/decisions/0026-governed-runs-and-sessions.md).
 */
export function inlineLessLater(): void {
  // Only versions that were tested: V8 prints an error for an unknown flag.
  if (!/^v2[02]\./.test(process.version)) return;
  const begin = () => {
    isLess = true;
    inline(LESS);
  };
  timer = setTimeout(begin, LONG_RUN_MS).unref();
}

/** For threads that read long logs. They run long enough for faster code to pay off. */
export function inlineAsUsual(): void {
  clearTimeout(timer);
  if (isLess) inline(USUAL);
  isLess = false;
}

/** Calls a function that reads or makes compiled code. V8 only accepts it under the flags under which it was made. */
export function underUsualFlags<T>(run: () => T): T {
  if (!isLess) return run();
  inline(USUAL);
  const result = run();
  inline(LESS);
  return result;
}
