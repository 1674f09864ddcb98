// GitHub's runner reads the log of a step for commands: `::` at the start of a line, `##[` anywhere in one. Trace text
// in a readable report must not give any.
const AT_START = /^((?:\u001b\[[0-9;]*m|[ \t])*)::/gm;

/** Whole lines of text without anything that the runner of a workflow would obey; escapes stand in its place. */
export function withoutCommands(text: string): string {
  return text.replaceAll('##[', '#\\x23[').replace(AT_START, '$1:\\x3a');
}
