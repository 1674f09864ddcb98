import { grouped } from '../../base/text/grouped.ts';
import { FAMILIES, isHard } from '../../findings/catalogue/index.ts';
import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';
import { familyOf } from './stage-of.ts';

const INTRO = `<!-- Written by scripts/make-docs.ts from src/findings/catalogue. Change it there. -->

# Findings

This page lists what \`noesis verify\` reports. Each finding has a code, \`family/name\`, that never changes: new codes
may be added, but none is renamed. \`noesis explain <code>\` prints the same text as this page.

The severity says how serious a finding is:

- **error**: the format forbids it, or the trace can no longer be trusted. Verification fails.
- **warn**: a reason for doubt, often the sign of an older runtime. Fails under \`--strict\` or beyond \`--max-warnings\`.
- **info**: worth knowing, and never a failure.

A team can change the severity of a finding: \`--rule manifest/unlisted-file=error\`, \`--rule 'projection/*=off'\`.
Some findings are hard failures, such as corruption and anything that could not be verified: no rule can lower them.
In the commands below \`<episode>\` is the id or the folder of an episode, and \`<log>\` the path of a log or the id of a
session. \`LINE\` is the line of the finding, and \`byteStart\` its offset, as \`noesis verify -j\` prints it. \`tail -c +N\` counts bytes from 1, so N is byteStart + 1.`;

/** The anchor of a code's section. */
function anchorOf(code: string): string {
  return code.replace('/', '-');
}

function section({ code, severity, varies, meaning, why, example, fix }: CatalogueEntry): string {
  return [
    `<a id="${anchorOf(code)}"></a>`,
    `### ${code}`,
    `**${severity}**${varies === undefined ? '' : `; ${varies}`}${isHard(code) ? ' No rule can lower it.' : ''}`,
    meaning,
    `**Why.** ${why}`,
    `\`\`\`text\n${example}\n\`\`\``,
    `**What to do.** ${fix}`,
  ].join('\n\n');
}

/** Makes docs/findings.md, which lists every finding. */
export function findingsPage(catalogue: readonly CatalogueEntry[]): string {
  const families = [...grouped(catalogue, ({ code }) => familyOf(code))];
  const contents = families.map(([family, entries]) => {
    const links = entries.map(({ code }) => `[${code.slice(family.length + 1)}](#${anchorOf(code)})`);
    return `- [**${family}**](#${family}): ${links.join(' · ')}`;
  });
  const parts = families.map(([family, entries]) => {
    const about = FAMILIES.get(family);
    const title = `## ${family}`;
    const intro = about === undefined ? [] : [`${about.charAt(0).toUpperCase()}${about.slice(1)}.`];
    return [title, ...intro, ...entries.map(section)].join('\n\n');
  });
  return `${[INTRO, '## Contents', contents.join('\n'), ...parts].join('\n\n')}\n`;
}
