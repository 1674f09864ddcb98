import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonValue } from '../../base/json/value.ts';
import { changeOfTexts, changesOfArguments, type FileChange } from '../../dialects/kit/file-change.ts';
import type { CallItem, StoryDetails } from '../../dialects/kit/story.ts';
import { Content, type FieldDifference } from './content.ts';
import type { Incidental } from './incidental.ts';
import { fileReadBy, fileWrittenBy, plainCommand } from './plain-command.ts';

/** Compares inputs of calls completely. */
const WHOLE = new Content({ ignore: [], durations: true, exact: true });
const NO_NAMES: ReadonlySet<string> = new Set();

/** The places in which two inputs of calls differ. */
export const inputDifferences = (a: JsonValue | undefined, b: JsonValue | undefined): FieldDifference[] =>
  WHOLE.differences(a, b, NO_NAMES, NO_NAMES);

/** The kinds of the tools that run a command, and of those that write files. */
export const RUNS_COMMAND = 'run';
export const CHANGES_FILES = 'change';

/** What a tool does, from its name. Programs name their tools differently. */
const KINDS: readonly (readonly [kind: string, names: RegExp])[] = [
  [RUNS_COMMAND, /bash|shell|exec|command|terminal|powershell/i],
  [CHANGES_FILES, /write|edit|create|patch|replace|notebook/i],
  ['remove', /delete|remove/i],
  ['search', /grep|search|find|ripgrep/i],
  ['list', /glob|list|^ls$/i],
  ['read', /read|view|cat|open/i],
  ['fetch', /fetch|browse|http|url/i],
  ['plan', /todo|plan/i],
  ['agent', /agent|task/i],
];

/** The kind of a tool, or its name if the kind is unknown. */
export const kindOfTool = (tool: string): string => KINDS.find(([, names]) => names.test(tool))?.[0] ?? tool;

/** The tools of a list that run a command. */
const shellsOf = (calls: readonly Pick<CallItem, 'tool'>[]): string[] =>
  calls.flatMap(({ tool }) => (kindOfTool(tool) === RUNS_COMMAND ? tool : []));

/** Whether two runs of one program ran commands by tools of other names. Its version or its settings decide which it has. */
export function haveOtherShells(
  a: readonly Pick<CallItem, 'tool'>[],
  b: readonly Pick<CallItem, 'tool'>[],
): boolean {
  const [ofA, ofB] = [shellsOf(a), shellsOf(b)];
  return ofA.length > 0 && ofB.length > 0 && !ofA.some((tool) => ofB.includes(tool));
}

/** Members of inputs that say how a call is run or shown. Each program has its own, so two programs never agree. */
const HOW =
  /^(?:description|explanation|justification|reason|title|workdir|cwd|login|shell|shellid|tty|mode|session_?id|timeout.*|.*_?timeout|.*_ms|.*_tokens|with_escalated_permissions|sandbox.*|run_in_background|is_?background|initialwait|async|detach)$/i;

/** The members that contain what a command reads. */
const STANDARD_INPUT = /^(?:stdin|input|chars|env)$/i;

/** Members that name a file or folder. Some programs write the path twice, under two names. */
const PATH = /path$|^(?:file(?:_?name)?|dir(?:ectory)?|folder)$/i;

/** A value that is neither a list nor an object, as a text, and the name of its member. */
interface Leaf {
  readonly name: string;
  readonly text: string;
}

/** Every value, without members that `isLeftOut` names. */
function leaves(value: JsonValue, isLeftOut: (name: string) => boolean, name = ''): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, isLeftOut, name));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, item]) =>
      isLeftOut(key) ? [] : leaves(item, isLeftOut, key),
    );
  return [{ name, text: isNumber(value) ? WHOLE.canonical(value, NO_NAMES) : `${value}` }];
}

/** The lines that a diff adds and removes, without their context, of which programs store more or less. */
const changedLines = (diff: string): string =>
  diff
    .split('\n')
    .filter((line) => /^[-+]/.test(line))
    .join('\n');

/** The keys of the calls of a run: two calls are the same if their keys are. */
export interface CallKeys {
  of(call: CallItem): string;
}

/** In runs of one program, a call is its tool and its whole input. */
export function wholeKeys(details: StoryDetails | undefined, incidental: Incidental): CallKeys {
  return {
    of(call) {
      const input = details?.callOf(call)?.input ?? call.input;
      return `${call.tool}\n${WHOLE.canonical(incidental.value(input), NO_NAMES)}`;
    },
  };
}

/**
 * In runs of two programs, a call is the kind of its tool and what it works on: the command, the lines that a file gains
 * and loses, or the values of its input under whatever names. A command that only prints or writes a file is the same as a
 * tool that does. Paths count from `cwd`, the working directory.
 */
export function commonKeys(
  details: StoryDetails | undefined,
  incidental: Incidental,
  cwd: string | undefined,
): CallKeys {
  const relative = (text: string): string => {
    // The working directory is what a tool lists or searches by default.
    if (text === cwd || text === '.') return '';
    const isBelow = cwd !== undefined && text.startsWith(`${cwd}/`);
    return incidental.text(isBelow ? text.slice(cwd.length + 1) : text.replace(/^(?:\.\/)+/, ''));
  };
  const keyOfChanges = (changes: readonly FileChange[]): string =>
    JSON.stringify([CHANGES_FILES, ...changes.map(({ path, diff }) => [relative(path), changedLines(diff)])]);
  return {
    of(call) {
      const { tool, input: shown, changes: made = [] } = call;
      const kind = kindOfTool(tool);
      const input = details?.callOf(call)?.input ?? shown;
      // A call that failed changed nothing, but was meant to.
      const changes = made.length > 0 || kind !== CHANGES_FILES ? made : changesOfArguments(input);
      if (changes.length > 0) return keyOfChanges(changes);
      if (kind === RUNS_COMMAND) {
        const read = isObject(input) ? leaves(input, (name) => !STANDARD_INPUT.test(name)) : [];
        const command = plainCommand(shown, cwd);
        const written = fileWrittenBy(command);
        if (written !== undefined && read.length === 0)
          return keyOfChanges([changeOfTexts(written.path, '', written.text, 'write')]);
        const file = fileReadBy(command);
        if (file !== undefined && read.length === 0) return JSON.stringify(['read', relative(file)]);
        return JSON.stringify([kind, incidental.text(command), ...read.map(({ text }) => text).sort()]);
      }
      const values = leaves(input, (name) => HOW.test(name));
      const named = values.filter(({ name }) => PATH.test(name)).map(({ text }) => relative(text));
      const paths = [...new Set(named)].filter((path) => path !== '');
      const others = values.filter(({ name }) => !PATH.test(name)).map(({ text }) => relative(text));
      return JSON.stringify([kind, ...[...paths, ...others].sort()]);
    },
  };
}
