import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
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

/**
 * A condition on rows of `installation`: whether one is used for the workspace now. A workspace's own
 * takes precedence over its organization's, even while its data is being deleted, but not once Belay
 * must be installed again.
 */
export function servesTeam(team: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`installation.state = 'active' and (installation.team_id = ${team}
    or (installation.team_id = (
        select enterprise_id from organization_workspace member
        where member.team_id = ${team} and member.removed_at is null)
      and not exists (select 1 from installation own
        where own.team_id = ${team} and own.state <> 'reinstall_needed')))`;
}

/** Whether any installation is used for the workspace now. */
export function isServing(team: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`exists (select 1 from installation where ${servesTeam(team)})`;
}

/** The organization (`E…`) that the installation is for; undefined if it is for one workspace. */
export function organizationOf({
  team_id: installedIn,
  enterprise_id: enterpriseId,
}: Pick<Selectable<InstallationTable>, 'team_id' | 'enterprise_id'>): string | undefined {
  return installedIn === enterpriseId ? installedIn : undefined;
}
