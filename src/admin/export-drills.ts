import { listLoggedTeams } from '../audit-log/read-chain.ts';
import { drillTagKey, secondsBetween, toRun } from '../features/drills/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import { csvLine, writeLines } from './export-audit.ts';

const perPage = 500;
const columns = [
  ...['teamId', 'drillId', 'dueAt', 'volumeId', 'volumeNativeId', 'volumeName', 'result'],
  ...['backupId', 'backupAt', 'dataAgeSeconds', 'sentAt', 'tookSeconds', 'finishedAt'],
  ...['newVolumeId', 'tag', 'detail'],
];

/** Writes the runs of restore drills as CSV, oldest first: those in progress have no result. */
export async function exportDrills({ values, stdout, db }: CommandCall): Promise<ExitCode> {
  const { team } = values;
  async function* readLines() {
    yield csvLine(columns);
    for (const teamId of team === undefined ? await listLoggedTeams(db) : [team]) {
      const runs = db.selectFrom('restore_drill_run').selectAll().where('team_id', '=', teamId);
      for (let from = 0, isLast = false; !isLast; from += perPage) {
        const page = runs.orderBy('created_at').orderBy('id').offset(from).limit(perPage);
        const rows = await page.execute();
        for (const row of rows) yield csvLine(toLine(toRun(row)));
        isLast = rows.length < perPage;
      }
    }
  }
  await writeLines(stdout, readLines());
  return 0;
}

function toLine(run: ReturnType<typeof toRun>): unknown[] {
  const { id, teamId, drillId, volume, backup, sentAt, finishedAt, tookSeconds, detail } = run;
  const dataAge = backup?.at && sentAt && secondsBetween(backup.at, sentAt);
  return [
    ...[teamId, drillId, run.dueAt.toISOString(), volume?.id, volume?.nativeId, volume?.name],
    ...[finishedAt && run.state, backup?.id, backup?.at?.toISOString(), dataAge],
    ...[sentAt?.toISOString(), tookSeconds, finishedAt?.toISOString(), run.newVolumeId],
    ...[sentAt && `${drillTagKey}=${id}`, detail],
  ];
}
