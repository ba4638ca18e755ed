import type { Database } from '../../database/tables.ts';
import type { Region } from '../../dataprotection/region.ts';
import { describeCause } from '../../describe-failure.ts';
import type { Logger } from '../../logger.ts';
import { once } from '../../once.ts';
import type { HomeReader, RenderedHome } from '../../postings/home/create-homes.ts';
import type { Approvals } from '../../requests/approvals.ts';
import { isDirectChannel } from '../../slack/api/channel.ts';
import { safeName } from '../../slack/ui/mrkdwn.ts';
import { listSubscribedChannels } from '../../subscriptions/channels.ts';
import type { Access } from '../../workspace/access/access.ts';
import {
  type OpenService,
  RegionMissingError,
  TokenUnreadableError,
} from '../../workspace/open-service.ts';
import type { WorkspaceStore } from '../../workspace/store/workspace-store.ts';
import type { ConnectionSummary } from '../../workspace/workspace.ts';
import { countAlertStates } from '../alerts/index.ts';
import { homeDeskBlocks } from '../desk/index.ts';
import { digestFamily } from '../digests/index.ts';
import { drillFamily } from '../drills/index.ts';
import { openSetupActionId } from '../setup/index.ts';
import { muteFamily, readOutage, watchFamily } from '../watches/index.ts';
import { type ChannelMembers, createChannelMembers } from './channel-members.ts';
import { type HomePart, renderHome } from './render-home.ts';
import {
  type ConnectionState,
  type HomeChannel,
  homeChannelBlocks,
  homeConnectionBlocks,
  homeFooterBlocks,
} from './views/home-blocks.ts';

type HomeSources = {
  db: Database;
  approvals: Approvals;
  workspaceStore: WorkspaceStore;
  openService: OpenService;
  regions: Region[];
  members: ChannelMembers;
};

/** Renders the Home tabs of this process. */
export function createHomeRenderer({
  access: { authorize },
  log,
  ...given
}: Omit<HomeSources, 'members'> & { access: Access; log: Logger }): (
  reader: HomeReader,
) => Promise<RenderedHome> {
  const sources = { ...given, members: createChannelMembers() };
  return (reader) =>
    renderHome(reader, { parts: listHomeParts(reader.teamId, sources), authorize, log });
}

/** Of a workspace with more channels, those with most watches. Each may cost calls to Slack. */
const maxChannels = 50;

const families = [watchFamily, muteFamily, digestFamily, drillFamily];

/** What one Home tab consists of, in this order. The connections are read once for all parts. */
function listHomeParts(teamId: string, sources: HomeSources): HomePart[] {
  const { approvals, workspaceStore } = sources;
  const connections = once(() => workspaceStore.listConnections(teamId));
  // Before the setup, the setup comes first, without empty sections above it.
  const ifConnected =
    (read: HomePart['read']): HomePart['read'] =>
    async (reader) =>
      (await connections()).length > 0 ? read(reader) : [];
  return [
    { title: 'Requests', read: ifConnected((reader) => approvals.showOnHome(reader)) },
    {
      title: 'Your alerts',
      read: ifConnected(async ({ person: { slackUserId: owner } }) =>
        homeDeskBlocks(await connections(), await countAlertStates(sources.db, { teamId, owner })),
      ),
    },
    {
      title: 'Your channels',
      read: ifConnected(async (reader) => homeChannelBlocks(await readChannels(reader, sources))),
    },
    {
      title: 'Connection',
      read: async ({ person }) => {
        const states = await readStates(teamId, await connections(), sources);
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

/** The channels with something set up that the person is in, and the person's direct messages. */
async function readChannels(
  { teamId, slack, person, directChannelId }: HomeReader,
  { db, members }: HomeSources,
): Promise<HomeChannel[]> {
  const found = await Promise.all(
    families.map(async (family) => {
      const rows = await listSubscribedChannels(db, family, teamId);
      return rows.map((row) => ({ ...row, family }));
    }),
  );
  const ofChannels = Map.groupBy(found.flat(), ({ channelId }) => channelId);
  const shared = [...ofChannels.keys()].filter((id) => !isDirectChannel(id));
  const looked = new Set(shared.slice(0, maxChannels));
  const visible = await Promise.all(
    [...ofChannels].map(async ([channelId, rows]) => {
      const isVisible =
        channelId === directChannelId ||
        (looked.has(channelId) && (await members.includes(slack, channelId, person.slackUserId)));
      return isVisible ? [{ channelId, rows }] : [];
    }),
  );
  return visible.flat().map(({ channelId, rows }) => ({
    channelId,
    kinds: [...Map.groupBy(rows, ({ family }) => family)].map(([{ noun, plural }, ofFamily]) => ({
      noun,
      plural,
      count: sum(ofFamily),
      nextAt: ofFamily
        .flatMap(({ dueAt, pausedReason }) => (pausedReason ? [] : (dueAt ?? [])))
        .toSorted((one, other) => one.getTime() - other.getTime())[0],
    })),
    paused: sum(rows.filter(({ pausedReason }) => pausedReason)),
  }));
}

function sum(counted: { count: number }[]): number {
  return counted.reduce((total, { count }) => total + count, 0);
}

async function readStates(
  teamId: string,
  connections: ConnectionSummary[],
  { db, openService, regions }: HomeSources,
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
