import { createHash } from 'node:crypto';
import { fileErrorCode } from '../../../errors.ts';
import type { LoggedEvent } from '../../../findings/check.ts';
import { EventReporter } from '../../../findings/check.ts';
import { readLog } from '../../../log/read.ts';
import { field } from '../../../log/record.ts';
import type { EpisodeContents } from './contents.ts';
import { MANIFEST_FILE } from './names.ts';

const ID = field('id');

/**
 * Reads a JSONL artifact. Reports a line that is not a record as `artifact/corrupt`; without a record check a
 * line may be any JSON value. Returns whether every line could be read. Hashes the file if there is a
 * manifest.
 */
export async function checkLines(
  contents: EpisodeContents,
  name: string,
  look?: (logged: LoggedEvent, report: EventReporter) => void,
): Promise<boolean> {
  const report = new EventReporter(contents.findings, name);
  const hash = contents.isThere(MANIFEST_FILE) ? createHash('sha256') : undefined;
  const reading = readLog(contents.path(name), {
    bytes: (chunk) => hash?.update(chunk),
    record(line) {
      const id = line.string(ID);
      look?.({ record: line, event: line.value, line: line.line, id }, report);
    },
    corrupt({ code, lineExcerpt: _, ...place }) {
      if (code === 'log/not-object' && look === undefined) return;
      report.report({ ...place, code: 'artifact/corrupt', file: name });
    },
  });
  try {
    const { bytes: size, corruptions } = await reading;
    if (hash) contents.keepDigest(name, { sha256: hash.digest('hex'), size });
    return corruptions === 0;
  } catch (error) {
    contents.cannotRead(name, fileErrorCode(error));
    return false;
  }
}
