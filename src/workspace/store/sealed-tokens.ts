import { z } from 'zod';
import { sealedColumn } from '../../database/sealed-column.ts';
import type { Database } from '../../database/tables.ts';
import type { SealedValues } from '../../encryption/sealed-values.ts';
import { tokenBinding } from './token-cipher.ts';

/** The tokens of a configuration file are sealed together, for the change. */
const sealedFor = z
  .object({ changeId: z.string(), connectionId: z.string().optional() })
  .transform(({ changeId, connectionId = changeId }) => ({ connectionId }));

/** The API tokens that Belay has stored: of the connections in use, and of changes that wait. */
export function sealedTokens(db: Database): SealedValues[] {
  return [
    sealedColumn(db, {
      table: 'connection',
      column: 'token_sealed',
      remedy: 'enter the token again with `/belay setup`',
      describe: ({ id, team_id: teamId, region_id: region }) => ({
        name: `The API token for region ${region}`,
        binding: tokenBinding({ teamId, connectionId: id }),
      }),
    }),
    sealedColumn(db, {
      table: 'token_page',
      column: 'token_sealed',
      remedy: 'enter the token again with `/belay setup`',
      describe: ({ id: tokenPageId, team_id: teamId }) => ({
        name: 'An API token that was entered on a web page',
        binding: tokenBinding({ teamId, tokenPageId }),
      }),
    }),
    sealedColumn(db, {
      table: 'setup_change',
      column: 'token_sealed',
      remedy: 'deny the change and submit it again with `/belay setup`',
      describe({ team_id: teamId, change }) {
        const made = sealedFor.safeParse(change).data;
        return {
          name: 'The API token of a waiting setup change',
          binding: made && tokenBinding({ teamId, ...made }),
        };
      },
    }),
  ];
}
