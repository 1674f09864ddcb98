import { isObject } from '../../../base/json/value.ts';
import type { Comparison } from '../../../findings/projection/projector.ts';
import { compareExperts } from './experts.ts';
import { compareQuestions } from './guidance.ts';
import type { LogFacts } from './log-facts.ts';
import { compareInfrastructure, compareSession, compareUsage } from './sessions.ts';
import { StateParts } from './state-parts.ts';
import { compareExpansions, compareTasks } from './tasks.ts';

/**
 * Compares a state file with the log. The file is saved before its event is logged, and not after each event
 * (coordinator.md §8), so later changes are not compared.
 */
export function compareWithState(facts: LogFacts, stored: unknown): Comparison {
  const parts = new StateParts(isObject(stored) ? stored : {}, facts);
  compareSession(parts, facts);
  compareTasks(parts, facts);
  compareInfrastructure(parts, facts);
  compareExperts(parts, facts);
  compareQuestions(parts, facts);
  compareExpansions(parts, facts);
  compareUsage(parts, facts);
  return parts.found.result();
}
