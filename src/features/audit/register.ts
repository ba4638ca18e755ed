import type { Clock } from '../../clock.ts';
import { type Message, notice } from '../../slack/blocks.ts';
import type { Listeners } from '../../slack/listeners.ts';
import type { Person } from '../../slack/person.ts';
import type { Subcommand } from '../../slack/subcommand.ts';
import { type AuditPage, auditPage, parseAuditFilter } from './audit-filter.ts';
import { auditListMessage } from './audit-list-message.ts';
import type { AuditStore } from './audit-store.ts';
import { olderActionId } from './ids.ts';

const entriesPerPage = 10;

type Dependencies = {
  store: Pick<AuditStore, 'list'>;
  readSettings: (teamId: string) => Promise<{ approvers: string[] }>;
  mayDecide: (person: Person, approvers: string[]) => boolean;
  clock: Clock;
};

/** The decision log, for those who decide and for admins. */
export function registerAudit(
  listeners: Listeners,
  { store, readSettings, mayDecide, clock }: Dependencies,
): Subcommand[] {
  async function mayLook(teamId: string, person: Person): Promise<boolean> {
    if (person.standing === 'member' && person.isAdmin) return true;
    const { approvers } = await readSettings(teamId);
    return mayDecide(person, approvers);
  }

  async function showPage(teamId: string, page: AuditPage): Promise<Message> {
    const { since, ...filter } = page;
    const found = await store.list({
      ...filter,
      teamId,
      since: since === undefined ? undefined : new Date(since),
      // One more tells whether there is an older page.
      limit: entriesPerPage + 1,
    });
    const records = found.slice(0, entriesPerPage);
    return auditListMessage({ records, page, hasOlder: found.length > entriesPerPage });
  }

  listeners.action(olderActionId, auditPage, async ({ value, teamId, person }) => {
    if (!(await mayLook(teamId, person))) return { reply: notForYou };
    return { replace: await showPage(teamId, value) };
  });

  return [
    {
      name: 'audit',
      usage: 'audit [by: @person] [user:…] [event:…] [since:7d]',
      summary: 'Show the decision log, newest first (approvers and admins)',
      async run({ teamId, person, text }) {
        if (!(await mayLook(teamId, person))) return notForYou;
        const page = parseAuditFilter(text, clock());
        return 'problem' in page ? notice(page.problem) : showPage(teamId, page);
      },
    },
  ];
}

const notForYou = notice('The decision log is open to approvers and to admins of this workspace.');
