import { type JsonPath, parsePath } from '../../../json/path.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { LogRecord } from '../../../log/record.ts';
import { type Difference, differences } from '../../../projection/difference.ts';
import { type Evidence, sourceOf } from '../../../projection/evidence.ts';
import { leftOut } from '../../../projection/left-out.ts';
import type { Comparison, Projection, Projector } from '../../../projection/projector.ts';
import { eventIdOf } from '../identity.ts';
import { inKnownVersion, nothingRegistered, type Registered } from '../registered.ts';
import { noArtifacts, noSynthesis } from '../workflow-types.ts';
import type { SourceTree } from './sources.ts';
import { STATE_PARTS, type StatePart, WorkflowFold } from './workflow.ts';

/** The program stamps the state file with another reading of the clock than the event. */
const CLOCKS: readonly StatePart[] = ['createdAt', 'updatedAt'];

/** Where a projected value comes from: the event's id and its line. */
export function evidenceOf(event: JsonObject, line: number): Evidence {
  return sourceOf(eventIdOf(event), line);
}

/** A task as the state file holds it: the file's schema fills in what blocks it. */
function storedForm(task: JsonValue): JsonValue {
  return isObject(task) && !Object.hasOwn(task, 'blockedBy') ? { ...task, blockedBy: [] } : task;
}

/** A part of a state as the log gives it; tasks with the defaults that the state file's schema fills in. */
function partOf(document: JsonObject, part: StatePart): JsonValue | undefined {
  const value = Object.hasOwn(document, part) ? document[part] : undefined;
  return part === 'tasks' && Array.isArray(value) ? value.map(storedForm) : value;
}

/** A part as it is compared: with all defaults, and of `oneshot` what the start of the workflow says. */
function comparable(document: JsonObject, part: StatePart): JsonValue | undefined {
  const value = partOf(document, part);
  if (!isObject(value)) return value;
  switch (part) {
    case 'artifacts':
      return { ...noArtifacts(), ...value };
    case 'synthesis':
      return { ...noSynthesis(), ...value };
    case 'oneshot': {
      const { synthesisPolicy } = value;
      return synthesisPolicy === undefined ? {} : { synthesisPolicy };
    }
    default:
      return value;
  }
}

/** Of an object that lacks a member, the event that gave the member its last value; else the source that is known. */
function withLatest(difference: Difference, sources: SourceTree): Difference {
  if (difference.stored !== undefined || typeof difference.projected !== 'object') return difference;
  const evidence = sources.latest(parsePath(difference.path) as JsonPath);
  return evidence === undefined ? difference : { ...difference, evidence };
}

/** Leaves out the clock readings that events about tasks bring along. */
const isClock = ({ path }: Difference): boolean => /^tasks\[\d+\]\.completedAt$/.test(path);

/** Rebuilds the part of `<stream>.state.json` that a log holds evidence for (exarchos.md §12). */
export class ExarchosProjector implements Projector {
  readonly #all = new WorkflowFold('all-events');
  readonly #registered: Registered;
  readonly #file = new WorkflowFold('state-file');

  /** `registered`: the schema versions a project has made up; events of others are read as they stand. */
  constructor(registered: Registered = nothingRegistered()) {
    this.#registered = registered;
  }

  add(record: LogRecord): void {
    this.addEvent(record.exact, record.line);
  }

  /** Takes in the next event of the log, which stands on `line`. */
  addEvent(stored: JsonObject, line: number): void {
    const event = inKnownVersion(stored, this.#registered) ?? stored;
    let known: Evidence | undefined;
    // Most events change nothing, and then nobody asks where they stand.
    const source = () => {
      known ??= evidenceOf(stored, line);
      return known;
    };
    this.#all.add(event, source);
    this.#file.add(event, source);
  }

  result(): Projection {
    const { document, sources } = this.#all;
    const value: Record<string, unknown> = {};
    for (const part of STATE_PARTS) {
      const projected = partOf(document, part);
      if (projected !== undefined) value[part] = projected;
    }
    if (document['workflowType'] === 'oneshot') {
      const policy = isObject(value['oneshot']) ? value['oneshot'] : {};
      value['oneshot'] = { ...policy, synthesisRequested: this.#all.synthesisRequested };
    }
    return {
      value,
      evidence: sources.toMap(),
      // Only one type of workflow has it, and only where its start says so.
      underivable: STATE_PARTS.filter((part) => part !== 'oneshot' && !Object.hasOwn(document, part)),
    };
  }

  /**
   * Compares with a stored state file. A part may agree with what the program does to its file or with what all
   * events say; the clocks are left out.
   */
  compare(stored: unknown): Comparison {
    const document = isObject(stored) ? stored : {};
    const parts = STATE_PARTS.filter((part) => !CLOCKS.includes(part));
    const derivable = parts.filter((part) => partOf(this.#all.document, part) !== undefined);
    const readings = [this.#file, this.#all].map((fold) => ({
      projected: fold.document,
      sources: fold.sources,
      evidence: fold.sources.toMap(),
    }));
    const compare = (part: StatePart): Difference[] => {
      const [file = [], all = []] = readings.map(({ projected, sources, evidence }) =>
        differences(comparable(projected, part), comparable(document, part), [part], evidence)
          .filter((found) => !isClock(found))
          .map((found) => withLatest(found, sources)),
      );
      return all.length < file.length ? all : file;
    };
    return {
      compared: derivable,
      differences: derivable.flatMap(compare),
      not_compared: leftOut(
        document,
        derivable.map((part) => [part]),
        () => ({ reason: 'no event of the log tells of it' }),
      ),
      underivable: parts.filter((part) => !derivable.includes(part) && Object.hasOwn(document, part)),
    };
  }
}
