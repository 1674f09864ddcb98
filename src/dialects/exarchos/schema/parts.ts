import * as z from 'zod';

/** The building blocks of payload schemas (exarchos.md §7.2). */
export const text = z.string();
export const filled = z.string().min(1);
export const flag = z.boolean();
export const int = z.int();
export const count = z.int().min(0);
export const share = z.number().min(0).max(1);
export const amount = z.number().min(0);
export const texts = z.array(z.string());
export const object = z.record(z.string(), z.unknown());
export const instant = z.iso.datetime();

/** An object with these members, and any others. */
export const payload = z.looseObject;
