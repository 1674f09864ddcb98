const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const MARKUP = '</script><img src=x onerror="alert(1)"><svg onload=alert(2)><!--';
export const LINK = 'javascript:alert(3)';
export const REVERSED = 'safe\u202etxt.exe';
/** In characters: more than a page should show at first. */
export const LONG = 10_000_000;

/** The events of a run that says what would harm a page, a terminal or a reader, in every place where a text can be. */
export function hostileLog(): string {
  const event = (number: number, phase: string, payload: object, more: object = {}) => ({
    id: id(number),
    episode_id: MARKUP,
    timestamp: new Date(Date.parse('2026-03-02T09:00:00Z') + number * 1000).toISOString(),
    phase,
    agent_id: MARKUP,
    payload,
    evidence_ids: [],
    caused_by: number > 1 ? id(number - 1) : null,
    ...more,
  });
  const steps = [
    { id: MARKUP, kind: 'act', description: LINK, status: 'pending', ['x-__proto__']: { a: REVERSED } },
    { id: '__proto__', kind: 'act', description: REVERSED, status: 'pending' },
  ];
  const events = [
    event(1, 'start', { task: `${MARKUP} ${LINK} ${REVERSED}` }),
    event(2, 'plan', { step_records: steps, rationale: '\u0000\u001b[31m\u2028\u2029\ufeff' }),
    event(3, 'act', {
      action_id: MARKUP,
      tool: LINK,
      outcome: 'error',
      error: MARKUP,
      input_excerpt: 'x'.repeat(LONG),
    }),
    event(4, MARKUP, { [MARKUP]: LINK, constructor: 1, toString: 2, links: { href: LINK } }),
    event(5, 'terminate', { status: MARKUP, message: `${REVERSED} ${MARKUP}` }, { caused_by: MARKUP }),
  ];
  const lines = events.map((one) => JSON.stringify(one));
  // Half a surrogate pair, a key with the name of the prototype, and numbers that do not fit a double.
  lines.push(
    `{"id":"${id(6)}","episode_id":"x","phase":"act","payload":{"action_id":"a\\ud800","__proto__":{"pwned":true},"x-n":1e400,"x-m":12345678901234567890}}`,
  );
  return `${lines.join('\n')}\n`;
}
