import { existsSync } from 'node:fs';
import { systemClock } from '../clock.ts';
import { exportDatabase } from '../database/transfer/export-database.ts';
import type { Summary } from '../database/transfer/file-format.ts';
import { importDatabase } from '../database/transfer/import-database.ts';
import type { CommandCall, ExitCode } from './command.ts';
import { verifyAudit } from './verify-audit.ts';

/** Writes everything that Belay stores to a new file. */
export async function exportAll({ db, file, stdout }: CommandCall): Promise<ExitCode> {
  const tables = await exportDatabase(db, { path: file, at: systemClock() });
  stdout.write(`Exported ${describe(tables)} to ${file}.\n`);
  return 0;
}

/**
 * Fills a new database from such a file, then verifies the audit log. A log that was broken before is
 * imported as it is: the exit code is 1, as for `audit verify`.
 */
export async function importAll(call: CommandCall): Promise<ExitCode> {
  const { db, file, stdout, values, config } = call;
  const tables = await importDatabase(db, file);
  stdout.write(`Imported ${describe(tables)} from ${file}.\n`);
  const hasCheckpoints = values.checkpoints !== undefined || existsSync(config.checkpointFile);
  if (!hasCheckpoints)
    stdout.write(
      `The checkpoint file ${config.checkpointFile} doesn't exist. Verifying the log without checkpoints.\n`,
    );
  const noCheckpoints = values['no-checkpoints'] ?? !hasCheckpoints;
  return verifyAudit({ ...call, values: { ...values, 'no-checkpoints': noCheckpoints } });
}

function describe(tables: Summary['tables']): string {
  const summaries = Object.values(tables);
  const rows = summaries.reduce((total, summary) => total + summary.rows, 0);
  return `${rows} rows of ${summaries.length} tables`;
}
