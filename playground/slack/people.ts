import { tzOffset } from '@date-fns/tz/tzOffset';
import { botOf, type LocalState } from './state.ts';
import type { WorkspacePerson } from './workspace.ts';

export const SLACKBOT_ID = 'USLACKBOT';

export const findPerson = (state: LocalState, slackUserId: string): WorkspacePerson | undefined =>
  state.people.get(slackUserId);

const isOfOrganization = ({ organization }: LocalState, person: WorkspacePerson): boolean =>
  organization?.teamIds.includes(person.teamId) === true;

/** The fields that only members of an organization have. */
const enterpriseUser = ({ organization }: LocalState, person: WorkspacePerson) => ({
  id: person.slackUserId,
  enterprise_id: organization?.enterpriseId,
  enterprise_name: organization?.name,
  is_admin: false,
  is_owner: false,
  teams: [person.teamId, ...(person.otherTeamIds ?? [])],
});

/** https://docs.slack.dev/reference/objects/user-object, with the e-mail address if allowed. */
export const userObject = (state: LocalState, person: WorkspacePerson, withEmail: boolean) => ({
  id: person.slackUserId,
  team_id: person.teamId,
  name: person.name,
  deleted: person.isDeactivated,
  real_name: person.realName,
  tz: person.timeZone,
  tz_label: person.timeZone,
  // In seconds east of UTC.
  tz_offset: tzOffset(person.timeZone, state.clock()) * 60,
  profile: {
    real_name: person.realName,
    display_name: person.name,
    title: person.title,
    team: person.teamId,
    ...(withEmail ? { email: person.email } : {}),
  },
  is_admin: person.isAdmin,
  is_owner: person.isOwner,
  is_primary_owner: false,
  is_restricted: person.isGuest,
  is_ultra_restricted: false,
  is_bot: false,
  is_app_user: false,
  is_stranger: person.teamId !== state.workspace.teamId && !isOfOrganization(state, person),
  ...(isOfOrganization(state, person) ? { enterprise_user: enterpriseUser(state, person) } : {}),
});

export const botUserObject = (state: LocalState) => {
  const { teamId, app } = state.workspace;
  const { botUserId, botId } = botOf(state);
  return {
    id: botUserId,
    team_id: teamId,
    name: app.name.toLowerCase(),
    deleted: false,
    real_name: app.name,
    tz: 'Etc/UTC',
    tz_label: 'Coordinated Universal Time',
    tz_offset: 0,
    profile: { real_name: app.name, display_name: app.name, team: teamId, bot_id: botId },
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: false,
    is_ultra_restricted: false,
    is_bot: true,
    is_app_user: false,
  };
};
