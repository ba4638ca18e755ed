import type { Selectable } from 'kysely';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import { addDays } from '../../../dates.ts';
import { parseJson } from '../../../json.ts';
import { type Draft, type DraftContent, draftContent } from '../editor/draft.ts';
import type { PolicyDraftTable } from './tables.ts';

export type DraftStore = ReturnType<typeof createDraftStore>;

type DraftOwner = { teamId: string; slackUserId: string };

/** A person has at most one draft of a policy, and one of a new policy, on a connection. */
export type DraftKey = DraftOwner & { connectionId: string; policyId: string | undefined };

type DraftRef = DraftOwner & { draftId: string };

/** From its last save. */
const lifetimeDays = 1;

export function createDraftStore(db: Database, isServed: ServedTeams) {
  const ofPerson = ({ teamId, slackUserId }: DraftOwner, at: Date) =>
    db
      .selectFrom('policy_draft')
      .selectAll()
      .where('team_id', '=', teamId)
      .where('slack_user_id', '=', slackUserId)
      .where('expires_at', '>', at);

  return {
    async find({ connectionId, policyId, ...owner }: DraftKey, at: Date) {
      const row = await ofPerson(owner, at)
        .where('connection_id', '=', connectionId)
        .where('policy_id', 'is not distinct from', policyId ?? null)
        .executeTakeFirst();
      return row && toDraft(row);
    },

    async findById({ draftId, ...owner }: DraftRef, at: Date): Promise<Draft | undefined> {
      const row = await ofPerson(owner, at).where('id', '=', draftId).executeTakeFirst();
      return row && toDraft(row);
    },

    /** Undefined if there is one already: two clicks begin one draft. */
    begin: (
      key: DraftKey,
      { id, content, at }: { id: string; content: DraftContent; at: Date },
    ): Promise<Draft | undefined> =>
      db.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('policy_draft')
          .where('team_id', '=', key.teamId)
          .where('slack_user_id', '=', key.slackUserId)
          .where('expires_at', '<=', at)
          .execute();
        const row = await trx
          .insertInto('policy_draft')
          .values({
            id,
            team_id: key.teamId,
            connection_id: key.connectionId,
            slack_user_id: key.slackUserId,
            policy_id: key.policyId ?? null,
            ...saved(content, at),
            revision: 0,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst();
        return row && toDraft(row);
      }),

    /** Undefined if the draft is gone, or is not at `revision` any more. */
    async save(
      { draftId, revision, teamId, slackUserId }: DraftRef & { revision: number },
      content: DraftContent,
      at: Date,
    ): Promise<Draft | undefined> {
      const row = await db
        .updateTable('policy_draft')
        .set({ ...saved(content, at), revision: revision + 1 })
        .where('id', '=', draftId)
        .where('team_id', '=', teamId)
        .where('slack_user_id', '=', slackUserId)
        .where('revision', '=', revision)
        .where('expires_at', '>', at)
        .returningAll()
        .executeTakeFirst();
      return row && toDraft(row);
    },

    async discard({ draftId, teamId, slackUserId }: DraftRef): Promise<void> {
      await db
        .deleteFrom('policy_draft')
        .where('id', '=', draftId)
        .where('team_id', '=', teamId)
        .where('slack_user_id', '=', slackUserId)
        .execute();
    },

    async prune(at: Date): Promise<void> {
      await db
        .deleteFrom('policy_draft')
        .where('expires_at', '<=', at)
        .where(isServed('policy_draft.team_id'))
        .execute();
    },
  };
}

function saved({ before, after }: DraftContent, at: Date) {
  const content = JSON.stringify({ before, after });
  return { content, saved_at: at, expires_at: addDays(at, lifetimeDays) };
}

function toDraft(row: Selectable<PolicyDraftTable>): Draft {
  return {
    id: row.id,
    teamId: row.team_id,
    connectionId: row.connection_id,
    slackUserId: row.slack_user_id,
    policyId: row.policy_id ?? undefined,
    revision: row.revision,
    savedAt: row.saved_at,
    ...draftContent.parse(parseJson(row.content)),
  };
}
