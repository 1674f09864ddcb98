import { defined } from '../../base/json/defined.ts';
import { kindInWords } from '../../dialects/kit/account.ts';
import { firstLine } from '../../dialects/kit/excerpt.ts';
import type {
  ComparedStep,
  FileDifference,
  LogBehaviour,
  StepDifference,
} from '../../read/compare/behaviour.ts';
import type { FieldDifference } from '../../read/compare/content.ts';
import { reasonOf } from '../../read/compare/reason.ts';
import type { ComparedRun, RunDifferenceHead } from '../../read/compare/run-difference.ts';

// The differences between two runs that the terminal and the page show: each of them once.

/** The lines of one run in the difference of a file, in order: those of its content, or those that it added and removed. */
function textsIn({ of, lines }: Pick<FileDifference, 'of' | 'lines'>, side: 'a' | 'b'): readonly string[] {
  const own = lines.filter((line) => line.in === side).map(({ text }) => text);
  const texts =
    of === 'content'
      ? [own]
      : ['+', '-'].map((sign) => own.filter((line) => line.startsWith(sign)).map((line) => line.slice(1)));
  return texts.map((some) => some.map((line) => `\n${line}`).join(''));
}

/** Whether two values of a call, which changes a file, are whole lines in the shown difference of that file. */
function isInFile(file: Pick<FileDifference, 'of' | 'lines'>, { a, b }: FieldDifference): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  const [ofA, ofB] = [a, b].map((value) => value.replace(/\n$/, ''));
  const isIn = (value = '', side: 'a' | 'b') =>
    value === '' || textsIn(file, side).some((text) => `${text}\n`.includes(`\n${value}\n`));
  // Values that differ only in the end of their last line have the same lines.
  return ofA !== ofB && isIn(ofA, 'a') && isIn(ofB, 'b');
}

/** The differing fields of a call, with the status of a refused one in the word of every other output. */
function fieldsInWords({ a, b, fields = [] }: StepDifference): readonly FieldDifference[] {
  const inWords = (value: unknown, side: ComparedStep | undefined) =>
    value === 'denied' && side?.how === 'refused' ? side.how : value;
  return fields.map((field) =>
    field.path === 'status' ? defined({ ...field, a: inWords(field.a, a), b: inWords(field.b, b) }) : field,
  );
}

/**
 * Makes a function for the differing fields of a call, without those that are shown elsewhere: in the difference of the file
 * that the call changes, or where the runs part. `shown`: how many files, and lines of each, are shown, and which lines whole.
 */
export function fieldsOnce(
  { files, parting }: Pick<LogBehaviour, 'files' | 'parting'>,
  shown: { readonly files: number; readonly lines: number; isWhole?(line: string): boolean },
): (step: StepDifference, isParting?: boolean) => readonly FieldDifference[] {
  const isTheParting = ({ a, b }: StepDifference) =>
    parting?.fields !== undefined && a?.line === parting.a?.line && b?.line === parting.b?.line;
  return (step, isParting = false) => {
    const { a } = step;
    const fields = fieldsInWords(step);
    if (!isParting && isTheParting(step)) return [];
    const path = firstLine(a?.text ?? '');
    const file = files.differ.slice(0, shown.files).find((one) => one.path === path);
    if (file === undefined) return fields;
    const lines = file.lines.slice(0, shown.lines).filter(({ text }) => shown.isWhole?.(text) ?? true);
    return fields.every((field) => isInFile({ of: file.of, lines }, field)) ? [] : fields;
  };
}

const stepWithHow = (step: ComparedStep): ComparedStep =>
  step.how === undefined ? step : { ...step, what: `${step.how}: ${step.what}` };

/** A failure that says if the step was refused or interrupted. */
export const withHow = ({ a, b }: StepDifference): StepDifference => ({
  ...(a && { a: stepWithHow(a) }),
  ...(b && { b: stepWithHow(b) }),
});

/** Why only one of the runs ended as it did. A text that differs is shown once. */
export function outcomesOf(
  { a, b }: Pick<RunDifferenceHead, 'a' | 'b'>,
  { texts }: Pick<LogBehaviour, 'texts'>,
): StepDifference[] {
  const isOne = a.dialect === b.dialect;
  const keyOf = ({ kind, text }: ComparedRun['why'][number]): string => `${reasonOf(kind, isOne)}: ${text}`;
  const stepsOf = (one: ComparedRun, other: ComparedRun): ComparedStep[] =>
    one.why
      .filter((why) => !other.why.some((one) => keyOf(one) === keyOf(why)))
      .map(({ kind, text, line, resultLine, tone }) => ({
        what: kindInWords({ kind }),
        text,
        line,
        ...(resultLine !== undefined && { resultLine }),
        failed: tone === 'bad',
      }));
  const rest = stepsOf(b, a);
  const pairs: StepDifference[] = stepsOf(a, b).map((step) => {
    const at = rest.findIndex(({ what }) => what === step.what);
    const [other] = at === -1 ? [] : rest.splice(at, 1);
    return { a: step, ...(other && { b: other }) };
  });
  // Answers that differ are listed as texts.
  const isListed = (side: 'a' | 'b', step: ComparedStep | undefined) =>
    step === undefined || texts.some((text) => text[side]?.line === step.line);
  const onlyB = rest.map((step): StepDifference => ({ b: step }));
  return [...pairs, ...onlyB].filter((one) => !(isListed('a', one.a) && isListed('b', one.b)));
}
