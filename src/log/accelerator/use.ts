/** When the accelerator is used, where this machine has one. Whatever is read, the answer is the same. */
export type AcceleratorUse = 'where-it-pays' | 'always' | 'never';

let use: AcceleratorUse = 'where-it-pays';

/** Says when the accelerator is used, in this thread. */
export function useAccelerator(wanted: AcceleratorUse): void {
  use = wanted;
}

/** When the accelerator is used. */
export function acceleratorUse(): AcceleratorUse {
  return use;
}
