import { placesOf } from './conversations.ts';
import type { Deliver } from './delivery.ts';
import type { Pickable } from './element-state.ts';
import type { GestureOutcome } from './protocol.ts';
import type { LocalState } from './state.ts';
import type { WorkspacePerson } from './workspace.ts';

/** What every gesture needs: who makes it, in which workspace, and the way to the app. */
export type GestureContext = {
  state: LocalState;
  person: WorkspacePerson;
  deliver: Deliver;
  /** This server's own origin, for response URLs. */
  baseUrl: string;
};

export const ok: GestureOutcome = { result: 'ok' };

export const refused = (reason: string): GestureOutcome => ({ result: 'refused', reason });

/** What this person finds in people and conversation menus. */
export const pickableFor = ({ state, person }: GestureContext): Pickable => {
  const places = placesOf(state, person);
  const present = [...state.people.values()].filter((one) => !one.isDeactivated);
  return {
    people: [...present.map((one) => one.slackUserId), state.workspace.app.botUserId],
    channels: places.filter((one) => one.kind === 'channel').map((one) => one.channelId),
    conversations: places.map((one) => one.channelId),
  };
};

/** The part that every interaction payload begins with. */
export const interactionBase = ({ state, person }: GestureContext) => ({
  team: { id: state.workspace.teamId, domain: state.workspace.domain },
  user: {
    id: person.slackUserId,
    username: person.name,
    name: person.name,
    team_id: person.teamId,
  },
  api_app_id: state.workspace.app.appId,
  token: 'legacy-verification-token',
  enterprise: null,
  is_enterprise_install: false,
});
