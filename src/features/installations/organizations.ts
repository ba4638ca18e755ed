import { type Clock, monotonicClock } from '../../clock.ts';
import { createDueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import type { ListGrantedTeams } from '../../slack/api/list-granted-teams.ts';
import type { ReadBotToken } from '../../slack/api/slack-clients.ts';
import type { OrganizationStore } from './store/organization-store.ts';

const minIntervalMs = 60_000;
const refreshLimitMs = 60_000;
const notListed = "couldn't list the workspaces of an organization";

export type Organizations = ReturnType<typeof createOrganizations>;

/** Keeps up to date which workspaces use the installation of their organization. */
export function createOrganizations({
  readToken,
  store,
  listGrantedTeams,
  clock,
  log,
}: {
  readToken: ReadBotToken;
  store: OrganizationStore;
  listGrantedTeams: ListGrantedTeams;
  clock: Clock;
  log: Logger;
}) {
  const attemptedAt = new Map<string, number>();

  /**
   * Asks Slack which workspaces of an organization use its installation. Never throws; the stored list
   * stays if Slack doesn't answer.
   */
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

    /** The same after a payload from an unknown workspace, at most once a minute per organization. */
    async refreshOnDemand(organizationId: string): Promise<void> {
      const at = monotonicClock();
      if (at - (attemptedAt.get(organizationId) ?? Number.NEGATIVE_INFINITY) < minIntervalMs)
        return;
      // Payloads are signed, so there are only as many organizations as installed the app.
      attemptedAt.set(organizationId, at);
      await refresh(organizationId);
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
