import { z } from 'zod';
import { isRecent } from '../../../clock.ts';
import type { Database } from '../../../database/tables.ts';

const times = z.array(z.number());

type PublishLimit = { windowMs: number; maxPerWindow: number; maxRefreshes: number };

export type PublishPace = ReturnType<typeof createPublishPace>;

/** How often Slack is called for the Home tabs of one workspace, by all processes together. */
export function createPublishPace(db: Database, limit: PublishLimit) {
  return {
    /**
     * Counts a publication that follows at once. False if it would be one too many in any window:
     * `leaseDue` returns no such Home tab of the workspace until the next is possible.
     */
    take: ({
      teamId,
      isOpened,
      at,
    }: {
      teamId: string;
      isOpened: boolean;
      at: Date;
    }): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const team = await trx
          .selectFrom('home_team')
          .selectAll()
          .where('team_id', '=', teamId)
          .forUpdate()
          .executeTakeFirst();
        if (!team) return false;
        const from = isOpened ? team.opens_from : team.refreshes_from;
        if (from > at) return false;
        const { windowMs } = limit;
        const now = at.getTime();
        const sent = times.parse(team.sent).filter((one) => isRecent(one, at, windowMs));
        const max = isOpened ? limit.maxPerWindow : limit.maxRefreshes;
        const first = sent[sent.length - max];
        const change =
          first === undefined
            ? { sent: JSON.stringify([...sent, now].toSorted((one, other) => one - other)) }
            : { [isOpened ? 'opens_from' : 'refreshes_from']: new Date(first + windowMs) };
        await trx.updateTable('home_team').set(change).where('team_id', '=', teamId).execute();
        return first === undefined;
      }),

    /** Counts a publication at a later time than it was reserved. */
    move: (teamId: string, { takenAt, at }: { takenAt: Date; at: Date }): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const team = await trx
          .selectFrom('home_team')
          .select('sent')
          .where('team_id', '=', teamId)
          .forUpdate()
          .executeTakeFirst();
        if (!team) return;
        const sent = times.parse(team.sent);
        const index = sent.indexOf(takenAt.getTime());
        const others = sent.filter((_, one) => one !== index);
        const moved = [...others, at.getTime()].toSorted((one, other) => one - other);
        await trx
          .updateTable('home_team')
          .set({ sent: JSON.stringify(moved) })
          .where('team_id', '=', teamId)
          .execute();
      }),

    /** Slack has asked to wait. */
    async pause(teamId: string, until: Date): Promise<void> {
      await db
        .updateTable('home_team')
        .set((eb) => ({
          opens_from: eb.fn<Date>('greatest', ['opens_from', eb.val(until)]),
          refreshes_from: eb.fn<Date>('greatest', ['refreshes_from', eb.val(until)]),
        }))
        .where('team_id', '=', teamId)
        .execute();
    },
  };
}
