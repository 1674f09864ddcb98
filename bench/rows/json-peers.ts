import { join } from 'node:path';
import type { StreamedEpisode } from '../data/streamed-episode.ts';
import type { Command } from '../measure/process.ts';
import { type Bench, nodePeer } from './row.ts';

/**
 * The installed programs that can read a log, each looking at every event; and the hash alone, which every verification
 * needs.
 */
export function readersOf(bench: Bench, { dir, log }: StreamedEpisode): Command[] {
  const { jq, gojq, python, duckdb } = bench.tools;
  const commands = [nodePeer(bench, 'bare-loop', [dir]), nodePeer(bench, 'sha256', [log])];
  if (jq) commands.push({ name: 'jq .', file: jq.file, args: ['.', log] });
  if (gojq) commands.push({ name: 'gojq .', file: gojq.file, args: ['.', log] });
  if (python) {
    const script = join(bench.folder, 'peers', 'json-loop.py');
    commands.push({ name: python.name, file: python.file, args: [script, log] });
  }
  if (duckdb) commands.push(nodePeer(bench, 'duckdb', [duckdb.file, log]));
  return commands;
}

/** The peers of `events --phase act -j`, writing to a file. */
export function selectorsOf(bench: Bench, log: string): Command[] {
  const { jq, gojq } = bench.tools;
  return [jq, gojq].flatMap((tool) =>
    tool
      ? [
          {
            name: `${tool.name} select`,
            file: tool.file,
            args: ['-c', 'select(.phase=="act")', log],
            output: bench.store.output(`${tool.name}.out`),
          },
        ]
      : [],
  );
}
