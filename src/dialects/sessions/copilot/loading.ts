import type { JsonObject } from '../../../base/json/value.ts';
import { objectIn, objectsIn, textIn } from '../../kit/members.ts';
import { contentOf, skippedLine } from '../kit/loading/lines.ts';
import type {
  Entry,
  FileLine,
  Loading,
  LoadingRemark,
  LoadingRules,
  Part,
  Skipped,
  Surroundings,
} from '../kit/loading/model.ts';
import { partOf, textPart } from '../kit/loading/parts.ts';
import { loadingOf } from '../kit/loading/result.ts';
import { rulesFor } from '../kit/loading/versions.ts';
import { sessionAt } from './files.ts';
import { dataOf } from './records.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** The parts of an event. Those of subagents are not part of the conversation. */
export function copilotParts(event: JsonObject, line: number): readonly Part[] {
  const data = dataOf(event);
  if (textIn(event, 'agentId') !== undefined || textIn(data, 'parentToolCallId') !== undefined) return [];
  switch (event['type']) {
    case 'user.message':
      return [textPart('prompt', line, textIn(data, 'content') ?? textIn(data, 'transformedContent') ?? '')];
    case 'assistant.message':
      return [
        textPart('text', line, textIn(data, 'content') ?? ''),
        ...objectsIn(data, 'toolRequests').map((request) =>
          partOf('call', line, '', {
            call: textIn(request, 'toolCallId'),
            words: textIn(request, 'name') ?? '',
          }),
        ),
      ];
    case 'tool.execution_complete':
      return [partOf('result', line, '', { call: textIn(data, 'toolCallId') })];
    default:
      return [];
  }
}

/** Why the program refuses an event, and with it the whole session. */
export function envelopeFault(event: JsonObject): string | undefined {
  if (!UUID.test(textIn(event, 'id') ?? '')) return '`id` must be a UUID string';
  if (!TIME.test(textIn(event, 'timestamp') ?? ''))
    return '`timestamp` must be an ISO 8601 date-time string with a timezone offset';
  return undefined;
}

const looksSaid = (text: string): boolean =>
  /"type"\s*:\s*"(?:user\.message|assistant\.message|tool\.execution_complete)"/.test(text);

function load(lines: Iterable<FileLine>, { path }: Surroundings, wanted: string): Loading {
  const entries: Entry[] = [];
  const skipped: Skipped[] = [];
  const changed: LoadingRemark[] = [];
  const ids = new Map<string, number>();
  let [session, cwd, version]: (string | undefined)[] = [];
  let refusal: LoadingRemark | undefined;
  let count = 0;
  for (const line of lines) {
    const { values, fault, pieces } = contentOf(line, { isStrictUtf8: true, ignoresMark: true });
    if (fault !== undefined) skipped.push(skippedLine(line, fault, looksSaid, pieces));
    for (const event of values) {
      count += 1;
      const why = envelopeFault(event);
      if (why !== undefined)
        refusal ??= {
          line: line.line,
          message: `"Session file is corrupted (line ${line.line}: invalid session event envelope: ${why})"`,
        };
      const data = dataOf(event);
      if (event['type'] === 'session.start') {
        session ??= textIn(data, 'sessionId');
        cwd ??= textIn(objectIn(data, 'context'), 'cwd');
        version = textIn(data, 'copilotVersion') ?? version;
      } else if (count === 1)
        refusal ??= {
          line: line.line,
          message: '"Session file is corrupted or incompatible": it does not begin with session.start',
        };
      version = textIn(data, 'copilotVersion') ?? version;
      const parts = copilotParts(event, line.line);
      const id = textIn(event, 'id') ?? '';
      const before = ids.get(id);
      if (parts.length > 0 && before === undefined) ids.set(id, line.line);
      const isText = parts.some(({ kind, isEmpty }) => (kind === 'text' || kind === 'prompt') && !isEmpty);
      if (before === line.line || before === undefined || !sameText(entries, before, parts) || !isText) {
        if (parts.length > 0) entries.push({ line: line.line, id, time: Number.NaN, parts });
      } else
        changed.push({ line: before, message: `its text is doubled: line ${line.line} is the same record` });
    }
  }
  const isEmpty = count === 0;
  return loadingOf({
    session: session ?? sessionAt(path),
    cwd,
    version,
    rules: rulesFor(copilotLoading.versions, wanted),
    refusal: isEmpty ? { line: 1, message: 'the log has no record' } : refusal,
    leaf: entries.at(-1)?.line,
    reached: entries,
    whole: entries,
    all: entries,
    skipped,
    changed,
    pairs: { open: 'close', orphan: 'drop', repeated: 'rename' },
  });
}

function sameText(entries: readonly Entry[], line: number, parts: readonly Part[]): boolean {
  const before = entries.findLast((entry) => entry.line === line);
  return before?.parts.map(({ key }) => key).join() === parts.map(({ key }) => key).join();
}

/** How Copilot CLI loads a session. */
export const copilotLoading: LoadingRules = {
  program: 'Copilot CLI',
  versions: ['1.0.102'],
  looksSaid,
  load,
};
