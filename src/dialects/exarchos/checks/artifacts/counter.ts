import { readEpisodeFile } from '../../../../base/files/files.ts';
import { defined } from '../../../../base/json/defined.ts';
import { parseDocument } from '../../../../base/json/parse-document.ts';
import type { Findings } from '../../../../findings/findings.ts';
import type { StreamFiles } from '../../names.ts';
import { counterSchema } from '../../schema/artifacts.ts';
import type { SequenceNumbers } from '../numbers.ts';

/**
 * Compares `<stream>.seq` with the log (exarchos.md §1.2, §4.1). If it is wrong, the next append uses a wrong number; it
 * is often absent. `numbers` is undefined if the log is damaged.
 */
export async function checkCounter(
  files: StreamFiles,
  numbers: SequenceNumbers | undefined,
  findings: Findings,
): Promise<void> {
  const outcome = readEpisodeFile(files.dir, files.counter);
  if (outcome.kind === 'missing') return;
  const file = files.counter;
  const say = (message: string, expected?: string, actual?: string) =>
    findings.report(defined({ code: 'sequence/counter', message, file, expected, actual }));
  if (outcome.kind === 'unreadable') {
    findings.report({ code: 'artifact/unreadable', message: `cannot be read (${outcome.reason})`, file });
    return;
  }
  const document = parseDocument(outcome.bytes);
  const counter = document.ok ? counterSchema.safeParse(document.value) : undefined;
  if (!counter?.success) return say('has no sequence: the store ignores it and counts the lines of the log');
  if (numbers === undefined) return;
  const { sequence } = counter.data;
  // A last line that is not the highest is reported as sequence/backwards.
  if (sequence === numbers.last || sequence === numbers.max) return;
  say(
    `says ${sequence}, but the last sequence of the log is ${numbers.last}`,
    String(numbers.last),
    String(sequence),
  );
}
