import { useFormats } from '../../src/dialects/registry.ts';

// Before each test file: formats of the user hold for a whole process, and test files share one.
useFormats();
