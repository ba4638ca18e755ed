import { type Clock, type MonotonicClock, monotonicClock } from '../../clock.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import type { ListGrantedTeams } from '../../slack/api/list-granted-teams.ts';
import type { ReadBotToken } from '../../slack/api/slack-clients.ts';
import type { OrganizationStore } from './store/organization-store.ts';

/** Keeps up to date which workspaces use the installation of their organization. */
export type Organizations = {
  /**
   * Asks Slack which workspaces of an organization use its installation. Never throws; the stored list
   * stays if Slack doesn't answer.
   */
  refresh: (organizationId: string) => Promise<void>;
  /** The same after a payload from an unknown workspace, at most once a minute per organization. */
  refreshOnDemand: (organizationId: string) => Promise<void>;
  /** The same for every organization. */
  refreshAll: DueWork;
};

const minIntervalMs = 60_000;
const refreshLimitMs = 60_000;
const notListed = "couldn't list the workspaces of an organization";

export function createOrganizations({
  readToken,
  store,
  listGrantedTeams,
  clock,
  now = monotonicClock,
  log,
}: {
  readToken: ReadBotToken;
  store: OrganizationStore;
  listGrantedTeams: ListGrantedTeams;
  clock: Clock;
  now?: MonotonicClock;
  log: Logger;
}): Organizations {
  const attemptedAt = new Map<string, number>();

  async function refresh(organizationId: string): Promise<void> {
    try {
      const found = await readToken({ teamId: organizationId });
      if (found?.organizationId !== organizationId) return;
      await store.replaceWorkspaces(organizationId, await listGrantedTeams(found.token), clock());
    } catch (error) {
      log.warn({ organizationId, err: error }, notListed);
    }
  }

  return {
    refresh,

    async refreshOnDemand(organizationId) {
      const at = now();
      if (at - (attemptedAt.get(organizationId) ?? Number.NEGATIVE_INFINITY) < minIntervalMs)
        return;
      // Payloads are signed, so there are only as many organizations as installed the app.
      attemptedAt.set(organizationId, at);
      await refresh(organizationId);
    },

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
