// Memory that is never given back while a log is read; what it holds at first is anything.

let top: usize = 0;

/** Where free memory begins. Called for each log: what an earlier one left is free again. */
export function startHeap(at: usize): void {
  top = (at + 15) & ~15;
}

export function allocate(size: usize): usize {
  const at = top;
  top += (size + 15) & ~15;
  grow(top);
  return at;
}

/** Makes sure that so much can be allocated without the memory growing, which would move it under its users. */
export function reserve(size: usize): usize {
  grow(top + size + 4096);
  return top;
}

function grow(to: usize): void {
  const have = <usize>memory.size() << 16;
  if (to <= have) return;
  const pages = <i32>((to - have + 0xffff) >> 16);
  if (memory.grow(pages < 16 ? 16 : pages) < 0) unreachable();
}
