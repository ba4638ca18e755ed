import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { databases } from '../support/databases.ts';

const few = ['autovacuum_vacuum_scale_factor=0', 'autovacuum_vacuum_threshold=500'];
const many = ['autovacuum_vacuum_scale_factor=0.02', 'autovacuum_analyze_scale_factor=0.02'];

describe.each(databases())('autovacuum on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('runs earlier than by default on tables whose rows change often', async () => {
    const { rows } = await sql<{ name: string; options: string[] }>`
      select relname as name, reloptions as options from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and reloptions is not null`.execute(
      database.db,
    );
    expect(Object.fromEntries(rows.map(({ name, options }) => [name, options]))).toEqual({
      delivery_channel: few,
      delivery_message: many,
      delivery_summary: many,
      alert_poll: few,
      watched_alert: many,
      approval: many,
      run: many,
      request_copy: many,
      audit_refusal: few,
      home_change: few,
      home_tab: few,
      home_team: few,
      checkpoint_status: few,
      replica: few,
      audit_log_head: few,
      audit_log: ['autovacuum_vacuum_insert_scale_factor=0.02'],
    });
  });
});
