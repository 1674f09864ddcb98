// Writes the generated part of examples/. The bytes are the same every time.
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
  script: {
    advice: ['Ask which changes users can see', 'hint'],
    lesson: 'unlabelled pull requests took longest',
    plans: [
      {
        why: 'collect, write, check, publish',
        steps: [
          ['detect', 'List the pull requests merged since 2.3'],
          ['analyze', 'Sort them into added, changed and fixed'],
          ['act', 'Write the notes and the upgrade steps'],
          ['verify', 'Follow every link in the notes'],
          ['act', 'Publish the notes to staging'],
        ],
      },
    ],
  },
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
  script: {
    advice: ['One host at a time → no downtime', 'hint'],
    lesson: 'the host in 日本 needed a restart 🚀',
    plans: [
      { why: 'one host before the others', steps: [['act', 'Install the new certificate on café-1']] },
      {
        why: 'café-1 answers → the others, 日本 last',
        steps: [
          ['act', 'Install it on the others,\u2028one host at a time 🚀'],
          ['verify', 'Compare the chain that each host shows (\u{e000})'],
        ],
      },
    ],
  },
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
  script: {
    advice: ['Keep it short', 'hint'],
    lesson: 'nothing new',
    plans: [
      {
        why: 'three calls that touch every part',
        steps: [
          ['detect', 'Read the configuration'],
          ['act', 'Write a file'],
          ['verify', 'Read the file again and compare'],
        ],
      },
    ],
  },
  unicode: false,
  slow: true,
  legacy: true,
};

/** Episodes without errors and warnings. */
const episodes: EpisodeShape[] = [
  good,
  {
    seed: 13,
    startedAt: '2026-03-02T11:00:00Z',
    task: 'Deploy billing to production',
    script: {
      advice: ['A deployment in office hours needs an approval', 'hint'],
      lesson: 'ask for the approval first',
      plans: [
        {
          why: 'one host first, then all',
          steps: [
            ['verify', 'Check that the build of billing 7.2 passed'],
            ['act', 'Deploy to one host'],
            ['review', 'Compare error rates for ten minutes'],
            ['act', 'Deploy to all hosts'],
          ],
        },
      ],
    },
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
    script: {
      advice: ['The table has 41 million rows', 'hint'],
      lesson: 'one transaction holds the lock for too long',
      plans: [
        { why: 'the shortest way', steps: [['act', 'Copy all rows in one statement']] },
        {
          why: 'month by month, so that the shop can write meanwhile',
          steps: [
            ['act', 'Copy January in batches of 10,000 rows'],
            ['verify', 'Compare counts and checksums of January'],
            ['act', 'Copy the other months in batches'],
            ['verify', 'Compare all counts and checksums'],
            ['act', 'Let the shop read from the new table'],
          ],
        },
      ],
    },
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
    script: {
      advice: ['This cannot be undone: ask a person first', 'intervention'],
      lesson: 'ask before anything is deleted',
      plans: [
        {
          why: 'nobody may use it any more',
          steps: [
            ['verify', 'Find services that still connect'],
            ['act', 'Drop the database'],
          ],
        },
      ],
    },
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
