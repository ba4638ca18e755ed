import type { Clock } from '../../clock.ts';
import type { Person } from '../../slack/api/person.ts';
import { channelMention, mention } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import { mayDecide, type WorkspaceSettings } from '../workspaces/index.ts';
import type { BindAction } from './bind-action.ts';
import type { ApprovalStore } from './store/approval-store.ts';
import { formatCount } from './views/format-approvals.ts';

const maxShown = 3;

/**
 * The pending requests that the person may decide, as lines of mrkdwn; undefined if there are none.
 * Whether requester and approver are one person is checked only when they decide.
 */
export async function describeDecidable(
  { teamId, person }: { teamId: string; person: Person },
  {
    store,
    bind,
    readSettings,
    clock,
  }: {
    store: Pick<ApprovalStore, 'listWaiting'>;
    bind: BindAction;
    readSettings: (teamId: string) => Promise<WorkspaceSettings>;
    clock: Clock;
  },
): Promise<string | undefined> {
  const [waiting, settings] = await Promise.all([store.listWaiting(teamId), readSettings(teamId)]);
  const decidable = waiting.filter((approval) => {
    const { state, expiresAt, requester, snapshot, votes } = approval;
    if (state !== 'pending' || expiresAt <= clock()) return false;
    const excluded = [requester, ...votes.map(({ by }) => by)];
    if (excluded.includes(person.slackUserId)) return false;
    const action = bind(approval);
    const isAllowed = mayDecide(person, action.approvers(settings.approvers));
    return isAllowed && action.isSubject(snapshot, person) === 'no';
  });
  if (decidable.length === 0) return undefined;
  const lines = decidable
    .slice(0, maxShown)
    .map((approval) =>
      [
        `• ${bind(approval).summary}`,
        `requested by ${mention(approval.requester)} in ${channelMention(approval.channelId)}`,
        ...(approval.requiredApprovals > 1 ? [formatCount(approval)] : []),
      ].join(' · '),
    );
  const left = decidable.length - lines.length;
  return [
    `:hourglass: *${plural(decidable.length, 'request')} to decide*`,
    ...lines,
    ...(left > 0 ? [`${left} more`] : []),
  ].join('\n');
}
