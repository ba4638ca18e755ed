import type { Database } from '../../database/tables.ts';
import type { Region } from '../../dataprotection/region.ts';
import { describeCause } from '../../describe-failure.ts';
import { once } from '../../once.ts';
import type { HomeReader } from '../../postings/home/create-homes.ts';
import type { Approvals } from '../../requests/approvals.ts';
import { isDirectChannel } from '../../slack/api/channel.ts';
import { safeName } from '../../slack/ui/mrkdwn.ts';
import { listSubscribedChannels } from '../../subscriptions/channels.ts';
import {
  type OpenService,
  RegionMissingError,
  TokenUnreadableError,
} from '../../workspace/open-service.ts';
import type { WorkspaceStore } from '../../workspace/store/workspace-store.ts';
import { digestFamily } from '../digests/index.ts';
import { openSetupActionId } from '../setup/index.ts';
import { readOutage, watchFamily } from '../watches/index.ts';
import type { ChannelMembers } from './channel-members.ts';
import type { HomePart } from './render-home.ts';
import {
  type ConnectionState,
  type HomeChannel,
  homeChannelBlocks,
  homeConnectionBlocks,
  homeFooterBlocks,
} from './views/home-blocks.ts';

type HomePartDependencies = {
  db: Database;
  approvals: Pick<Approvals, 'showOnHome'>;
  workspaceStore: Pick<WorkspaceStore, 'listConnections'>;
  openService: OpenService;
  regions: Region[];
  members: ChannelMembers;
};

/** Of a workspace with more channels, those with most watches and digests. */
const maxChannels = 50;

/** What one Home tab consists of, in this order. The connections are read once for all parts. */
export function listHomeParts(teamId: string, dependencies: HomePartDependencies): HomePart[] {
  const { approvals, workspaceStore } = dependencies;
  const connections = once(() => workspaceStore.listConnections(teamId));
  // Before the setup, the setup comes first, without empty sections above it.
  const ifConnected =
    (read: HomePart['read']): HomePart['read'] =>
    async (reader) =>
      (await connections()).length > 0 ? read(reader) : [];
  return [
    { title: 'Requests', read: ifConnected((reader) => approvals.showOnHome(reader)) },
    {
      title: 'Watches and digests',
      read: ifConnected(async (reader) =>
        homeChannelBlocks(await readChannels(reader, dependencies)),
      ),
    },
    {
      title: 'Connection',
      read: async ({ person }) => {
        const states = await readStates(teamId, await connections(), dependencies);
        return homeConnectionBlocks(states, person.isAdmin);
      },
    },
    {
      title: 'Settings and help',
      read: async ({ person: { isAdmin } }) => {
        const setUpActionId = isAdmin ? openSetupActionId : undefined;
        return homeFooterBlocks({ isConnected: (await connections()).length > 0, setUpActionId });
      },
    },
  ];
}

/** The channels with watches or digests that the person is in, and the person's direct messages. */
async function readChannels(
  { teamId, slack, person, directChannelId }: HomeReader,
  { db, members }: Pick<HomePartDependencies, 'db' | 'members'>,
): Promise<HomeChannel[]> {
  const [watches, digests] = await Promise.all([
    listSubscribedChannels(db, watchFamily, teamId),
    listSubscribedChannels(db, digestFamily, teamId),
  ]);
  const all = Map.groupBy([...watches, ...digests], ({ channelId }) => channelId);
  const channels = await Promise.all(
    [...all.keys()].slice(0, maxChannels).map(async (channelId) => {
      const isVisible = isDirectChannel(channelId)
        ? channelId === directChannelId
        : await members.includes(slack, channelId, person.slackUserId);
      return isVisible ? [channelId] : [];
    }),
  );
  return channels.flat().map((channelId) => {
    const here = <T extends { channelId: string }>(all: T[]) =>
      all.filter((one) => one.channelId === channelId);
    const paused = here([...watches, ...digests]).filter(({ pausedReason }) => pausedReason);
    const next = here(digests).flatMap(({ dueAt, pausedReason }) =>
      pausedReason ? [] : (dueAt ?? []),
    );
    return {
      channelId,
      watches: sum(here(watches)),
      digests: sum(here(digests)),
      paused: sum(paused),
      nextDigestAt: next.toSorted((one, other) => one.getTime() - other.getTime())[0],
    };
  });
}

function sum(counted: { count: number }[]): number {
  return counted.reduce((total, { count }) => total + count, 0);
}

async function readStates(
  teamId: string,
  connections: Awaited<ReturnType<WorkspaceStore['listConnections']>>,
  { db, openService, regions }: HomePartDependencies,
): Promise<ConnectionState[]> {
  return Promise.all(
    connections.map(async ({ originId, name, regionId }) => {
      const region = regions.find(({ id }) => id === regionId)?.label ?? regionId;
      const connection = { name, region: safeName(region) };
      try {
        await openService(teamId, { originId });
      } catch (error) {
        const isSetup =
          error instanceof RegionMissingError || error instanceof TokenUnreadableError;
        if (!isSetup) throw error;
        return { ...connection, problem: describeCause(error) };
      }
      const outage = await readOutage(db, { teamId, originId });
      return { ...connection, problem: outage?.reason, since: outage?.since };
    }),
  );
}
