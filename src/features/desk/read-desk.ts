import type { Clock } from '../../clock.ts';
import type { OnConnection } from '../../database/connection-origin.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import { describeCause } from '../../describe-failure.ts';
import { type Interaction, Refusal } from '../../slack/interactions/interaction.ts';
import {
  type AlertState,
  type AlertStates,
  alertKey,
  defaultSearch,
  readMatchingAtOnce,
} from '../alerts/index.ts';
import { type ChannelMutes, type MuteStore, readMutes } from '../watches/index.ts';

/** What a person has to take care of on a connection, the oldest first. */
export type Desk = {
  /** Owned by the person, and not snoozed. */
  yours: AlertState[];
  /** All of the connection, also those that others snoozed. */
  snoozed: AlertState[];
  /** Active errors with neither owner nor snooze; or why they aren't known, as mrkdwn. */
  errors: { alerts: Alert[]; isComplete: boolean } | { problem: string };
  /** Of the channel where the desk is shown. */
  mutes: ChannelMutes | undefined;
};

export type DeskCall = Interaction & { channelId: string | undefined };

export type DeskDependencies = {
  clock: Clock;
  /** Those that the person owns, and all that are snoozed. */
  listAlertStates: (of: OnConnection, owner: string) => Promise<AlertState[]>;
  readAlertStates: (of: OnConnection, keys: string[]) => Promise<AlertStates>;
  mutes: Pick<MuteStore, 'list' | 'countHeld'>;
};

/** @throws Refusal without a connection */
export async function readDesk(call: DeskCall, dependencies: DeskDependencies): Promise<Desk> {
  const { channelId } = call;
  const [lists, errors, mutes] = await Promise.all([
    readDeskLists(call, dependencies),
    readErrors(call, dependencies),
    channelId === undefined ? undefined : readMutes(call, channelId, dependencies.mutes),
  ]);
  return { ...lists, errors, mutes };
}

/** What is stored: without calls of the service. @throws Refusal without a connection */
export async function readDeskLists(
  { teamId, person, service }: Interaction,
  { listAlertStates }: DeskDependencies,
): Promise<Pick<Desk, 'yours' | 'snoozed'>> {
  const { originId } = await service();
  const states = await listAlertStates({ teamId, originId }, person.slackUserId);
  return {
    yours: states.filter(({ snooze }) => !snooze),
    snoozed: states.filter(({ snooze }) => snooze),
  };
}

async function readErrors(
  call: Interaction,
  { clock, readAlertStates }: DeskDependencies,
): Promise<Desk['errors']> {
  const search = { ...defaultSearch, severities: ['error'], sort: 'raised' as const };
  try {
    const { matched, isComplete } = await readMatchingAtOnce(call, search, { clock });
    const { originId } = await call.service();
    const states = await readAlertStates({ teamId: call.teamId, originId }, matched.map(alertKey));
    return { alerts: matched.filter((alert) => !states.has(alertKey(alert))), isComplete };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return { problem: describeCause(error) };
  }
}
