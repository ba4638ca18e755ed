import type { ExpressionBuilder } from 'kysely';
import type { Database } from '../../../database/open-database.ts';
import type { Tables } from '../../../database/tables.ts';
import type { ApprovalStore } from '../approval-store.ts';
import { toApproval } from './approval-row.ts';
import { sweptAtOnce } from './execution.ts';

type PublishingStore = Pick<
  ApprovalStore,
  'findUnpublished' | 'claimDrawing' | 'markDrawn' | 'markStale'
>;

/** The part of `ApprovalStore` that is about which copies of a request are up to date. */
export function createPublishingStore(db: Database): PublishingStore {
  return {
    async findUnpublished(since, at) {
      const rows = await db
        .selectFrom('approval')
        .select(['team_id', 'id'])
        .where('requested_at', '>=', since)
        .where((eb) => eb.and([isBehind(eb), isFree(eb, at)]))
        .limit(sweptAtOnce)
        .execute();
      return rows.map((row) => ({ teamId: row.team_id, id: row.id }));
    },

    async claimDrawing({ teamId, id, at, until }) {
      const row = await db
        .updateTable('approval')
        .set({ rendering_until: until })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .where((eb) => eb.and([isBehind(eb), isFree(eb, at)]))
        .returningAll()
        .executeTakeFirst();
      return row && toApproval(row);
    },

    async markDrawn({ teamId, id, renderedVersion, notifiedVersion, direct }) {
      const row = await db
        .updateTable('approval')
        .set({
          rendering_until: null,
          ...(renderedVersion !== undefined && { rendered_version: renderedVersion }),
          ...(notifiedVersion !== undefined && { notified_version: notifiedVersion }),
          ...(direct && { direct_channel_id: direct.channelId, direct_ts: direct.messageTs }),
        })
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .returning(['version', 'rendered_version'])
        .executeTakeFirst();
      return row === undefined || row.rendered_version >= row.version;
    },

    async markStale({ teamId, id, at }) {
      await db
        .updateTable('approval')
        .set((eb) => ({ rendered_version: eb('version', '-', 1) }))
        .where('team_id', '=', teamId)
        .where('id', '=', id)
        .whereRef('rendered_version', '>=', 'version')
        .where((eb) => isFree(eb, at))
        .execute();
    },
  };
}

type Builder = ExpressionBuilder<Tables, 'approval'>;

/**
 * The request in its channel, or what its requester was told. A version that is no news to them counts as
 * told once somebody has looked at it: what news is, the feature alone knows.
 */
function isBehind(eb: Builder) {
  return eb.or([
    eb.and([eb('message_ts', 'is not', null), eb('rendered_version', '<', eb.ref('version'))]),
    eb('notified_version', '<', eb.ref('version')),
  ]);
}

function isFree(eb: Builder, at: Date) {
  return eb.or([eb('rendering_until', 'is', null), eb('rendering_until', '<=', at)]);
}
