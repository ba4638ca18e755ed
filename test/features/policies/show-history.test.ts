import { randomBytes, randomUUID } from 'node:crypto';
import { addHours } from 'date-fns/addHours';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditFacts } from '../../../src/audit-log/entry.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createAuditStore } from '../../../src/features/audit/store/audit-store.ts';
import { showHistory } from '../../../src/features/policies/register.ts';
import { Refusal } from '../../../src/slack/interactions/interaction.ts';
import { notConnected } from '../../../src/workspace/open-service.ts';
import { writeLog } from '../../audit-log/logged-team.ts';
import { insertConnection, newTeamId, noon, onePm } from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';
import { textsOf } from '../message-parts.ts';

const keys = [randomBytes(32)];
/** Of a workspace whose connection can't be used. */
const callOf = (teamId: string, originId?: string) => ({
  teamId,
  connection: originId === undefined ? undefined : { originId, name: undefined, isNamed: true },
  service: async () => {
    throw new Refusal(notConnected);
  },
});
const listExternalChanges = async () => [];

describe.each(databases())('the history of a policy on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('says who changed it and when, newest first, and nothing that a person wrote', async () => {
    const teamId = newTeamId();
    const request = { teamId, approvalId: randomUUID(), subjectId: 'p-1' };
    const other = { teamId, approvalId: randomUUID(), subjectId: 'p-10' };
    const personal = { subject: 'Gold', reason: 'ticket OPS-1' };
    await writeLog(database.db, keys, [
      { ...request, at: noon, event: 'requested', actor: 'U_ANA', personal },
      { ...other, at: noon, event: 'requested', actor: 'U_EVE', personal },
      { ...request, at: onePm, event: 'approved', actor: 'U_BEN' },
      { ...request, at: addHours(onePm, 1), event: 'completed', facts: { step: 'x' } },
    ]);
    const auditStore = createAuditStore(database.db, serveAll);
    const message = await showHistory(callOf(teamId), 'p-1', {
      auditStore,
      listExternalChanges,
    });
    const [title, ...entries] = textsOf(message.blocks);
    expect(entries.pop()).toBe('Policy ID `p-1`');
    // The id stands there, not in each entry.
    expect(entries.join()).not.toContain('p-1');
    expect(title).toBe('*History of Gold* · newest first');
    expect(entries).toHaveLength(3);
    expect(entries[1]).toMatch(/^<!date\^\d+\^.* · <@U_BEN> \*approved\*/);
    expect(entries[2]).toContain('<@U_ANA> *requested approval*');
    expect(JSON.stringify(message)).not.toMatch(/OPS-1|U_EVE/);
    const none = await showHistory(callOf(teamId), 'p-2', {
      auditStore,
      listExternalChanges,
    });
    expect(none.text).toContain('No changes to p-2 through Belay, and none found outside Belay.');
  });

  it('lists what was requested on the connection, and what names no connection', async () => {
    const teamId = newTeamId();
    const main = await insertConnection(database.db, teamId);
    const europe = await insertConnection(database.db, teamId, {
      name: 'europe',
      is_default: false,
    });
    const requestOn = (actor: string, facts: AuditFacts) => {
      const request = { teamId, approvalId: randomUUID(), subjectId: 'p-1', at: noon };
      return [
        { ...request, event: 'requested' as const, actor, facts },
        { ...request, event: 'approved' as const, actor: `${actor}_APPROVER` },
      ];
    };
    await writeLog(database.db, keys, [
      ...requestOn('U_MAIN', { connectionId: main }),
      ...requestOn('U_EUROPE', { connectionId: europe }),
      ...requestOn('U_EARLIER', {}),
    ]);
    const auditStore = createAuditStore(database.db, serveAll);
    const peopleIn = async (originId: string | undefined) => {
      const history = await showHistory(callOf(teamId, originId), 'p-1', {
        auditStore,
        listExternalChanges,
      });
      return [...history.text.matchAll(/<@(\w+)>/g)].map(([, id]) => id);
    };
    const earlier = ['U_EARLIER_APPROVER', 'U_EARLIER'];
    expect(await peopleIn(undefined)).toEqual([...earlier, 'U_MAIN_APPROVER', 'U_MAIN']);
    expect(await peopleIn(europe)).toEqual([...earlier, 'U_EUROPE_APPROVER', 'U_EUROPE']);
  });

  it('shows the newest ten', async () => {
    const teamId = newTeamId();
    const entry = { teamId, subjectId: 'p-1', event: 'requested' as const, actor: 'U_ANA' };
    const entries = Array.from({ length: 11 }, (_, hour) => ({
      ...entry,
      at: addHours(noon, hour),
    }));
    await writeLog(database.db, keys, entries);
    const auditStore = createAuditStore(database.db, serveAll);
    const { blocks } = await showHistory(callOf(teamId), 'p-1', {
      auditStore,
      listExternalChanges,
    });
    expect(textsOf(blocks)).toHaveLength(12);
    expect(textsOf(blocks).at(-1)).toBe(
      'Policy ID `p-1`\nOlder entries: `/belay audit user:p-1` (for people who may read the audit log; only changes through Belay)',
    );
  });
});
