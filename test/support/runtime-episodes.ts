import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Episodes that the runtime itself wrote; the README there describes each. */
export const RUNTIME_SAMPLES = resolve('test/samples/noesis/runtime');

export interface RealEpisode {
  /** `produced/nan-tag`: the set and the case. */
  readonly name: string;
  readonly id: string;
  readonly dir: string;
  readonly log: string;
  readonly sealed: boolean;
}

/** Every episode of the samples, sorted by name. */
export function realEpisodes(): RealEpisode[] {
  return readdirSync(RUNTIME_SAMPLES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?:^|\/)ep_[^/]+$/.test(path))
    .sort()
    .map((path) => {
      const dir = join(RUNTIME_SAMPLES, path);
      const log = join(dir, 'events.jsonl');
      const sealed = existsSync(join(dir, 'manifest.json'));
      return { name: dirname(path), id: path.slice(dirname(path).length + 1), dir, log, sealed };
    });
}
