import { sql, type Transaction } from 'kysely';
import type { Database, Tables } from './tables.ts';

/** The entries of the audit log and their personal text. */
const appendOnly = sql`audit_log, audit_log_personal`;

/**
 * Gives `role` exactly what Belay needs to run on PostgreSQL, and takes away everything else on its
 * tables. docs/operations.md lists it. Only for the owner of the tables.
 * @throws if the role could change the audit log all the same; then nothing was granted.
 */
export async function grantRestricted(db: Database, role: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(trx);
    const schema = sql.id(rows[0]?.schema ?? 'public');
    const to = sql.id(role);
    const statements = [
      // PostgreSQL 14 and older let everybody create tables.
      sql`revoke create on schema ${schema} from public, ${to}`,
      sql`revoke all on all tables in schema ${schema} from ${to}`,
      sql`grant usage on schema ${schema} to ${to}`,
      sql`grant select, insert, update, delete on all tables in schema ${schema} to ${to}`,
      sql`grant execute on function erase_uninstalled_text(text, bigint[]) to ${to}`,
      sql`grant select on all sequences in schema ${schema} to ${to}`,
      sql`revoke update, delete on ${appendOnly} from ${to}`,
      sql`revoke delete on audit_log_head, audit_key from ${to}`,
      sql`revoke insert, update, delete on schema_migration from ${to}`,
    ];
    for (const statement of statements) await statement.execute(trx);
    if (await canChangeLog(trx, role)) {
      throw new Error(
        `The role ${role} could still change the audit log: it is a superuser, may create roles, or has rights through another role or PUBLIC. Nothing was granted.`,
      );
    }
  });
}

/** By whatever way: a grant to PUBLIC, another role, the ownership of tables or database. */
async function canChangeLog(trx: Transaction<Tables>, role: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select rolsuper or rolcreaterole
      or has_schema_privilege(pg_roles.oid, current_schema()::text, 'CREATE')
      or pg_has_role(pg_roles.oid, datdba, 'MEMBER')
      or exists (
        select 1 from pg_class
        where pg_class.oid in ('audit_log'::regclass, 'audit_log_personal'::regclass)
          and (pg_has_role(pg_roles.oid, relowner, 'MEMBER')
            or has_any_column_privilege(pg_roles.oid, pg_class.oid, 'UPDATE')
            or has_table_privilege(pg_roles.oid, pg_class.oid, 'DELETE, TRUNCATE, TRIGGER'))
      ) as found
    from pg_roles, pg_database
    where rolname = ${role} and datname = current_database()`.execute(trx);
  return rows[0]?.found ?? true;
}
