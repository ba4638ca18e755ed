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
import { changesCommand, formatChange, formatOriginInFull, formatUnread } from './format-change.ts';

export const changePager = definePager(
  'policy_changes',
  'policy changes',
  z.object({ start: z.int().min(0) }),
);

const changesPerPage = 10;
/** How far back the list goes. */
export const listedDays = 30;

/** The changes on the page that begins at `start`, or on the first if the list has become shorter. */
export function pageOf(all: RecordedChange[], start: number) {
  const first = start < all.length ? start : 0;
  return { first, shown: all.slice(first, first + changesPerPage) };
}

/**
 * One page of the changes to policies, newest first. `isComplete`: there are no others. `unread`: since
 * when the policies couldn't be read. `links`: to the requests of the changes on the page, mrkdwn.
 */
export function changeListMessage(
  all: RecordedChange[],
  {
    start,
    isComplete,
    unread,
    links = new Map(),
  }: {
    start: number;
    isComplete: boolean;
    unread: Date | undefined;
    links?: ReadonlyMap<RecordedChange, string>;
  },
): Message {
  const warnings = unread ? [formatUnread(unread)] : [];
  if (all.length === 0) return notice([noneText, ...warnings].join('\n'));
  const { first, shown } = pageOf(all, start);
  const total = isComplete ? `${all.length}` : `more than ${all.length}`;
  const range = all.length > changesPerPage ? `${first + 1}-${first + shown.length} of ` : '';
  const title = `Policy changes · last ${listedDays} days · ${range}${total}`;
  return message([
    section([`*${title}*`, ...warnings].join('\n')),
    ...shown.map((change) =>
      section(
        `${formatChange(change)}\n${formatOriginInFull(change, links.get(change))}`,
        viewButton(change),
      ),
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
  "Changes made outside Belay are found while a channel watches policies (`/belay watch policies`) or a digest includes them; the service doesn't say who made them";

const noneText = `No policy changes in the last ${listedDays} days. ${whereFrom}.`;

/** None for a policy that no longer exists. */
function viewButton({ policyId: id, name, kind }: RecordedChange): Button | undefined {
  return kind === 'deleted' ? undefined : viewPolicyButton({ id, name });
}
