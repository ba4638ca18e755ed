import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { createRandom, type Random } from '../../../playground/service/data/random.ts';
import { waitFor } from '../../replicas/wait-for.ts';
import { shorten, spread } from '../../statistics.ts';
import type { InstallationsOptions, Outcome } from './options.ts';
import { checkRotation } from './rotation/check-rotation.ts';
import { type Kill, killRefreshing } from './rotation/kill-refreshing.ts';
import { openRotation, type Rotation } from './rotation/open-rotation.ts';

/** How long Slack takes to answer an exchange, so that a kill can hit between exchange and commit. */
const answerMs = { from: 50, to: 400 };
/** Of a hundred answers. */
const lostPercent = 5;
const waveMs = 300_000;
/**
 * In how many minutes all tokens expire, alternating between waves: as while Belay runs, and as after
 * a stop, when tokens expire before they are refreshed and calls wait for that.
 */
const expiries = [120, 1];

/**
 * All tokens expire in the same minute, in several waves, while replicas are killed and answers of
 * Slack are lost. Installations that end are installed again before the next wave.
 */
export async function runRotation({
  serverUrl,
  seed,
  logLevel,
  workspaces: count,
  kills,
}: InstallationsOptions): Promise<Outcome> {
  const begun = performance.now();
  const random = createRandom(seed);
  const rotation = await openRotation(serverUrl, { count, logLevel });
  const { fleet, db } = rotation;
  try {
    const killed: Kill[] = [];
    const waveSeconds: number[] = [];
    const unfinished: string[] = [];
    let installedAgain = 0;
    while ((killed.length < kills || waveSeconds.length === 0) && unfinished.length === 0) {
      installedAgain += await installEnded(rotation);
      planAnswers(rotation, random);
      const startedAt = performance.now();
      const inMinutes = expiries[waveSeconds.length % expiries.length] ?? 1;
      await sql`update installation set token_expires_at = now() + ${inMinutes} * interval '1 minute'`.execute(
        db,
      );
      let isOver = false;
      const killing = killRefreshing(
        { ...rotation, random },
        { limit: kills - killed.length, isDone: () => isOver },
      );
      isOver = await waitFor(async () => (await listWaiting(rotation)).length === 0, {
        forMs: waveMs,
        everyMs: 250,
      });
      unfinished.push(...(isOver ? [] : await listWaiting(rotation)));
      isOver = true;
      killed.push(...(await killing));
      waveSeconds.push(Math.round((performance.now() - startedAt) / 1000));
      process.stdout.write(
        `wave ${waveSeconds.length}: ${waveSeconds.at(-1)} s, ${killed.length} kills\n`,
      );
    }
    const checked = await checkRotation(rotation, killed);
    return {
      violations: shorten([
        ...unfinished.map((teamId) => `the token of ${teamId} was not refreshed in time`),
        ...fleet.failures,
        ...checked.violations,
      ]),
      figures: {
        workspaces: count,
        kills: killed.length,
        waveSeconds,
        ...checked.figures,
        installedAgain,
        restartMs: spread(fleet.startedInMs),
        seconds: Math.round((performance.now() - begun) / 1000),
      },
    };
  } finally {
    await rotation.stop();
  }
}

function planAnswers({ slack, workspaces }: Rotation, random: Random): void {
  for (const { teamId } of workspaces) {
    const isLost = random.integer(1, 100) <= lostPercent;
    const ms = random.integer(answerMs.from, answerMs.to);
    const answer = isLost ? { isAnswerLost: true as const } : { answerAfter: () => wait(ms) };
    slack.failNext('oauth.v2.access', answer, teamId);
  }
}

/** Installs Belay again where the installation ended. Resolves to the number of workspaces. */
async function installEnded({ db, workspaces, install }: Rotation): Promise<number> {
  const ended = await db
    .selectFrom('installation')
    .select('team_id')
    .where('state', '=', 'reinstall_needed')
    .execute();
  const teamIds = new Set(ended.map(({ team_id: teamId }) => teamId));
  for (const workspace of workspaces) if (teamIds.has(workspace.teamId)) await install(workspace);
  return ended.length;
}

/** Workspaces whose token is neither refreshed nor reported as lost. */
async function listWaiting({ db }: Rotation): Promise<string[]> {
  const rows = await db
    .selectFrom('installation')
    .select('team_id')
    .where(sql<boolean>`case state when 'active' then token_expires_at < now() + interval '3 hours'
      else reported_at is null end`)
    .execute();
  return rows.map(({ team_id: teamId }) => teamId);
}
