import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import { readStoredSetup, type StoredSetup } from '../../workspace/store/configured-workspace.ts';
import type { TokenCipher } from '../../workspace/store/token-cipher.ts';
import { canonical, defaultTokenReference, toFile } from './file/canonical.ts';
import type { Workspace } from './file/configuration.ts';
import type { StoredItem } from './sections/define-section.ts';
import { sections } from './sections/sections.ts';

export type StoredWorkspace = {
  setup: StoredSetup;
  /** In canonical form. */
  workspace: Workspace;
  items: StoredItem[];
  /** Changes with every change that a configuration covers, tokens included. */
  hash: string;
};

/** Reads what is configured in a workspace, which may be nothing yet. */
export async function readStored(
  trx: Transaction<Tables>,
  teamId: string,
  cipher: TokenCipher,
): Promise<StoredWorkspace> {
  const setup = await readStoredSetup(trx, teamId, cipher);
  const items: StoredItem[] = [];
  for (const section of sections) items.push(...(await section.listStored(trx, setup)));
  const { access, ...settings } = setup.settings;
  const workspace = canonical({
    connections: setup.connections.map((one) => ({
      name: one.name,
      region: one.regionId,
      organizationalUnit: one.organizationalUnitId,
      tokenOwner: one.tokenOwner,
      token: defaultTokenReference(teamId, one.name),
      default: one.isDefault || undefined,
    })),
    settings,
    ...access,
    items,
  });
  return { setup, workspace, items, hash: hashOf(setup, workspace) };
}

function hashOf({ revision, connections }: StoredSetup, workspace: Workspace): string {
  const ids = connections.map(({ id }) => id);
  // A new token counts as a revision.
  const text = JSON.stringify([revision, ids, toFile(workspace)]);
  return createHash('sha256').update(text).digest('base64url');
}

/** As the workspace stores them. */
export function toSettings({
  settings,
  roles,
  rules,
  protectedUsers,
}: Workspace): WorkspaceSettings {
  return { ...settings, access: { roles, rules, protectedUsers } };
}
