import { Fragment } from 'preact';
import { atLeast } from '../../../base/text/count.ts';
import { formatDuration } from '../../../base/time/duration.ts';
import {
  callsOfTools,
  type EndingReason,
  groupReasons,
  kindInWords,
  type TimeOfRun,
} from '../../../dialects/kit/account.ts';
import { agentsSection } from '../../../dialects/kit/agents-section.ts';
import { failedText, sumOfFailed } from '../../../dialects/kit/failed-calls.ts';
import { filesSection } from '../../../dialects/kit/files-section.ts';
import { costText } from '../../../dialects/kit/prices.ts';
import { type StateView, viewText } from '../../../dialects/kit/state-view.ts';
import { byTurnText, tokensText } from '../../../dialects/kit/tokens.ts';
import {
  lacksText,
  lostText,
  modelText,
  tokensToShow,
  totalText,
} from '../../../dialects/kit/usage-words.ts';
import { failedAmong } from '../../../dialects/sessions/kit/session.ts';
import { lastedMs } from '../../../read/describe/span.ts';
import { whyGoingOn } from '../../render/going-on.ts';
import { plural } from '../../render/tally.ts';
import { timeParts } from '../../render/time-of-run.ts';
import { lostIn, toolsOf } from '../../render/tools-section.ts';
import type { Go } from './address.ts';
import { ContextCurve } from './context-curve.tsx';
import type { Episode } from './episode.ts';
import { type Field, Fields } from './fields.tsx';
import { Sections } from './sections.tsx';
import { Place } from './story-parts.tsx';
import { Subagents } from './subagents.tsx';
import { hrefOfEvent, LongText, momentOf, Text } from './text.tsx';

interface ReasonProps {
  readonly reason: EndingReason;
  /** How often it happened; this is the last time. */
  readonly count: number;
}

function Reason({ reason: { kind, text, tone, line, part, facts = [] }, count }: ReasonProps) {
  const shown = facts
    .map(([label, value]) => [label, viewText(value)] as const)
    .filter(([, value]) => value !== '');
  return (
    <li class={`reason edge-${tone}`}>
      <strong class={`tone-${tone}`}>{kindInWords({ kind })}</strong>{' '}
      <Place line={line} part={part} count={count} />
      <p>
        <LongText text={text} />
      </p>
      {shown.length > 0 && (
        <ul class="facts">
          {shown.map(([label, value]) => (
            <li key={label}>
              <span class="tone-muted">{label}</span> <Text text={value} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** The number of reasons shown; the last ones, because they explain the end. */
const MOST_REASONS = 8;

function Reasons({ reasons }: { reasons: readonly EndingReason[] }) {
  const groups = groupReasons(reasons);
  const left = groups.length - MOST_REASONS;
  return (
    <>
      {left > 0 && (
        <p class="tone-muted">{left} earlier are left out here; the marks at the left lead to them.</p>
      )}
      <ol class="why">
        {groups.slice(-MOST_REASONS).map(({ reason, lines }) => (
          <Reason
            key={JSON.stringify([reason.kind, reason.text, reason.part])}
            reason={reason}
            count={lines.length}
          />
        ))}
      </ol>
    </>
  );
}

/** Where the time went, as a line and a bar, with the slowest calls. */
function TimeOfTheRun({ time, tools }: { time: TimeOfRun; tools: StateView }) {
  if (time.lasted_ms === 0) return null;
  const parts = timeParts(time);
  return (
    <details class="time">
      <summary>
        <span class="time-bar" aria-hidden="true">
          {parts.map(({ key, ms }) => (
            <span key={key} class={`time-${key}`} style={{ flexGrow: ms }} />
          ))}
        </span>
        {parts.map(({ key, name, ms }, at) => (
          <Fragment key={key}>
            {at > 0 && ', '}
            <span class="time-part">
              <span class={`swatch time-${key}`} aria-hidden="true" />
              {`${name} ${formatDuration(ms)}`}
            </span>
          </Fragment>
        ))}
        {time.slowest.length > 0 && <small class="time-more">slowest calls, tools</small>}
      </summary>
      <ol class="slowest">
        {time.slowest.map(({ line, part, tool, input, took_ms: took }) => (
          <li key={`${line} ${part}`}>
            <span class="took">{formatDuration(took)}</span> <Place line={line} part={part} />{' '}
            <strong>{tool}</strong> <Text text={input} most={160} />
          </li>
        ))}
      </ol>
      <Sections view={tools} />
    </details>
  );
}

/** What a damaged log lacks, and what can be believed nevertheless. */
function whatIsMissing({ skipped }: Episode['document']['account']): string {
  const more = (skipped?.count ?? 1) - 1;
  const [also, those] =
    more === 0
      ? ['', 'What was on this line is missing here, and']
      : [
          `${plural(more, 'more line')} ${more === 1 ? 'is' : 'are'} damaged too. `,
          'What was on them is missing here, and',
        ];
  return `${also}${those} numbers may be too low. Everything else is shown as the log has it.`;
}

/** The facts above a story: start, duration, usage, and why the run ended. */
export function StoryHead({ episode, go }: { episode: Episode; go: Go }) {
  const { account: log, story, corruption, bytes, name } = episode.document;
  const { account, usage } = log;
  const { onTheWay = [], agents = [], files = [] } = account ?? {};
  const sections = [...agentsSection(agents), ...filesSection(files), ...(account?.sections ?? [])];
  // The story itself shows how a run ended well.
  const why = account?.tone === 'good' ? [] : (account?.why ?? []);
  const lasted = lastedMs(log, account?.time);
  const inStory = story.turns.flatMap(({ items }) => items.filter((item) => item.kind === 'call'));
  // The tools of a session are those of all its logs, without what was copied from another one.
  const { tools } = account ?? {};
  const calls = tools ? callsOfTools(tools) : inStory.length;
  const lost = lostIn(log);
  const skipped = log.skipped?.count ?? 0;
  const isGoingOn = account?.isOver !== true && !account?.isMany && log.last !== undefined;
  const lastTime = log.end ?? log.start;
  const { lacks } = usage ?? log;
  const tokens = tokensToShow({ ...usage, lacks });
  const facts: readonly Field[] = [
    ['Model', usage && <Text text={modelText(usage.models)} />],
    ['Started', log.start === undefined ? '' : momentOf(log.start)],
    ['Lasted', lasted === undefined ? '' : formatDuration(lasted)],
    [
      'Calls',
      calls === 0
        ? ''
        : [
            atLeast(lost.lines !== undefined, calls),
            failedText(tools ? sumOfFailed(tools) : failedAmong(inStory)),
          ]
            .filter((text) => text !== '')
            .join(', '),
    ],
    [
      'Tokens',
      tokens && `${totalText({ tokens, lacks })}${byTurnText(usage ?? {})}`,
      '',
      tokens && [tokensText(tokens), lacksText(lacks)].filter((text) => text !== '').join('; '),
    ],
    ['Cost', usage?.cost && <Text text={costText(usage.cost)} />],
    [
      'Log',
      [
        `${log.events.toLocaleString('en')} events`,
        skipped === 0 ? '' : plural(skipped, 'damaged line'),
        `${bytes.toLocaleString('en')} bytes`,
      ]
        .filter((text) => text !== '')
        .join(', '),
    ],
    ['Name', <Text text={name} key="name" />],
  ];
  return (
    <div class="story-head">
      {corruption !== undefined && (
        <p class="banner" role="alert">
          <LongText text={corruption} hrefOf={hrefOfEvent} />. {whatIsMissing(log)}
        </p>
      )}
      <Fields inRow of={facts} />
      {account?.time && <TimeOfTheRun time={account.time} tools={toolsOf(account, lostText(lost))} />}
      <ContextCurve episode={episode} go={go} />
      {account?.isMany && <Sections view={sections} />}
      {(why.length > 0 || isGoingOn) && (
        <section class="card">
          <h3>{account?.isOver ? 'Why it ended' : 'So far'}</h3>
          {why.length > 0 && <Reasons reasons={why} />}
          {isGoingOn && (
            <p class="tone-muted">
              {whyGoingOn(account)}
              {lastTime !== undefined && `; its last event is of ${momentOf(lastTime)}`}
            </p>
          )}
        </section>
      )}
      {!account?.isMany && sections.length > 0 && (
        <details>
          <summary>{sections.flatMap(({ title = [] }) => title).join(', ')}</summary>
          <Sections view={sections} />
        </details>
      )}
      {onTheWay.length > 0 && (
        <details>
          <summary>{onTheWay.length} failed or refused on the way</summary>
          <Reasons reasons={onTheWay} />
        </details>
      )}
      <Subagents parts={episode.folded.subagent_runs ?? []} />
    </div>
  );
}
