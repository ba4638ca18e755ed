import type { UnreadableRowError } from '../../../database/parse-rows.ts';
import type { Database } from '../../../database/tables.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { listUnreadableRequests } from '../../approvals/index.ts';
import { listUnreadableDigests } from '../../digests/index.ts';
import { policyActions } from '../../policies/index.ts';
import { setupActions } from '../../setup/index.ts';
import { userActions } from '../../users/index.ts';
import { listUnreadableWatches } from '../../watches/index.ts';
import { listUnreadableChanges } from '../../workspaces/index.ts';
import { type Finding, problem } from '../finding.ts';

const maxNamed = 5;
const actions = { ...userActions, ...setupActions, ...policyActions };

/** Whether Belay can read the rows that its work in the background leaves out if it can't. */
export async function checkStoredRows(db: Database, teamId: string): Promise<Finding[]> {
  const found: [UnreadableRowError[], one: string, many?: string][] = [
    [await listUnreadableRequests(db, teamId, actions), 'open request'],
    [await listUnreadableChanges(db, teamId), 'change of the setup', 'changes of the setup'],
    [await listUnreadableDigests(db, teamId), 'digest'],
    [await listUnreadableWatches(db, teamId), 'watch', 'watches'],
  ];
  return found.flatMap(([unreadable, one, many]) => {
    const [first] = unreadable;
    if (!first) return [];
    const ids = unreadable.slice(0, maxNamed).map(({ row }) => code(row.id));
    const more = unreadable.length - ids.length;
    const list = [...ids, ...(more > 0 ? [`${more} more`] : [])].join(', ');
    return [
      problem(
        'Stored data',
        `Belay can't read ${plural(unreadable.length, one, many)} and leaves ${unreadable.length === 1 ? 'it' : 'them'} out (table ${code(first.row.table)}): ${list}.`,
        'Restore these rows from a backup, or delete them. Search the log for their IDs to see what is wrong.',
      ),
    ];
  });
}
