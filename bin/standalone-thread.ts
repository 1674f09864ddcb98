import { embeddedLoader } from './embedded.ts';

// A thread of the single-file executable. Its URL ends with # and the path of a worker, such as src/verify/worker.cjs.
const path = new URL(import.meta.url).hash.slice(1);
const [, command = ''] = path.split('/');
embeddedLoader(command)(path);
