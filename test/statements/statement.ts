/** A statement of the documents that this project implements, by an id that tests name. */
export interface Statement {
  readonly id: `${'EV' | 'ST' | 'WF' | 'RL' | 'CO'}-${string}`;
  readonly wording: string;
}
