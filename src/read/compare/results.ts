import { Content } from './content.ts';
import type { Incidental } from './incidental.ts';
import type { RunCall } from './run-content.ts';

/** Texts of results without times, ids and digests. */
const LOOSE = new Content({ ignore: [], durations: false, exact: false });

/** The result of a call as a value. */
export function resultOf({ item: { status, exit_code: exitCode, output } }: RunCall) {
  return {
    status,
    ...(exitCode !== undefined && { exit_code: exitCode }),
    ...(output !== undefined && { output: output.trimEnd() }),
  };
}

interface Results {
  readonly exact: string;
  readonly loose: string;
}

/** How the result of a call is compared: as it is, and without times, ids and digests. */
export function resultsOf(call: RunCall, incidental: Incidental): Results {
  const { output = '', ...rest } = resultOf(call);
  const plain = incidental.text(output);
  const key = JSON.stringify(rest);
  return { exact: `${key}${plain}`, loose: `${key}${LOOSE.text(plain)}` };
}
