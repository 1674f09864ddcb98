/**
 * The library behind the command line: read, project, verify and follow the event logs of AI agents. Names follow the
 * runtime's Python API. Nothing here prints. Only functions for writing change files.
 */

export {
  ConfigurationError,
  type ConfigurationErrorCode,
  type ErrorCode,
  type ErrorPlace,
  EventError,
  type EventErrorCode,
  FileError,
  type FileErrorCode,
  LogError,
  type LogErrorCode,
  NoesisError,
  ReportError,
  type ReportErrorCode,
  StateError,
  type StateErrorCode,
  TargetError,
  type TargetErrorCode,
  UsageError,
  type UsageErrorCode,
} from '../base/errors.ts';
export type { JsonObject, JsonValue } from '../base/json/value.ts';
export { version } from '../base/version.ts';
export { CATALOGUE, type KnownCode as FindingCode } from '../dialects/catalogue.ts';
export { wholeEventSchema as coordinatorEventSchema } from '../dialects/coordinator/schema/whole-event.ts';
export type { Dialect, DialectName } from '../dialects/dialect.ts';
export { wholeEventSchema as exarchosEventSchema } from '../dialects/exarchos/schema/whole-event.ts';
export { wholeEventSchema as fishbowlEventSchema } from '../dialects/fishbowl/schema/whole-event.ts';
export { checkpointSchema } from '../dialects/noesis/checkpoint/schema.ts';
export { metricsSchema, type NoesisEnvelope } from '../dialects/noesis/event/schema.ts';
export type { EventOf, NoesisEvent, PayloadOf } from '../dialects/noesis/event/stored.ts';
export type { Phase } from '../dialects/noesis/event/vocabulary.ts';
export { wholeEventSchema as eventSchema } from '../dialects/noesis/event/whole-event.ts';
export { learnSchema, promptSchema, summarySchema } from '../dialects/noesis/files/schemas.ts';
export {
  type PlanState,
  type PlanStep,
  projectPlanState,
} from '../dialects/noesis/plan/plan-fold.ts';
export { finalSchema } from '../dialects/noesis/seal/final-schema.ts';
export { manifestSchema, type NoesisManifest } from '../dialects/noesis/seal/manifest-schema.ts';
export { type NoesisState, stateSchema } from '../dialects/noesis/state/schema.ts';
export type { RootOptions } from '../find/named.ts';
export type { EpisodeSummary } from '../find/summary.ts';
export type { CatalogueEntry } from '../findings/catalogue-entry.ts';
export type { Finding, Severity } from '../findings/finding.ts';
export type { DialectSettings } from '../findings/options.ts';
export type { Difference } from '../findings/projection/difference.ts';
export type { Evidence } from '../findings/projection/evidence.ts';
export type { NotCompared } from '../findings/projection/projector.ts';
export type {
  EpisodeReport,
  OmittedFindings,
  Stage,
  StageName,
  Verdict,
  VerifyReport,
} from '../findings/report.ts';
export type { RuledSeverity } from '../findings/severity.ts';
export type { Corruption, CorruptionCode } from '../log/corruption.ts';
export { type EventLogCorruption, EventLogIntegrityError } from '../log/integrity-error.ts';
export type { FileVisitor, LogExtent } from '../log/read.ts';
export type { LogRecord } from '../log/record.ts';
export type { CompareOptions } from '../read/compare/compare-runs.ts';
export type {
  AlignedBlock,
  ChangedEvent,
  ComparedEvent,
  ComparedRun,
  DifferenceCounts,
  EventDifference,
  FieldDifference,
  RunDifference,
  RunDifferenceHead,
} from '../read/compare/run-difference.ts';
export type { AppendedEvent } from '../write/drafted-batch.ts';
export type { AppendOptions, AppendResult } from '../write/event-writer.ts';
export type { SalvageEntry, SalvageSummary } from '../write/salvage/account.ts';
export { type DiffRunsOptions, diffRuns } from './compare.ts';
export {
  diffEpisode,
  type EpisodeDifference,
  type ListEpisodesOptions,
  listEpisodes,
  type ProjectEpisodeOptions,
  type ProjectedEpisode,
  projectEpisode,
} from './episodes.ts';
export {
  type FollowEventsOptions,
  type FollowedEvent,
  followEvents,
  iterEvents,
  iterNumberedEvents,
  type NumberedEvent,
  readEvents,
  readLog,
  readState,
} from './events.ts';
export { findingSchema, reportSchema } from './report-schemas.ts';
export { type VerifyEpisodeOptions, verifyEpisode } from './verify.ts';
export {
  appendEvent,
  type LogWriter,
  type OpenWriterOptions,
  openWriter,
  type Salvage,
  type SalvageLogOptions,
  salvageLog,
} from './write.ts';
