import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import type { Database } from '../../../src/database/tables.ts';
import type { Region } from '../../../src/dataprotection/region.ts';
import {
  applyFile,
  type ConfigurationContext,
  exportConfiguration,
  parseConfiguration,
  planFile,
} from '../../../src/features/configuration/index.ts';
import { hasDifferences } from '../../../src/features/configuration/plan/plan-workspace.ts';
import {
  toApprovedPlan,
  toPendingChange,
} from '../../../src/features/configuration/plan/stored-plan.ts';
import { saveConfiguration } from '../../../src/features/configuration/save/save-configuration.ts';
import { setupChange } from '../../../src/workspace/setup-change.ts';
import { dropEndedChange } from '../../../src/workspace/store/drop-changes.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import type { World } from '../../support/world.ts';

export const key = Buffer.alloc(32, 9);
export const cipher = createTokenCipher([key]);
const now = new Date('2026-11-20T10:00:00Z');

export const regions: Region[] = ['us', 'eu'].map((id) => ({
  id,
  label: `Portal ${id}`,
  portal: `${id}.example.com`,
  baseUrl: `https://${id}.example.com`,
  dialect: 'live',
  requestsPerSecond: 10,
}));

/** `tokens`: part of every token. A tenant is whatever its token says. */
export function contextOn(db: Database, tokens = 'a'): ConfigurationContext {
  return {
    db,
    cipher,
    hooks: {
      append: createAppendEntry([key]),
      onChanged: async () => undefined,
      onEnded: dropEndedChange,
    },
    readToken: (reference) => `${tokens} of ${'env' in reference ? reference.env : reference.file}`,
    openSlack: async () => ({ slack: undefined, skipped: [] }),
    regions,
    probe: async ({ token }) => ({
      outcome: 'ok',
      units: [],
      tenant: { users: ['1', '2', '3'].map((id) => `${token.at(0)} ${id}`) },
    }),
    userExists: async () => true,
    readAnchor: async () => ({ highWater: now, alertId: 'a-1', known: [] }),
  };
}

/** The file of a world's workspace, and what files of that workspace are applied with. */
export async function openStored({ env, workspace, portal }: World, db: Database) {
  const keys = [Buffer.from(env.BELAY_ENCRYPTION_KEYS ?? '', 'base64')];
  const own = { ...contextOn(db), cipher: createTokenCipher(keys) };
  const stored = await exportConfiguration(workspace.teamId, own);
  const [id = ''] = /(?<=region: ).*/.exec(stored) ?? [];
  const context: ConfigurationContext = {
    ...own,
    hooks: { ...own.hooks, append: createAppendEntry(keys) },
    regions: regions.slice(0, 1).map((region) => ({ ...region, id })),
    readToken: () => portal.token,
  };
  return { stored, context };
}

export const operator = { by: 'U0PS1', operator: { actor: 'U0PS1' }, at: now };

/** Applies a file as the operator does. */
export async function apply(text: string, context: ConfigurationContext) {
  const file = parseConfiguration(text, 'belay.yaml');
  const plan = await planFile(file, { teamId: undefined, at: now }, context);
  return applyFile(plan, operator, context);
}

/** Applies a file as it is applied once its request is approved: what was stored for the request. */
export async function applyApproved(
  text: string,
  context: ConfigurationContext,
  finish?: Parameters<typeof saveConfiguration>[3],
) {
  const file = parseConfiguration(text, 'belay.yaml');
  const { plans } = await planFile(file, { teamId: undefined, at: now }, context);
  const applied = { by: 'U1ANA', approval: { id: randomUUID(), approvedBy: 'U2BEN' }, at: now };
  const stored = plans.filter(hasDifferences).map((plan) => {
    const waiting = toPendingChange(plan);
    const { configuration } = setupChange.parse(JSON.parse(JSON.stringify(waiting?.change)));
    return toApprovedPlan(plan.teamId, configuration?.plan, waiting?.tokens ?? '');
  });
  return saveConfiguration(stored, applied, context, finish);
}

/** Every row of a workspace, in every table. */
export async function dump(db: Database, teamId: string): Promise<unknown> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where column_name = 'team_id' and table_schema = 'public' order by table_name`.execute(db);
  const selects = tables.map(
    ({ name }) => sql`select ${name} || to_jsonb(one)::text as row
      from ${sql.table(name)} as one where team_id = ${teamId}`,
  );
  const { rows } = await sql<{
    row: string;
  }>`${sql.join(selects, sql` union all `)} order by 1`.execute(db);
  return rows.map(({ row }) => row);
}
