// Writes the generated part of examples/: the same bytes every time.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { damages } from '../test/support/simulator/damage.ts';
import { type EpisodeShape, simulateEpisode, writeEpisode } from '../test/support/simulator/episode.ts';
import { makeDialectExamples } from './make-dialect-examples.ts';

const secret = 'example-secret-not-for-production';

const good: EpisodeShape = {
  seed: 11,
  startedAt: '2026-03-02T09:00:00Z',
  task: 'Prepare the release notes for café 2.4 → staging',
  unicode: false,
  slow: true,
  acts: 5,
  governed: 'allow',
  governedEach: true,
  learnProposals: 1,
};

const signed: EpisodeShape = {
  seed: 12,
  startedAt: '2026-03-02T10:00:00Z',
  task: 'Rotate the staging certificates',
  slow: true,
  acts: 3,
  plans: 2,
  direction: true,
  prompts: true,
  verification: 'passed',
  signature: { alg: 'HS256', kid: 'ops-1', secret },
};

const legacy: EpisodeShape = {
  seed: 16,
  startedAt: '2025-11-11T02:19:15Z',
  task: 'Smoke test of an older runtime',
  unicode: false,
  slow: true,
  legacy: true,
};

/** Those in which a verification finds nothing wrong and nothing to doubt. */
const episodes: EpisodeShape[] = [
  good,
  {
    seed: 13,
    startedAt: '2026-03-02T11:00:00Z',
    task: 'Deploy billing to production',
    unicode: false,
    slow: true,
    governed: 'veto-enforced',
    acts: 0,
    ending: 'paused',
    checkpointAgain: true,
  },
  {
    seed: 14,
    startedAt: '2026-03-02T12:00:00Z',
    task: 'Migrate the orders table',
    unicode: false,
    slow: true,
    acts: 6,
    plans: 2,
    direction: true,
    failures: true,
    resumed: 'in-process',
  },
  {
    seed: 15,
    startedAt: '2026-03-02T13:00:00Z',
    task: 'Delete the production database',
    unicode: false,
    slow: true,
    acts: 1,
    governedEach: true,
    direction: true,
    ending: 'vetoed',
  },
];

for (const folder of ['.noesis', 'signed', 'legacy', 'damaged', 'keys']) {
  rmSync(join('examples', folder), { recursive: true, force: true });
}
for (const shape of episodes) writeEpisode('examples/.noesis/episodes', simulateEpisode(shape));
writeEpisode('examples/signed', simulateEpisode(signed));
writeEpisode('examples/legacy', simulateEpisode(legacy));
for (const [name, damage] of Object.entries(damages)) {
  writeEpisode(join('examples/damaged', name), damage(simulateEpisode(good)));
}
mkdirSync('examples/keys', { recursive: true });
writeFileSync('examples/keys/ops-1.key', `${secret}\n`);
makeDialectExamples('examples/other-dialects');
