import { readSchemaStatus } from '../../../database/migrate.ts';
import type { Database } from '../../../database/tables.ts';
import { listReplicas, type Replica } from '../../../replicas/replicas.ts';
import { code, moment } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { version } from '../../../version.ts';
import { type Found, ok, problem, warning } from '../finding.ts';

/** The processes on this database and their versions. */
export async function checkReplicas(db: Database, now: Date): Promise<Found[]> {
  const replicas = await listReplicas(db, now);
  const live = replicas.filter(({ isLive }) => isLive);
  const versions = new Set(live.map((replica) => replica.version));
  const list = live.map(describe).join(', ');
  return [
    ...(live.length === 0
      ? [problem('No Belay process is running.', 'Start Belay.')]
      : versions.size > 1
        ? [
            warning(
              `An upgrade is in progress. The processes run different versions: ${list}.`,
              'Finish the upgrade: stop the processes of the older version.',
            ),
          ]
        : [ok(`${plural(live.length, 'process', 'processes')} running · ${list}`)]),
    ...replicas
      .filter(({ isLive }) => !isLive)
      .map((replica) =>
        warning(
          `The process ${code(replica.id)} disappeared ${moment(replica.lastSeenAt)} without stopping cleanly.`,
          "Check this process's logs. This warning disappears after an hour.",
        ),
      ),
  ];
}

function describe(replica: Replica): string {
  return `${code(replica.id)} (${replica.version})`;
}

/** Whether an upgrade of the database has begun or isn't finished. */
export async function checkUpgrade(db: Database, readStatus = readSchemaStatus): Promise<Found[]> {
  const { newer, pending } = await readStatus(db);
  if (newer.length > 0) {
    return [
      warning(
        `A newer version of Belay has upgraded the database. This is version ${version}.`,
        'Start the newer version on every machine, and stop the older processes.',
      ),
    ];
  }
  const rest =
    pending.length > 0
      ? 'the last step of the upgrade is pending: run `npm run -s admin -- migrate --contract` once you no longer need the previous version'
      : 'no upgrade is pending';
  return [ok(`Version ${version} · ${rest}`)];
}
