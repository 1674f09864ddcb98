import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { writeJson } from '../../base/json/write.ts';
import { excerptOf } from './excerpt.ts';
import { listIn, objectsIn, textIn, textsOf } from './members.ts';

/** The arguments that best describe a call, most important first. */
const MAIN_ARGUMENTS = [
  'command',
  'cmd',
  'keystrokes',
  'file_path',
  'filePath',
  'notebook_path',
  'pattern',
  'path',
  'query',
  'url',
  'description',
  'prompt',
  'message',
  'skill',
  'code',
  'input',
  'question',
  'plan',
  'todos',
  'targets',
];

/**
 * The members of planning tools that contain lists of tasks, then the members that contain the text of a
 * task.
 */
const TASK_LISTS = ['todos', 'plan', 'tasks'];
const TASK = ['content', 'step', 'description', 'title', 'subject', 'text'];

const statusIn = (task: JsonObject): string => textIn(task, 'status') ?? '';
const isDone = (task: JsonObject): boolean =>
  statusIn(task).startsWith('complete') || statusIn(task) === 'done';

/** `1 of 3 done, now: Run the tests`, then a line per task; undefined if the input is not a list of tasks. */
function tasksIn(input: JsonObject): string | undefined {
  const list = TASK_LISTS.find((key) => listIn(input, key).some(isObject));
  if (list === undefined) return undefined;
  const tasks = objectsIn(input, list);
  const named = tasks.flatMap((task) => {
    const text = TASK.map((key) => textIn(task, key)).find((one) => one !== undefined);
    return text === undefined ? [] : [{ task, text }];
  });
  if (named.length < tasks.length) return undefined;
  const done = named.filter(({ task }) => isDone(task)).length;
  const now = named.find(({ task }) => statusIn(task) === 'in_progress');
  const next = now ?? named.find(({ task }) => !isDone(task));
  const head = `${done} of ${named.length} done${next ? `, ${now ? 'now' : 'next'}: ${next.text}` : ''}`;
  const mark = (task: JsonObject) => (isDone(task) ? '[x]' : task === now?.task ? '[>]' : '[ ]');
  return [head, ...named.map(({ task, text }) => `${mark(task)} ${text}`)].join('\n');
}

/** The arguments of a call as a text: a command, a path, the tasks of a plan; any others as JSON. */
export function inputText(input: JsonValue | undefined): string {
  if (typeof input === 'string') return input;
  if (!isObject(input)) return input === undefined || input === null ? '' : writeJson(input);
  const tasks = tasksIn(input) ?? textsOf(objectsIn(input, 'questions'), 'question');
  if (tasks !== '') return tasks;
  for (const key of MAIN_ARGUMENTS) {
    const value = input[key];
    const place = key === 'pattern' ? textIn(input, 'path') : undefined;
    if (typeof value === 'string' && value.trim() !== '')
      return place === undefined ? value : `${value}  in ${place}`;
    if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string'))
      return value.join(' ');
  }
  const [[name, value] = [], ...more] = Object.entries(input);
  if (name === undefined) return '';
  // An agent empties its list when it is done.
  const isEmptied = TASK_LISTS.includes(name) && Array.isArray(value) && value.length === 0;
  return isEmptied && more.length === 0 ? 'no tasks' : writeJson(input);
}

/** The arguments of a call as a text, shortened. */
export const inputExcerpt = (input: JsonValue | undefined): string => excerptOf(inputText(input));
