import { UpcasterRegistry } from '../upcast.ts';

/**
 * The steps from other versions of fishbowl events to version 1. There are none: no other version was ever written
 * (fishbowl.md §3). Whoever mints one registers its step here.
 */
export const FISHBOWL_UPCASTERS = new UpcasterRegistry();
