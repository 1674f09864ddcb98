import { plainShellWord } from '../../base/text/shell-word.ts';

/** Why a session cannot be continued, and the command that says more. */
export const refusedText = (why: string, name: string): string =>
  `not possible: ${why}; see noesis doctor ${plainShellWord(name)}`;
