// Says how long all tests take before they begin; the estimate is of about half an hour of processor time.
import { availableParallelism } from 'node:os';

const cores = availableParallelism();
const minutes = Math.max(3, Math.round(30 / cores));
console.error(`all tests: about ${minutes} minutes on ${cores} cores; npm run test:fast takes less than one`);
