import { randomBytes, randomUUID } from 'node:crypto';
import { addHours } from 'date-fns/addHours';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { serveAll } from '../../../../src/database/served-teams.ts';
import type { AuditQuery, AuditStore } from '../../../../src/features/audit/store/audit-store.ts';
import { createAuditStore } from '../../../../src/features/audit/store/audit-store.ts';
import { writeLog, writeSomeLog } from '../../../audit-log/logged-team.ts';
import { newTeamId, noon, onePm } from '../../../requests/store/rows.ts';
import { databases } from '../../../support/databases.ts';

const keys = [randomBytes(32)];

describe.each(databases())('the audit store on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: AuditStore;
  beforeAll(async () => {
    database = await open();
    store = createAuditStore(database.db, serveAll);
  });
  afterAll(() => database.close());

  /** A request about user 42, its denial, and a change of settings. */
  async function writeStory(): Promise<string> {
    const teamId = newTeamId();
    const request = { teamId, approvalId: randomUUID(), action: 'users.disable', subjectId: '42' };
    const personal = { summary: 'Disable *Kim Lee*', reason: 'left 100% today' };
    await writeLog(database.db, keys, [
      { ...request, at: noon, event: 'requested', actor: 'U_REQUESTER', personal },
      {
        ...request,
        at: onePm,
        event: 'denied',
        actor: 'U_BEN',
        personal: { reason: 'still here' },
      },
      { teamId, at: onePm, event: 'settings_changed', actor: 'U_CLEO', facts: { hours: 2 } },
    ]);
    return teamId;
  }

  it('lists newest first, and adds the personal text of the request to its other entries', async () => {
    const teamId = await writeStory();
    expect(await store.list({ teamId, limit: 10 })).toMatchObject([
      { seq: 3, event: 'settings_changed', facts: { hours: 2 }, requestPersonal: undefined },
      {
        seq: 2,
        personal: { reason: 'still here' },
        requestPersonal: { summary: 'Disable *Kim Lee*' },
      },
      { seq: 1, event: 'requested', actor: 'U_REQUESTER', at: noon, isErased: false },
    ]);
  });

  it.each<[string, Partial<AuditQuery>, number[]]>([
    ['a person', { by: 'U_BEN' }, [2]],
    ['an event', { event: 'requested' }, [1]],
    ['an age', { since: onePm }, [3, 2]],
    ['a place to go on', { before: 3 }, [2, 1]],
    ['a place to go back to', { after: 1, limit: 1 }, [2]],
    ['a user’s id', { user: '42' }, [2, 1]],
    ['a name, however it is spelled', { user: 'kim lee' }, [2, 1]],
    ['a name, but not a text that SQL could take for a pattern', { user: 'kim%' }, []],
    ['a name, but not in what people wrote', { user: 'left' }, []],
    ['the id of a subject', { subjectId: '42' }, [2, 1]],
    ['no part of an id', { subjectId: '4' }, []],
    ['nobody', { user: '%', by: 'U_BEN' }, []],
    ['everything at once', { by: 'U_BEN', event: 'denied', since: noon, before: 9 }, [2]],
  ])('filters by %s', async (_, filter, seqs) => {
    const teamId = await writeStory();
    const found = await store.list({ teamId, limit: 10, ...filter });
    expect(found.map(({ seq }) => seq)).toEqual(seqs);
    const { before, after, limit, ...criteria } = filter;
    const numbers = await store.listNumbers({ teamId, ...criteria }, 10);
    expect(numbers).toEqual(expect.arrayContaining(seqs));
  });

  it('marks entries whose text was erased, and no longer finds that text', async () => {
    const teamId = await writeStory();
    await database.db
      .deleteFrom('audit_log_personal')
      .where('team_id', '=', teamId)
      .where('seq', '=', 1)
      .execute();
    const records = await store.list({ teamId, limit: 10 });
    expect(records.map(({ isErased }) => isErased)).toEqual([false, false, true]);
    expect(records[1]?.requestPersonal).toBeUndefined();
    expect(await store.list({ teamId, limit: 10, user: 'kim' })).toEqual([]);
  });

  it('lets one of several concurrent callers announce', async () => {
    const teamId = await writeSomeLog(database.db, keys, 3);
    expect(await store.findUnannounced(onePm)).toEqual([]);
    const channelId = 'C1';
    await database.db
      .insertInto('workspace_settings')
      .values({ team_id: teamId, settings: JSON.stringify({ approvalsChannel: channelId }) })
      .execute();
    expect(await store.findUnannounced(onePm)).toEqual([{ teamId, channelId }]);
    const claims = await Promise.all(
      Array.from({ length: 10 }, () => store.claimAnnouncement(teamId, onePm)),
    );
    expect(claims.filter((claim) => claim)).toMatchObject([{ teamId, seq: 3 }]);
    expect(await store.findUnannounced(onePm)).toEqual([]);

    await writeLog(database.db, keys, [{ teamId, at: onePm, event: 'expired' }]);
    expect(await store.claimAnnouncement(teamId, onePm)).toBeUndefined();
    expect(await store.claimAnnouncement(teamId, addHours(onePm, 23))).toBeUndefined();
    expect(await store.claimAnnouncement(teamId, addHours(onePm, 24))).toMatchObject({ seq: 4 });
  });
});
