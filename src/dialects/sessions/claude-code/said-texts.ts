import { excerptOf } from '../../kit/excerpt.ts';

/** Recognises what was copied with another id: nobody says the same twice at one time. */
export class SaidTexts {
  readonly #said = new Set<string>();

  /** Whether it was said before. Adds it if not. `who`: says it, such as an answer by the id of its message. */
  isAgain(who: string, text: string, time: string | undefined): boolean {
    if (time === undefined) return false;
    const said = `${who} ${time} ${text.length} ${excerptOf(text)}`;
    if (this.#said.has(said)) return true;
    this.#said.add(said);
    return false;
  }
}
