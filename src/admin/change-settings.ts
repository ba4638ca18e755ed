import { systemClock } from '../clock.ts';
import { maxApprovers } from '../features/setup/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import { openStore } from './open-store.ts';
import { parseOperator } from './operator.ts';

/**
 * Sets the approvers or the approvals channel of a workspace whose people are locked out. The audit
 * log names the operator as `--by` says, and the running Belay announces the change.
 */
export async function changeSettings({
  values,
  config,
  stdout,
  db,
}: CommandCall): Promise<ExitCode> {
  const { team: teamId, approvers, 'approvals-channel': channel } = values;
  if (!teamId || (approvers === undefined && channel === undefined)) {
    throw new Error('Add --team, and --approvers or --approvals-channel.');
  }
  const by = parseOperator(values.by);
  const { store } = openStore(db, config.encryptionKeys);
  const changed = await store.saveByOperator({
    teamId,
    ...(approvers !== undefined && { approvers: readApprovers(approvers) }),
    ...(channel !== undefined && { approvalsChannel: readChannel(channel) }),
    at: systemClock(),
    by,
  });
  if (!changed) throw new Error(`Workspace ${teamId} isn't set up.`);
  const { after } = changed;
  stdout.write(
    [
      `Approvers: ${after.approvers.join(', ') || "the workspace's admins"}.`,
      `Approvals channel: ${after.approvalsChannel ?? 'none'}.`,
      'Belay announces the change in Slack once Belay is running.\n',
    ].join('\n'),
  );
  return 0;
}

/** `admins`, or Slack user ids. */
function readApprovers(typed: string): string[] {
  if (typed === 'admins') return [];
  const ids = [...new Set(typed.split(',').map((id) => id.trim()))];
  const wrong = ids.find((id) => !/^[UW][A-Z0-9]{2,30}$/.test(id));
  if (wrong !== undefined)
    throw new Error(`"${wrong}" isn't a Slack member ID. Example: U0123ABC.`);
  if (ids.length > maxApprovers) throw new Error(`Name at most ${maxApprovers} approvers.`);
  return ids;
}

function readChannel(typed: string): string | undefined {
  if (typed === 'none') return undefined;
  if (/^[CG][A-Z0-9]{2,30}$/.test(typed)) return typed;
  throw new Error(`"${typed}" isn't the ID of a Slack channel. Example: C0123ABC.`);
}
