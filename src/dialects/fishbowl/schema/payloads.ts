import * as z from 'zod';
import { fieldsOf } from '../../../log/schema/fields.ts';
import type { EventTypeEntry } from '../../kit/record-view.ts';

const text = z.string();
const optionalText = z.string().nullish();
const texts = z.array(text);

/** Members of anything that is spoken: the mood, the thought, the secret. */
const speech = { mood: optionalText, thought: optionalText, secret: z.unknown().optional() };
const fallback = { _raw_fallback: z.boolean().optional() };

/** A seat of the cast and its model. `model` is the resolved name, which only newer versions store. */
const seatSchema = z.looseObject({
  model_endpoint: optionalText,
  model_profile: optionalText,
  model: optionalText,
});

/** Who can win a run and who decides. */
const competitionSchema = z.looseObject({
  kind: z.enum(['versus', 'judged', 'none']).nullish(),
  teams: z.record(text, texts).nullish(),
  symmetric_seats: texts.nullish(),
});

const reveal = z.looseObject({ agent: optionalText, secret: z.unknown().optional(), role: optionalText });

/**
 * The documented payloads by kind (fishbowl.md §6). They require what the engine's stage needs. More members are
 * allowed, and other kinds may have any object.
 */
export const payloadSchemas: Readonly<Record<string, z.ZodType>> = {
  'run.started': z.looseObject({
    seed: text,
    goal: optionalText,
    scenario: optionalText,
    cast: z.record(text, seatSchema).nullish(),
    competition: competitionSchema.nullish(),
    session_id: optionalText,
  }),
  'world.observed': z.looseObject({ text, ...speech, ...fallback }),
  'agent.spoke': z.looseObject({ text, ...speech, ...fallback }),
  'agent.thought': z.looseObject({ text, ...speech, ...fallback }),
  'agent.reflected': z.looseObject({ text: optionalText, ...speech, ...fallback }),
  'judge.verdict': z.looseObject({
    text,
    winner: optionalText,
    accused: optionalText,
    correct: z.boolean().optional(),
    reveal: z.array(reveal).nullish(),
    scores: z.record(text, z.number().min(0).max(10)).nullish(),
    no_contest: z.literal(true).optional(),
    ...speech,
    ...fallback,
  }),
  'user.injected': z.looseObject({ text, label: optionalText }),
  'run.finished': z.looseObject({
    reason: optionalText,
    winner: optionalText,
    winner_kind: z.enum(['agent', 'team']).nullish(),
    winning_model: optionalText,
    winning_models: texts.nullish(),
    turns: z.number().nullish(),
    tokens: z.number().min(0).nullish(),
  }),
  'oracle.spoke': z.looseObject({ text: optionalText, omen: optionalText, ...speech, ...fallback }),
  'commentary.posted': z.looseObject({
    text: optionalText,
    image: z.looseObject({ src: optionalText, alt: optionalText }).nullish(),
    audio: z.looseObject({ src: optionalText, mime: optionalText }).nullish(),
    ...fallback,
  }),
};

/** The payload schema of a kind; undefined if any object is valid. */
export function payloadSchemaOf(kind: string): z.ZodType | undefined {
  return Object.hasOwn(payloadSchemas, kind) ? payloadSchemas[kind] : undefined;
}

const CORE_MEANINGS: Readonly<Record<string, string>> = {
  'run.started': 'a run began, with its goal, cast and competition',
  'run.finished': 'the run ended, with the reason and the winner',
  'world.observed': 'an agent described the world that the others see',
  'agent.thought': 'an agent thought something that the others do not hear',
  'agent.spoke': 'an agent said something',
  'agent.reflected': 'an agent looked back at what happened',
  'judge.verdict': 'the judge decided: a winner, an accused, or no contest',
  'user.injected': 'a user put a text into the run',
};

/** The kinds that the engine treats specially. Other kinds are allowed too (fishbowl.md §2). */
export const CORE_KINDS: readonly string[] = Object.keys(CORE_MEANINGS);

const MEANINGS: Readonly<Record<string, string>> = {
  ...CORE_MEANINGS,
  'oracle.spoke': 'the oracle said something, or gave an omen',
  'commentary.posted': 'a comment on the run, perhaps with an image or a sound',
};

/** The documented kinds: those that the engine treats specially, then the others. */
export function knownKinds(): EventTypeEntry[] {
  const others = Object.keys(payloadSchemas).filter((kind) => !CORE_KINDS.includes(kind));
  return [...CORE_KINDS, ...others].map((type) => {
    const schema = payloadSchemaOf(type);
    const group = CORE_KINDS.includes(type) ? 'core' : 'shipped';
    const meaning = MEANINGS[type];
    return {
      type,
      group,
      ...(meaning !== undefined && { meaning }),
      ...(schema !== undefined && { fields: fieldsOf(schema) }),
    };
  });
}
