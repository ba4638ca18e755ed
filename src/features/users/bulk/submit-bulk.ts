import type { SubmissionInteraction } from '../../../slack/listeners/interaction.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import { cutMrkdwn, quote } from '../../../slack/ui/mrkdwn.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import { reasonProblem } from '../../approvals/index.ts';
import { notConnected } from '../../workspaces/index.ts';
import type { UsersDependencies } from '../submit-request.ts';
import type { BulkRequestForm } from '../views/bulk/bulk-modal.ts';
import { countBlockId, reasonBlockId } from '../views/ids.ts';
import { inspectUsers, prepareBulk } from './inspect-users.ts';
import type { LeftOut } from './resolve-users.ts';

/** Errors that keep the form open. */
export function checkBulkForm(
  values: ViewValues,
  { verb, ids, reasonFormat }: BulkRequestForm,
): Record<string, string> | undefined {
  const errors: Record<string, string> = {};
  const reason = values.text(reasonBlockId);
  const problem = reason ? reasonProblem(reason, reasonFormat) : 'Enter a reason.';
  if (problem) errors[reasonBlockId] = problem;
  if (!isConfirmed(verb, values, ids.length)) {
    errors[countBlockId] = `Enter exactly ${ids.length}. No request was sent.`;
  }
  return Object.keys(errors).length > 0 ? errors : undefined;
}

/** Reads the users again, since the form passed through a client, and requests approval for all. */
export async function submitBulk(
  call: SubmissionInteraction<BulkRequestForm>,
  { openService, approvals, readSettings }: UsersDependencies,
): Promise<Message> {
  const { teamId, enterpriseId, person, connection, metadata, values, viewId, slack } = call;
  const { verb, channelId } = metadata;
  const typed = [...new Set(metadata.ids)];
  const [service, settings] = await Promise.all([
    openService(teamId, connection),
    readSettings(teamId),
  ]);
  if (!service) return notConnected;
  const reason = values.text(reasonBlockId) ?? '';
  const found = await inspectUsers(
    { verb, typed, teamId, person, service, settings },
    { approvals },
  );
  if (found.leftOut.length > 0 || !isConfirmed(verb, values, typed.length)) {
    return notice(changedSince(found.leftOut, reason));
  }
  return approvals.request({
    teamId,
    enterpriseId,
    requester: person,
    channelId,
    viewId,
    settings,
    slack,
    reason,
    prepared: prepareBulk(verb, found, service, settings.deleteGraceMinutes),
    children: found.children,
  });
}

function isConfirmed(verb: BulkRequestForm['verb'], values: ViewValues, count: number): boolean {
  return verb !== 'delete' || values.text(countBlockId) === String(count);
}

function changedSince(leftOut: LeftOut[], reason: string): string {
  const lines = leftOut.map(({ who, why }) => `• ${who}: ${why}`);
  const top =
    lines.length > 0
      ? 'No request was sent, because these users can no longer be included:'
      : "No request was sent, because the confirmation doesn't match the number of users.";
  const list = cutMrkdwn([top, ...lines].join('\n'), 2000);
  return reason ? `${list}\n\nYour reason was:\n${quote(reason)}` : list;
}
