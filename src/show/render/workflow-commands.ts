// GitHub's runner looks for commands in the log of a step: `::` at the start of a line, `##[` anywhere. Trace
// text must not contain any.
const AT_START = /^((?:\u001b\[[0-9;]*m|[ \t])*)::/gm;

/** Escapes everything in lines of text that the runner would obey. */
export function withoutCommands(text: string): string {
  return text.replaceAll('##[', '#\\x23[').replace(AT_START, '$1:\\x3a');
}
