import type { Clock } from '../../clock.ts';
import type { ServiceConnection } from '../../dataprotection/connection.ts';
import type { ProbeResult } from '../../dataprotection/probe-connection.ts';
import type { Region } from '../../dataprotection/region.ts';
import type { OrganizationalUnit } from '../../dataprotection/resources/organizational-units.ts';
import { plainOf } from '../../slack/ui/mrkdwn.ts';
import { readLimits } from './read-limits.ts';
import { serviceConnection } from './service-connection.ts';
import type { SetupForm } from './setup-form.ts';
import { refusedUnitText, unitCalled } from './views/format-unit.ts';
import { setupBlocks } from './views/ids.ts';
import type {
  Connection,
  NewConnection,
  SaveResult,
  Setup,
  WorkspaceStore,
} from './workspace-store.ts';

export type SetupResult =
  /** `units` are those that the token may use, if it was refused another. */
  | { result: 'invalid'; errors: Record<string, string>; units: OrganizationalUnit[] }
  /** `units` are those to choose from, when none was chosen and there is a choice. */
  | (Extract<SaveResult, { result: 'saved' }> & { region: Region; units: OrganizationalUnit[] })
  | Exclude<SaveResult, { result: 'saved' }>;

export type SetupDependencies = {
  store: WorkspaceStore;
  regions: Region[];
  probe: (connection: ServiceConnection) => Promise<ProbeResult>;
  /** What is wrong with the chosen approvers and channel, by block id. */
  checkSlack: (form: SetupForm) => Promise<Record<string, string>>;
  describeFailure: (error: unknown) => string;
  clock: Clock;
  newId: () => string;
};

type Submitted = {
  teamId: string;
  enterpriseId: string | undefined;
  savedBy: string;
  viewId: string;
  basedOn: Setup['basedOn'];
  form: SetupForm;
};

/** Tries the connection as typed and saves it only if it works. */
export async function verifySetup(
  { form, ...who }: Submitted,
  dependencies: SetupDependencies,
): Promise<SetupResult> {
  const { store, regions, checkSlack, clock } = dependencies;
  const region = regions.find(({ id }) => id === form.regionId);
  if (!region) {
    return { result: 'invalid', errors: { [setupBlocks.region]: 'Choose a region.' }, units: [] };
  }

  const [tried, slackErrors] = await Promise.all([
    tryConnection(who.teamId, region, form, dependencies),
    checkSlack(form),
  ]);
  const limits = readLimits(form);
  const errors = {
    ...('errors' in tried ? tried.errors : {}),
    ...slackErrors,
    ...('errors' in limits ? limits.errors : {}),
  };
  if ('errors' in tried || 'errors' in limits || Object.keys(errors).length > 0) {
    return { result: 'invalid', errors, units: 'errors' in tried ? tried.units : [] };
  }

  const { approvers, approvalsChannelId, tokenOwner } = form;
  const settings = { approvers, approvalsChannelId, ...limits };
  const { connection, units } = tried;
  const saved = await store.saveSetup({ ...who, connection, tokenOwner, settings, at: clock() });
  return saved.result === 'saved' ? { region, units, ...saved } : saved;
}

type Tried =
  | { connection: NewConnection | undefined; units: OrganizationalUnit[] }
  | { errors: Record<string, string>; units: OrganizationalUnit[] };

/** The new connection if it works, none if nothing about it changes, or what is wrong with it. */
async function tryConnection(
  teamId: string,
  region: Region,
  form: SetupForm,
  dependencies: SetupDependencies,
): Promise<Tried> {
  const { store, probe, newId, describeFailure } = dependencies;
  const { organizationalUnitId } = form;
  // Read once: an admin who saves meanwhile must not have their token tried at this form's region.
  const current = await readableConnection(teamId, store);
  const isSameRegion = current?.regionId === region.id;
  if (!form.token && isSameRegion && current.organizationalUnitId === organizationalUnitId) {
    return { connection: undefined, units: [] };
  }
  // A stored token is never tried at another portal: it would be handed to a stranger.
  const token = form.token ?? (isSameRegion ? current.token : undefined);
  if (!token) {
    return refused({ [setupBlocks.token]: `Paste an API token made in ${region.portal}.` });
  }

  const probed = await probe(serviceConnection(region, { token, organizationalUnitId }));
  switch (probed.outcome) {
    case 'ok':
      return {
        connection: { id: newId(), regionId: region.id, organizationalUnitId, token },
        units: probed.units,
      };
    case 'token-refused': {
      const words = 'This token was refused here: it is wrong, expired, or from another portal.';
      return refused({ [setupBlocks.region]: words, [setupBlocks.token]: words });
    }
    case 'unit-refused': {
      const named = unitCalled(organizationalUnitId, probed.units);
      if (named) {
        const withId = { ...form, organizationalUnitId: named.id };
        return tryConnection(teamId, region, withId, dependencies);
      }
      const words = refusedUnitText(probed.units);
      return refused({ [setupBlocks.organizationalUnit]: words }, probed.units);
    }
    case 'failed':
      return refused({ [setupBlocks.region]: plainOf(describeFailure(probed.error)) });
  }
}

/** A connection whose token cannot be opened is as good as none: the token is needed again. */
async function readableConnection(
  teamId: string,
  store: WorkspaceStore,
): Promise<Connection | undefined> {
  const connection = await store.openConnection(teamId);
  return connection === 'unreadable' ? undefined : connection;
}

function refused(errors: Record<string, string>, units: OrganizationalUnit[] = []): Tried {
  return { errors, units };
}
