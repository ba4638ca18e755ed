import { listConversations } from './conversations.ts';
import type { Deliver } from './delivery.ts';
import type { MenuChoices } from './element-state.ts';
import {
  enterpriseObject,
  isInstalledInOrganization,
  teamObject,
} from './installations/payload-fields.ts';
import type { GestureOutcome } from './protocol.ts';
import { botOf, type Client, type LocalState } from './state.ts';
import type { WorkspacePerson } from './workspace.ts';

/** What every gesture needs: the person and their tab, the workspace, and how to reach the app. */
export type GestureContext = {
  state: LocalState;
  person: WorkspacePerson;
  /** Where the gesture was made, and where a modal that answers it opens. */
  client: Client;
  deliver: Deliver;
  /** This server's origin, for response URLs. */
  baseUrl: string;
};

export const ok: GestureOutcome = { result: 'ok' };

export const refused = (reason: string): GestureOutcome => ({ result: 'refused', reason });

/** The people and conversations that menus offer this person. */
export const menuChoicesFor = ({ state, person }: GestureContext): MenuChoices => {
  const conversations = listConversations(state, person);
  const present = [...state.people.values()].filter((one) => !one.isDeactivated);
  return {
    people: [...present.map((one) => one.slackUserId), botOf(state).botUserId],
    channels: conversations.filter((one) => one.kind === 'channel').map((one) => one.channelId),
    conversations: conversations.map((one) => one.channelId),
  };
};

/** The fields that all interaction payloads share. */
export const interactionBase = ({ state, person }: GestureContext) => ({
  team: teamObject(state),
  user: {
    id: person.slackUserId,
    username: person.name,
    name: person.name,
    team_id: person.teamId,
  },
  api_app_id: state.workspace.app.appId,
  token: 'legacy-verification-token',
  enterprise: enterpriseObject(state),
  is_enterprise_install: isInstalledInOrganization(state),
});
