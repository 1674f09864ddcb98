import type { LogAccount } from '../../describe/account-of-log.ts';
import type { AccountStep, EndingReason } from '../../dialects/account.ts';
import { viewText } from '../../dialects/state-view.ts';
import { notCompared, severityCounts } from '../../findings/report.ts';
import { formatDuration } from '../../render/duration.ts';
import { tally } from '../../render/tally.ts';
import type { PageVerdict } from '../document.ts';
import type { ViewProps } from './events-view.tsx';
import type { Go } from './place.ts';
import { Sections } from './sections.tsx';
import { Badge, LongText, momentOf, Text, toneOfVerdict } from './text.tsx';

/** So many steps are shown, as many in a fold. */
const MOST_STEPS = 200;

const LineLink = ({ line, go }: { line: number; go: Go }) => (
  <button type="button" class="link" onClick={() => go({ view: 'events', line })}>
    line {line}
  </button>
);

function Reason({ reason: { kind, text, tone, line, facts = [] }, go }: { reason: EndingReason; go: Go }) {
  const told = facts
    .map(([label, value]) => [label, viewText(value)] as const)
    .filter(([, value]) => value !== '');
  return (
    <li class={`reason edge-${tone}`}>
      <header>
        <strong class={`tone-${tone}`}>{kind}</strong> <LineLink line={line} go={go} />
      </header>
      <p>
        <LongText text={text} />
      </p>
      {told.length > 0 && (
        <ul class="facts">
          {told.map(([label, value]) => (
            <li key={label}>
              <span class="tone-muted">{label}</span> <Text text={value} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Reasons({ title, reasons, go }: { title: string; reasons: readonly EndingReason[]; go: Go }) {
  if (reasons.length === 0) return null;
  return (
    <section class="card">
      <h3>{title}</h3>
      <ol class="why">
        {reasons.map((reason) => (
          <Reason key={`${reason.line} ${reason.kind}`} reason={reason} go={go} />
        ))}
      </ol>
    </section>
  );
}

function Steps({ steps, go }: { steps: readonly AccountStep[]; go: Go }) {
  const longest = Math.max(0, ...steps.slice(0, MOST_STEPS).map(({ durationMs = 0 }) => durationMs));
  return (
    <section class="card">
      <h3>Steps</h3>
      <ol class="steps">
        {steps.slice(0, MOST_STEPS).map(({ id, status, tone, text, durationMs, line }, index) => (
          <li key={index}>
            <span class="id">
              <Text text={id} most={40} />
            </span>
            <Badge tone={tone}>
              <Text text={status} most={30} />
            </Badge>
            <span class="what">
              <Text text={text} />
            </span>
            <span class="took">{durationMs === undefined ? '' : formatDuration(durationMs)}</span>
            <span class="bar">
              <i style={{ width: `${longest === 0 ? 0 : ((durationMs ?? 0) / longest) * 100}%` }} />
            </span>
            <span class="at">{line !== undefined && <LineLink line={line} go={go} />}</span>
          </li>
        ))}
      </ol>
      {steps.length > MOST_STEPS && <p class="tone-muted">and {steps.length - MOST_STEPS} more</p>}
    </section>
  );
}

/** So many kinds of events are shown. */
const MOST_KINDS = 24;

function Counts({ counts, slowest, go }: Pick<LogAccount, 'counts' | 'slowest'> & { go: Go }) {
  const most = counts[0]?.[1] ?? 1;
  return (
    <div class="columns">
      <section class="card">
        <h3>Events</h3>
        <ul class="counts">
          {counts.slice(0, MOST_KINDS).map(([name, count]) => (
            <li key={name}>
              <span>
                <Text text={name} most={60} />
              </span>
              <span class="bar">
                <i style={{ width: `${(count / most) * 100}%` }} />
              </span>
              <span class="number">{count.toLocaleString('en')}</span>
            </li>
          ))}
        </ul>
        {counts.length > MOST_KINDS && <p class="tone-muted">and {counts.length - MOST_KINDS} more kinds</p>}
      </section>
      {slowest.length > 0 && (
        <section class="card">
          <h3>Took longest</h3>
          <ul class="slowest">
            {slowest.map(({ line, name, durationMs }) => (
              <li key={line}>
                <span class="number">{formatDuration(durationMs)}</span>
                <span>
                  <Text text={name} most={80} />
                </span>
                <LineLink line={line} go={go} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Verification({ verification, go }: { verification: PageVerdict; go: Go }) {
  const { error, warn, info } = severityCounts(verification);
  const found = tally(error, warn, info);
  return (
    <>
      <Badge tone={toneOfVerdict(verification.verdict)}>{verification.verdict}</Badge>{' '}
      {found !== '' && (
        <button type="button" class="link" onClick={() => go({ view: 'findings' })}>
          {found}
        </button>
      )}
    </>
  );
}

/** What was asked, how it ended and why, its steps, what took longest, and whether one can trust it. */
export function Overview({ episode, go }: Omit<ViewProps, 'row'>) {
  const { account: told, corruption, verification, bytes, format } = episode.document;
  const account = told?.account;
  const lasted =
    told?.start === undefined || told.end === undefined ? undefined : formatDuration(told.end - told.start);
  return (
    <div class="overview">
      {corruption !== undefined && (
        <p class="banner" role="alert">
          <LongText text={corruption} /> What is shown is what was stored, and must not be relied on.
        </p>
      )}
      {account?.task !== undefined && (
        <p class="task">
          <LongText text={account.task} />
        </p>
      )}
      <dl class="facts-row">
        {account !== undefined && (
          <div>
            <dt>Status</dt>
            <dd>
              <Badge tone={account.tone}>
                <Text text={account.status} most={40} />
              </Badge>
            </dd>
          </div>
        )}
        <div>
          <dt>Integrity</dt>
          <dd>{verification ? <Verification verification={verification} go={go} /> : 'not asked'}</dd>
        </div>
        {verification && notCompared(verification).length > 0 && (
          <div>
            <dt>State</dt>
            <dd>
              <LongText text={notCompared(verification).join('; ')} />
            </dd>
          </div>
        )}
        {told?.start !== undefined && (
          <div>
            <dt>Started</dt>
            <dd>{momentOf(told.start)}</dd>
          </div>
        )}
        {lasted !== undefined && (
          <div>
            <dt>Lasted</dt>
            <dd>{lasted}</dd>
          </div>
        )}
        <div>
          <dt>Events</dt>
          <dd>{episode.count.toLocaleString('en')}</dd>
        </div>
        <div>
          <dt>Log</dt>
          <dd>
            {bytes.toLocaleString('en')} bytes, {format}
          </dd>
        </div>
      </dl>
      {account !== undefined && (
        <Reasons title={account.isOver ? 'Why it ended so' : 'So far'} reasons={account.why} go={go} />
      )}
      <Reasons title="On the way" reasons={account?.onTheWay ?? []} go={go} />
      {account !== undefined && account.steps.length > 0 && <Steps steps={account.steps} go={go} />}
      <Sections view={account?.sections ?? []} />
      {told !== undefined && <Counts counts={told.counts} slowest={told.slowest} go={go} />}
    </div>
  );
}
