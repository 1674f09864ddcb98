import { posix } from 'node:path';
import type * as z from 'zod';
import { formatPath, type JsonPath, valueAt } from '../../../base/json/path.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { ticked } from '../../../base/json/write.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import type { Document } from '../../../findings/document.ts';
import { errorBeside } from '../event/outcome.ts';
import {
  ACTION_STATUSES,
  FACT_TYPES,
  INTUITION_MODES,
  isExtension,
  isOneOf,
  OUTCOME_STATUSES,
  STATE_SCHEMA_VERSIONS,
  STATE_VERSIONS,
  STEP_KINDS,
  STEP_STATUSES,
} from '../event/vocabulary.ts';
import type { EpisodeContents } from '../files/contents.ts';
import { FINAL_FILE, LINKED_FILES } from '../files/names.ts';
import { actionSchema, factSchema, planSchema, processSchema, stateSchema, stepSchema } from './schema.ts';

/** The keys of an object in a state: known ones, and those that the runtime always writes. */
interface Shape {
  /** `*` matches every element. */
  readonly at: readonly string[];
  readonly known: ReadonlySet<string>;
  /** Keys that the runtime's schema requires although the documents do not. */
  readonly required?: readonly string[];
  /** Whether keys that begin with `x-` are allowed. */
  readonly extensible?: false;
  /** The severity of a missing key; info if the documents call it optional. */
  readonly severity?: 'warn';
}

const { shape } = stateSchema;
const keysOf = (schema: z.ZodObject, ...more: string[]): ReadonlySet<string> =>
  new Set([...Object.keys(schema.shape), ...more]);

/** The objects of a state (noesis.md §6), with members that the runtime writes although its schema lacks them. */
const SHAPES: readonly Shape[] = [
  { at: [], known: keysOf(stateSchema) },
  { at: ['episode'], known: keysOf(shape.episode), required: ['seed', 'tags'] },
  { at: ['goal'], known: keysOf(shape.goal), required: ['type'] },
  {
    at: ['beliefs', '*'],
    known: keysOf(shape.beliefs.element),
    required: ['timestamp'],
    extensible: false,
  },
  { at: ['plan'], known: keysOf(planSchema), required: ['source', 'updated_at'] },
  { at: ['plan', 'steps', '*'], known: keysOf(stepSchema) },
  { at: ['memory'], known: keysOf(shape.memory), required: ['facts'] },
  { at: ['memory', 'facts', '*'], known: keysOf(factSchema), required: ['type'] },
  { at: ['outcomes'], known: keysOf(shape.outcomes, 'error'), required: ['actions'] },
  {
    at: ['outcomes', 'actions', '*'],
    known: keysOf(actionSchema, 'input', 'output'),
    required: ['id', 'kind', 'tool', 'input_excerpt', 'result_status', 'timestamp'],
  },
  // Only the runtime writes this object; the documents do not mention it.
  {
    at: ['process'],
    known: keysOf(processSchema),
    required: ['id', 'name', 'run_index'],
    extensible: false,
    severity: 'warn',
  },
  { at: ['links'], known: new Set(Object.keys(LINKED_FILES)), extensible: false },
];

type Look = (value: JsonValue, path: JsonPath) => void;

/**
 * Calls `look` for every value at a path with `*`. The path array is reused, because a state may have a hundred thousand
 * actions.
 */
function eachAt(value: JsonValue, pattern: readonly string[], look: Look): void {
  const path: (string | number)[] = [];
  const visit = (inner: JsonValue, depth: number): void => {
    const part = pattern[depth];
    if (part === undefined) {
      look(inner, path);
      return;
    }
    if (part === '*' && Array.isArray(inner)) {
      for (const [index, item] of inner.entries()) {
        path[depth] = index;
        visit(item, depth + 1);
      }
    } else if (isObject(inner) && Object.hasOwn(inner, part)) {
      path[depth] = part;
      visit(inner[part] as JsonValue, depth + 1);
    }
  };
  visit(value, 0);
}

function checkShapes(state: Document): void {
  for (const { at, known, required = [], extensible = true, severity = 'info' } of SHAPES) {
    eachAt(state.value, at, (value, path) => {
      if (!isObject(value)) return;
      for (const key of required) {
        if (Object.hasOwn(value, key)) continue;
        const missing = `${formatPath([...path, key])} is missing`;
        const message =
          severity === 'info'
            ? `${missing}: it is optional, but the runtime always writes it`
            : `${missing}: the runtime always writes it`;
        state.at({ code: 'state/schema', severity, message, path: [...path, key] });
      }
      for (const key of Object.keys(value)) {
        if (known.has(key) || (extensible && isExtension(key))) continue;
        const rule = extensible ? 'extensions begin with x-' : 'it takes no extensions';
        const message = `${ticked(key)} is not a known key here; ${rule}`;
        state.at({ code: 'state/schema', severity: 'warn', message, path: [...path, key] });
      }
    });
  }
}

/** Members with a fixed vocabulary. A severity is given if the documents do not restrict the words. */
const WORDS: readonly (readonly [path: readonly string[], words: readonly string[], severity?: 'warn'])[] = [
  [['plan', 'steps', '*', 'kind'], STEP_KINDS],
  [['plan', 'steps', '*', 'status'], STEP_STATUSES],
  [['outcomes', 'status'], OUTCOME_STATUSES],
  [['episode', 'intuition_mode'], INTUITION_MODES],
  [['outcomes', 'actions', '*', 'result_status'], ACTION_STATUSES, 'warn'],
  [['memory', 'facts', '*', 'type'], FACT_TYPES, 'warn'],
  [['version'], STATE_VERSIONS, 'warn'],
  [['state_schema_version'], STATE_SCHEMA_VERSIONS, 'warn'],
];

function checkWords(state: Document): void {
  for (const [pattern, words, severity] of WORDS) {
    eachAt(state.value, pattern, (word, path) => {
      if (typeof word !== 'string' || isOneOf(words, word)) return;
      const message = `${ticked(word)} is not one of the words for ${pattern.filter((part) => part !== '*').join('.')}`;
      const values = { expected: words.join(', '), actual: word };
      // The documents have these words in events, so a writer may repeat them here.
      const isPause = pattern[0] === 'outcomes' && (word === 'interrupted' || word === 'paused');
      const how = isPause ? 'warn' : severity;
      state.at({
        code: 'state/vocabulary',
        message,
        path: [...path],
        ...values,
        ...(how && { severity: how }),
      });
    });
  }
}

function checkSteps(state: Document): void {
  const seen = new Map<string, number>();
  eachAt(state.value, ['plan', 'steps', '*', 'id'], (id, path) => {
    if (typeof id !== 'string') return;
    const before = seen.get(id);
    if (before !== undefined) {
      const message = `step id ${ticked(id)} is already at plan.steps[${before}]`;
      state.at({ code: 'state/schema', message, path: [...path], actual: id });
    } else seen.set(id, Number(path.at(-2)));
  });
}

/** Links that are set at the end of the run, before their files are written. */
const LINKED_AT_THE_END = ['summary', 'manifest'];

/** The facts about the episode that a check of state.json needs. */
interface StateContext {
  /** The progress of the run; undefined if the log is missing or damaged. */
  readonly stage: 'running' | 'ended' | 'finished' | undefined;
  /** Whether the run is paused and its last run.state_projection describes the state. */
  readonly paused: boolean;
  readonly contents: EpisodeContents;
  /** Paths already reported as different from the log. */
  readonly differing: ReadonlySet<string>;
}

/** Reports links that the state of a finished run must have. Older runtimes had no learn.jsonl (noesis.md §14). */
function checkLinksThere(state: Document, links: JsonObject, { contents, differing }: StateContext): void {
  for (const [key, file] of Object.entries(LINKED_FILES)) {
    if (Object.hasOwn(links, key) || differing.has(`links.${key}`)) continue;
    if (key === 'learn' && !contents.lists(file)) continue;
    const message = `links.${key} is missing; the state of a finished run has it`;
    state.at({ code: 'state/links', message, path: ['links', key] });
  }
}

/** Reports links that the state of a paused run must have. */
function checkLinksOfPause(state: Document, links: JsonObject, differing: ReadonlySet<string>): void {
  for (const key of ['events', 'learn']) {
    if (Object.hasOwn(links, key) || differing.has(`links.${key}`)) continue;
    const message = `links.${key} is missing; the state of a paused run has it`;
    state.at({ code: 'state/links', severity: 'warn', message, path: ['links', key] });
  }
}

/** Whether a linked file must exist by now, and no other check reports its absence. */
function mustBeThere(key: string, file: string, { stage, contents }: StateContext): boolean {
  if (contents.entry(file) || key === 'events') return false;
  // Once there is a final.json, all linked files have been written.
  if (LINKED_AT_THE_END.includes(key)) return contents.isThere(FINAL_FILE) && key !== 'manifest';
  return stage === 'finished';
}

/** Checks the links of a state, depending on the stage of the run (noesis.md §6), and their files. */
function checkLinks(state: Document, context: StateContext): void {
  const links = valueAt(state.value, ['links']);
  if (!isObject(links)) return;
  const { stage, contents, differing } = context;
  if (stage === 'finished') checkLinksThere(state, links, context);
  if (context.paused) checkLinksOfPause(state, links, differing);
  const known: Readonly<Record<string, string>> = LINKED_FILES;
  for (const [key, target] of Object.entries(links)) {
    const file = Object.hasOwn(known, key) ? known[key] : undefined;
    if (file === undefined || typeof target !== 'string') continue;
    if (differing.has(formatPath(['links', key]))) continue;
    const say = (message: string) => state.at({ code: 'state/links', message, path: ['links', key] });
    if (stage === 'running' && LINKED_AT_THE_END.includes(key))
      say(`links.${key} belongs to a finished run, and this one has no terminate event`);
    else if (posix.normalize(target) !== file)
      say(`links.${key} points to ${JSON.stringify(target)}, not to ${file}`);
    else if (mustBeThere(key, file, context) && !contents.lists(file))
      say(`links.${key} points to ${JSON.stringify(target)}, which does not exist`);
  }
}

/** Checks that the start is a time. The projection checks whether it is the right one. */
function checkStart(state: Document): void {
  eachAt(state.value, ['episode', 'started_at'], (text, path) => {
    if (typeof text !== 'string' || parseInstant(text) !== undefined) return;
    const message = `episode.started_at must be an ISO 8601 time, is ${JSON.stringify(text)}`;
    state.at({ code: 'state/schema', message, path: [...path], expected: 'an ISO 8601 time', actual: text });
  });
}

/** Reports a state that succeeded and has an error. */
function checkError(state: Document): void {
  const [status, error] = ['status', 'error'].map((key) => valueAt(state.value, ['outcomes', key]));
  const wrong = errorBeside(status, error);
  if (wrong === undefined) return;
  const message = `outcomes.status says ${ticked(String(status))}, but ${wrong}`;
  state.at({ code: 'consistency/status', severity: 'warn', message, path: ['outcomes', 'error'] });
}

/** Checks state.json: schema, words and links. */
export function checkState(state: Document, context: StateContext): void {
  state.fits(stateSchema, 'state/schema');
  checkShapes(state);
  checkStart(state);
  checkSteps(state);
  checkWords(state);
  checkError(state);
  checkLinks(state, context);
}
