import { isObject, type JsonObject } from '../../../src/base/json/value.ts';
import { evidenceOf } from '../../../src/dialects/exarchos/projection/projector.ts';
import { initialPhase, noArtifacts, noSynthesis } from '../../../src/dialects/exarchos/workflow-types.ts';
import { differences } from '../../../src/findings/projection/difference.ts';
import { EvidenceMap } from '../../../src/findings/projection/evidence.ts';
import type { Comparison, Projection, Projector } from '../../../src/findings/projection/projector.ts';
import type { LogRecord } from '../../../src/log/record.ts';

/** Types whose `workflow.` prefix the program drops in the state's own list of events (exarchos.md §12.3). */
const SHORTENED = new Set(
  [
    'transition',
    'checkpoint',
    'guard-failed',
    'compound-entry',
    'compound-exit',
    'fix-cycle',
    'circuit-open',
    'cancel',
    'cleanup',
  ].map((name) => `workflow.${name}`),
);

function listed({ type, timestamp, data }: JsonObject): JsonObject {
  const name =
    typeof type === 'string' && SHORTENED.has(type) ? type.slice('workflow.'.length) : (type ?? null);
  return { type: name, timestamp: timestamp ?? null, ...(isObject(data) && { ...data, metadata: data }) };
}

/**
 * The result of the program's own rebuild of a lost state file (exarchos.md §12.3): it replays transitions, checkpoints
 * and merges, and neither patches nor tasks, cancel or cleanup.
 */
export class ReconcileProjector implements Projector {
  #state: JsonObject | undefined;
  readonly #events: JsonObject[] = [];
  #sequence = 0;
  readonly #sources = new EvidenceMap();

  add(record: LogRecord): void {
    this.addEvent(record.value, record.line);
  }

  /** Adds the next event of the log. */
  addEvent(event: JsonObject, line: number): void {
    const { type, sequence } = event;
    const data = isObject(event['data']) ? event['data'] : {};
    this.#events.push(listed(event));
    if (typeof sequence === 'number') this.#sequence = sequence;
    const from = (...paths: string[]) => {
      for (const path of paths) this.#sources.set(path, evidenceOf(event, line));
    };
    if (type === 'workflow.started' && this.#state === undefined) {
      this.#state = emptyState(data, event);
      from('featureId', 'workflowType', 'phase', 'createdAt', 'updatedAt');
    } else if (this.#state !== undefined && replay(this.#state, event, data)) {
      from(
        ...(type === 'workflow.transition'
          ? ['phase', 'updatedAt']
          : type === 'workflow.checkpoint'
            ? ['_checkpoint']
            : ['mergeOrchestrator']),
      );
    }
  }

  result(): Projection {
    // Without a first event, nothing can be rebuilt.
    const value =
      this.#state === undefined
        ? {}
        : { ...this.#state, _eventSequence: this.#sequence, _events: this.#events };
    return { value, evidence: this.#sources, underivable: [] };
  }

  compare(stored: unknown): Comparison {
    const projected = this.result().value;
    return {
      compared: Object.keys(projected),
      differences: differences(projected, stored, [], this.#sources),
      not_compared: [],
      underivable: [],
    };
  }
}

/** The state that the program creates for a type of workflow, saved once more after the replay. */
function emptyState({ featureId, workflowType }: JsonObject, { timestamp = null }: JsonObject): JsonObject {
  const phase = initialPhase(workflowType);
  return {
    version: '1.1',
    featureId: featureId ?? null,
    createdAt: timestamp,
    updatedAt: timestamp,
    artifacts: noArtifacts(),
    tasks: [],
    worktrees: {},
    reviews: {},
    integration: null,
    synthesis: noSynthesis(),
    _version: 2,
    _history: {},
    _checkpoint: {
      timestamp,
      ...(phase !== undefined && { phase }),
      summary: 'Workflow initialized',
      operationsSince: 0,
      fixCycleCount: 0,
      lastActivityTimestamp: timestamp,
      staleAfterMinutes: 120,
    },
    workflowType: workflowType ?? null,
    ...(phase !== undefined && { phase }),
    explore: {},
  };
}

/** Whether the program replays the event. */
function replay(state: JsonObject, { type, timestamp = null }: JsonObject, data: JsonObject): boolean {
  switch (type) {
    case 'workflow.transition':
      if (typeof data['to'] !== 'string') return false;
      state['phase'] = data['to'];
      state['updatedAt'] = timestamp;
      return true;
    case 'workflow.checkpoint':
      if (data['phase'] === undefined || !isObject(state['_checkpoint'])) return false;
      state['_checkpoint'] = {
        ...state['_checkpoint'],
        timestamp,
        phase: data['phase'],
        ...(data['counter'] !== undefined && { operationsSince: data['counter'] }),
        lastActivityTimestamp: timestamp,
      };
      return true;
    case 'merge.preflight':
      if (data['passed'] !== false) return false;
      state['mergeOrchestrator'] = { ...data, phase: 'aborted' };
      return true;
    case 'merge.executed':
      state['mergeOrchestrator'] = { ...data, phase: 'completed' };
      return true;
    case 'merge.rollback':
      state['mergeOrchestrator'] = { ...data, phase: 'rolled-back' };
      return true;
    default:
      return false;
  }
}
