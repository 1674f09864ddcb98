import fc from 'fast-check';
import { beginFile, seed } from './length.ts';

// Properties begin with the seed of the run, so that NOESIS_TEST_SEED repeats every random choice except keys.
fc.configureGlobal({ seed });
beginFile();
