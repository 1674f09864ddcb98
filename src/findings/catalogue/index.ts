export { FAMILIES } from './families.ts';
export { isHard } from './hard.ts';
export { SHARED } from './shared.ts';
