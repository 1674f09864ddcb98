import type { JsonObject, JsonValue } from '../../json/value.ts';
import { textOf } from '../../json/write.ts';
import type { LedgerEvent } from './read.ts';

const AGENT_NOTES = 8;
const OTHER_NOTES = 5;

/** What an audience sees of a run: the scene and the latest notes. */
export interface Stage {
  readonly seed: string;
  readonly goal: string;
  readonly current_scene: string;
  readonly agent_notes: readonly string[];
  readonly judge_notes: readonly string[];
  readonly user_artifacts: readonly string[];
}

/** Folds the events of one run into its stage (fishbowl.md §8). Keeps the latest notes and no more. */
export class StageFold {
  #seed = '';
  #goal = '';
  #scene = '';
  readonly #agents: string[] = [];
  readonly #judges: string[] = [];
  readonly #users: string[] = [];

  /** Takes in the next event of the run. Whether it changed the scene. */
  add({ kind, actor, payload }: LedgerEvent): boolean {
    switch (kind) {
      case 'run.started':
        return this.#start(payload);
      case 'world.observed':
        return this.#with(payload, 'text', (text) => {
          this.#scene = text;
        });
      case 'agent.spoke':
      case 'agent.thought':
        this.#with(payload, 'text', (text) => note(this.#agents, `${actor}: ${text}`, AGENT_NOTES));
        return false;
      case 'agent.reflected': {
        const text = Object.hasOwn(payload, 'text') ? textOf(payload['text'] as JsonValue) : '';
        note(this.#agents, `${actor} believes: ${text}`, AGENT_NOTES);
        return false;
      }
      case 'judge.verdict':
        this.#with(payload, 'text', (text) => note(this.#judges, text, OTHER_NOTES));
        return false;
      case 'user.injected':
        this.#with(payload, 'text', (text) => note(this.#users, text, OTHER_NOTES));
        return false;
      default:
        // Any other kind that carries a text is shown with its name; run.finished is one of them.
        if (Object.hasOwn(payload, 'text')) {
          note(this.#agents, `${actor} [${kind}]: ${textOf(payload['text'] as JsonValue)}`, AGENT_NOTES);
        }
        return false;
    }
  }

  stage(): Stage {
    return {
      seed: this.#seed,
      goal: this.#goal,
      current_scene: this.#scene,
      agent_notes: [...this.#agents],
      judge_notes: [...this.#judges],
      user_artifacts: [...this.#users],
    };
  }

  #start(payload: JsonObject): boolean {
    const { goal } = payload;
    const started = this.#with(payload, 'seed', (seed) => {
      this.#seed = seed;
      // The engine has a sentence of its own here, until the first world.observed replaces it.
      this.#scene = `The world wakes around: ${seed}`;
    });
    if (goal) this.#goal = textOf(goal);
    return started;
  }

  #with(payload: JsonObject, key: string, use: (text: string) => void): boolean {
    if (Object.hasOwn(payload, key)) {
      use(textOf(payload[key] as JsonValue));
      return true;
    }
    return false;
  }
}

function note(notes: string[], text: string, most: number): void {
  notes.push(text);
  if (notes.length > most) notes.shift();
}
