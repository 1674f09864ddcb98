import type { Loading, LoadingRemark } from './model.ts';

/** A further log of a session, with its name. */
export interface FurtherLog {
  readonly name: string;
  readonly loading: Loading;
}

/** What is loaded of a session in several logs. The program of such sessions reads one log after the other. */
export const joinedLoadings = (first: Loading, others: readonly FurtherLog[]): Loading =>
  others.reduce(withFurther, first);

function withFurther(before: Loading, { name, loading }: FurtherLog): Loading {
  const of = <Remark extends LoadingRemark>(remark: Remark): Remark => ({
    ...remark,
    message: `in ${name}: ${remark.message}`,
  });
  const after = (count: number, numbers: readonly number[]) => numbers.map((number) => count + number);
  const { turns, prompts } = before;
  return {
    ...before,
    version: loading.version ?? before.version,
    refusal: before.refusal ?? (loading.refusal && of(loading.refusal)),
    refused: [...before.refused, ...loading.refused.map(of)],
    loaded: [...before.loaded, ...loading.loaded],
    of: before.of + loading.of,
    records: before.records + loading.records,
    lost: [...before.lost, ...loading.lost],
    prompts: prompts + loading.prompts,
    loadedPrompts: [...before.loadedPrompts, ...after(prompts, loading.loadedPrompts)],
    turns: {
      of: turns.of + loading.turns.of,
      loaded: [...turns.loaded, ...after(turns.of, loading.turns.loaded)],
      newer: after(turns.of, loading.turns.newer),
    },
    cuts: [...before.cuts, ...loading.cuts.map(of)],
    skipped: [...before.skipped, ...loading.skipped.map(of)],
    dropped: [...before.dropped, ...loading.dropped.map(of)],
    closed: [...before.closed, ...loading.closed.map(of)],
    danger: [...before.danger, ...loading.danger],
    deletes: [...before.deletes, ...loading.deletes],
  };
}
