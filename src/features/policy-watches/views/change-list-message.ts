import { z } from 'zod';
import {
  actions,
  type Button,
  context,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { definePager, pagesAround } from '../../../slack/ui/pager.ts';
import { viewPolicyButton } from '../../alerts/index.ts';
import type { RecordedChange } from '../recorded-change.ts';
import { changesCommand, formatChange, formatOrigin, formatUnread } from './format-change.ts';

export const changePager = definePager(
  'policy_changes',
  'policy changes',
  z.object({ start: z.int().min(0) }),
);

const changesPerPage = 10;
/** How far back the list goes. */
export const listedDays = 30;

/**
 * One page of the changes to policies, newest first. `isComplete`: there are no others. `unread`: since
 * when the policies couldn't be read.
 */
export function changeListMessage(
  all: RecordedChange[],
  { start, isComplete, unread }: { start: number; isComplete: boolean; unread: Date | undefined },
): Message {
  const warnings = unread ? [formatUnread(unread)] : [];
  if (all.length === 0) return notice([noneText, ...warnings].join('\n'));
  const first = start < all.length ? start : 0;
  const shown = all.slice(first, first + changesPerPage);
  const total = isComplete ? `${all.length}` : `more than ${all.length}`;
  const range = all.length > changesPerPage ? `${first + 1}-${first + shown.length} of ` : '';
  const title = `Policy changes · last ${listedDays} days · ${range}${total}`;
  return message([
    section([`*${title}*`, ...warnings].join('\n')),
    ...shown.map((change) =>
      section(`${formatChange(change)}\n${formatOrigin(change)}`, viewButton(change)),
    ),
    actions(
      changePager.buttons(
        pagesAround({ start: first }, { total: all.length, perPage: changesPerPage }),
      ),
    ),
    context(`${whereFrom} · Command: ${changesCommand}`),
  ]);
}

const whereFrom =
  'Changes made outside Belay are found while a channel watches policies (`/belay watch policies`) or a digest includes them';

const noneText = `No policy changes in the last ${listedDays} days. ${whereFrom}.`;

/** None for a policy that no longer exists. */
function viewButton({ policyId: id, name, kind }: RecordedChange): Button | undefined {
  return kind === 'deleted' ? undefined : viewPolicyButton({ id, name });
}
