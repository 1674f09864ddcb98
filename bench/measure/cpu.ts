import { readdirSync, readFileSync } from 'node:fs';

/** CPU time that a process and all its threads have used, in milliseconds (proc(5): schedstat, in nanoseconds). */
export function cpuMsOf(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  let nanoseconds = 0;
  for (const task of readdirSync(tasks)) {
    nanoseconds += Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]);
  }
  return nanoseconds / 1e6;
}
