import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../../database/open-database.ts';
import type { SealedValues } from '../../../encryption/sealed-values.ts';
import { tokenBinding } from './token-cipher.ts';

/** The API tokens that Belay has stored: of the connections in use, and of changes that wait. */
export function sealedTokens(db: Database): SealedValues[] {
  return [connectionTokens(db), waitingTokens(db)];
}

const isOutdated = (prefix: string) => sql<boolean>`not starts_with(token_sealed, ${prefix})`;

function connectionTokens(db: Database): SealedValues {
  return {
    table: 'connection',
    remedy: 'enter the token again with `/belay setup`',
    async list({ prefix, after, limit }) {
      const rows = await db
        .selectFrom('connection')
        .select(['id', 'team_id', 'region_id', 'token_sealed'])
        .where(isOutdated(prefix))
        .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id, team_id: teamId, region_id: region, token_sealed: sealed }) => ({
        ...{ id, teamId, sealed: sealed ?? '', name: `The API token for region ${region}` },
        binding: tokenBinding({ teamId, connectionId: id }),
      }));
    },
    async replace({ id, sealed: read }, sealed) {
      const { numUpdatedRows } = await db
        .updateTable('connection')
        .set({ token_sealed: sealed })
        .where('id', '=', id)
        .where('token_sealed', '=', read)
        .executeTakeFirst();
      return numUpdatedRows > 0;
    },
  };
}

const madeConnection = z.object({ connectionId: z.string() });

function waitingTokens(db: Database): SealedValues {
  return {
    table: 'setup_change',
    remedy: 'deny the change and submit it again with `/belay setup`',
    async list({ prefix, after, limit }) {
      const rows = await db
        .selectFrom('setup_change')
        .select(['id', 'team_id', 'change', 'token_sealed'])
        .where(isOutdated(prefix))
        .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id, team_id: teamId, change, token_sealed: sealed }) => {
        const made = madeConnection.safeParse(change).data;
        return {
          ...{ id, teamId, sealed: sealed ?? '', name: 'The API token of a waiting setup change' },
          binding: made && tokenBinding({ teamId, ...made }),
        };
      });
    },
    async replace({ id, sealed: read }, sealed) {
      const { numUpdatedRows } = await db
        .updateTable('setup_change')
        .set({ token_sealed: sealed })
        .where('id', '=', id)
        .where('token_sealed', '=', read)
        .executeTakeFirst();
      return numUpdatedRows > 0;
    },
  };
}
