import type { EventCheck, EventReporter } from '../../findings/check.ts';
import { LifecycleCheck } from './checkpoint/lifecycle.ts';
import { EnvelopeCheck } from './event/envelope.ts';
import { OrderCheck } from './event/order.ts';
import { PayloadCheck } from './event/payload-check.ts';
import { AgreementCheck } from './event/repeated-values.ts';
import { TimeCheck } from './event/time.ts';
import { GovernanceCheck } from './governance/candidates.ts';
import { ContentIdCheck } from './governance/content-ids.ts';
import { EnforcementCheck } from './governance/enforcement.ts';
import { LineageCheck } from './lineage/causes.ts';
import { ReferenceCheck } from './lineage/references.ts';

/** The rules for the events of a log: `verify` reports what they find, and `append` refuses an event because of it. */
export interface EventRules {
  readonly checks: readonly EventCheck[];
  readonly lineage: LineageCheck;
  readonly references: ReferenceCheck;
  readonly contentIds: ContentIdCheck;
}

/** `hasFinal`: whether the episode has a final.json. */
export function eventRules(report: EventReporter, hasFinal: boolean): EventRules {
  const lineage = new LineageCheck(report);
  const references = new ReferenceCheck(report);
  const contentIds = new ContentIdCheck(report);
  const checks = [
    new EnvelopeCheck(report),
    new PayloadCheck(report),
    new TimeCheck(report),
    new AgreementCheck(report),
    lineage,
    references,
    references.origins,
    new OrderCheck(report, hasFinal),
    new LifecycleCheck(report),
    new GovernanceCheck(report),
    new EnforcementCheck(report),
    contentIds,
  ];
  return { checks, lineage, references, contentIds };
}
