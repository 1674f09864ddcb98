import { grouped } from '../../../base/text/grouped.ts';
import { notCompared, severityCounts } from '../../../findings/report.ts';
import { DOES_NOT_APPLY } from '../../../findings/report-words.ts';
import { tally } from '../../render/tally.ts';
import type { PageVerdict } from '../page-data.ts';
import type { ViewProps } from './events-view.tsx';
import { FindingList, linksTo } from './findings.tsx';
import { Badge, hrefOfEvent, LongText, toneOfVerdict } from './text.tsx';

/** The stages that concern this log. Those with one status and one reason are together. */
function Stages({ stages }: Pick<PageVerdict, 'stages'>) {
  const concerned = stages.filter(({ reason }) => reason !== DOES_NOT_APPLY);
  const groups = [...grouped(concerned, ({ status, reason = '' }) => `${status} ${reason}`).values()];
  return (
    <ul class="stages">
      {groups.map((group) => {
        const [{ status, reason } = { status: 'ran', reason: undefined }] = group;
        const names = group.map(({ name }) => name).join(', ');
        return (
          <li key={names} class={status === 'ran' ? '' : 'tone-muted'}>
            {status === 'ran' ? '✓ checked:' : '– not checked:'} {names}
            {reason !== undefined && <small> {reason}</small>}
          </li>
        );
      })}
    </ul>
  );
}

/** The findings, each with a link to its event. */
export function FindingsView({
  episode,
  verification,
}: Pick<ViewProps, 'episode'> & { verification: PageVerdict }) {
  const { findings, omitted, proof, stages, verdict } = verification;
  const { error, warn, info } = severityCounts(verification);
  return (
    <div class="sheet findings">
      <section class="card">
        <h3>
          Verification: <Badge tone={toneOfVerdict(verdict)}>{verdict}</Badge> {tally(error, warn, info)}
        </h3>
        {proof !== undefined && <p>{proof}</p>}
        <Stages stages={stages} />
        {notCompared(verification).map((text) => (
          <p key={text} class="tone-muted">
            Not compared: <LongText text={text.replace(/^not compared with the log: /, '')} />
          </p>
        ))}
        {omitted.map(({ code, severity, count }) => (
          <p key={`${code} ${severity}`} class="tone-muted">
            and {count} more of {code}
          </p>
        ))}
      </section>
      {findings.length === 0 && <p class="nothing">No findings.</p>}
      <FindingList
        findings={findings}
        meanings={episode.document.meanings}
        linksOf={(finding) => {
          const row = episode.rowOfFinding(finding);
          const links = linksTo(episode.document.file, finding, hrefOfEvent);
          return row < 0 ? links : { ...links, href: hrefOfEvent(episode.table.line[row] ?? 0) };
        }}
      />
    </div>
  );
}
