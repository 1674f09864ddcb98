import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';

test('show lists the last three problems of a plan in their order', async () => {
  const { stdout } = await runHere(['show', join(SAMPLES, 'coordinator/nested-two-sessions.jsonl'), '-j']);
  const { on_the_way } = JSON.parse(stdout) as { on_the_way: { kind: string; line: number }[] };
  expect(on_the_way.map(({ kind, line }) => `${line} ${kind}`)).toEqual([
    '16 refused',
    '17 environment_verification_failed',
    '21 critic_fail',
    '25 failed',
    '29 auditor_blocked',
    '30 infrastructure_blocked',
    '34 health_audit_fail',
    '46 developer_incomplete',
    '66 auditor_fail',
  ]);
});
