import { parseEach } from '../../database/parse-rows.ts';
import { subDays } from '../../dates.ts';
import type { Person } from '../../slack/api/person.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import { shownRights } from '../../workspace/permissions.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { Action } from '../action.ts';
import { abortableTask } from '../action-steps.ts';
import { type Approval, nextStepAt, placeOf } from '../approval.ts';
import { canTakePart, placesOf } from '../people/places.ts';
import type { RequestContext } from '../request-context.ts';
import { matchApprovals, neededApprovals } from '../rules/match-approvals.ts';
import { approvalsMetBy } from '../rules/recheck-votes.ts';
import { decidersOf } from '../rules/requirements.ts';
import { maxOpen } from '../timings.ts';

/** A request that waits for its decision or for its next step. */
export type OpenRequest = {
  approval: Approval;
  action: Action;
  /** Whether it waits for the reader's decision, is the reader's own, or neither. */
  group: 'waiting' | 'mine' | 'other';
  /** Whether the reader may cancel its scheduled step. */
  isCancelable: boolean;
};

const groups: OpenRequest['group'][] = ['waiting', 'mine', 'other'];

/** `isCut`: there are more. `unreadable`: how many were left out because Belay can't read them. */
type OpenRequests = { open: OpenRequest[]; isCut: boolean; unreadable: number };

/**
 * The open requests of a workspace: those that the person may decide, then their own, then the others,
 * each with the next deadline first. Whether requester and approver are one person is checked only when
 * they decide.
 */
export async function readOpenRequests(
  { teamId, person, settings: readSettings }: Pick<Interaction, 'teamId' | 'person' | 'settings'>,
  { store, bind, clock }: RequestContext,
): Promise<OpenRequests> {
  const limit = maxOpen + 1;
  const [found, settings] = await Promise.all([
    store.listOpen({ teamId, slackUserId: person.slackUserId, at: clock(), limit }),
    readSettings(),
  ]);
  const listed = found.parsed.slice(0, maxOpen);
  const bound = parseEach(listed, (approval) => ({ approval, action: bind(approval) }));
  const open = bound.parsed
    .map(({ approval, action }) => {
      const isOwn = approval.requester === person.slackUserId;
      const isWaiting = isDecidable(approval, action, person, settings);
      const group: OpenRequest['group'] = isWaiting ? 'waiting' : isOwn ? 'mine' : 'other';
      const isCancelable =
        (approval.state === 'scheduled' || abortableTask(approval, action) !== undefined) &&
        (isOwn ||
          [person, ...(person.standsInFor ?? [])].some((place) =>
            [settings.approvers, decidersOf(approval, action, settings)].some((approvers) =>
              shownRights.mayDecide(place, approvers),
            ),
          ));
      return { approval, action, group, isCancelable };
    })
    .toSorted(
      (one, other) =>
        groups.indexOf(one.group) - groups.indexOf(other.group) || dueAt(one) - dueAt(other),
    );
  const isCut = found.parsed.length + found.unreadable.length > maxOpen;
  const unreadable = found.unreadable.length + bound.unreadable.length + bound.newer;
  return { open, isCut, unreadable };
}

/** Excludes people whose approval wouldn't add anything. */
function isDecidable(
  approval: Approval,
  action: Action,
  person: Person,
  settings: WorkspaceSettings,
): boolean {
  const { state, requester, votes } = approval;
  const excluded = [requester, ...votes.map(({ by }) => by)];
  if (state !== 'pending' || excluded.includes(person.slackUserId)) return false;
  const deciders = decidersOf(approval, action, settings);
  const places = placesOf(person, deciders, settings, shownRights);
  if (places.length === 0 || action.isSubject(person) !== 'no') return false;
  const needed = neededApprovals(approval, deciders);
  return places.some((place) => {
    if (place !== person && !canTakePart(place, approval, action)) return false;
    const isTaken = votes.some(
      (vote) => placeOf(vote) === place.slackUserId && vote.meets.length > 0,
    );
    if (isTaken) return false;
    const meets = approvalsMetBy(place, needed, shownRights);
    return matchApprovals(needed, [...votes, { meets }]).size > matchApprovals(needed, votes).size;
  });
}

function dueAt({ approval }: OpenRequest): number {
  const { state, expiresAt } = approval;
  return (state === 'pending' ? expiresAt : (nextStepAt(approval) ?? expiresAt)).getTime();
}

export type RecentRequest = { approval: Approval; action: Action };

const recentDays = 7;
export const maxRecent = 5;

/**
 * The last requests that a person made or decided and that are no longer theirs to decide, the latest
 * first. One that can't be read is left out.
 */
export async function readRecentRequests(
  { teamId, person: { slackUserId } }: Pick<Interaction, 'teamId' | 'person'>,
  { store, bind, clock }: RequestContext,
): Promise<RecentRequest[]> {
  const since = subDays(clock(), recentDays);
  const found = await store.listRecent({ teamId, slackUserId, since, limit: maxRecent });
  return parseEach(found.parsed, (approval) => ({ approval, action: bind(approval) })).parsed;
}

/** Each with what `linkTo` makes of its request: a link to its message, mrkdwn. */
export function withLinks<Of extends { approval: Approval }>(
  requests: Of[],
  linkTo: (approval: Approval) => Promise<string>,
): Promise<(Of & { link: string })[]> {
  return Promise.all(
    requests.map(async (request) => ({ ...request, link: await linkTo(request.approval) })),
  );
}
