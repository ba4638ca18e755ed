import type { SetupCompanions } from './workspace-store.ts';

/** Voids what waits for a decision on a connection that is being replaced. */
export const voidPending: SetupCompanions['voidWaiting'] = async (trx, { teamId, at }) => {
  const voided = await trx
    .updateTable('approval')
    .set((eb) => ({
      state: 'voided',
      outcome: 'The connection to the service was changed in setup.',
      finished_at: at,
      version: eb('version', '+', 1),
    }))
    .where('team_id', '=', teamId)
    .where('state', '=', 'pending')
    .returning(['team_id', 'id'])
    .execute();
  return voided.map((row) => ({ teamId: row.team_id, id: row.id }));
};
