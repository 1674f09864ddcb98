import * as z from 'zod';
import { isInstant } from '../../../base/time/instant.ts';

/** The time of a record. */
export const instant = z.string().refine(isInstant, 'an ISO 8601 time');
