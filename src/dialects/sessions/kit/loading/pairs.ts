import type { LoadingRemark, Part } from './model.ts';

/** What a program does with calls and results that have no counterpart. */
export interface PairRules {
  /** A call without a result: it adds one; it drops the call, unless the conversation ends there; it sends the call. */
  readonly open: 'close' | 'close-at-end' | 'send';
  /** A result without a call before it. */
  readonly orphan: 'drop' | 'send';
  /** A call with an id that came before, and its result. */
  readonly repeated: 'drop' | 'send' | 'rename';
  /** A result that comes before its call. */
  readonly early?: 'send';
  /** A second result for a call: it is sent, and the API refuses it or not; by default it is ignored. */
  readonly second?: 'send' | 'refuse';
  /** What the API says about a result without a call, or a repeated id; undefined if it does not matter. */
  readonly says?: (part: Part, fault: 'orphan' | 'open' | 'repeated' | 'early') => string | undefined;
}

/** What is left of a conversation when calls and results were paired. */
export interface Paired {
  readonly loaded: readonly Part[];
  readonly dropped: readonly LoadingRemark[];
  readonly closed: readonly LoadingRemark[];
  readonly refused: readonly LoadingRemark[];
}

/** Whether the conversation goes on after a part: other calls and results of the same answer do not count. */
const goesOn = ({ kind }: Part) => kind === 'prompt' || kind === 'text' || kind === 'thinking';

/** Pairs the calls of a conversation with their results. */
export function paired(parts: readonly Part[], rules: PairRules): Paired {
  const loaded: Part[] = [];
  const [dropped, closed, refused]: LoadingRemark[][] = [[], [], []];
  const say = (part: Part, fault: Parameters<NonNullable<PairRules['says']>>[1]) => {
    const message = rules.says?.(part, fault);
    if (message !== undefined) refused?.push({ line: part.line, message });
  };
  const results = new Map<string, number>();
  const calls = new Map<string, number>();
  /** Where an id is called again. */
  const again = new Map<string, number>();
  for (const [index, { kind, call }] of parts.entries()) {
    if (call === undefined) continue;
    if (kind === 'call' && calls.has(call) && !again.has(call)) again.set(call, index);
    const places = kind === 'call' ? calls : kind === 'result' ? results : undefined;
    if (places && !places.has(call)) places.set(call, index);
  }
  const lastSaid = parts.findLastIndex(goesOn);
  const [called, answered] = [new Set<string>(), new Set<string>()];
  for (const [index, part] of parts.entries()) {
    const { kind, call, line } = part;
    if (kind === 'call' && call !== undefined) {
      if (called.has(call) && rules.repeated === 'drop') {
        dropped?.push({ line, message: `a second call with the id ${call}` });
        continue;
      }
      if (called.has(call)) say(part, 'repeated');
      called.add(call);
      loaded.push(part);
      if (results.has(call)) continue;
      if (rules.open === 'send') say(part, 'open');
      else if (rules.open === 'close-at-end' && lastSaid > index) {
        loaded.pop();
        dropped?.push({ line, message: `the call ${call} has no result` });
      } else {
        closed?.push({ line, message: `the call ${call} has no result` });
        loaded.push({ kind: 'result', line, call, key: `result:${call}`, words: '', isAdded: true });
      }
      continue;
    }
    if (kind === 'result' && call !== undefined) {
      const isOrphan = !calls.has(call);
      const isEarly = !isOrphan && !called.has(call);
      if (isOrphan && rules.orphan === 'drop') {
        dropped?.push({ line, message: `a result without its call ${call}` });
        continue;
      }
      if (isOrphan) say(part, 'orphan');
      else if (isEarly && rules.early === 'send') say(part, 'early');
      else if (answered.has(call)) {
        const isOfSecondCall = rules.repeated !== 'drop' && index > (again.get(call) ?? parts.length);
        if (isOfSecondCall || rules.second === 'refuse') say(part, 'repeated');
        if (isOfSecondCall || rules.second === 'send') loaded.push(part);
        continue;
      }
      answered.add(call);
    }
    loaded.push(part);
  }
  return { loaded, dropped: dropped ?? [], closed: closed ?? [], refused: refused ?? [] };
}
