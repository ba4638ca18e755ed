import { findConversation } from '../conversations.ts';
import type { Directory } from '../installations/directory.ts';
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

/** Whether a workspace has something: 2 for a person or a direct message of its own, 0 for no. */
type Claim = (state: LocalState) => number;

const claimPerson =
  (id: string): Claim =>
  ({ people, workspace }) => {
    const person = people.get(id);
    if (!person) return 0;
    return person.teamId === workspace.teamId ? 2 : 1;
  };

const claimConversation =
  (named: string): Claim =>
  (state) => {
    const conversation = findConversation(state, named);
    if (!conversation) return 0;
    const [memberId = ''] = conversation.memberIds;
    return conversation.kind === 'direct' ? claimPerson(memberId)(state) : 1;
  };

/** Everything of a workspace that a call names. What decides on the workspace comes first. */
const claimsIn = (given: Given): Claim[] => {
  const claims: [string, (value: string) => Claim][] = [
    ['channel', claimConversation],
    ['user', claimPerson],
    ['user_id', claimPerson],
    ['users', claimPerson],
    ['trigger_id', (id) => (state) => Number(state.triggers.has(id))],
    ['view_id', (id) => (state) => Number(findView(state, id) !== undefined)],
    ['external_id', (id) => (state) => Number(findByExternalId(state, id) !== undefined)],
  ];
  return claims.flatMap(([name, claim]) => {
    const value = text(given[name]);
    return value === undefined ? [] : [claim(value)];
  });
};

const bestOf = (states: LocalState[], claim: Claim): LocalState | undefined => {
  const [best] = states
    .map((state) => ({ state, weight: claim(state) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return best?.state;
};

const statesOf = ({ states }: Directory, { teamIds }: Installation): LocalState[] =>
  teamIds.flatMap((teamId) => states.get(teamId) ?? []);

/** A workspace that has something the call names, if the token gives no access to it. */
export const workspaceElsewhere = (
  directory: Directory,
  installation: Installation,
  given: Given,
): string | undefined => {
  const within = statesOf(directory, installation);
  const strange = claimsIn(given).filter((claim) => !bestOf(within, claim));
  const others = [...directory.states.values()].filter((state) => !within.includes(state));
  const [found] = strange.flatMap((claim) => bestOf(others, claim) ?? []);
  return found?.workspace.teamId;
};

type Chosen = { ok: true; state: LocalState } | { ok: false; error: string };

/** The workspace that a call acts in. Only an organization's token leaves a choice. */
export const chooseState = (
  directory: Directory,
  installation: Installation,
  method: string,
  given: Given,
): Chosen => {
  const all = statesOf(directory, installation);
  // An organization's installation may have been granted no workspace yet.
  const [first] = [...all, ...directory.states.values()];
  if (!first) throw new Error('A local Slack needs a workspace.');
  if (installation.target.kind === 'workspace') return { ok: true, state: first };
  const named = text(given.team_id) ?? text(given.team);
  if (named === undefined && NEED_TEAM.has(method)) return { ok: false, error: 'missing_argument' };
  const state =
    named === undefined
      ? claimsIn(given).flatMap((claim) => bestOf(all, claim) ?? [])[0]
      : all.find(({ workspace }) => workspace.teamId === named);
  if (named !== undefined && !state) return { ok: false, error: 'team_access_not_granted' };
  // Methods that name nothing of a workspace, such as auth.test, take any.
  return { ok: true, state: state ?? first };
};
