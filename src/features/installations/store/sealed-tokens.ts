import { sql } from 'kysely';
import type { Database } from '../../../database/open-database.ts';
import type { SealedValues } from '../../../encryption/sealed-values.ts';
import { tokenBinding } from '../../workspaces/index.ts';

/** The bot tokens and refresh tokens of OAuth installations. */
export function sealedInstallationTokens(db: Database): SealedValues[] {
  return [tokensIn(db, 'bot'), tokensIn(db, 'refresh')];
}

function tokensIn(db: Database, slackToken: 'bot' | 'refresh'): SealedValues {
  const column = `${slackToken}_token_sealed` as const;
  return {
    table: 'installation',
    remedy: 'install Belay again',
    async list({ prefix, after, limit }) {
      const rows = await db
        .selectFrom('installation')
        .select(['id', 'team_id', 'enterprise_id', `${column} as sealed`])
        .where(sql<boolean>`not starts_with(${sql.ref(column)}, ${prefix})`)
        .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ id, team_id: teamId, enterprise_id: enterpriseId, sealed }) => ({
        ...{ id, teamId, sealed: sealed ?? '', name: `Slack's ${slackToken} token` },
        binding: tokenBinding({ slackToken, teamId, enterpriseId }),
      }));
    },
    async replace({ id, sealed: read }, sealed) {
      const { numUpdatedRows } = await db
        .updateTable('installation')
        .set({ [column]: sealed })
        .where('id', '=', id)
        .where(column, '=', read)
        .executeTakeFirst();
      return numUpdatedRows > 0;
    },
  };
}
