import * as z from 'zod';
import { count, dialect, loadedTurns, remark, text } from './shapes.ts';

const remarks = z.array(remark);

const loads = z
  .strictObject({
    parts: count.describe('the parts of the conversation in the log that reach the API'),
    of: count.describe('the parts that an undamaged session would send'),
    records: count.describe('the records that contain the loaded parts'),
  })
  .meta({ id: 'loads' });

const after = z.strictObject({ loads, refused: remarks, danger: z.array(text) }).meta({ id: 'after_repair' });

/** What `noesis doctor -j` prints about a session. */
export const doctorReport = z
  .strictObject({
    schema: z.literal('noesis.doctor/1'),
    dialect,
    program: text.describe('the name of the program'),
    session: text.describe('the id of the session'),
    log: text.describe('the path of the log'),
    part_of: text
      .nullable()
      .describe('the id of the session that this log is a part of; null if it is the log of a session'),
    is_further_log: z
      .boolean()
      .describe('the log continues a session that begins in another one; other parts are logs of subagents'),
    part_title: text.nullable().describe('the task of the subagent, if its program names it'),
    copy_of: text
      .nullable()
      .describe(
        'the name of the log of which this is a repaired copy that nobody has continued, so that it needs no repair; null otherwise',
      ),
    further_logs: z.array(text).describe('the logs in which the session continues, which are examined too'),
    cwd: text.nullable().describe('the folder in which the session runs'),
    version: text.nullable().describe('the version of the program that wrote the last record'),
    rules: text.describe('the version whose rules were used'),
    is_newer: z.boolean().describe('a newer version than the rules are known of wrote the session'),
    found: z
      .strictObject({ is_found: z.boolean(), reason: text.nullable(), line: count.nullable() })
      .describe(
        'whether the program opens the session, and if not, why; or that it does so under another id',
      ),
    place: z
      .strictObject({
        path: text,
        reason: text.nullable().describe('why the program does not open the session there either'),
      })
      .nullable()
      .describe(
        'where the program would find the log; null if it finds it here, or the log does not say where',
      ),
    leaf: z
      .strictObject({
        line: count,
        named_by: count
          .nullable()
          .describe('the line of the record that says so; null if it is just the last one'),
      })
      .nullable()
      .describe('the record that the session continues from'),
    loads,
    prompts: z.strictObject({
      of: count.describe('also prompts that a repair finds in damaged lines'),
      loaded: z.array(count).describe('which of the prompts are loaded, from 1'),
      lost: z.array(text).describe('the prompts that are not loaded'),
    }),
    turns: loadedTurns.describe(
      'the turns of the log as `show` counts them: also those on other branches, and none in damaged lines',
    ),
    compaction: count
      .nullable()
      .describe('the line of what the last compaction put in the place of what was before; null without one'),
    lost: z.strictObject({ parts: count, calls: count }).describe('parts and calls that are not loaded'),
    cuts: z
      .array(
        remark.extend({
          parent: text.nullable().describe('the id of the missing parent; null if the record names none'),
          guess_line: count.nullable().describe('the line of the record that probably was the parent'),
          is_bridged: z.boolean().describe('the program continues with that record nevertheless'),
        }),
      )
      .describe('places where the chain of records is cut'),
    skipped: remarks.describe('lines that the program cannot use'),
    dropped: remarks.describe('parts that the program reads and does not send'),
    closed: remarks.describe('open calls for which the program adds a result'),
    refused: remarks.describe('what the API refuses'),
    last_refusal: remark
      .nullable()
      .describe(
        'the error with which the API refused the last request, as the log has it, if it may refuse the next one too; null otherwise',
      ),
    branches: z
      .array(z.strictObject({ line: count, parts: count }))
      .describe('parts that were left, as by a rewind'),
    danger: z.array(text).describe('what the next start of the program destroys'),
    deletes: z
      .array(text)
      .describe('the logs that any start of the program deletes, also one that continues a repaired copy'),
    repairs: z
      .array(remark.extend({ rule: text, is_guess: z.boolean() }))
      .describe('the steps of a repair; with `can_move`, `DIR` means the folder of `--cwd`'),
    after: after.nullable().describe('what is loaded after the repair; null if there is no repair'),
    newest: after
      .nullable()
      .describe(
        'what is loaded after a repair with `--newest`; null if the session continues from its newest turn, or cannot',
      ),
    needs_folder: z
      .boolean()
      .describe(
        'the program opens the session only in its folder, which does not exist or is not known: `--fix` writes nothing',
      ),
    can_move: z.boolean().describe('nevertheless, `--fix` with `--cwd DIR` makes a copy that runs in DIR'),
    written: z
      .strictObject({
        log: text,
        session: text,
        doctor: text.describe('the file that lists every change'),
        rejected: text.nullable().describe('the file of what was left out'),
        backup: text.nullable().describe('the copy of the original, with `--in-place`'),
        resume: text
          .nullable()
          .describe(
            'the command that continues the session, after it puts the copy where the program finds it; null if there is no such command',
          ),
        missing_folder: text
          .nullable()
          .describe(
            'the folder of the session, if it does not exist: the command works in any other one, unless `is_folder_unknown`',
          ),
        is_folder_unknown: z
          .boolean()
          .describe(
            'the command works only in the folder of the project, whose path the log does not have, or which does not exist',
          ),
      })
      .nullable()
      .describe('what `--fix` wrote'),
  })
  .meta({ id: 'doctor_report' });

export type DoctorReport = z.infer<typeof doctorReport>;

/** The output of `noesis doctor -j`: a report for one named session, otherwise a list. */
export const doctorReports = z.union([doctorReport, z.array(doctorReport)]);
