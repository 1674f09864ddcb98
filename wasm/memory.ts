// Memory that is not freed while a log is read. Its initial content is undefined.

let top: usize = 0;

/** The start of free memory. Each log starts here again. */
export function startHeap(at: usize): void {
  top = (at + 15) & ~15;
}

export function allocate(size: usize): usize {
  const at = top;
  top += (size + 15) & ~15;
  grow(top);
  return at;
}

/** Ensures that this much can be allocated without growing, because growing would move memory in use. */
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
