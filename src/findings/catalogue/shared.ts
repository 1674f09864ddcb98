import { ARCHIVE } from './archive.ts';
import { ARTIFACT } from './artifact.ts';
import { CHAIN } from './chain.ts';
import { EVENT } from './event.ts';
import { LINEAGE } from './lineage.ts';
import { LOG } from './log.ts';
import { ORDER } from './order.ts';
import { SEAL } from './seal.ts';
import { SEQUENCE } from './sequence.ts';
import { SESSION } from './session.ts';
import { STATE } from './state.ts';
import { TOOL } from './tool.ts';
import { VERIFY } from './verify.ts';

/** The findings that logs of more than one dialect may have, and those of the log itself. */
export const SHARED = [
  ...LOG,
  ...EVENT,
  ...LINEAGE,
  ...ORDER,
  ...STATE,
  ...ARTIFACT,
  ...SEAL,
  ...SEQUENCE,
  ...CHAIN,
  ...TOOL,
  ...SESSION,
  ...ARCHIVE,
  ...VERIFY,
] as const;
