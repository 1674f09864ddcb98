// Loaded with --import into the process whose memory is measured: writes its peak to a file at the end.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.NOESIS_BENCH_MEMORY;

/** The peak in kibibytes. Not maxRSS where it can be helped: a child inherits that from the process that forked it. */
function peak() {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}

if (isMainThread && file) process.on('exit', () => writeFileSync(file, String(peak())));
