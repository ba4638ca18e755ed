import { systemClock } from '../../../clock.ts';
import type { Database } from '../../../database/tables.ts';
import { addHours } from '../../../dates.ts';
import { listReplicas } from '../../../replicas/replicas.ts';
import { code, moment } from '../../../slack/ui/mrkdwn.ts';
import { listFirst, plural } from '../../../slack/ui/words.ts';
import { listReinstalls, readInstallationStatus } from '../../installations/index.ts';
import { type Found, problem, warning } from '../finding.ts';

/** Tokens are refreshed hours before they expire, so one with less time left wasn't refreshed. */
const overdueHours = 2;
const maxNamed = 10;

/**
 * Whether Slack still refreshes the token of an OAuth installation: the only check of Slack that works
 * without a token. `isOperator`: names other workspaces too.
 */
export async function checkInstallation({
  db,
  teamId,
  isOperator,
  now,
}: {
  db: Database;
  teamId: string;
  isOperator: boolean;
  now: Date;
}): Promise<Found[]> {
  const others = isOperator ? (await listReinstalls(db)).filter((id) => id !== teamId) : [];
  return [...(await checkOne(db, teamId, now)), ...describeOthers(others)];
}

async function checkOne(db: Database, teamId: string, now: Date): Promise<Found[]> {
  const status = await readInstallationStatus(db, teamId);
  if (status?.state === 'reinstall_needed') {
    const lost = status.isAnswerLost ? " Slack's answer to an earlier refresh was lost." : '';
    return [
      problem(
        `Belay is stopped in this workspace: Slack refused the refresh token (${code(status.code)}) · ${moment(status.at)}.${lost}`,
        "Install Belay again on its page `/slack/install`. Settings, watches, digests and the audit log don't change.",
      ),
    ];
  }
  const expiresAt = status?.tokenExpiresAt;
  if (!expiresAt || expiresAt > addHours(now, overdueHours)) return [];
  const expires = `${expiresAt > now ? 'expires' : 'expired'} ${moment(expiresAt)}.`;
  // Heartbeats are sent in real time, whatever clock the rest is given.
  const replicas = await listReplicas(db, systemClock());
  if (!replicas.some(({ isLive }) => isLive)) {
    return [warning(`The bot token ${expires}`, 'Start Belay, which refreshes the token.')];
  }
  return [
    (expiresAt > now ? warning : problem)(
      `Belay couldn't refresh its bot token, which ${expires}`,
      'Check that Belay can reach Slack, and that `SLACK_CLIENT_ID` and `SLACK_CLIENT_SECRET` are right. Search the log for `was not refreshed`.',
    ),
  ];
}

function describeOthers(teamIds: string[]): Found[] {
  if (teamIds.length === 0) return [];
  const names = teamIds.map((id) => code(id));
  return [
    warning(
      `Belay is stopped in ${plural(teamIds.length, 'other installation')}, because Slack refused the refresh token: ${listFirst(names, maxNamed)}.`,
      'Ask an admin of each to install Belay again on its page `/slack/install`.',
    ),
  ];
}
