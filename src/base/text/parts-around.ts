/** The parts of a list around what differs: neighbours farther away than `context` are left out. */
export function partsAround<T>(all: readonly T[], differs: (one: T) => boolean, context: number): T[][] {
  const near = new Uint8Array(all.length);
  for (const [at, one] of all.entries())
    if (differs(one)) near.fill(1, Math.max(0, at - context), at + context + 1);
  const parts: T[][] = [];
  for (const [at, one] of all.entries()) {
    if (near[at] === 0) continue;
    const part = near[at - 1] === 1 ? parts.at(-1) : undefined;
    if (part === undefined) parts.push([one]);
    else part.push(one);
  }
  return parts;
}
