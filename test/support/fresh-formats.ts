import { useFormats } from '../../src/dialects/registry.ts';

// Runs before each test file: the user's formats apply to a whole process, which test files share.
useFormats();
