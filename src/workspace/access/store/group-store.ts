import { z } from 'zod';
import { released } from '../../../database/leases.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';

export type GroupRef = { teamId: string; groupId: string };

/** What is known of a group. */
export type StoredGroup = {
  groupId: string;
  members: string[];
  /** Undefined until Slack has answered once. */
  readAt: Date | undefined;
  /** A process is asking Slack. */
  isBeingRead: boolean;
};

export type GroupStore = ReturnType<typeof createGroupStore>;

const members = z.array(z.string());

/** The members of user groups, shared by the replicas, of which one at a time asks Slack. */
export function createGroupStore(db: Database) {
  const held = ({ teamId, groupId }: GroupRef, holder: string) =>
    db
      .updateTable('user_group')
      .where('team_id', '=', teamId)
      .where('group_id', '=', groupId)
      .where('lease_holder', '=', holder);

  return {
    async read(teamId: string, groupIds: readonly string[]): Promise<StoredGroup[]> {
      const rows = await db
        .selectFrom('user_group')
        .selectAll()
        .where('team_id', '=', teamId)
        .where('group_id', 'in', groupIds)
        .execute();
      return rows.map((row) => ({
        groupId: row.group_id,
        members: members.parse(row.members),
        readAt: row.read_at ?? undefined,
        isBeingRead: row.lease_holder !== null,
      }));
    },

    /**
     * Whether the holder may ask Slack now: nobody else is or has since `staleAt`, and no wait is due.
     * What a clock wrote that was set back since doesn't count: a reading after `at`, or a wait until
     * after `latest`.
     */
    async lease(
      { teamId, groupId }: GroupRef,
      {
        holder,
        at,
        until,
        staleAt,
        latest,
      }: { holder: string; at: Date; until: Date; staleAt: Date; latest: Date },
    ): Promise<boolean> {
      const lease = { lease_holder: holder, lease_until: until };
      const row = await db
        .insertInto('user_group')
        .values({ team_id: teamId, group_id: groupId, ...lease })
        .onConflict((conflict) =>
          conflict
            .columns(['team_id', 'group_id'])
            .doUpdateSet(lease)
            .where((eb) =>
              eb.and([
                eb.or([
                  eb('user_group.lease_until', 'is', null),
                  eb('user_group.lease_until', '<=', at),
                  eb('user_group.lease_until', '>', latest),
                ]),
                eb.or([
                  eb('user_group.read_at', 'is', null),
                  eb('user_group.read_at', '<=', staleAt),
                  eb('user_group.read_at', '>', at),
                ]),
              ]),
            ),
        )
        .returning('group_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async save(
      group: GroupRef,
      { holder, members, readAt }: { holder: string; members: string[]; readAt: Date },
    ): Promise<void> {
      await held(group, holder)
        .set({ ...released, members: JSON.stringify(members), read_at: readAt })
        .execute();
    },

    /** Nobody asks Slack before `until`. */
    async postpone(
      group: GroupRef,
      { holder, until }: { holder: string; until: Date },
    ): Promise<void> {
      await held(group, holder).set({ lease_holder: null, lease_until: until }).execute();
    },
  };
}

/** Deletes groups that nobody has asked about since `before`. */
export async function pruneGroups(
  db: Database,
  { before, isServed }: { before: Date; isServed: ServedTeams },
): Promise<void> {
  await db
    .deleteFrom('user_group')
    .where('read_at', '<', before)
    .where(isServed('user_group.team_id'))
    .execute();
}

export const purgeGroups = purgeTables('user_group');
