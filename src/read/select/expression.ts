import { UsageError } from '../../base/errors.ts';
import { named } from '../../base/json/write.ts';

/** What the JavaScript engine says before the reason. It repeats the expression, with flags that the user did not give. */
const BEFORE_REASON = /^.*: (?=[^:]+$)/s;

const FLAGS = /^[dgimsuvy]*$/;

/** A regular expression of the user. Throws `usage` with the reason and what to do for one that is not valid. */
export function expressionOf(source: string, flags: string, hint: string): RegExp {
  try {
    return new RegExp(source, [...new Set(flags)].join(''));
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    const reason = FLAGS.test(flags)
      ? says.replace(BEFORE_REASON, '').replace(/^./, (letter) => letter.toLowerCase())
      : `its flags may be i, m, s, u and v, not ${named(flags)}`;
    throw new UsageError('usage', `${source} is not a regular expression: ${reason}`, { hint, cause: error });
  }
}

/** The error for an empty text, which is in every record. */
export const nothingWanted = (): UsageError =>
  new UsageError('usage', 'there is nothing to search for', { hint: 'give the text to find' });

/** The expression in a text between slashes; undefined for another text. */
export const betweenSlashes = (
  text: string,
): { readonly source: string; readonly flags: string } | undefined => {
  const [, source, flags = ''] = /^\/(.+)\/([a-z]*)$/su.exec(text) ?? [];
  return source === undefined ? undefined : { source, flags };
};
