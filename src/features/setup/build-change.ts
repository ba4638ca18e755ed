import { randomUUID } from 'node:crypto';
import type { Region } from '../../dataprotection/region.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import type { SetupChange, SetupValues } from '../../workspace/setup-change.ts';
import type {
  ConnectionSummary,
  ConnectionTarget,
  CurrentSetup,
} from '../../workspace/workspace.ts';
import type { ConnectionEntries } from './setup-form.ts';
import type { VerifiedSetup } from './verify-setup.ts';

type Submitted = {
  form: ConnectionEntries;
  verified: VerifiedSetup;
  current: CurrentSetup;
  /** Undefined for a new connection. */
  edited: ConnectionSummary | undefined;
  target: ConnectionTarget | undefined;
};

/** The change that a verified form makes. */
export function buildChange(
  { form, verified, current, edited, target }: Submitted,
  { regions }: { regions: Region[] },
): SetupChange {
  const after = valuesOf(verified, form, current.settings);
  const connectionId = verified.connection?.id;
  return {
    changeId: randomUUID(),
    basedOn: current.revision,
    target,
    before: edited ? valuesInForce(edited, current.settings, regions) : after,
    after,
    tokenOwnerBefore: edited?.tokenOwner,
    tokenOwnerAfter: form.tokenOwner,
    ownerCheck: verified.owner,
    connectionId,
    hasNewToken: form.token !== undefined,
    ...(edited && connectionId === edited.id && { isSameTenant: true }),
  };
}

/** A change of settings that leaves the connection as it is. */
export function settingsChange(
  connection: ConnectionSummary,
  { revision, settings }: Pick<CurrentSetup, 'revision' | 'settings'>,
  wanted: WorkspaceSettings,
  { regions }: { regions: Region[] },
): SetupChange {
  const { tokenOwner } = connection;
  return {
    changeId: randomUUID(),
    basedOn: revision,
    before: valuesInForce(connection, settings, regions),
    after: valuesInForce(connection, wanted, regions),
    tokenOwnerBefore: tokenOwner,
    tokenOwnerAfter: tokenOwner,
    hasNewToken: false,
  };
}

/** What a connection and the settings are now. */
export function valuesInForce(
  { regionId, organizationalUnitId }: Pick<ConnectionSummary, 'regionId' | 'organizationalUnitId'>,
  settings: WorkspaceSettings,
  regions: Region[],
): SetupValues {
  const regionLabel = regions.find(({ id }) => id === regionId)?.label ?? regionId;
  return { regionId, regionLabel, organizationalUnitId, ...settings };
}

/** What a verified form sets. */
function valuesOf(
  { region, organizationalUnitId }: VerifiedSetup,
  { organizationalUnitId: typed, unitName = typed }: ConnectionEntries,
  settings: WorkspaceSettings,
): SetupValues {
  const { id: regionId, label: regionLabel } = region;
  // A unit that was typed by its name is saved by its id.
  const name = unitName === organizationalUnitId ? undefined : unitName;
  return { regionId, regionLabel, organizationalUnitId, unitName: name, ...settings };
}
