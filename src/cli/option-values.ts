import { type Command, InvalidArgumentError, type Option } from 'commander';
import { UsageError } from '../base/errors.ts';
import { parseWhen, WHEN_FORMS } from '../base/time/words.ts';

/** A non-empty text, or a usage error. */
export function notEmpty(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('must not be empty');
}

/** A whole number of at least `least`, or a usage error. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,15}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`expected a whole number, ${least} or more`);
  };
}

/** Collects the values of a repeatable option. */
export function repeated(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** Whether an option takes one value. The parsers of other options also take the values before. */
const isSingle = ({ required, optional, argChoices, parseArg }: Option): boolean =>
  (required || optional) && (argChoices !== undefined || (parseArg?.length ?? 0) < 2);

/** The options of a command line may replace those of an alias. */
const REPLACED = '--color';

/** Makes a second value an error for the options that take one, because it would silently replace the first. */
export function refuseSecondValues(command: Command): void {
  const called = command.parent === null ? 'noesis' : `noesis ${command.name()}`;
  for (const option of command.options.filter((one) => isSingle(one) && one.long !== REPLACED)) {
    const { parseArg } = option;
    let first: string | undefined;
    option.argParser((value: string, before: unknown) => {
      if (first !== undefined && first !== value) {
        const values = `${JSON.stringify(first)} and ${JSON.stringify(value)}`;
        throw new UsageError('usage', `${option.long} may be given only once; found ${values}`, {
          hint: `remove one of them, or run ${called} once for each`,
        });
      }
      first = value;
      return parseArg === undefined ? value : parseArg(value, before);
    });
  }
}

/** Collects comma-separated words of a repeatable option, or a usage error. */
export function listed(text: string, before: string[] | undefined): string[] {
  const words = text.split(',').filter((word) => word !== '');
  if (words.length === 0) throw new InvalidArgumentError('must not be empty');
  return [...(before ?? []), ...words];
}

/** Collects comma-separated words of a repeatable option, each one of these. */
export function oneOf<Word extends string>(
  words: readonly Word[],
): (text: string, before: Word[] | undefined) => Word[] {
  return (text, before) => {
    const found = listed(text, undefined).map((given) => {
      const word = words.find((one) => one === given);
      if (word !== undefined) return word;
      // As commander says it, so that message and hint are made in one way.
      throw new InvalidArgumentError(`Allowed choices are ${words.join(', ')}.`);
    });
    return [...(before ?? []), ...found];
  };
}

/** A time as the user wrote it, or a usage error. */
export function whenOption(text: string): string {
  if (parseWhen(text, 0) !== undefined) return text;
  throw new InvalidArgumentError(`expected a time (${WHEN_FORMS})`);
}

/** Parses an option's instant. */
export function instantOfOption(text: string | undefined, now: number): number | undefined {
  return text === undefined ? undefined : parseWhen(text, now)?.instant;
}

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

/** A number of bytes, such as `500M` or `64GiB`, or a usage error. */
export function byteSize(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,12})([kmgt]?)(?:i?b)?$/i.exec(text) ?? [];
  const size = Number(digits) * (UNITS[unit.toLowerCase()] ?? 0);
  if (digits !== '' && Number.isSafeInteger(size) && size > 0) return size;
  throw new InvalidArgumentError('expected a number of bytes, such as 500M or 64G');
}
