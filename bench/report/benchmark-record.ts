import { z } from 'zod';
import { figureTable } from './figure-table.ts';

const aim = z.object({
  name: z.string(),
  // JSON has null for a figure that could not be measured.
  value: z.union([z.number(), z.nan(), z.null()]).transform((value) => value ?? Number.NaN),
  limit: z.number(),
  bound: z.enum(['at most', 'at least']),
  unit: z.string(),
});

const machine = z.object({
  cores: z.number(),
  cpu: z.string(),
  memoryGb: z.number(),
  os: z.string(),
  node: z.string(),
  /** Missing if no PostgreSQL was used. */
  postgres: z.string().optional(),
});
export type Machine = z.infer<typeof machine>;

/** The part of a benchmark's result that the document shows. */
export const benchmarkResult = z.object({
  aims: z.array(aim).default([]),
  tables: z.array(figureTable).default([]),
});

/** A stored result, with where and when it was measured. */
const benchmarkRecord = benchmarkResult.extend({
  date: z.iso.date(),
  /** Of the sources that were measured. */
  commit: z.string(),
  machine,
  /** Rounds, counts and the like. */
  settings: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type BenchmarkRecord = z.infer<typeof benchmarkRecord>;

/** docs/benchmarks.json, by the name of the benchmark. */
export const benchmarkRecords = z.record(z.string(), benchmarkRecord);
export type BenchmarkRecords = z.infer<typeof benchmarkRecords>;
