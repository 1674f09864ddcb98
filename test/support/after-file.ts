import { afterAll } from 'vitest';
import { removeTempDirs } from './temp.ts';

// Test files share processes and modules. A hook in the module itself would run after the first file only.
afterAll(removeTempDirs);
