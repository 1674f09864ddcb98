import type { Said, SaidResult } from './format.ts';

const OUTPUT = '\nOutput: ';
const EXIT_CODE = '\nError: (none)\nExit Code: ';

/** Finds the output and the exit code in the report of a shell command (qwen.md §3), or in its last line (pi.md §3). */
function read({ text }: SaidResult): Pick<SaidResult, 'text' | 'exitCode'> {
  const [, exitCode] = /\nCommand exited with code (\d{1,10})$/.exec(text.slice(-50)) ?? [];
  if (exitCode !== undefined) return { text, exitCode: Number(exitCode) };
  const [from, end] = [text.indexOf(OUTPUT), text.lastIndexOf(EXIT_CODE)];
  if (!text.startsWith('Command: ') || from === -1 || end < from) return { text };
  const stated = Number.parseInt(text.slice(end + EXIT_CODE.length), 10);
  return { text: text.slice(from + OUTPUT.length, end), ...(stated >= 0 && { exitCode: stated }) };
}

/** Adds exit codes to the failed calls of a record. A call that succeeded could have printed any text. */
export const withExitCodes = (said: Said): Said =>
  said.results === undefined
    ? said
    : {
        ...said,
        results: said.results.map((result) =>
          result.status === 'error' ? { ...result, ...read(result) } : result,
        ),
      };
