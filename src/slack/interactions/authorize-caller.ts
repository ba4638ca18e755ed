import { type Person, readPerson } from '../api/person.ts';
import type { SlackClient } from '../api/slack-client.ts';
import type { FindInstallPage, SlackClients } from '../api/slack-clients.ts';
import type { CarriedConnection } from '../ui/answer-connection.ts';
import { plural } from '../ui/words.ts';
import { removedConnection } from './choose-connection.ts';
import type { CallContext, HomeOpened, Interaction, Right } from './interaction.ts';
import type { CallKind, OutsiderMembership, RecentCallers } from './recent-callers.ts';
import { type FailureDependencies, recordMissingRight } from './report-failure.ts';

/** Who called which listener, as the payload says; nothing has been checked yet. */
export type Caller = {
  kind: CallKind;
  teamId: string;
  enterpriseId: string | undefined;
  /** Set if the payload is of an installation in a whole organization: its id, `E…`. */
  organizationId: string | undefined;
  slackUserId: string;
  /** Of the workspace `teamId`. */
  slack: SlackClient;
  listener: string;
  /** What the button or form carries, not parsed yet. */
  value?: string | undefined;
  /** The workspace in which the modal was opened. */
  viewTeamId?: string | undefined;
  /** The connection of the answer that was clicked in. */
  carried?: CarriedConnection | undefined;
};

/** A caller who is not a full member of the workspace, or has no role that allows using Belay. */
export type Outsider = Pick<Caller, 'teamId' | 'slackUserId' | 'listener' | 'value'> & {
  membership: OutsiderMembership | typeof notViewer;
};

const notViewer = 'not_viewer';

/** Checks the person's roles: returns the person with their roles, or why they can't continue. */
export type AuthorizePerson = (
  person: Person,
  slack: SlackClient,
) => Promise<{ person: Person } | { refusal: string }>;

export type ClientDependencies = {
  clients: Pick<SlackClients, 'find'>;
  findInstallPage: FindInstallPage;
  /** Asks Slack again which workspaces use the organization's installation. */
  refreshOrganization?: ((organizationId: string) => Promise<void>) | undefined;
};

export type ListenerDependencies = FailureDependencies &
  ClientDependencies & {
    recentCallers: RecentCallers;
    authorize: AuthorizePerson;
    /** Called for everybody who is refused as an outsider. */
    onOutsiderRefused: (outsider: Outsider) => Promise<void>;
    /** For a call that is about no connection yet. */
    openContext: (teamId: string) => CallContext;
    /** After a click on a Home tab: the person waits for what became of it. Never throws. */
    onHomeUsed?: ((home: HomeOpened) => Promise<void>) | undefined;
  };

/**
 * Lets only full members of this workspace continue, within their limit of calls, and only with modals
 * that were opened in it: with Slack Connect a modal can come back from another workspace. Slack is
 * asked each time, because people join, leave and become guests; for those who were refused within the
 * minute the answer stays. `authorize` then checks the roles that the workspace requires, and `needs` what
 * the listener requires.
 */
export async function authorizeCaller(
  { kind, listener, value, viewTeamId, carried, ...caller }: Caller,
  dependencies: ListenerDependencies,
  needs?: Right,
): Promise<Interaction | { refusal: string; membership?: Outsider['membership'] }> {
  const { log, recentCallers, authorize, onOutsiderRefused, openContext } = dependencies;
  const { teamId, slackUserId, slack } = caller;
  const callerLog = log.child({ teamId, slackUserId, listener });
  const refuse = async (membership: OutsiderMembership) => {
    callerLog.warn({ membership }, 'refused someone who is not a full member');
    await onOutsiderRefused({ teamId, slackUserId, listener, value, membership });
    return { refusal: refusalFor(membership), membership };
  };

  const tooMany = recentCallers.countCall(caller, kind);
  if (tooMany) return { refusal: tooManyCalls(kind, tooMany) };
  if (viewTeamId !== undefined && viewTeamId !== teamId) {
    callerLog.warn({ viewTeamId }, 'refused a form that was opened in another workspace');
    return { refusal: openedElsewhere };
  }
  const known = recentCallers.outsider(caller);
  if (known) return refuse(known);
  const read = await readPerson(slack, slackUserId);
  const { membership } = read;
  if (membership === 'member') {
    const authorized = await authorize(read, slack);
    if ('refusal' in authorized) {
      callerLog.warn('refused someone without a role');
      const outsider = { teamId, slackUserId, listener, value, membership: notViewer } as const;
      await onOutsiderRefused(outsider);
      return { ...authorized, membership: notViewer };
    }
    const { person } = authorized;
    const context = await continueOn(carried, openContext(teamId));
    if (context === 'removed') return { refusal: removedConnection };
    const call = { ...context, teamId, slack, person, log: callerLog };
    const refusal = await needs?.(call);
    if (refusal === undefined) return call;
    await recordMissingRight(dependencies, { teamId, slackUserId, listener });
    return { refusal };
  }
  recentCallers.rememberOutsider(caller, membership);
  return refuse(membership);
}

/** On the connection of the answer that was clicked in, as it is now. */
async function continueOn(
  carried: CarriedConnection | undefined,
  context: CallContext,
): Promise<CallContext | 'removed'> {
  if (!carried) return context;
  const { originId, isNamed } = carried;
  const chosen = await context.chooseConnection({ originId });
  return 'refused' in chosen ? 'removed' : context.about({ ...chosen, isNamed });
}

const openedElsewhere =
  'This form was opened in another workspace. Nothing was changed. Open the form again here.';

function tooManyCalls(kind: CallKind, { max, waitMs }: { max: number; waitMs: number }): string {
  const calls = { command: 'commands', click: 'clicks and forms' }[kind];
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return `You've sent more than ${max} ${calls} within a minute. Nothing was changed. Try again in ${plural(seconds, 'second')}.`;
}

function refusalFor(membership: OutsiderMembership): string {
  const who = {
    guest: 'Guests of this workspace',
    external: 'People from other workspaces',
    deactivated: 'Deactivated accounts',
    bot: 'Bots',
  }[membership];
  return `${who} can't use Belay. Nothing was changed. Ask a full member of this workspace for help.`;
}
