import { useMemo, useState } from 'preact/hooks';
import { type EpisodeReport, severityCounts, type Verdict } from '../../findings/report.ts';
import { tally } from '../../render/tally.ts';
import type { ReportDocument } from '../document.ts';
import { Fields } from './fields.tsx';
import { FindingList } from './findings.tsx';
import { type KeyHelp, useKeys } from './keys.ts';
import { Shell } from './shell.tsx';
import { Badge, Text, toneOfVerdict } from './text.tsx';

const KEYS: readonly KeyHelp[] = [
  { keys: '/', does: 'search' },
  { keys: '?', does: 'these keys' },
];

/** The number of episodes shown at first, and added each time. */
const FIRST_EPISODES = 200;

interface Line {
  readonly episode: EpisodeReport;
  readonly view: string | null;
}

const RANK: Readonly<Record<Verdict, number>> = { fail: 0, warn: 1, ok: 2 };

/** A link to an episode's page, possibly to an event. */
const hrefOf = (view: string, line?: number): string =>
  `${view}${line === undefined ? '' : `#events/${line}`}`;

/** The codes of an episode that is not ok, in order, without infos. */
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
        <Badge tone={toneOfVerdict(episode.verdict)}>{episode.verdict}</Badge>
        <strong>
          {view === null ? (
            <Text text={episode.episode} />
          ) : (
            <a href={hrefOf(view)}>
              <Text text={episode.episode} />
            </a>
          )}
        </strong>
        {found !== '' && (
          <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {found}
          </button>
        )}
      </header>
      <p class="tone-muted">
        <Text text={episode.path} /> · {episode.dialect}, {episode.events.toLocaleString('en')} events
        {episode.level === undefined ? '' : `, ${episode.level}: ${episode.not_proven}`}
      </p>
      {episode.verdict !== 'ok' && !isOpen && <p class="codes">{seriousCodes(episode).join(', ')}</p>}
      {isOpen && (
        <FindingList
          findings={episode.findings}
          meanings={doc.meanings}
          showOf={({ line }) =>
            view === null || line === undefined ? undefined : () => location.assign(hrefOf(view, line))
          }
        />
      )}
    </li>
  );
}

/** How often each code was found, over all episodes. */
function codesOf(episodes: readonly EpisodeReport[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { findings, omitted = [] } of episodes) {
    for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1);
    for (const { code, count } of omitted) counts.set(code, (counts.get(code) ?? 0) + count);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** The page of a verification of many episodes: those that failed first. */
export function ReportPage({ document: doc }: { document: ReportDocument }) {
  const { report, views } = doc;
  const { summary } = report;
  const [sought, seek] = useState('');
  const [verdict, setVerdict] = useState('');
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
  useKeys({ '/': () => window.document.querySelector<HTMLInputElement>('input[type=search]')?.focus() });
  return (
    <Shell
      head={
        <>
          <h1>Verification</h1>
          <Badge tone={toneOfVerdict(report.verdict)}>{report.verdict}</Badge>
          <span class="tone-muted">
            {summary.episodes.toLocaleString('en')} episodes, {summary.events.toLocaleString('en')} events
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
            <input
              type="search"
              aria-label="search episodes"
              placeholder="Search  /"
              value={sought}
              onInput={({ currentTarget }) => seek(currentTarget.value)}
            />
            <select
              aria-label="verdict"
              value={verdict}
              onChange={({ currentTarget }) => setVerdict(currentTarget.value)}
            >
              <option value="">every verdict</option>
              {(['fail', 'warn', 'ok'] as const).map((word) => (
                <option key={word} value={word}>
                  {word}
                </option>
              ))}
            </select>
            {codes.length > 0 && (
              <select
                aria-label="code"
                value={code}
                onChange={({ currentTarget }) => setCode(currentTarget.value)}
              >
                <option value="">every code</option>
                {codes.map(([name, count]) => (
                  <option key={name} value={name}>
                    {name} ({count})
                  </option>
                ))}
              </select>
            )}
            <output>
              {chosen.length} of {lines.length}
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
