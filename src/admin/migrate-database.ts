import { migrate } from '../database/migrate.ts';
import { grantRestricted } from '../database/restricted-role.ts';
import { openJobQueue } from '../jobs/job-queue.ts';
import { createLogger } from '../logger.ts';
import type { CommandCall, ExitCode } from './command.ts';

/**
 * Brings the database up to date, which opening it has done, and the schema of the job queue; with
 * `--contract` the second step of the upgrade too. Then Belay can run with a role that may not:
 * `--grant-to` names it.
 */
export async function migrateDatabase(call: CommandCall): Promise<ExitCode> {
  const { values, db, shared, stdout } = call;
  const role = values['grant-to'];
  if (role !== undefined && 'pglite' in shared) {
    throw new Error('--grant-to works only with PostgreSQL: the embedded database has no roles.');
  }
  if (values.contract) await migrate(db, { contract: true });
  const jobs = await openJobQueue(shared, { log: createLogger('silent') });
  await jobs.stop();
  stdout.write('The database is up to date.\n');
  if (role === undefined) return 0;
  await grantRestricted(db, role);
  stdout.write(`The role ${role} can run Belay. It can't change the audit log or the schema.\n`);
  return 0;
}
