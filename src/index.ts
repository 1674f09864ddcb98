export { readLog } from './log/read.ts';
