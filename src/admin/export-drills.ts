import type { Database } from '../database/tables.ts';
import { drillTagKey, secondsBetween } from '../features/drills/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import { csvLine, writeLines } from './export-audit.ts';
import { selectTeams } from './select-teams.ts';

const perPage = 500;
const columns = [
  ...['teamId', 'drillId', 'dueAt', 'volumeId', 'volumeNativeId', 'volumeName', 'result'],
  ...['backupId', 'backupAt', 'dataAgeSeconds', 'sentAt', 'tookSeconds', 'finishedAt'],
  ...['newVolumeId', 'tag', 'detail'],
];

/** Writes the runs of restore drills as CSV, oldest first: those in progress have no result. */
export async function exportDrills({ values, stdout, db }: CommandCall): Promise<ExitCode> {
  await writeLines(stdout, readLines(db, await selectTeams(db, values.team)));
  return 0;
}

async function* readLines(db: Database, teams: string[]): AsyncGenerator<string> {
  yield csvLine(columns);
  for (const team of teams) {
    const runs = db.selectFrom('restore_drill_run').selectAll().where('team_id', '=', team);
    for (let from = 0, isLast = false; !isLast; from += perPage) {
      const page = runs.orderBy('created_at').orderBy('id').offset(from).limit(perPage);
      const rows = await page.execute();
      isLast = rows.length < perPage;
      for (const run of rows) {
        const { backup_at: backupAt, sent_at: sentAt, finished_at: finishedAt } = run;
        yield csvLine([
          ...[team, run.drill_id, run.due_at.toISOString()],
          ...[run.volume_id, run.volume_native_id, run.volume_name, finishedAt && run.state],
          ...[run.backup_id, backupAt?.toISOString()],
          backupAt && sentAt && secondsBetween(backupAt, sentAt),
          ...[sentAt?.toISOString(), run.took_seconds, finishedAt?.toISOString()],
          ...[run.new_volume_id, sentAt && `${drillTagKey}=${run.id}`, run.detail],
        ]);
      }
    }
  }
}
