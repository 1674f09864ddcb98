import * as z from 'zod';
import { fromOutput } from '../base/json/output.ts';
import * as own from '../findings/report-schema.ts';

/** A finding: as the library returns it, or as `noesis verify -j` prints it, with names in snake_case. Gives the former. */
export const findingSchema = z.preprocess(fromOutput, own.findingSchema);

/** A report: as the library returns it, or as `noesis verify -j` prints it, with names in snake_case. Gives the former. */
export const reportSchema = z.preprocess(fromOutput, own.reportSchema);
