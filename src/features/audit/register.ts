import type { Clock } from '../../clock.ts';
import { findPeopleByName } from '../../slack/api/list-people.ts';
import type { CommandInteraction, Right } from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { code } from '../../slack/ui/mrkdwn.ts';
import { mayAudit, shownRights } from '../../workspace/permissions.ts';
import { type AuditPage, notOnePersonProblem, parseAuditFilter } from './audit-filter.ts';
import { eventMeanings, logEvents, nameOf } from './event-names.ts';
import { readAuditPage } from './read-page.ts';
import type { AuditStore } from './store/audit-store.ts';
import { auditFilters, auditListMessage, auditPager } from './views/audit-list-message.ts';

const needs: Right = async ({ person, settings }) =>
  mayAudit(person, await settings())
    ? undefined
    : 'Only auditors and admins can read the audit log. If no auditors are named, approvers can too.';

/** The audit log, for auditors. */
export function registerAudit(
  listeners: Listeners,
  { store, clock }: { store: Pick<AuditStore, 'list' | 'listNumbers'>; clock: Clock },
): Subcommand[] {
  const showPage = async (teamId: string, page: AuditPage) =>
    auditListMessage(await readAuditPage(store, teamId, page));

  listeners.pages(auditPager, (call) => showPage(call.teamId, call.value), { needs });

  async function showFirstPage(call: CommandInteraction): Promise<Message> {
    const { slack, teamId, person, text } = call;
    const filter = parseAuditFilter(text, clock(), person.timeZone);
    if ('problem' in filter) return notice(filter.problem);
    const { page, name } = filter;
    if (name === undefined) return showPage(teamId, page);
    const people = await findPeopleByName(slack, name);
    return people.length === 1
      ? showPage(teamId, { ...page, by: people[0] })
      : notice(notOnePersonProblem(name, people.length));
  }

  return [
    {
      name: 'audit',
      about: 'workspace',
      usage: 'audit [by:@person] [user:…] [event:…] [since:7d]',
      summary: 'Show the audit log, newest first (auditors and admins)',
      details: [
        auditFilters,
        '*Events*, for `event:`',
        ...logEvents.map((event) => `${code(nameOf(event))} · ${eventMeanings[event]}`),
      ],
      needs,
      isListedFor: async ({ person, settings }) => shownRights.mayAudit(person, await settings()),
      run: showFirstPage,
    },
  ];
}
