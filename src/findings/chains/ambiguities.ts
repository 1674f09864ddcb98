import { named } from '../../base/json/write.ts';
import type { Ambiguity } from './canonical.ts';

/** Says which hashed values programs print in different ways, with an example of each kind; undefined without one. */
export function ambiguitiesInWords(
  ambiguities: ReadonlyMap<Ambiguity, string>,
  name: string,
): string | undefined {
  const words = [...ambiguities].map(([kind, example]) => {
    if (kind === 'number') return `the number ${example.slice(0, 40)}`;
    return kind === 'nfc'
      ? `the text ${named(example)}, which is not in NFC`
      : `the text ${named(example)}, which has half a character`;
  });
  if (words.length === 0) return undefined;
  return `programs print ${words.join(', and ')} in different ways: the hash of ${name} covers one of them`;
}
