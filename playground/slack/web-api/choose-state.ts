import { findConversation } from '../conversations.ts';
import { type Directory, statesAt } from '../installations/directory.ts';
import type { Installation } from '../installations/installation.ts';
import type { LocalState } from '../state.ts';
import { findByExternalId, findView } from '../view-stack.ts';

/**
 * Methods that must name the workspace when an organization's token calls them.
 * https://docs.slack.dev/enterprise/developing-for-enterprise-orgs#methods
 */
const NEED_TEAM = new Set(['users.list', 'conversations.list']);

type Given = Record<string, unknown>;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Whether the workspace has what the call names: 2 for a person's own workspace, 0 for no. */
const claim = (state: LocalState, given: Given): number => {
  const personId = text(given.user) ?? text(given.users) ?? text(given.channel);
  const person = personId === undefined ? undefined : state.people.get(personId);
  if (person) return person.teamId === state.workspace.teamId ? 2 : 1;
  const { channel, trigger_id, view_id, external_id } = given;
  const isKnown =
    (typeof channel === 'string' && findConversation(state, channel) !== undefined) ||
    (typeof trigger_id === 'string' && state.triggers.has(trigger_id)) ||
    (typeof view_id === 'string' && findView(state, view_id) !== undefined) ||
    (typeof external_id === 'string' && findByExternalId(state, external_id) !== undefined);
  return isKnown ? 1 : 0;
};

const bestOf = (states: LocalState[], given: Given): LocalState | undefined => {
  const [best] = states
    .map((state) => ({ state, claim: claim(state, given) }))
    .filter((one) => one.claim > 0)
    .sort((a, b) => b.claim - a.claim);
  return best?.state;
};

/** The workspace that has what the call names, if the token gives no access to that workspace. */
export const workspaceElsewhere = (
  { states }: Directory,
  installation: Installation,
  given: Given,
): string | undefined => {
  const all = [...states.values()];
  const isWithin = ({ workspace }: LocalState) => installation.teamIds.includes(workspace.teamId);
  if (bestOf(all.filter(isWithin), given)) return undefined;
  return bestOf(
    all.filter((state) => !isWithin(state)),
    given,
  )?.workspace.teamId;
};

type Chosen = { ok: true; state: LocalState } | { ok: false; error: string };

/** The workspace that a call acts in. Only an organization's token leaves a choice. */
export const chooseState = (
  directory: Directory,
  installation: Installation,
  method: string,
  given: Given,
): Chosen => {
  const { place, teamIds } = installation;
  const all = statesAt(directory, place);
  const [first] = all;
  if (!first) throw new Error('An installation without a workspace.');
  if (place.kind === 'workspace') return { ok: true, state: first };
  const named = text(given.team_id) ?? text(given.team);
  if (named === undefined && NEED_TEAM.has(method)) return { ok: false, error: 'missing_argument' };
  const state =
    named === undefined
      ? bestOf(all, given)
      : all.find(({ workspace }) => workspace.teamId === named);
  if (named !== undefined && !state) return { ok: false, error: 'team_access_not_granted' };
  // Methods that name nothing of a workspace, such as auth.test, take any.
  if (!state) return { ok: true, state: first };
  return teamIds.includes(state.workspace.teamId)
    ? { ok: true, state }
    : { ok: false, error: 'team_access_not_granted' };
};
