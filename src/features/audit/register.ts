import type { Clock } from '../../clock.ts';
import type { Interaction } from '../../slack/listeners/interaction.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { type ChangeRights, isApproverOrAdmin } from '../workspaces/index.ts';
import { type AuditPage, auditPage, parseAuditFilter } from './audit-filter.ts';
import type { AuditStore } from './store/audit-store.ts';
import { auditListMessage, olderActionId } from './views/audit-list-message.ts';

const entriesPerPage = 10;

type Dependencies = ChangeRights & {
  store: Pick<AuditStore, 'list'>;
  clock: Clock;
};

/** The audit log, for approvers and admins. */
export function registerAudit(
  listeners: Listeners,
  { store, readSettings, clock }: Dependencies,
): Subcommand[] {
  const mayRead = ({ teamId, person }: Interaction) =>
    isApproverOrAdmin(teamId, person, { readSettings });

  async function showPage(teamId: string, page: AuditPage): Promise<Message> {
    const { since, ...filter } = page;
    const found = await store.list({
      ...filter,
      teamId,
      since: since === undefined ? undefined : new Date(since),
      // One more than shown, to know whether there is an older page.
      limit: entriesPerPage + 1,
    });
    const records = found.slice(0, entriesPerPage);
    return auditListMessage({ records, page, hasOlder: found.length > entriesPerPage });
  }

  listeners.action(olderActionId, auditPage, async (call) => {
    if (!(await mayRead(call))) return { reply: notAllowed };
    return { replace: await showPage(call.teamId, call.value) };
  });

  return [
    {
      name: 'audit',
      usage: 'audit [by: @person] [user:…] [event:…] [since:7d]',
      summary: 'Show the decision log, newest first (approvers and admins)',
      async run(call) {
        if (!(await mayRead(call))) return notAllowed;
        const page = parseAuditFilter(call.text, clock(), call.person.timeZone);
        return 'problem' in page ? notice(page.problem) : showPage(call.teamId, page);
      },
    },
  ];
}

const notAllowed = notice('The decision log is open to approvers and to admins of this workspace.');
