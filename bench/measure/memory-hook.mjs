// Loaded with --import into the measured process: writes its peak memory to a file at the end.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.NOESIS_BENCH_MEMORY;

/** The peak in kibibytes. Avoids maxRSS if possible, because a child inherits it from the process that forked it. */
function peak() {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}

if (isMainThread && file) process.on('exit', () => writeFileSync(file, String(peak())));
