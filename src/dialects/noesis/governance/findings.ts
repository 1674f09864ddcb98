import type { CatalogueEntry } from '../../../findings/catalogue-entry.ts';

/** Findings about who allowed an action, and whether a veto was obeyed. */
export const GOVERNANCE = [
  {
    code: 'governance/act-after-veto',
    severity: 'error',
    meaning: 'An act carries out an action candidate whose veto was enforced.',
    why: 'Governance refused the action, but it was taken. Either the control has a hole, or the decision in the log is not the real one.',
    example:
      '{"id":"cand-0001","phase":"action_candidate","payload":{"action_candidate_id":"ac-0001","kind":"adapter"}}\n{"id":"gov-0001","caused_by":"cand-0001","phase":"governance","payload":{"decision":"veto","enforced":true,"governance_id":"gov-1","policy_id":"p"}}\n{"id":"act-0001","caused_by":"gov-0001","phase":"act","payload":{"action_candidate_id":"ac-0001","input_excerpt":"rm -rf","outcome":"ok","tool":"shell"}}',
    fix: 'Treat it as an incident: find out what the act changed, and undo it. `noesis events <episode> --chain <act id>` shows the way from the observation to the act. Then find the code path that calls the tool without asking for the decision. A veto with "enforced":false is only an audit, and is not reported.',
  },
  {
    code: 'governance/veto-ignored',
    severity: 'warn',
    meaning: 'A veto was enforced, but the run continued: it was neither vetoed nor paused.',
    why: 'The runtime answers an enforced veto by ending the run as vetoed, or by an interrupt and a checkpoint. A run that ends in another way ignored the veto, or its log hides what stopped it.',
    example:
      '{"id":"gov-0001","phase":"governance","payload":{"decision":"veto","enforced":true,"governance_id":"gov-1","policy_id":"p"}}\n{"id":"end-0001","phase":"terminate","payload":{"status":"ok"}}',
    fix: 'List what came after the decision: `noesis events <episode> --descendants <event id>`. If the run did stop and somebody approved its continuation, the interrupt and the checkpoint are missing from the log. If it did not stop, find the code path that ignores the decision. A decision without `enforced` is reported only if acts follow it and the run succeeds: a writer whose vetoes only audit must write "enforced":false.',
  },
  {
    code: 'governance/unknown-candidate',
    severity: 'error',
    varies: 'warn for a decision with a failure_policy that no action candidate caused.',
    meaning:
      'An act names an action candidate that no earlier event proposed, or a decision has no candidate.',
    why: 'The act refers to a review that is not in the log, so nobody can show that the reviewed action is the one that was taken. Runtimes that write a failure_policy decide about candidates only.',
    example:
      '{"id":"act-0001","phase":"act","payload":{"action_candidate_id":"ac-0009","input_excerpt":"deploy","outcome":"ok","tool":"ci"}}',
    fix: 'List the proposals with `noesis events <episode> --phase action_candidate -j`. The act names payload.action_candidate_id of one of them, not its event id: a mix-up of the two is a bug in the adapter. A proposal after the act means that the review came too late.',
  },
  {
    code: 'governance/candidate',
    severity: 'warn',
    meaning:
      'An action candidate is malformed: its id, its schema version, its state hash or its redaction does not follow the format.',
    why: 'The candidate is what a reviewer saw. If its state hash cannot be read, nobody can check which state the decision was based on.',
    example:
      '"state_hash":"md5:9e107d9d372bb6826bd81d3542a419d6" instead of "sha256:" and 64 lower-case hex digits.',
    fix: 'The finding names the field. Candidates of your own integration must set action_candidate_id, schema_version `action_candidate/1.0.0`, state_hash and redaction; those of the runtime are right, so a malformed one there points at an edited log.',
  },
  {
    code: 'governance/veto-missing',
    severity: 'error',
    meaning:
      'The run ended as vetoed, and the log has no enforced veto: neither a decision nor an intuition that blocks.',
    why: 'Only an enforced veto ends a run like this. The event that stopped it was removed from the log or changed.',
    example:
      '{"id":"gov-0001","phase":"governance","payload":{"decision":"allow","enforced":false,"governance_id":"gov-1","policy_id":"p"}}\n{"id":"end-0001","phase":"terminate","payload":{"status":"vetoed"}}',
    fix: 'Compare the log with a copy: `noesis events <episode> --phase governance -j` shows the decisions that are left. Without a copy, ask the owner of the policy what it decided at that time.',
  },
  {
    code: 'governance/enforcement',
    severity: 'error',
    varies:
      'warn for a decision with a failure_policy and without mode or enforced, and for a directive whose applied contradicts its status; info if applied is null, or if governance blocked a directive and no decision of the run is a veto.',
    meaning: 'The enforcement that a decision states contradicts its mode, or the course of the run.',
    why: '`mode` and `enforced` say whether a decision could stop the run. No id covers them, so anyone who wants to hide a veto changes them first.',
    example:
      '{"id":"gov-0001","phase":"governance","payload":{"decision":"veto","mode":"enforce","enforced":false,"governance_id":"gov-1","policy_id":"p"}}',
    fix: 'Compare the decision with a copy of the log: `noesis events <episode> --phase governance -j`. The runtime enforces a veto in mode enforce, and nothing in mode audit; it does not change the mode during a run; and it interrupts a run only because of an enforced veto.',
  },
  {
    code: 'governance/content-id',
    severity: 'error',
    altered: true,
    varies:
      'info if none of three or more ids fits and the log shows that another program than the runtime made them.',
    meaning: 'A governance_id is not the hash of the decision that it names.',
    why: 'The runtime derives the id from policy, decision, rule, score, message and details. If the id does not match, one of them, or the id, was changed after the event was written.',
    example:
      '{"id":"g-1","phase":"governance","payload":{"governance_id":"gov-59dce51062ffcbc3ec243f81","decision":"allow","policy_id":"policy:demo","score":0.9}}',
    fix: 'Treat the decision as forged until a copy of the log says otherwise: `noesis events <episode> --phase governance -j` shows it as it is now. The finding gives the id that the content would have. Only ids of the form `gov-` and 24 hex digits are recomputed. If none of three or more ids fits, and the log shows that another program wrote it, there is only one note. Such a log has an episode id without a ULID, decisions with another schema_version than 1.1.0, or candidates that name no adapter.',
  },
  {
    code: 'governance/candidate-id',
    severity: 'error',
    altered: true,
    meaning: 'An action_candidate_id is not derived from the candidate that it names.',
    why: 'The runtime derives the id from the whole proposal. If the id does not match, the reviewed proposal is not the one in the log now.',
    example:
      '{"id":"cand-0001","phase":"action_candidate","payload":{"action_candidate_id":"a227ba33-c240-519c-a8e7-9774862b0b0a","kind":"adapter","payload":{"goal":"something else"}}}',
    fix: 'Compare the candidate with a copy of the log, and the acts that name it with what it proposes: `noesis events <episode> --phase action_candidate -j`. Only ids that are UUIDs of version 5 are recomputed, in episodes whose own id is a ULID.',
  },
  {
    code: 'governance/state-hash',
    severity: 'error',
    altered: true,
    meaning:
      'The state_hash of a candidate is not that of the task, the seed, the adapter and the plan before it.',
    why: 'The hash ties a decision to the plan that it was about. If it does not match, the plan, the start of the run or the candidate was changed after the decision.',
    example:
      '{"id":"plan-0001","phase":"plan","payload":{"steps":["act:rotate"],"step_records":[{"id":"step-1","kind":"act","description":"delete"}]}}\n{"id":"cand-0001","phase":"action_candidate","payload":{"kind":"adapter","state_hash":"sha256:8754ccb967381ca98b9967c22ed6f1572d8a012bc43e9b37a7cd03e4805325c3"}}',
    fix: 'Look at the latest plan event before the candidate, and at the start event, and compare them with a copy of the log: one of the three was changed. Candidates of tools, and of a plan without step_records, are not checked.',
  },
  {
    code: 'governance/duplicate-id',
    severity: 'warn',
    meaning:
      'Two governance events share a governance_id, although it is not the hash of one decision that was taken twice.',
    why: 'A report or an approval that cites this id does not say which of the two decisions it means.',
    example:
      '{"id":"g-1","phase":"governance","payload":{"governance_id":"gov-7c1e","decision":"veto","policy_id":"p"}}\n{"id":"g-2","phase":"governance","payload":{"governance_id":"gov-7c1e","decision":"allow","policy_id":"p"}}',
    fix: 'Compare the two decisions: `noesis events <episode> --phase governance -j`. Ids of the runtime are hashes: there a decision that was taken twice has the same id, and is not reported. Other ids must be unique; a writer that does not hash has to number its decisions.',
  },
] as const satisfies readonly CatalogueEntry[];
