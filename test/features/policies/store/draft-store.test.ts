import { randomUUID } from 'node:crypto';
import { addHours } from 'date-fns/addHours';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { serveAll } from '../../../../src/database/served-teams.ts';
import type { DraftContent } from '../../../../src/features/policies/editor/draft.ts';
import {
  createDraftStore,
  type DraftKey,
  type DraftStore,
} from '../../../../src/features/policies/store/draft-store.ts';
import { insertConnection, newTeamId, noon } from '../../../requests/store/rows.ts';
import { databases } from '../../../support/databases.ts';

const before = {
  id: 'p1',
  name: 'Gold',
  slaSets: [{ operation: 'vmware_vm_backup', slas: [], otherFields: { note: 'a\0b \ud800' } }],
  otherFields: JSON.parse('{ "__proto__": { "deep": [null, 1e21, "<!channel>"] } }'),
};
const content: DraftContent = { before, after: { ...before, name: 'Silver' } };

describe.each(databases())('drafts on $name', ({ open }) => {
  let database: OpenDatabase;
  let drafts: DraftStore;
  let key: DraftKey;

  beforeAll(async () => {
    database = await open();
    drafts = createDraftStore(database.db, serveAll);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    const teamId = newTeamId();
    const connectionId = await insertConnection(database.db, teamId);
    key = { teamId, connectionId, slackUserId: 'U_ANA', policyId: 'p1' };
  });

  const begin = (at = noon, of = key) => drafts.begin(of, { id: randomUUID(), content, at });
  const ownerOf = ({ teamId, slackUserId }: DraftKey) => ({ teamId, slackUserId });

  it('are read as they were saved, whatever is in them', async () => {
    const draft = await begin();
    expect(draft).toMatchObject({ ...key, revision: 0, savedAt: noon });
    expect(JSON.stringify(await drafts.find(key, noon))).toBe(JSON.stringify(draft));
    expect(JSON.stringify(draft?.before)).toBe(JSON.stringify(before));
  });

  it('are one per person, policy and connection', async () => {
    expect(await begin()).toBeDefined();
    expect(await begin()).toBeUndefined();
    const ofNewPolicy = { ...key, policyId: undefined };
    expect(await begin(noon, ofNewPolicy)).toBeDefined();
    expect(await begin(noon, ofNewPolicy)).toBeUndefined();
    expect(await begin(noon, { ...key, slackUserId: 'U_BEN' })).toBeDefined();
    const connectionId = await insertConnection(database.db, newTeamId());
    expect(await begin(noon, { ...key, connectionId })).toBeDefined();
  });

  it('are saved by a page that saw the last revision only', async () => {
    const draft = await begin();
    const page = { ...ownerOf(key), draftId: draft?.id ?? '', revision: 0 };
    const renamed = { before, after: { ...before, name: 'Bronze' } };
    const both = await Promise.all([
      drafts.save(page, renamed, noon),
      drafts.save(page, renamed, noon),
    ]);
    expect(both.filter(Boolean)).toMatchObject([{ revision: 1, after: { name: 'Bronze' } }]);
    expect(await drafts.save({ ...page, revision: 1 }, content, noon)).toMatchObject({
      revision: 2,
    });
  });

  it('belong to one person', async () => {
    const draft = await begin();
    const draftId = draft?.id ?? '';
    const other = { teamId: key.teamId, slackUserId: 'U_BEN', draftId };
    expect(await drafts.findById(other, noon)).toBeUndefined();
    expect(await drafts.save({ ...other, revision: 0 }, content, noon)).toBeUndefined();
    await drafts.discard(other);
    const elsewhere = { ...ownerOf(key), teamId: 'T_OTHER', draftId };
    expect(await drafts.findById(elsewhere, noon)).toBeUndefined();
    expect(await drafts.findById({ ...ownerOf(key), draftId }, noon)).toBeDefined();
  });

  it('expire a day after they were saved last', async () => {
    const draft = await begin();
    const page = { ...ownerOf(key), draftId: draft?.id ?? '', revision: 0 };
    await drafts.save(page, content, addHours(noon, 20));
    expect(await drafts.find(key, addHours(noon, 43))).toBeDefined();
    expect(await drafts.find(key, addHours(noon, 44))).toBeUndefined();
    const late = { ...page, revision: 1 };
    expect(await drafts.save(late, content, addHours(noon, 44))).toBeUndefined();
    expect(await begin(addHours(noon, 44))).toMatchObject({ revision: 0 });
  });

  it('are discarded or pruned', async () => {
    const draft = await begin();
    await drafts.prune(addHours(noon, 23));
    expect(await drafts.find(key, noon)).toBeDefined();
    await drafts.discard({ ...ownerOf(key), draftId: draft?.id ?? '' });
    expect(await drafts.find(key, noon)).toBeUndefined();
    await begin();
    await drafts.prune(addHours(noon, 24));
    expect(await drafts.find(key, noon)).toBeUndefined();
  });
});
