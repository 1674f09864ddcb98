import * as z from 'zod';

const count = z.int().min(0);
const remark = z.object({ line: count, message: z.string() });
const loads = z.object({
  /** The parts of the conversation that reach the API, and how many an undamaged session would send. */
  parts: count,
  of: count,
  /** The records that contain them. */
  records: count,
});

/** What `noesis doctor -j` prints about a session. */
export const doctorReportSchema = z.object({
  schema: z.literal('noesis.doctor/1'),
  dialect: z.string(),
  program: z.string(),
  session: z.string(),
  log: z.string(),
  cwd: z.string().nullable(),
  /** The version that wrote the last record, and the one whose rules were used. */
  version: z.string().nullable(),
  rules: z.string(),
  /** Whether the session was written by a newer version than the rules are known of. */
  is_newer: z.boolean(),
  /** Whether the program opens the session, and if not, why; or that it does so under another id. */
  found: z.object({ is_found: z.boolean(), reason: z.string().nullable(), line: count.nullable() }),
  leaf: z.object({ line: count }).nullable(),
  loads,
  prompts: z.object({ of: count, loaded: z.array(count), lost: z.array(z.string()) }),
  lost: z.object({ parts: count, calls: count }),
  cuts: z.array(
    remark.extend({ parent: z.string().nullable(), guess_line: count.nullable(), is_bridged: z.boolean() }),
  ),
  skipped: z.array(remark),
  dropped: z.array(remark),
  closed: z.array(remark),
  refused: z.array(remark),
  branches: z.array(z.object({ line: count, parts: count })),
  danger: z.array(z.string()),
  repairs: z.array(remark.extend({ rule: z.string(), is_guess: z.boolean() })),
  /** What is loaded after the repair; null if there is none. */
  after: z.object({ loads, refused: z.array(remark), danger: z.array(z.string()) }).nullable(),
  /** What `--fix` wrote. */
  written: z
    .object({
      log: z.string(),
      session: z.string(),
      doctor: z.string(),
      rejected: z.string().nullable(),
      backup: z.string().nullable(),
      /** Null if the id of the session cannot be a word of a command. */
      resume: z.string().nullable(),
    })
    .nullable(),
});

export type DoctorReport = z.infer<typeof doctorReportSchema>;
