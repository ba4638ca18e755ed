import type { SlackClient } from '../../slack/api/slack-client.ts';
import { shownRights } from '../../workspace/permissions.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import type { RequestContext } from '../request-context.ts';
import { canTakePart, placesOf } from './places.ts';

/** Somebody who stands in for an approver of a request: Slack user ids. */
export type ShownStandIn = { standIn: string; approver: string };

/**
 * Who can decide a request in the place of its approvers at this moment. Nobody if Slack doesn't answer:
 * it is only shown, and the decision checks everything again. `readDeciders` is called if there are any.
 */
export async function readStandIns(
  request: Pick<Approval, 'requester'>,
  action: Pick<Action, 'isSubject'>,
  slack: SlackClient,
  readDeciders: () => Promise<{ deciders: string[]; settings: WorkspaceSettings }>,
  { listStandIns, log }: RequestContext,
): Promise<ShownStandIn[]> {
  try {
    const people = await listStandIns(slack);
    if (people.length === 0) return [];
    const { deciders, settings } = await readDeciders();
    return people
      .filter((person) => canTakePart(person, request, action))
      .flatMap((person) =>
        placesOf(person, deciders, settings, shownRights)
          .filter((place) => place !== person && canTakePart(place, request, action))
          .map((place) => ({ standIn: person.slackUserId, approver: place.slackUserId })),
      );
  } catch (error) {
    log.warn({ teamId: slack.teamId, err: error }, "who stands in for approvers couldn't be read");
    return [];
  }
}
