import { defined } from '../../base/json/defined.ts';
import { atLeast, countText } from '../../base/text/count.ts';
import { listed } from '../../base/text/listed.ts';
import { type Lacks, NO_TOKENS, type Tokens, totalTokens } from './tokens.ts';
import { namedModels, type PartUsage, type RunUsage } from './usage.ts';

// The words for the usage of runs, for all commands and the page.

/** The most used model, and how many more there are; empty if none is known. */
export const modelText = (models: Readonly<Record<string, unknown>> = {}): string =>
  listed(namedModels(models), 1);

/**
 * `without 1 or more requests whose tokens are not in the log`: what a count of tokens lacks; empty if that is nothing. A record of a
 * compaction does not say how many requests were made for it, and another try of a request has no record.
 */
export function lacksText({ requests = 0, answers = 0, subagents = 0, ...lost }: Lacks = {}): string {
  const parts = [
    requests === 0 ? '' : `${countText(requests)} or more requests whose tokens are not in the log`,
    answers === 0 ? '' : `some tokens of ${countText(answers)} ${answers === 1 ? 'answer' : 'answers'}`,
    subagents === 0
      ? ''
      : `${countText(subagents)} ${subagents === 1 ? 'subagent whose log is' : 'subagents whose logs are'} missing`,
    ...lostTexts(lost),
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `without ${parts.join(', ')}`;
}

/** What may have had calls too. */
type LostParts = Pick<Lacks, 'logs' | 'lines' | 'records'>;

/** `1 damaged line`: what of a log could not be read. */
export const lostTexts = ({ logs = 0, lines = 0, records = 0 }: LostParts): string[] => [
  ...(logs === 0 ? [] : [`the records before ${countText(logs)} further ${logs === 1 ? 'log' : 'logs'}`]),
  ...(lines === 0 ? [] : [`${countText(lines)} damaged ${lines === 1 ? 'line' : 'lines'}`]),
  ...(records === 0 ? [] : [`${countText(records)} missing ${records === 1 ? 'record' : 'records'}`]),
];

/** `without 1 damaged line`: why a count of calls is a minimum; empty if the whole log was read. */
export function lostText({ logs, lines, records }: Lacks = {}): string {
  const texts = lostTexts(defined({ logs, lines, records }));
  return texts.length === 0 ? '' : `without ${texts.join(', ')}`;
}

/** Whether a count of calls is a minimum. */
export const lacksCalls = (lacks: Lacks | undefined): boolean => lostText(lacks) !== '';

/** Tokens to show: a log may lack all of them. Undefined if the log shows no use of a model. */
export const tokensToShow = ({
  tokens,
  lacks,
}: {
  readonly tokens?: Tokens | undefined;
  readonly lacks?: Lacks | undefined;
}): Tokens | undefined => tokens ?? (lacks?.requests === undefined ? undefined : NO_TOKENS);

/** The total of tokens: `at least 7,635` if the log does not have all of them, `unknown` if it has none of them. */
export const totalText = ({
  tokens,
  lacks,
}: {
  readonly tokens: Tokens;
  readonly lacks?: Lacks | undefined;
}): string =>
  lacks !== undefined && totalTokens(tokens) === 0
    ? 'unknown'
    : atLeast(lacks !== undefined, countText(totalTokens(tokens)));

/** What a total includes, after it: `, 60 of them in 1 log of a subagent`. */
export function belowText({ subagents, parts }: Pick<RunUsage, 'subagents' | 'parts'>): string {
  const text = (used: PartUsage | undefined, one: string, many: string) => {
    if (used === undefined) return '';
    const where = used.logs === 1 ? `1 ${one}` : `${used.logs} ${many}`;
    return `, ${totalText(used)} of them in ${where}`;
  };
  return `${text(subagents, 'log of a subagent', 'logs of subagents')}${text(parts, 'further log', 'further logs')}`;
}
