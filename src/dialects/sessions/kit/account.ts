import { defined } from '../../../base/json/defined.ts';
import { formatDuration } from '../../../base/time/duration.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import {
  type Account,
  type AccountStep,
  type CallWait,
  type EndingReason,
  GOING_ON,
  type GrowingFacts,
  reasonText,
  type SubagentUse,
} from '../../kit/account.ts';
import { agentsSection } from '../../kit/agents-section.ts';
import { firstLine, firstLineOfMore } from '../../kit/excerpt.ts';
import { failedCell } from '../../kit/failed-calls.ts';
import { filesSection } from '../../kit/files-section.ts';
import {
  type StateView,
  tableSection,
  type ViewField,
  type ViewSection,
  viewCell,
  viewFields,
} from '../../kit/state-view.ts';
import { statusInWords } from '../../kit/story.ts';
import { tokensText, totalTokens } from '../../kit/tokens.ts';
import { OUTCOME_OF_CALL, outcomeOfProblem, toneOfOutcome } from './outcome.ts';
import {
  callStatusInWords,
  hasOnlyTotals,
  isFailedCall,
  ownCallsOf,
  type SessionCall,
  type SessionDocument,
  type SessionProblem,
  type SessionTurn,
  titleOfAgent,
  toneOfTurn,
} from './session.ts';
import { toolsOf } from './time.ts';
import type { TurnCharges } from './usage.ts';
import { titleOfPrompt } from './words-of-person.ts';

/** At most this many failed calls, problems and open calls of the last turn are reasons for the end. */
const MOST_CALLS = 3;

const nameOf = ({ tool, input }: SessionCall): string =>
  input === '' ? tool : `${tool}: ${firstLine(input)}`;

function failedCall(call: SessionCall): EndingReason {
  const { status, error, exit_code: exitCode, result_line: resultLine, line } = call;
  return {
    kind: status === 'error' ? 'failed call' : status === 'no result' ? status : `${status} call`,
    text: nameOf(call),
    tone: toneOfOutcome(OUTCOME_OF_CALL[status]),
    line,
    resultLine: resultLine === line ? undefined : resultLine,
    facts: [
      ['exit code', exitCode],
      // A person who refuses a call says why. That is no error.
      [status === 'error' ? 'error' : 'reason', error],
    ],
  };
}

const troubleOf = (problem: SessionProblem): EndingReason => ({
  ...problem,
  tone: toneOfOutcome(outcomeOfProblem(problem.kind)),
});

const withdrawn = ({ prompt, line }: SessionTurn): EndingReason => ({
  kind: 'withdrawn',
  text: `taken out of the conversation without an answer: ${titleOfPrompt(prompt)}`,
  tone: 'doubtful',
  line,
});

/** Everything that failed, also in earlier turns, except the reasons for the end. */
function failedBefore({ calls, problems }: SessionDocument, why: readonly EndingReason[]): EndingReason[] {
  const named = new Set(why.map(({ line }) => line));
  return [...calls.filter(isFailedCall).map(failedCall), ...problems.map(troubleOf)]
    .filter(({ line }) => !named.has(line))
    .sort((a, b) => a.line - b.line);
}

/** The line on which a failure was known. */
const knownOn = ({ line, resultLine = line }: EndingReason): number => resultLine;

/**
 * What stopped the last turn. A failure after which the agent made another call or answered ended nothing. Of several
 * failures the last one counts, except that an interruption is less than the call that it interrupted.
 */
function stopOf({ turns, calls, problems, outcome_line: answer = 0 }: SessionDocument): EndingReason[] {
  const from = turns.at(-1)?.line ?? 0;
  const wentOn = Math.max(from, answer, ...calls.slice(-1).map(({ line }) => line));
  const isLast = (reason: EndingReason) => reason.line > from && knownOn(reason) >= wentOn;
  const failed = calls.filter(isFailedCall).map(failedCall).filter(isLast);
  const trouble = problems.map(troubleOf).filter((reason) => isLast(reason) && reason.line >= answer);
  const [lastCall, lastTrouble] = [failed.at(-1), trouble.at(-1)];
  if (lastTrouble === undefined) return lastCall === undefined ? [] : [lastCall];
  const isInterrupted = lastTrouble.tone === 'doubtful' && lastCall !== undefined;
  return isInterrupted ? [{ ...lastTrouble, facts: [['during', lastCall.text]] }] : [lastTrouble];
}

/** The program waits for a person. `since`: when it asked, or empty. */
function asking(since: string): Pick<EndingReason, 'kind' | 'facts'> {
  const at = parseInstant(since);
  if (at === undefined) return { kind: GOING_ON.question };
  const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  return { kind: GOING_ON.question, facts: [['since', `${time} UTC`]] };
}

/** The answer of the last turn. An earlier answer is not the outcome of the session. */
function lastAnswer({ turns, outcome, outcome_line: line = 0 }: SessionDocument): string | undefined {
  return line > (turns.at(-1)?.line ?? 0) ? outcome : undefined;
}

/** The first line of a text, and the whole text if that is longer. */
function beginning(excerpt: string, whole = excerpt): Pick<EndingReason, 'text' | 'fullText'> {
  const text = firstLine(excerpt);
  const fullText = whole.trim();
  return { text, ...(fullText !== text && { fullText }) };
}

/** Why a session ended as it did, or how far it came: the cause first. */
function reasonsOf(document: SessionDocument, whole?: string): EndingReason[] {
  const { turns, calls, outcome_line: line, status } = document;
  const from = turns.at(-1)?.line ?? 0;
  const isWell = toneOfTurn(status) === 'good';
  const open = status === 'open' ? calls.filter((call) => call.line > from && call.status === 'open') : [];
  const answer = lastAnswer(document);
  const last: EndingReason[] =
    answer !== undefined && line !== undefined
      ? [{ kind: 'last answer', ...beginning(answer, whole), tone: 'name', line }]
      : [];
  const [cause] = [
    ...(status === 'withdrawn' ? turns.slice(-1).map(withdrawn) : []),
    // The agent may have gone on after a failure, on a damaged line.
    ...(isWell || status === 'unknown' ? [] : stopOf(document)),
  ];
  const opened = open.slice(-MOST_CALLS).map(
    (call): EndingReason => ({
      ...(call.asked_at === undefined ? { kind: GOING_ON.call } : asking(call.asked_at)),
      text: nameOf(call),
      tone: 'doubtful',
      line: call.line,
    }),
  );
  if (cause !== undefined && status !== 'open') return [cause];
  return [...(cause ? [cause] : []), ...opened, ...last];
}

/** Why a session that did not succeed ended, or what it asks its user, in one line; the same as `show` prints first. */
export function whyNotWell(document: SessionDocument): string | undefined {
  const reasons = reasonsOf(document);
  const question = reasons.find(({ kind }) => kind === GOING_ON.question);
  const cause = question ?? reasons.find((reason) => reason.tone !== 'name');
  return cause && `${cause.kind}: ${reasonText(cause)}`;
}

/** The turns of a session as steps. */
function stepsOf({ turns }: SessionDocument, charges: TurnCharges): AccountStep[] {
  return turns.map(
    ({ line, prompt, calls, failed, status, duration_ms: durationMs, lacks, tokens, ...turn }, index) => ({
      id: String(index + 1),
      status,
      tone: toneOfTurn(status),
      text: titleOfPrompt(prompt),
      calls,
      failed,
      durationMs,
      line,
      ...defined({
        refused: turn.refused,
        interrupted: turn.interrupted,
        no_result: turn.no_result,
        is_unanswered: turn.is_unanswered,
        rolled_back: turn.rolled_back,
        copied: turn.copied,
        charges: charges[index + 1],
        tokens: tokens && totalTokens(tokens),
        lacks,
      }),
    }),
  );
}

/** Tokens by model. They are fields, because fields wrap, while rows of tables are cut. */
function tokensSection({ tokens }: SessionDocument): ViewSection[] {
  const fields = viewFields(
    Object.entries(tokens).map(([model, { responses, ...counts }]) => [
      model,
      [responses === undefined ? '' : `answers ${responses}`, tokensText(counts)]
        .filter((text) => text !== '')
        .join(', '),
    ]),
  );
  return fields.length === 0 ? [] : [{ title: 'Tokens', fields }];
}

/** The subagents that a session started. */
const agentsOf = ({ agents }: SessionDocument): SubagentUse[] =>
  agents.map((agent) => {
    const { id, status, tokens, line } = agent;
    const title = firstLine(titleOfAgent(agent));
    return { id, ...(title !== '' && { title }), ...defined({ status, tokens }), line };
  });

/** Facts that a session contains about itself. */
function aboutSection({ session, title, ...grows }: SessionDocument): ViewSection[] {
  const fields = viewFields([
    ['title', title],
    ...Object.entries(session).map(
      ([name, value]) => [name, typeof value === 'number' ? String(value) : value] as const,
    ),
  ]).concat(fieldsOf(grows));
  return fields.length === 0 ? [] : [{ title: ABOUT, fields }];
}

/** The title of the section about a session. */
const ABOUT = 'Session';

const fieldsOf = ({ models, compactions, links }: GrowingFacts): ViewField[] =>
  viewFields([
    ['models', models],
    ['compactions', compactions === 0 ? undefined : String(compactions)],
    ['links', links],
  ]);

const factsOf = ({ compactions, links }: GrowingFacts): Account['facts'] => ({
  ...(compactions > 0 && { compactions }),
  ...(links.length > 0 && { links }),
});

/** The facts of the first log of a session, with what its further logs add. */
export function joinedFacts(
  { facts, sections = [], grows: own }: Pick<Account, 'facts' | 'sections' | 'grows'>,
  further: readonly Pick<Account, 'grows'>[],
): Pick<Account, 'facts' | 'sections'> {
  const all = [own, ...further.map(({ grows }) => grows)].filter((one) => one !== undefined);
  const grows: GrowingFacts = {
    models: [...new Set(all.flatMap(({ models }) => models))],
    compactions: all.reduce((sum, { compactions }) => sum + compactions, 0),
    links: [...new Set(all.flatMap(({ links }) => links))],
  };
  const fields = fieldsOf(grows);
  const isNew = (field: ViewField) => fields.every(({ label }) => label !== field.label);
  return {
    facts: { ...facts, ...factsOf(grows) },
    sections: sections.map((section) =>
      section.title === ABOUT
        ? { ...section, fields: [...(section.fields ?? []).filter(isNew), ...fields] }
        : section,
    ),
  };
}

/** The first line of a prompt, and whether there is more. */
function taskOf(prompt: string): Pick<Account, 'task' | 'taskIsCut'> {
  const task = firstLine(prompt);
  return { task, ...(task !== prompt.trim() && { taskIsCut: true }) };
}

/** The account of a session. `lastAnswer`: the whole of it. */
export function accountOfSession(
  document: SessionDocument,
  charges: TurnCharges,
  lastAnswer?: string,
): Account {
  const { task, title, status, recorded_tokens, unsure_tokens, session, files } = document;
  const { models, compactions, links } = document;
  const agents = agentsOf(document);
  const { cwd } = session;
  // A session that continues in another log has not ended here.
  const isOver = status === 'unknown' ? undefined : status !== 'open' && status !== 'continued';
  const how = { tone: toneOfTurn(status), isOver };
  const why = reasonsOf(document, lastAnswer);
  const calls = ownCallsOf(document);
  const onTheWay = failedBefore({ ...document, calls }, why);
  const waits = document.calls.flatMap((call): CallWait[] => {
    const { line, result_line = line, status, duration_ms, at_least_ms, at_most_ms, waited_ms } = call;
    const isTimed = at_least_ms === undefined && at_most_ms === undefined;
    const isClock = status !== 'denied' && isTimed && (waited_ms ?? 0) === 0;
    const times = defined({ duration_ms, at_least_ms, at_most_ms, waited_ms });
    return isClock ? [] : [{ line, result_line, ...times }];
  });
  return {
    ...(task !== undefined && taskOf(task)),
    ...(typeof cwd === 'string' && { cwd }),
    status,
    ...how,
    why,
    ...(onTheWay.length > 0 && { onTheWay }),
    steps: stepsOf(document, charges),
    hasTurns: true,
    tools: toolsOf({ calls }),
    ...(waits.length > 0 && { waits }),
    ...defined({ copied: document.copied }),
    ...(recorded_tokens !== undefined && { recorded_tokens }),
    ...(hasOnlyTotals(document) && { tokens_by_turn: false }),
    ...(unsure_tokens !== undefined && { unsure_tokens }),
    ...(agents.length > 0 && { agents }),
    ...(files.length > 0 && { files }),
    facts: {
      ...defined({ title }),
      session,
      ...factsOf(document),
    },
    sections: aboutSection(document),
    grows: { models, compactions, links },
  };
}

/** A projected session for people. */
export function viewOfSession(document: SessionDocument): StateView {
  const { title, task, status, turns, calls } = document;
  const outcome = lastAnswer(document);
  return [
    {
      fields: viewFields([
        ['Title', title],
        ['Task', task === undefined ? undefined : firstLineOfMore(task)],
        ['Status', status, toneOfTurn(status)],
        ['Outcome', outcome === undefined ? undefined : firstLineOfMore(outcome)],
      ]),
    },
    ...aboutSection({ ...document, ...(title !== undefined && { title: '' }) }),
    ...tableSection(
      'Turns',
      ['LINE', 'STATUS', 'CALLS', 'FAILED', 'PROMPT'],
      turns.map((turn) => [
        viewCell(String(turn.line), 'muted'),
        viewCell(statusInWords(turn), toneOfTurn(turn.status)),
        viewCell(String(turn.calls)),
        viewCell(failedCell(turn), 'bad'),
        viewCell(titleOfPrompt(turn.prompt)),
      ]),
    ),
    ...tableSection(
      'Calls',
      ['LINE', 'STATUS', 'TOOK', 'CALL'],
      calls.map((call) => [
        viewCell(String(call.line), 'muted'),
        viewCell(
          callStatusInWords(call.status),
          call.status === 'ok' ? 'good' : call.status === 'error' ? 'bad' : 'doubtful',
        ),
        viewCell(call.duration_ms === undefined ? '' : formatDuration(call.duration_ms), 'muted'),
        viewCell(nameOf(call)),
      ]),
    ),
    ...agentsSection(agentsOf(document)),
    ...filesSection(document.files),
    ...tokensSection(document),
  ];
}
