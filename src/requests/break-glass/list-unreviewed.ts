import type { Interaction } from '../../slack/interactions/interaction.ts';
import { shownRights } from '../../workspace/permissions.ts';
import { canTakePart, placesOf } from '../people/places.ts';
import type { RequestContext } from '../request-context.ts';
import { decidersOf } from '../rules/requirements.ts';
import type { UnreviewedRun } from './views/review-blocks.ts';

/**
 * The runs without approval that nobody has reviewed, the oldest first, and whether the person may.
 * Whether the person ran one under another account is checked only when they review it.
 */
export async function listUnreviewed(
  { teamId, person, settings: readSettings }: Pick<Interaction, 'teamId' | 'person' | 'settings'>,
  { store, bind }: RequestContext,
): Promise<Omit<UnreviewedRun, 'link'>[]> {
  const [runs, settings] = await Promise.all([store.listUnreviewed(teamId), readSettings()]);
  return runs.map((approval) => {
    const action = bind(approval);
    const isMine =
      approval.requester !== person.slackUserId &&
      placesOf(person, decidersOf(approval, action, settings), settings, shownRights).some(
        (place) => place === person || canTakePart(place, approval, action),
      ) &&
      ['no', 'erased'].includes(action.isSubject(person));
    return { approval, action, isMine };
  });
}
