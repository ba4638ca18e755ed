import type { Selectable } from 'kysely';
import { sealedColumn } from '../../../database/sealed-column.ts';
import type { Database } from '../../../database/tables.ts';
import type { SealedValues } from '../../../encryption/sealed-values.ts';
import { type TokenCipher, tokenBinding } from '../../../workspace/store/token-cipher.ts';
import type { InstallationTable } from './tables.ts';

/** The bot tokens and refresh tokens of OAuth installations. */
export function sealedInstallationTokens(db: Database): SealedValues[] {
  return (['bot', 'refresh'] as const).map((slackToken) =>
    sealedColumn(db, {
      table: 'installation',
      column: `${slackToken}_token_sealed`,
      remedy: 'install Belay again',
      describe: ({ team_id: teamId, enterprise_id: enterpriseId }) => ({
        name: `Slack's ${slackToken} token`,
        binding: tokenBinding({ slackToken, teamId, enterpriseId }),
      }),
    }),
  );
}

/** The columns with the tokens of a workspace, or of the organization for an installation in all of it. */
export function sealTokens(
  cipher: TokenCipher,
  { teamId, enterpriseId }: { teamId: string; enterpriseId: string | null },
  { botToken, refreshToken }: { botToken: string; refreshToken: string | undefined },
) {
  const seal = (slackToken: 'bot' | 'refresh', token: string) =>
    cipher.seal(token, { slackToken, teamId, enterpriseId });
  return {
    bot_token_sealed: seal('bot', botToken),
    refresh_token_sealed: refreshToken === undefined ? null : seal('refresh', refreshToken),
  };
}

/** Undefined if the row has no such token, or none that a configured encryption key opens. */
export function openToken(
  cipher: TokenCipher,
  slackToken: 'bot' | 'refresh',
  row: Selectable<InstallationTable>,
): string | undefined {
  const sealed = row[`${slackToken}_token_sealed`];
  const place = { slackToken, teamId: row.team_id, enterpriseId: row.enterprise_id };
  return sealed === null ? undefined : cipher.open(sealed, place);
}
