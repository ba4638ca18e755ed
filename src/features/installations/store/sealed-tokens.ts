import type { Database } from '../../../database/open-database.ts';
import { sealedColumn } from '../../../database/sealed-column.ts';
import type { SealedValues } from '../../../encryption/sealed-values.ts';
import { tokenBinding } from '../../workspaces/index.ts';

/** The bot tokens and refresh tokens of OAuth installations. */
export function sealedInstallationTokens(db: Database): SealedValues[] {
  return (['bot', 'refresh'] as const).map((slackToken) =>
    sealedColumn(db, {
      ...{ table: 'installation', column: `${slackToken}_token_sealed` },
      remedy: 'install Belay again',
      describe: ({ team_id: teamId, enterprise_id: enterpriseId }) => ({
        name: `Slack's ${slackToken} token`,
        binding: tokenBinding({ slackToken, teamId, enterpriseId }),
      }),
    }),
  );
}
