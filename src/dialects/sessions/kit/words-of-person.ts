import { firstLine } from '../../kit/excerpt.ts';

/** The tag of a text that a program wrote: `<state_snapshot>`, `<system-reminder>`. Tags of HTML have simple names. */
const MACHINE_TAG = /^\s*<([a-z]\w*[_-][\w-]*)(?:\s[^>]*)?>/i;

/**
 * A text without the blocks that programs put before the words of a person, such as
 * `<ide_opened_file>…</ide_opened_file>`. Empty if there are only such blocks.
 */
export function wordsOfPerson(text: string): string {
  let rest = text;
  for (;;) {
    const [tag, name] = MACHINE_TAG.exec(rest) ?? [];
    if (tag === undefined) return rest === text ? text : rest.trim();
    const close = `</${name}>`;
    const end = rest.indexOf(close, tag.length);
    // A title may be cut before the end of its block.
    if (end === -1) return '';
    rest = rest.slice(end + close.length);
  }
}

/** The first line of a prompt for people: what a person wrote, if there is any. */
export const titleOfPrompt = (prompt: string): string => firstLine(wordsOfPerson(prompt) || prompt);
