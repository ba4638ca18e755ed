import { execFile } from 'node:child_process';
import os from 'node:os';
import { promisify } from 'node:util';
import pg from 'pg';
import { z } from 'zod';
import { postgresUrl } from '../../scripts/postgres-url.ts';
import { type BenchmarkRecord, benchmarkResult, type Machine } from './benchmark-record.ts';

/** Adds the date, the commit and the machine to the result of a benchmark that has just run. */
export async function recordResult(result: object): Promise<BenchmarkRecord> {
  const isSetting = z.union([z.string(), z.number()]);
  const settings = Object.fromEntries(
    Object.entries(result).flatMap(([name, value]) => {
      const setting = isSetting.safeParse(value);
      return name === 'bench' || !setting.success ? [] : [[name, setting.data]];
    }),
  );
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: await readCommit(),
    machine: await describeMachine(),
    settings,
    ...benchmarkResult.parse(result),
  };
}

async function readCommit(): Promise<string> {
  const git = async (...args: string[]) => (await promisify(execFile)('git', args)).stdout.trim();
  const commit = await git('rev-parse', '--short=10', 'HEAD');
  // The document itself changes with every result.
  const changed = await git('status', '--porcelain', '--', '.', ':!docs/benchmarks.*');
  return changed === '' ? commit : `${commit} with changes`;
}

async function describeMachine(): Promise<Machine> {
  const cpus = os.cpus();
  return {
    cores: cpus.length,
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(os.totalmem() / 1024 ** 3),
    os: `${os.type()} ${os.release()}`,
    node: process.versions.node,
    ...(postgresUrl === undefined ? {} : { postgres: await readVersion(postgresUrl) }),
  };
}

async function readVersion(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query('show server_version');
    return z.tuple([z.object({ server_version: z.string() })]).parse(rows)[0].server_version;
  } finally {
    await client.end();
  }
}
