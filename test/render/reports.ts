import type { CatalogueEntry } from '../../src/findings/catalogue-entry.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { proofOf } from '../../src/findings/level.ts';
import {
  assembleReport,
  type EpisodeReport,
  type Stage,
  severityCounts,
  verdictOf,
} from '../../src/findings/report.ts';
import { STAGES } from '../../src/findings/report-words.ts';
import { excerptAt } from './excerpt-at.ts';

export const ROOT = '/home/ada/agents';

const RAN: Stage[] = STAGES.map((name) => ({ name, status: 'ran' }));

export function skipping(reasons: Partial<Record<Stage['name'], string>>): Stage[] {
  return STAGES.map((name) => {
    const reason = reasons[name];
    return reason === undefined ? { name, status: 'ran' } : { name, status: 'skipped', reason };
  });
}

export function episode(id: string, findings: Finding[], more: Partial<EpisodeReport> = {}): EpisodeReport {
  const { sealed = true } = more;
  const seen = new Set(findings.map(({ code }) => code));
  const errors = new Set(findings.flatMap(({ code, severity }) => (severity === 'error' ? [code] : [])));
  const faults = new Set(findings.flatMap(({ code, severity }) => (severity === 'info' ? [] : [code])));
  return {
    episode: id,
    path: `${ROOT}/.noesis/episodes/${id}`,
    dialect: 'noesis',
    verdict: verdictOf(severityCounts({ findings })),
    events: 23,
    bytes: 4567,
    sealed: true,
    ...proofOf({ events: 23, sealed, signed: false, seen, errors, faults }),
    stages: RAN,
    findings,
    ...more,
  };
}

export function report(...episodes: EpisodeReport[]) {
  return assembleReport('1.2.3', episodes);
}

const line = '{"id":"evt_07","phase":"act","payload":{"steps":[1,2,]},"caused_by":"evt_06"}';

export const invalidJson: Finding = {
  code: 'log/invalid-json',
  severity: 'error',
  message: 'expected a value after the comma, found `]`',
  hint: 'noesis salvage ep_01J8ZK2M4Q6S8U0W2Y4A6C8E0G -o DIR keeps every record that is whole',
  file: 'events.jsonl',
  line: 7,
  column: 54,
  byteStart: 1253,
  byteEnd: 1254,
  path: 'payload.steps[2]',
  excerpt: excerptAt(line, 54),
};

const wide = '{"id":"evt_12","payload":{"text":"日本語のテキスト 👍🏽 и\u0306","status":"done"}}';

export const vocabulary: Finding = {
  code: 'event/vocabulary',
  severity: 'warn',
  message:
    'status is a word that is not in its list, so a reader who switches over the documented words drops the step',
  file: 'events.jsonl',
  line: 112,
  column: wide.indexOf('"done"') + 1,
  byteStart: 5000,
  byteEnd: 5006,
  eventId: 'evt_12',
  path: 'payload.status',
  expected: 'one of pending, in_progress, completed, failed, skipped',
  actual: 'done',
  excerpt: excerptAt(wide, wide.indexOf('"done"') + 1),
};

export const hashMismatch: Finding = {
  code: 'manifest/hash-mismatch',
  severity: 'error',
  message: 'events.jsonl is not what was sealed: the bytes on disk are an extension of them',
  hint: 'compare with a backup; append nothing to a sealed episode',
  file: 'manifest.json',
  path: 'files[0].sha256',
  expected: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  actual: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

export const sealMissing: Finding = {
  code: 'seal/missing',
  severity: 'info',
  message: 'neither final.json nor manifest.json',
  file: 'manifest.json',
};

export const unlisted: Finding = {
  code: 'manifest/unlisted-file',
  severity: 'warn',
  message: 'notes.txt is not in the manifest',
  file: 'notes.txt',
};

export const good = episode('ep_01J8ZK2M4Q6S8U0W2Y4A6C8E0A', []);
export const running = episode('ep_01J8ZK2M4Q6S8U0W2Y4A6C8E0B', [sealMissing], {
  sealed: false,
  stages: skipping({ manifest: 'no manifest.json' }),
});
export const doubtful = episode('ep_01J8ZK2M4Q6S8U0W2Y4A6C8E0C', [vocabulary, unlisted]);
export const broken = episode(
  'ep_01J8ZK2M4Q6S8U0W2Y4A6C8E0D',
  [vocabulary, invalidJson, hashMismatch, sealMissing],
  {
    stages: skipping({ lineage: 'the log has damaged lines', projection: 'the log has damaged lines' }),
  },
);

/** One good, one still running, one doubtful, one broken. */
export const mixed = report(good, running, doubtful, broken);

/** A thousand equal findings, followed by a few others. */
export const flood = report(
  episode('ep_flood', [
    ...Array.from({ length: 1000 }, (_, index): Finding => {
      const number = index < 40 ? index + 1 : index * 2;
      return { ...invalidJson, line: number };
    }),
    hashMismatch,
  ]),
);

const POISON =
  '\x1b]0;owned\x07\u202egpj.exe\r\n::error::forged\u2028<script>`|*_[x](http://e.vil)_*&\u{e0041}\ud800 ]]>%0A';

/** Everything that comes from a trace is hostile. */
export const hostile = report(
  episode(
    `ep_${POISON}`,
    [
      {
        code: 'event/payload',
        severity: 'error',
        message: `step ${POISON} has no id`,
        hint: `remove ${POISON}`,
        file: `../../${POISON}`,
        line: 3,
        column: 90,
        byteStart: 200,
        byteEnd: 260,
        eventId: POISON,
        path: `payload.${POISON}`,
        expected: POISON,
        actual: POISON,
        excerpt: excerptAt(`{"id":"${POISON}${POISON}${POISON}"}`, 90),
      },
    ],
    { path: `${ROOT}/${POISON}`, stages: skipping({ state: POISON }) },
  ),
);

export const catalogue: CatalogueEntry[] = [
  'log/invalid-json',
  'event/vocabulary',
  'manifest/hash-mismatch',
].map((code) => ({
  code,
  severity: code === 'event/vocabulary' ? 'warn' : 'error',
  meaning: `What ${code} means.`,
  why: 'Why it matters.',
  example: '{"steps":[1,2,]}',
  fix: 'What to do about it.',
}));
