import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';

/** Findings for ledgers: cast, verdict, attribution. */
export const FISHBOWL = [
  {
    code: 'event/salvaged',
    severity: 'info',
    meaning:
      'The text of an event was salvaged from an answer of a model that did not have the expected form.',
    why: 'The event has only what could be saved. Other fields that the model was asked for may be missing.',
    example: '"payload":{"text":"The lamp flickers.","_raw_fallback":true}',
    fix: 'Nothing is wrong with the ledger. Many such events in one run point at a model that ignores the expected form, or at an unclear prompt.',
  },
  {
    code: 'event/long-line',
    severity: 'info',
    meaning: 'A line is longer than 64 KiB.',
    why: 'Tools with a line buffer of that size cut the record in two or stop. Pictures and sound that are stored inside an event make such lines.',
    example: 'A `commentary.posted` event whose `audio.src` is a data URI.',
    fix: 'Nothing is wrong with the ledger. Check that its readers accept long lines, or have the writer store media as files.',
  },
  {
    code: 'consistency/actor',
    severity: 'warn',
    meaning: 'The actor of an event is neither in the cast of the run nor one of its standing actors.',
    why: 'No participant has this name, so another program wrote the event, or it was written into the wrong run.',
    example: '"actor":"mallory" in a run whose cast is ann and bob.',
    fix: 'Compare the name with the cast in the `run.started` event. Besides the cast there are the conductor, the visitor and the scenario.',
  },
  {
    code: 'consistency/session',
    severity: 'warn',
    meaning: 'The events of one run name two sessions.',
    why: 'A run belongs to the session that started it. A filter by session shows only a part of this run.',
    example: '"session_id":"sess-1" on line 2 and "session_id":"sess-2" on line 9 of one run.',
    fix: 'Find out whether two clients shared a run. After a restart the engine writes no session; that is not reported.',
  },
  {
    code: 'consistency/winner',
    severity: 'warn',
    varies: 'info for a winner with a lower score than another.',
    meaning:
      'A verdict names a winner who cannot have won: somebody who is neither in the cast nor a team, an agent where teams play, the judge, anyone if `no_contest` says that nobody won, or a winner with a lower score than another.',
    why: 'The win is credited to nobody, or to somebody who did not earn it, and the leaderboard shows that.',
    example: '"payload":{"text":"Green takes it.","winner":"green"} where the teams are red and blue.',
    fix: 'Compare the name with the cast and the teams in the `run.started` event. Case and white space count.',
  },
  {
    code: 'consistency/accused',
    severity: 'warn',
    meaning:
      'A verdict accuses the judge, somebody who is not in the cast, or a member of the team that won, or its `correct` contradicts the teams.',
    why: 'The accused and `correct` make it possible to audit the verdict of a run with teams. One of them was written wrongly, or changed.',
    example: '"accused":"bob","correct":true where the team `spy` is ann alone.',
    fix: 'Compare the accused with the teams in the `run.started` event and with `reveal`.',
  },
  {
    code: 'consistency/attribution',
    severity: 'warn',
    meaning: 'The end of a run gives the credit to somebody else than the last verdict and the cast.',
    why: 'Leaderboards take the models from this event. A wrong one gives a win to a model that did not earn it.',
    example: '"winner":"ann","winning_model":"m2" where the cast binds ann to m1.',
    fix: 'The finding shows the credits that follow from the log. Find out whether the cast was changed during the run, or the event was edited.',
  },
  {
    code: 'consistency/competition',
    severity: 'info',
    varies: 'warn for somebody who is not in the cast.',
    meaning:
      'A competition names somebody who is not in the cast, or a verdict has a winner, an accused or `correct` although the competition of the run has none, or reveals somebody as a member of a team that does not have them.',
    why: 'A win of such a team gives no credit to the stranger. The fields of a verdict depend on the competition: only a competition between teams accuses, and a run without a competition has no winner.',
    example: '"competition":{"kind":"versus","teams":{"spy":["zed"]}} in a run whose cast is ann and bob.',
    fix: 'Compare the names with the cast in the `run.started` event, and the verdict with the kind of its competition.',
  },
  {
    code: 'consistency/reason',
    severity: 'warn',
    varies: 'info for a verdict without that reason, and for an unknown reason.',
    meaning:
      'A run that ended because of a verdict has none, a run with a verdict ended for another reason, or the engine does not have the reason.',
    why: 'Statistics count a run as decided if its reason is `verdict`. Without the verdict nobody can say what was decided.',
    example: '"reason":"verdict" in a run.finished event whose run has no judge.verdict event.',
    fix: 'Look for the verdict: the export may lack events. Nothing is wrong if the budget ran out just before the verdict.',
  },
  {
    code: 'consistency/turns',
    severity: 'info',
    meaning: 'The number of turns at the end of a run is not the turn of its last event.',
    why: 'The engine counts ticks, and a forced verdict or a poke is not a tick. So the number can differ from the length of the run by a few turns.',
    example: '"turns":2 in a `run.finished` event at turn 3.',
    fix: 'Nothing is wrong with the ledger. Use the turns of the events if the length of a run matters.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof FISHBOWL)[number]['code'], unknown> {}
}
