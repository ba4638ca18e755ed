import { type Clock, type MonotonicClock, monotonicClock } from '../../clock.ts';
import { createDueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import type { ListGrantedTeams } from '../../slack/api/list-granted-teams.ts';
import type { ReadBotToken } from '../../slack/api/slack-clients.ts';
import type { OrganizationStore } from './store/organization-store.ts';

const minIntervalMs = 60_000;
const retryMs = 5000;
const refreshLimitMs = 60_000;
const notListed = "couldn't list the workspaces of an organization";

/** The refresh on demand that is in progress, or the earliest start of the next one. */
type Attempt = { running: Promise<void> } | { nextAt: number };

export type Organizations = ReturnType<typeof createOrganizations>;

/** Keeps up to date which workspaces use the installation of their organization. */
export function createOrganizations({
  readToken,
  store,
  listGrantedTeams,
  clock,
  log,
  now = monotonicClock,
}: {
  readToken: ReadBotToken;
  store: OrganizationStore;
  listGrantedTeams: ListGrantedTeams;
  clock: Clock;
  log: Logger;
  now?: MonotonicClock;
}) {
  // Payloads are signed, so there are only as many organizations as installed the app.
  const attempts = new Map<string, Attempt>();

  /**
   * Asks Slack which workspaces of an organization use its installation. Never throws; the stored list
   * stays if Slack doesn't answer, and the result is false.
   */
  async function tryRefresh(organizationId: string): Promise<boolean> {
    try {
      const found = await readToken({ teamId: organizationId });
      if (found?.organizationId !== organizationId) return true;
      await store.replaceWorkspaces(organizationId, await listGrantedTeams(found.token), clock());
      return true;
    } catch (error) {
      log.warn({ organizationId, err: error }, notListed);
      return false;
    }
  }

  async function refresh(organizationId: string): Promise<void> {
    await tryRefresh(organizationId);
  }

  async function attempt(organizationId: string): Promise<void> {
    const succeeded = await tryRefresh(organizationId);
    const pauseMs = succeeded ? minIntervalMs : retryMs;
    attempts.set(organizationId, { nextAt: now() + pauseMs });
  }

  return {
    refresh,

    /**
     * The same after a payload from an unknown workspace, at most once a minute per organization, or
     * a few seconds after Slack didn't answer. Payloads that arrive meanwhile wait for the same answer.
     */
    async refreshOnDemand(organizationId: string): Promise<void> {
      const last = attempts.get(organizationId);
      if (last && 'running' in last) return last.running;
      if (last && now() < last.nextAt) return;
      const running = attempt(organizationId);
      attempts.set(organizationId, { running });
      await running;
    },

    /** The same for every organization. */
    refreshAll: createDueWork({
      find: async () => (await store.list()).map((organizationId) => ({ teamId: organizationId })),
      key: ({ teamId }) => teamId,
      work: ({ teamId }) => refresh(teamId),
      onFailed: ({ teamId: organizationId }, error) =>
        log.warn({ organizationId, err: error }, notListed),
      limits: { limitMs: refreshLimitMs },
    }),
  };
}
