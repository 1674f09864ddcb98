import { STAGES, type Stage, type StageName } from './report.ts';

/** Why a stage was skipped that has nothing to say of logs of this dialect. */
export const DOES_NOT_APPLY = 'does not apply';

/** Which stages of a verification ran. */
export class StageList {
  readonly #stages = new Map<StageName, Stage>();

  ran(name: StageName): void {
    this.#stages.set(name, { name, status: 'ran' });
  }

  skip(name: StageName, reason: string): void {
    this.#stages.set(name, { name, status: 'skipped', reason });
  }

  /** A stage that ran, but could not say all it otherwise says. */
  ranOrPartly(name: StageName, reason: string | undefined): void {
    this.#stages.set(name, { name, status: 'ran', ...(reason !== undefined && { reason }) });
  }

  /** All stages in their order; those nobody spoke of do not apply. */
  list(): Stage[] {
    return STAGES.map(
      (name) => this.#stages.get(name) ?? { name, status: 'skipped', reason: DOES_NOT_APPLY },
    );
  }
}
