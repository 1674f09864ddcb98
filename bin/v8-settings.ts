import { setFlagsFromString } from 'node:v8';

/** In milliseconds. A command that runs longer reads much. */
const LONG_RUN_MS = 100;

/** The settings of V8's optimizing compiler. */
interface Settings {
  /** The maximum size of functions that it includes in others, in bytes of code before it is compiled. */
  readonly inlined: number;
  /** How many bytes of its code a function runs before V8 considers optimizing it. */
  readonly budget: number;
}

const USUAL: Settings = { inlined: 920, budget: 67_584 };
const INLINES_LESS = { inlined: 150 };
const OPTIMIZES_LATER = { budget: 1_000_000 };

let settings = USUAL;
let timer: NodeJS.Timeout | undefined;

function tell({ inlined, budget }: Settings): void {
  setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${inlined}`);
  setFlagsFromString(`--interrupt-budget=${budget}`);
}

function change(some: Partial<Settings>): void {
  // Only versions that were tested: V8 prints an error for an unknown flag.
  if (!/^v2[02]\./.test(process.version)) return;
  settings = { ...settings, ...some };
  tell(settings);
}

/**
 * V8 compiles a function that runs often together with functions that it calls. This takes a quarter of the processor time
 * of a long run, and half of that if fewer are included (docs/decisions/0026-governed-runs-and-sessions.md).
 */
export function inlineLessLater(): void {
  timer = setTimeout(() => change(INLINES_LESS), LONG_RUN_MS).unref();
}

/** For threads that read long logs. They run long enough for faster code to pay off. */
export function inlineAsUsual(): void {
  clearTimeout(timer);
  if (settings.inlined !== USUAL.inlined) change({ inlined: USUAL.inlined });
}

/**
 * For commands that look at many logs, most of which earlier runs have read: such a run ends before optimized code pays off. Not
 * called at the start of the program, because V8 would then reject the compiled code of Node itself.
 */
export const optimizeLater = (): void => change(OPTIMIZES_LATER);

/** Calls a function that reads or makes compiled code. V8 only accepts it under the flags under which it was made. */
export function underUsualFlags<T>(run: () => T): T {
  if (settings === USUAL) return run();
  tell(USUAL);
  const result = run();
  tell(settings);
  return result;
}
