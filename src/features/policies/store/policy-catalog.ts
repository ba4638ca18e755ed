import type { Transaction } from 'kysely';
import { storable } from '../../../database/canonical-text.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { purgeTables } from '../../../database/team-purge.ts';
import type { Approval } from '../../../requests/approval.ts';
import { maxIdLength } from '../../../slack/ui/codec.ts';
import { cut } from '../../../slack/ui/limits.ts';
import { createPayload } from '../stored-policy.ts';
import type { PolicySource } from './tables.ts';

/** A policy in the catalog; its name is its id if no other is known. */
export type KnownPolicy = { id: string; name: string; source: PolicySource };

type ConnectionRef = { teamId: string; connectionId: string };

export type NewKnownPolicies = ConnectionRef & {
  policies: readonly { id: string; name?: string | undefined }[];
  source: PolicySource;
  /** Slack user id. */
  addedBy?: string | undefined;
  at: Date;
};

export type PolicyCatalog = ReturnType<typeof createPolicyCatalog>;

/** Of one connection, because a service may name any number of policies. */
export const maxPolicies = 1000;
const maxNameLength = 500;

/** The policies that Belay knows of each connection, which matter where the service lists none. */
export function createPolicyCatalog(db: Database) {
  const live = ({ teamId, connectionId }: ConnectionRef) =>
    db
      .selectFrom('policy_catalog')
      .where('team_id', '=', teamId)
      .where('connection_id', '=', connectionId)
      .where('removed_at', 'is', null);

  const count = async (connection: ConnectionRef) => {
    const counted = live(connection).select(({ fn }) => fn.countAll<string>().as('total'));
    return Number((await counted.executeTakeFirstOrThrow()).total);
  };

  return {
    async list(connection: ConnectionRef): Promise<KnownPolicy[]> {
      const rows = await live(connection)
        .select(['policy_id', 'name', 'source'])
        .orderBy('added_at')
        .orderBy('policy_id')
        .limit(maxPolicies)
        .execute();
      return rows.map(({ policy_id: id, name, source }) => ({ id, name: name ?? id, source }));
    },

    /**
     * Adds policies, or updates their names. Ids that fit no button are left out, and so are all beyond
     * 1,000 of a connection: false if there were such.
     */
    async remember({
      policies,
      source,
      addedBy,
      at,
      ...connection
    }: NewKnownPolicies): Promise<boolean> {
      const named = new Map(policies.flatMap(toNamed));
      if (named.size === 0) return true;
      const before = await db
        .selectFrom('policy_catalog')
        .select(['policy_id', 'name', 'removed_at'])
        .where('team_id', '=', connection.teamId)
        .where('connection_id', '=', connection.connectionId)
        .where('policy_id', 'in', [...named.keys()])
        .execute();
      const changed = before.flatMap(({ policy_id, name, removed_at }) => {
        const newName = named.get(policy_id) ?? name;
        named.delete(policy_id);
        const isKept = removed_at ? source === 'alert' : newName === name;
        return isKept ? [] : [{ policy_id, name: newName }];
      });
      const added = [...named].map(([policy_id, name]) => ({ policy_id, name }));
      const room = added.length > 0 ? maxPolicies - (await count(connection)) : 0;
      const rows = [...changed, ...added.slice(0, Math.max(0, room))];
      const hasRoom = added.length <= room;
      if (rows.length === 0) return hasRoom;
      const { teamId: team_id, connectionId: connection_id } = connection;
      const by = { team_id, connection_id, source, added_by: addedBy ?? null, added_at: at };
      await db
        .insertInto('policy_catalog')
        .values(rows.map((row) => ({ ...row, ...by })))
        .onConflict((conflict) =>
          conflict
            .columns(['connection_id', 'policy_id'])
            .doUpdateSet((eb) => ({ name: eb.ref('excluded.name'), removed_at: null })),
        )
        .execute();
      return hasRoom;
    },

    /** Whether the policy was in the catalog. */
    async remove({
      teamId,
      connectionId,
      policyId,
      at,
    }: ConnectionRef & { policyId: string; at: Date }) {
      const removed = await db
        .updateTable('policy_catalog')
        .set({ removed_at: at })
        .where('team_id', '=', teamId)
        .where('connection_id', '=', connectionId)
        .where('policy_id', '=', policyId)
        .where('removed_at', 'is', null)
        .returning('policy_id')
        .executeTakeFirst();
      return removed !== undefined;
    },
  };
}

/** By id, with the name as it is stored; nothing for an id that can't be stored. */
function toNamed({ id, name }: { id: string; name?: string | undefined }) {
  if (id === '' || id !== storable(id) || id.length > maxIdLength) return [];
  return [[id, name?.trim() ? cut(storable(name), maxNameLength) : null] as const];
}

export const purgePolicies = purgeTables('policy_catalog', 'policy_draft');

/** Adds a policy that Belay created to the catalog, in the transaction that ends its request. */
export async function rememberCreated(
  trx: Transaction<Tables>,
  { action, teamId, connectionId, runs: [run] }: Approval,
): Promise<void> {
  const { state, payload, subjectId, finishedAt } = run;
  if (action !== 'policies.create' || state !== 'completed' || !finishedAt) return;
  const { name } = createPayload.parse(payload).after;
  // Without an id of the service, the subject is still the name.
  if (subjectId === name) return;
  const policies = [{ id: subjectId, name }];
  const known = { teamId, connectionId, policies, source: 'created' as const, at: finishedAt };
  await createPolicyCatalog(trx).remember(known);
}
