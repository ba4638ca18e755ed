import { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { expect, it } from 'vitest';
import { contractMigrations } from '../../src/database/migrations/contract.ts';
import { migrations } from '../../src/database/migrations/index.ts';
import { noServer } from '../support/no-server.ts';

/** The statements of a migration, which finds every table empty. */
async function statementsOf({ up }: Migration): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: noServer,
    log({ query }) {
      statements.push(query.sql.trim().replaceAll(/\s+/g, ' ').toLowerCase());
    },
  });
  await up(db);
  return statements;
}

/** The statements that could break a process of the previous version, which knows only the old schema. */
function breaking(statements: string[]): string[] {
  const created = statements.flatMap((one) => /^create table (\w+)/.exec(one)?.[1] ?? []);
  return statements.filter((one) => {
    const [, table = ''] = /^(?:alter table|create (?:unique )?index \w+ on) (\w+)/.exec(one) ?? [];
    if (created.includes(table)) return false;
    if (/^(create table|create index|create function|insert into|update|select) /.test(one)) {
      return false;
    }
    const changes = /^alter table \w+ (.*)/.exec(one)?.[1]?.split(/,(?![^(]*\))/) ?? [one];
    return !changes.every(
      (change) =>
        /^ ?alter column \w+ drop not null$/.test(change) ||
        isAutovacuumSetting(change) ||
        (/^ ?add column /.test(change) &&
          !/ (unique|references|primary) ?/.test(change) &&
          (!/ not null/.test(change) || / default /.test(change))),
    );
  });
}

/** Autovacuum settings don't affect running processes. */
function isAutovacuumSetting(change: string): boolean {
  return /^set \((?:autovacuum_\w+ = [\d.]+(?:, )?)+\)$/.test(change);
}

const [, ...later] = Object.entries(migrations);

it.each(later)(
  '%s only adds, so that the version before continues to work',
  async (_, migration) => {
    expect(breaking(await statementsOf(migration))).toEqual([]);
  },
);

it('finds statements that need a contract migration', () => {
  const statements = [
    'create table note (id bigint primary key, text text not null)',
    'create unique index note_once on note (text)',
    'alter table approval add column note_id bigint, add column kind text not null default 1',
    'alter table approval alter column reason drop not null',
    'update approval set kind = 2',
    'alter table approval set (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 5)',
    'alter table approval add column late boolean not null',
    'alter table approval drop column reason',
    'alter table approval rename column reason to why',
    'alter table approval alter column note_id set not null',
    'alter table approval add constraint positive check (attempts > 0)',
    'create unique index one_reason on approval (reason)',
    'drop table replica',
    'create or replace function note_change() returns trigger',
    'delete from approval',
    'alter table approval set (fillfactor = 50)',
  ];
  expect(breaking(statements)).toEqual(statements.slice(6));
});

it('has no duplicate numbers', () => {
  const names = [...Object.keys(migrations), ...Object.keys(contractMigrations)];
  const numbers = names.map((name) => name.slice(0, 3));
  expect(new Set(numbers).size).toBe(numbers.length);
});
