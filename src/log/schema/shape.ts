import { type Automaton, automatonOf, bothAutomata, complementOf } from './automaton.ts';

/** A number within bounds. */
export interface NumberForm {
  readonly kind: 'number';
  readonly whole: boolean;
  readonly min: number;
  readonly max: number;
  /** The bound itself is excluded. */
  readonly above: boolean;
  readonly below: boolean;
}

/** A text: its length, words, pattern, and whether it is a time. */
export interface StringForm {
  readonly kind: 'string';
  readonly min: number;
  readonly max: number;
  readonly words?: ReadonlySet<string> | undefined;
  readonly automaton?: Automaton | undefined;
  readonly instant: boolean;
}

export interface ArrayForm {
  readonly kind: 'array';
  readonly min: number;
  readonly max: number;
  /** The shapes of the first items; `others` is the shape of the rest. */
  readonly first: readonly Shape[];
  readonly others: Shape;
}

export interface Member {
  readonly shape: Shape;
  readonly required: boolean;
}

export interface ObjectForm {
  readonly kind: 'object';
  readonly members: ReadonlyMap<string, Member>;
  /** The shape of members that have no entry. */
  readonly others: Shape;
}

/** JSON values of one kind. */
export type Form =
  | { readonly kind: 'null' | 'true' | 'false' }
  | NumberForm
  | StringForm
  | ArrayForm
  | ObjectForm;

/** The allowed values: any that one of the forms allows. Empty: a table cannot express it. */
export type Shape = readonly Form[];

export const NEVER: Shape = [];

/** A shape with more forms is too complex for a table. */
const MAX_FORMS = 64;

export const anyNumber: NumberForm = {
  kind: 'number',
  whole: false,
  min: -Infinity,
  max: Infinity,
  above: false,
  below: false,
};
export const anyString: StringForm = { kind: 'string', min: 0, max: Infinity, instant: false };

/** Any value at all. */
export const ANY: Shape = [{ kind: 'null' }, { kind: 'true' }, { kind: 'false' }, anyNumber, anyString];
const anyArray: ArrayForm = { kind: 'array', min: 0, max: Infinity, first: [], others: ANY };
export const anyObject: ObjectForm = { kind: 'object', members: new Map(), others: ANY };
(ANY as Form[]).push(anyArray, anyObject);

/** Whether a form allows every value of its kind. */
export function isFree(form: Form): boolean {
  switch (form.kind) {
    case 'number':
      return !form.whole && form.min === -Infinity && form.max === Infinity;
    case 'string':
      return form.min === 0 && form.max === Infinity && !form.words && !form.automaton && !form.instant;
    case 'array':
      return form.min === 0 && form.max === Infinity && form.first.length === 0 && isAny(form.others);
    case 'object':
      return (
        isAny(form.others) && [...form.members.values()].every((one) => !one.required && isAny(one.shape))
      );
    default:
      return true;
  }
}

/** Whether a shape allows every value. */
export function isAny(shape: Shape): boolean {
  return shape === ANY || ANY.every(({ kind }) => shape.some((form) => form.kind === kind && isFree(form)));
}

/** The union of shapes. */
export function either(shapes: readonly Shape[]): Shape {
  const forms = shapes.flat();
  const kept = forms.filter((form, index) => {
    const free = forms.findIndex((other) => other.kind === form.kind && isFree(other));
    return free === -1 || free === index;
  });
  return kept.length > MAX_FORMS ? NEVER : kept;
}

/** The intersection of two shapes. */
export function both(a: Shape, b: Shape): Shape {
  if (a === ANY || a === b) return b;
  if (b === ANY) return a;
  const forms = a.flatMap((one) => b.flatMap((other) => bothForms(one, other) ?? []));
  return forms.length > MAX_FORMS ? NEVER : forms;
}

function bothForms(a: Form, b: Form): Form | undefined {
  if (a.kind === 'number' && b.kind === 'number') return bothNumbers(a, b);
  if (a.kind === 'string' && b.kind === 'string') return bothStrings(a, b);
  if (a.kind === 'array' && b.kind === 'array') return bothArrays(a, b);
  if (a.kind === 'object' && b.kind === 'object') return bothObjects(a, b);
  return a.kind === b.kind ? a : undefined;
}

function bothNumbers(a: NumberForm, b: NumberForm): NumberForm {
  const min = Math.max(a.min, b.min);
  const max = Math.min(a.max, b.max);
  return {
    kind: 'number',
    whole: a.whole || b.whole,
    min,
    max,
    above: (a.above && a.min === min) || (b.above && b.min === min),
    below: (a.below && a.max === max) || (b.below && b.max === max),
  };
}

function bothStrings(a: StringForm, b: StringForm): StringForm | undefined {
  const automaton =
    a.automaton && b.automaton ? bothAutomata(a.automaton, b.automaton) : (a.automaton ?? b.automaton);
  if (automaton === undefined && a.automaton) return undefined;
  const words =
    a.words && b.words ? new Set([...a.words].filter((word) => b.words?.has(word))) : (a.words ?? b.words);
  return {
    kind: 'string',
    min: Math.max(a.min, b.min),
    max: Math.min(a.max, b.max),
    words,
    automaton,
    instant: a.instant || b.instant,
  };
}

function bothArrays(a: ArrayForm, b: ArrayForm): ArrayForm {
  const count = Math.max(a.first.length, b.first.length);
  const first = Array.from({ length: count }, (_, index) =>
    both(a.first[index] ?? a.others, b.first[index] ?? b.others),
  );
  return {
    kind: 'array',
    min: Math.max(a.min, b.min),
    max: Math.min(a.max, b.max),
    first,
    others: both(a.others, b.others),
  };
}

function bothObjects(a: ObjectForm, b: ObjectForm): ObjectForm {
  const members = new Map<string, Member>();
  for (const key of new Set([...a.members.keys(), ...b.members.keys()])) {
    const [one, other] = [a.members.get(key), b.members.get(key)];
    members.set(key, {
      shape: both(one?.shape ?? a.others, other?.shape ?? b.others),
      required: (one?.required ?? false) || (other?.required ?? false),
    });
  }
  return { kind: 'object', members, others: both(a.others, b.others) };
}

/** Texts that match a pattern. */
export function like(pattern: RegExp): Shape {
  const automaton = automatonOf(pattern);
  return automaton ? [{ ...anyString, automaton }] : NEVER;
}

/** Texts that do not match a pattern. */
export function unlike(pattern: RegExp): Shape {
  const automaton = automatonOf(pattern);
  return automaton ? [{ ...anyString, automaton: complementOf(automaton) }] : NEVER;
}

/** An object with a shape at a path, and anything elsewhere. */
export function at(path: readonly string[], shape: Shape): Shape {
  return path.reduceRight<Shape>(
    (inner, key) => [
      { kind: 'object', members: new Map([[key, { shape: inner, required: false }]]), others: ANY },
    ],
    shape,
  );
}
