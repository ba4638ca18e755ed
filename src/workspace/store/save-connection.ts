import { type Selectable, sql, type Transaction } from 'kysely';
import type { AppendEntry } from '../../audit-log/append.ts';
import { defaultOrigin } from '../../database/connection-origin.ts';
import type { Tables } from '../../database/tables.ts';
import { tokenExpiry } from '../../dataprotection/connection.ts';
import type { NewConnection, RemovedConnection, Setup } from '../workspace.ts';
import { connectionsInUse } from './setup-row.ts';
import type { ConnectionTable } from './tables.ts';
import type { TokenCipher } from './token-cipher.ts';

/** As migration 035 names the connection of each workspace. */
const firstConnectionName = 'main';

type Trx = Transaction<Tables>;
type ConnectionRow = Selectable<ConnectionTable>;
/** `by` is a Slack user id; undefined for the operator. `append` collects, and appends last. */
export type ChangedBy = {
  teamId: string;
  by: string | undefined;
  at: Date;
  append: AppendEntry;
};
export type RequestRef = { teamId: string; id: string };

export type ConnectionHandlers = {
  /** Resolves to the requests that lose their connection and are void now. */
  onConnectionReplaced: (
    trx: Trx,
    change: ChangedBy & { originId: string },
  ) => Promise<RequestRef[]>;
  /** After a connection was added, or has another name or token. */
  onConnectionsChanged: (trx: Trx, change: { teamId: string; at: Date }) => Promise<void>;
  /** Ends what is on a removed connection, such as its watches and digests. */
  onConnectionRemoved: (trx: Trx, change: RemovedConnection) => Promise<void>;
};

/** `before`: the connection that was changed; undefined for a new one. */
type SavedConnection = {
  before: ConnectionRow | undefined;
  /** Whether it got another token and is otherwise the same. */
  isTokenReplaced: boolean;
  voided: RequestRef[];
};

/** Adds, changes or removes the connection that a setup is about: the default one if it names none. */
export async function saveConnection(
  trx: Trx,
  setup: Setup,
  {
    cipher,
    append,
    ...handlers
  }: ConnectionHandlers & { append: AppendEntry; cipher: TokenCipher },
): Promise<SavedConnection> {
  const { teamId, connection, target, savedBy: by, at } = setup;
  const rows = await connectionsInUse(trx, teamId);
  const before = rows.find((row) => (target ? row.origin_id === target.originId : row.is_default));
  if (target && target.kind !== 'add' && !before) throw new Error('the connection was removed');
  if (target?.kind === 'make_default') {
    await settleDigests(trx, teamId);
    await makeDefault(trx, teamId, target.originId);
    return { before, isTokenReplaced: false, voided: [] };
  }
  const isRemoved = target?.kind === 'remove';
  const isTokenReplaced = connection !== undefined && connection.id === before?.id;
  const isEnded = isRemoved || (connection !== undefined && !isTokenReplaced);
  if (before && isEnded) await endConnection(trx, before, at);
  if (connection && isTokenReplaced) await replaceToken(trx, cipher, setup, connection);
  else if (connection) {
    const isFirst = rows.length === 0;
    await insertConnection(trx, cipher, { setup, connection, before, isFirst });
  }
  if (before && !isEnded) await changeInPlace(trx, before, setup);
  const voided =
    before && isEnded
      ? await handlers.onConnectionReplaced(trx, {
          teamId,
          originId: before.origin_id,
          by,
          at,
          append,
        })
      : [];
  if (before && isRemoved) {
    const { origin_id: originId, name } = before;
    const unpinned = await unpinChannels(trx, { teamId, originId });
    await handlers.onConnectionRemoved(trx, { teamId, originId, name, unpinned, by, at });
  }
  return { before, isTokenReplaced, voided };
}

async function makeDefault(trx: Trx, teamId: string, originId: string): Promise<void> {
  const inUse = trx
    .updateTable('connection')
    .where('team_id', '=', teamId)
    .where('replaced_at', 'is', null);
  await inUse.set({ is_default: false }).where('is_default', '=', true).execute();
  await inUse.set({ is_default: true }).where('origin_id', '=', originId).execute();
}

async function unpinChannels(
  trx: Trx,
  { teamId, originId }: Pick<RemovedConnection, 'teamId' | 'originId'>,
): Promise<RemovedConnection['unpinned']> {
  const rows = await trx
    .deleteFrom('channel_connection')
    .where('team_id', '=', teamId)
    .where('origin_id', '=', originId)
    .returning(['channel_id', 'pinned_by'])
    .execute();
  return rows.map((row) => ({ channelId: row.channel_id, pinnedBy: row.pinned_by }));
}

/** Token and owner are wiped. */
async function endConnection(trx: Trx, { team_id, id }: ConnectionRow, at: Date): Promise<void> {
  await trx
    .updateTable('connection')
    .set({
      replaced_at: at,
      token_sealed: null,
      token_owner: null,
      tenant: null,
      token_expires_at: null,
    })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .execute();
}

/** Another name or owner makes no new connection, so requests that wait for approval stay valid. */
async function changeInPlace(
  trx: Trx,
  { team_id, id, name }: ConnectionRow,
  { target, tokenOwner }: Setup,
): Promise<void> {
  await trx
    .updateTable('connection')
    .set({ name: target?.name ?? name, token_owner: tokenOwner ?? null })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .execute();
}

/** The connection stays, and with it all that refers to it. */
async function replaceToken(
  trx: Trx,
  cipher: TokenCipher,
  { teamId, savedBy, at }: Setup,
  connection: NewConnection,
): Promise<void> {
  await trx
    .updateTable('connection')
    .set({
      ...tokenColumns(cipher, teamId, connection),
      expiry_warned_days: null,
      saved_by: savedBy,
      saved_at: at,
    })
    .where('team_id', '=', teamId)
    .where('id', '=', connection.id)
    .execute();
}

async function insertConnection(
  trx: Trx,
  cipher: TokenCipher,
  {
    setup: { teamId, target, tokenOwner, savedBy, at },
    connection,
    before,
    isFirst,
  }: {
    setup: Setup;
    connection: NewConnection;
    before: ConnectionRow | undefined;
    /** Whether the workspace has no other connection. */
    isFirst: boolean;
  },
): Promise<void> {
  await trx
    .insertInto('connection')
    .values({
      id: connection.id,
      team_id: teamId,
      name: target?.name ?? before?.name ?? firstConnectionName,
      is_default: before?.is_default ?? isFirst,
      origin_id: before?.origin_id ?? connection.id,
      region_id: connection.regionId,
      organizational_unit_id: connection.organizationalUnitId ?? null,
      token_owner: tokenOwner ?? null,
      ...tokenColumns(cipher, teamId, connection),
      saved_by: savedBy,
      saved_at: at,
    })
    .execute();
}

function tokenColumns(cipher: TokenCipher, teamId: string, { id, token, tenant }: NewConnection) {
  return {
    token_sealed: cipher.seal(token, { teamId, connectionId: id }),
    token_expires_at: tokenExpiry(token) ?? null,
    tenant: tenant ? JSON.stringify(tenant) : null,
  };
}

/** Gives digests without a connection the default one, before another one becomes the default. */
async function settleDigests(trx: Trx, teamId: string): Promise<void> {
  await sql`
    update digest set connection_origin_id = ${defaultOrigin(sql`${teamId}`)}
    where team_id = ${teamId} and connection_origin_id is null`.execute(trx);
}
