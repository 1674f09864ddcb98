import { useMemo, useState } from 'preact/hooks';
import {
  type EpisodeReport,
  filesNotVerified,
  severityCounts,
  type Verdict,
} from '../../../findings/report.ts';
import { plural, tally } from '../../render/tally.ts';
import { extent } from '../../render/words.ts';
import type { ReportDocument } from '../page-data.ts';
import { Fields } from './fields.tsx';
import { Choose, type Option, SearchField } from './filters.tsx';
import { FindingList, linksTo, titleOf } from './findings.tsx';
import type { KeyHelp } from './keys.ts';
import { Shell } from './shell.tsx';
import { Badge, Text, toneOfVerdict } from './text.tsx';

const KEYS: readonly KeyHelp[] = [
  { keys: '/', does: 'search' },
  { keys: '?', does: 'these keys' },
];

/** The number of episodes shown at first, and added on demand. */
const FIRST_EPISODES = 200;

interface Line {
  readonly episode: EpisodeReport;
  readonly view: string | null;
}

/** Entries for files that were not verified are listed, but not counted as episodes. */
const isEpisode = ({ episode }: Line): boolean => filesNotVerified(episode) === 0;

const RANK: Readonly<Record<Verdict, number>> = { fail: 0, warn: 1, ok: 2 };

/** A link to an episode's page, possibly to an event. */
const hrefOf = (view: string, line?: number): string =>
  `${view}${line === undefined ? '' : `#events/${line}`}`;

/** The file name of an episode's log. Its path may be that of the folder. */
const logOf = ({ path }: EpisodeReport): string =>
  /[^/\\]*\.(?:jsonl|json)$/.exec(path)?.[0] ?? 'events.jsonl';

/** The codes of an episode's errors and warnings, in order. */
const seriousCodes = ({ findings }: EpisodeReport): string[] => [
  ...new Set(findings.filter(({ severity }) => severity !== 'info').map(({ code }) => code)),
];

function EpisodeLine({ line: { episode, view }, document: doc }: { line: Line; document: ReportDocument }) {
  const { error, warn, info } = severityCounts(episode);
  const [isOpen, setOpen] = useState(false);
  const found = tally(error, warn, info);
  return (
    <li class={`card episode edge-${toneOfVerdict(episode.verdict)}`}>
      <header>
        {filesNotVerified(episode) > 0 ? (
          <Badge tone="muted">not verified</Badge>
        ) : (
          <Badge tone={toneOfVerdict(episode.verdict)}>{episode.verdict}</Badge>
        )}
        <h3>
          {view === null ? (
            <Text text={episode.episode} />
          ) : (
            <a href={hrefOf(view)}>
              <Text text={episode.episode} />
            </a>
          )}
        </h3>
        {found !== '' && (
          <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {found}
          </button>
        )}
      </header>
      <p class="tone-muted">
        <Text text={episode.path} /> · {episode.dialect}, {extent(episode)}
        {episode.level === undefined ? '' : `: ${episode.notProven}`}
      </p>
      {episode.verdict !== 'ok' && !isOpen && (
        <ul class="codes">
          {seriousCodes(episode).map((code) => {
            const meaning = Object.hasOwn(doc.meanings, code) ? doc.meanings[code] : undefined;
            return (
              <li key={code}>
                <code>{code}</code> {meaning && titleOf(meaning)}
              </li>
            );
          })}
        </ul>
      )}
      {isOpen && (
        <FindingList
          findings={episode.findings}
          meanings={doc.meanings}
          linksOf={(finding) =>
            view === null ? undefined : linksTo(logOf(episode), finding, (line) => hrefOf(view, line))
          }
        />
      )}
    </li>
  );
}

const VERDICTS: readonly Option<Verdict | ''>[] = [
  ['', 'every verdict'],
  ['fail', 'fail'],
  ['warn', 'warn'],
  ['ok', 'ok'],
];

/** The choices for a finding code, with their number over all episodes. */
function codesOf(episodes: readonly EpisodeReport[]): Option<string>[] {
  const counts = new Map<string, number>();
  for (const { findings, omitted = [] } of episodes) {
    for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1);
    for (const { code, count } of omitted) counts.set(code, (counts.get(code) ?? 0) + count);
  }
  const codes = [...counts].sort(([, a], [, b]) => b - a);
  if (codes.length === 0) return [];
  return [['', 'every code'], ...codes.map(([name, count]) => [name, `${name} (${count})`] as const)];
}

/** The page of a verification of many episodes; failed ones come first. */
export function ReportPage({ document: doc }: { document: ReportDocument }) {
  const { report, views } = doc;
  const { summary } = report;
  const [sought, seek] = useState('');
  const [verdict, setVerdict] = useState<Verdict | ''>('');
  const [code, setCode] = useState('');
  const [most, setMost] = useState(FIRST_EPISODES);
  const codes = useMemo(() => codesOf(report.episodes), [report]);
  const lines = useMemo(
    () =>
      report.episodes
        .map((episode, index): Line => ({ episode, view: views[index] ?? null }))
        .sort((a, b) => RANK[a.episode.verdict] - RANK[b.episode.verdict]),
    [report],
  );
  const chosen = lines.filter(
    ({ episode }) =>
      (verdict === '' || episode.verdict === verdict) &&
      (code === '' || episode.findings.some((finding) => finding.code === code)) &&
      `${episode.episode}\n${episode.path}`.toLowerCase().includes(sought.toLowerCase()),
  );
  return (
    <Shell
      head={
        <>
          <h1>Verification</h1>
          <Badge tone={toneOfVerdict(report.verdict)}>{report.verdict}</Badge>
          <span class="tone-muted">
            {plural(summary.episodes, 'run')}, {plural(summary.events, 'event')}
          </span>
        </>
      }
      tabs={[]}
      current=""
      onTab={() => {}}
      keys={KEYS}
      version={doc.version}
    >
      <div class="main">
        <div class="sheet report">
          <h2 class="unseen">Runs</h2>
          {doc.configuration !== undefined && (
            <p class="tone-doubtful">
              <Text text={doc.configuration} />
            </p>
          )}
          <Fields
            inRow
            of={[
              ['Failed', summary.fail, summary.fail > 0 ? 'tone-bad' : ''],
              ['Warned', summary.warn, summary.warn > 0 ? 'tone-doubtful' : ''],
              ['Passed', summary.ok],
              ['Findings', tally(summary.errors, summary.warnings) || 'none'],
            ]}
          />
          <search class="filters">
            <SearchField label="search runs" value={sought} onInput={seek} />
            <Choose label="verdict" value={verdict} options={VERDICTS} onChoose={setVerdict} />
            <Choose label="code" value={code} options={codes} onChoose={setCode} />
            <output>
              {chosen.filter(isEpisode).length} of {lines.filter(isEpisode).length}
            </output>
          </search>
          <ol class="episodes">
            {chosen.slice(0, most).map((line, index) => (
              <EpisodeLine
                key={`${line.episode.path} ${line.episode.episode} ${index}`}
                line={line}
                document={doc}
              />
            ))}
          </ol>
          {chosen.length > most && (
            <button type="button" class="more" onClick={() => setMost(most + FIRST_EPISODES)}>
              {chosen.length - most} more
            </button>
          )}
        </div>
      </div>
    </Shell>
  );
}
