/** When to use the accelerator. It never changes a result. */
export type AcceleratorUse = 'always' | 'never';

let use: AcceleratorUse = 'always';

export function useAccelerator(wanted: AcceleratorUse): void {
  use = wanted;
}

export function acceleratorUse(): AcceleratorUse {
  return use;
}
