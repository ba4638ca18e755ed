import type { ApiCall } from '../../../../playground/slack/web-api/router.ts';
import { listMisuses } from '../../../replicas/check-tokens.ts';
import { spread } from '../../../statistics.ts';
import type { Kill } from './kill-refreshing.ts';
import type { Rotation } from './open-rotation.ts';
import { type Change, readChanges } from './watch-refreshes.ts';

const maxReportMs = 60_000;
/** Between the exchange at Slack, the kill and the commit in the database, on one machine. */
const toleranceMs = 50;

const isAnswerLost = ({ fault }: ApiCall) => typeof fault === 'object' && 'isAnswerLost' in fault;

/** Compares what Belay recorded with what Slack did. */
export async function checkRotation({ slack, db, store, workspaces }: Rotation, killed: Kill[]) {
  const changes = await readChanges(db);
  const attempts = changes.filter(({ kind }) => kind === 'attempt');
  const retries = attempts.filter(({ attempt }) => attempt > 1);
  const repeated = slack.refreshes.filter(({ attempt }) => attempt > 1);
  const lost = slack.calls.filter(isAnswerLost);
  const reports = measureReports(changes, slack);
  const { broken, working } = await findBroken({ slack, store, workspaces, db });
  const messages = slack.calls.filter(
    ({ method, arguments: { text }, result }) =>
      method === 'chat.postMessage' && result.ok && String(text).includes('installed again'),
  );
  const reachable = changes.filter((one) => one.kind === 'reported' && one.isTokenWorking);
  const violations = [
    ...uncountedRepeats(repeated, retries),
    ...retries
      .filter((retry) => !isExplained(retry, attempts, { killed, lost }))
      .map(({ teamId, version }) => `a retry without a reason: ${teamId}, version ${version}`),
    ...changes
      .filter(({ kind, attempt }) => kind === 'refused' && attempt < 2)
      .map(({ teamId }) => `the first exchange of a token was refused: ${teamId}`),
    ...reports
      .filter(({ ms }) => ms === undefined || ms > maxReportMs)
      .map(({ teamId, ms }) => `the end of ${teamId} was reported after ${ms} ms`),
    ...(messages.length < reachable.length
      ? [`${reachable.length} installers could get a message, but ${messages.length} did`]
      : []),
    ...listMisuses(slack.calls),
    ...broken,
  ];
  return {
    violations,
    figures: {
      exchanges: slack.refreshes.length,
      repeatedExchanges: repeated.length,
      maxExchangesOfOneToken: Math.max(0, ...slack.refreshes.map(({ attempt }) => attempt)),
      countedRetries: retries.length,
      maxAttemptsWithOneToken: Math.max(0, ...attempts.map(({ attempt }) => attempt)),
      lostAnswers: lost.length,
      recovered: changes.filter((one) => isRecovered(one, retries)).length,
      unrecoverable: changes.filter(({ kind }) => kind === 'refused').length,
      messagesToInstallers: messages.length,
      reportMs: spread(reports.flatMap(({ ms }) => ms ?? [])),
      working,
    },
  };
}

/** Exchanges of a spent token, at Slack, beyond the retries that Belay counted. */
function uncountedRepeats(repeated: Rotation['slack']['refreshes'], retries: Change[]): string[] {
  const counted = Map.groupBy(retries, ({ teamId }) => teamId);
  return [...Map.groupBy(repeated, ({ targetId }) => targetId ?? '')]
    .filter(([teamId, list]) => list.length > (counted.get(teamId)?.length ?? 0))
    .map(([teamId]) => `a refresh token of ${teamId} was spent again without being counted`);
}

/** Before a retry, the replica of the last attempt was killed, or Slack's answer was lost. */
function isExplained(
  retry: Change,
  attempts: Change[],
  { killed, lost }: { killed: Kill[]; lost: ApiCall[] },
): boolean {
  const before = attempts.findLast(
    ({ teamId, version, attempt }) =>
      teamId === retry.teamId && version === retry.version && attempt === retry.attempt - 1,
  );
  if (!before) return false;
  const isBetween = (at: Date) => +at >= +before.at - toleranceMs && at <= retry.at;
  return (
    killed.some(({ name, at }) => name === before.replica && isBetween(at)) ||
    lost.some(({ caller, at }) => caller?.targetId === retry.teamId && isBetween(at))
  );
}

const isRecovered = ({ kind, teamId, version }: Change, retries: Change[]): boolean =>
  kind === 'replaced' &&
  retries.some((retry) => retry.teamId === teamId && retry.version === version - 1);

/** From the exchange whose pair was lost to the report of the end. */
function measureReports(changes: Change[], { refreshes }: Rotation['slack']) {
  return changes
    .filter(({ kind }) => kind === 'refused')
    .map(({ teamId, version, at }) => {
      const reported = changes.find(
        (one) => one.kind === 'reported' && one.teamId === teamId && one.version === version,
      );
      const spent = refreshes.findLast(
        (one) => one.targetId === teamId && one.result === 'rotated' && one.at <= at,
      );
      const ms = reported && spent ? +reported.at - +spent.at : undefined;
      return { teamId, ms };
    });
}

/** Asks Slack with every stored bot token. */
async function findBroken({
  slack,
  db,
  store,
  workspaces,
}: Pick<Rotation, 'slack' | 'db' | 'store' | 'workspaces'>) {
  const broken: string[] = [];
  let working = 0;
  const ended = await db
    .selectFrom('installation')
    .select('team_id')
    .where('state', '<>', 'active')
    .execute();
  const endedTeams = new Set(ended.map(({ team_id: teamId }) => teamId));
  for (const { teamId } of workspaces) {
    if (endedTeams.has(teamId)) continue;
    const stored = await store.readToken({ teamId });
    const headers = { authorization: `Bearer ${stored?.token}` };
    const response = await fetch(`${slack.apiUrl}auth.test`, { method: 'POST', headers });
    const answer: { ok?: boolean; team_id?: string } = Object(await response.json());
    if (answer.ok && answer.team_id === teamId) working += 1;
    else broken.push(`the stored token of ${teamId} does not work`);
  }
  return { broken, working };
}
