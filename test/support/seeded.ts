import fc from 'fast-check';
import { seed } from './length.ts';

// Properties begin with the seed of the run, so that NOESIS_TEST_SEED repeats all that is random but keys.
fc.configureGlobal({ seed });
