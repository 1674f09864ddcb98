import { textOf } from '../../json/write.ts';
import type { LedgerEvent } from './read.ts';

const MOST = { agent_notes: 8, judge_notes: 5, user_artifacts: 5 };

/** On which list of the stage the text of a kind is noted. */
const NOTED: ReadonlyMap<string, keyof typeof MOST> = new Map([
  ['judge.verdict', 'judge_notes'],
  ['user.injected', 'user_artifacts'],
]);

/** What an audience sees of a run: the scene and the latest notes (fishbowl.md §8). */
export class StageFold {
  readonly #stage = {
    seed: '',
    goal: '',
    current_scene: '',
    agent_notes: [] as string[],
    judge_notes: [] as string[],
    user_artifacts: [] as string[],
  };

  /** Takes in the next event of the run. Whether it changed the scene. */
  add({ kind, actor = '', payload }: LedgerEvent): boolean {
    const { text, seed, goal } = payload;
    if (kind === 'run.started') {
      if (goal) this.#stage.goal = textOf(goal);
      if (seed === undefined) return false;
      this.#stage.seed = textOf(seed);
      // The engine has a sentence of its own here, until the first world.observed replaces it.
      this.#stage.current_scene = `The world wakes around: ${this.#stage.seed}`;
      return true;
    }
    if (kind === 'agent.reflected') {
      this.#note('agent_notes', `${actor} believes: ${text === undefined ? '' : textOf(text)}`);
    } else if (text === undefined) return false;
    else if (kind === 'world.observed') {
      this.#stage.current_scene = textOf(text);
      return true;
    } else {
      // Any other kind that carries a text is shown with its name; run.finished is one of them.
      const list = NOTED.get(kind);
      const isPlain = kind === 'agent.spoke' || kind === 'agent.thought';
      const speaker = `${actor}${isPlain ? '' : ` [${kind}]`}: `;
      this.#note(list ?? 'agent_notes', `${list ? '' : speaker}${textOf(text)}`);
    }
    return false;
  }

  stage() {
    return structuredClone(this.#stage);
  }

  /** Keeps the latest notes and no more. */
  #note(list: keyof typeof MOST, text: string): void {
    const notes = this.#stage[list];
    notes.push(text);
    if (notes.length > MOST[list]) notes.shift();
  }
}
