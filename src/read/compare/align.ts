import { matching, type Sequence } from '../../base/text/matching.ts';
import { Yielder } from '../../base/time/yielder.ts';

interface AlignOptions {
  /** The number of steps after which the exact search stops. */
  readonly most?: number;
  /** That of the enclosing task. */
  readonly yielder?: Yielder;
}

/** Like `alignAtOnce`, but lets other tasks run in between: for sequences of events. */
export async function align(
  a: Sequence,
  b: Sequence,
  { most, yielder = new Yielder() }: AlignOptions = {},
): Promise<Int32Array> {
  const matches = new Int32Array(a.length).fill(-1);
  for (const _ of matching(a, b, matches, most)) if (yielder.isDue) await yielder.yield();
  return matches;
}
