import { interleave } from '../measure/rounds.ts';
import { atMostTimes, nodeAlone, noesis, type Row } from './row.ts';

/** Completion at a prompt: an answer within 100 ms, of which Node alone takes 40. */
export const completeRow: Row = {
  name: 'complete',
  title: 'completion under a root with 2,000 episodes, whole processes',
  run(bench) {
    const { root, count } = bench.store.rootOfEpisodes();
    const { startRounds: rounds, warmUp } = bench.options;
    const tab = (what: string, ...words: string[]) =>
      noesis(bench, ['__complete', '--root', root, ...words], what);
    const tabs = [
      tab('ids', 'show', 'ep_'),
      tab('phases', 'events', 'latest', '--phase', ''),
      tab('types', 'events', 'latest', '--type', ''),
      tab('statuses', 'list', '--status', ''),
      tab('codes', 'explain', 'log/'),
    ];
    const timings = interleave([nodeAlone, ...tabs], { rounds, warmUp });
    return {
      data: `a root with ${count} sealed episodes of 20 events`,
      timings,
      goals: tabs.flatMap(({ name }) => atMostTimes(timings, name, nodeAlone.name, 2.5)),
      notes: [],
    };
  },
};
