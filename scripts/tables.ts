// The accelerator's tables of formats that have schemas. Making them takes longer than reading a short log.

import { LAYOUT as coordinator } from '../src/dialects/coordinator/rows.ts';
import { LAYOUT as exarchos } from '../src/dialects/exarchos/rows.ts';
import { LAYOUT as fishbowl } from '../src/dialects/fishbowl/rows.ts';
import { LAYOUT as noesis } from '../src/dialects/noesis/event/rows.ts';
import { LAYOUT as claude } from '../src/dialects/sessions/claude-code/rows.ts';
import { LAYOUT as codex } from '../src/dialects/sessions/codex/rows.ts';
import { LAYOUT as copilot } from '../src/dialects/sessions/copilot/rows.ts';
import { tableAddress } from '../src/log/accelerator/module.ts';
import { packTable } from '../src/log/accelerator/packed-table.ts';
import { tableOf } from '../src/log/accelerator/program.ts';

const address = tableAddress();

/** By the name that the build replaces. */
export const TABLES = Object.fromEntries(
  Object.entries({ claude, codex, copilot, coordinator, exarchos, fishbowl, noesis }).map(
    ([name, layout]) => [`NOESIS_TABLE_${name.toUpperCase()}`, packTable(tableOf(layout, address), address)],
  ),
);
