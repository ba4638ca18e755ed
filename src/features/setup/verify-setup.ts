import { randomUUID } from 'node:crypto';
import type { ServiceConnection } from '../../dataprotection/connection.ts';
import type { Region } from '../../dataprotection/region.ts';
import type { OrganizationalUnit } from '../../dataprotection/resources/organizational-units.ts';
import { isSameTenant, type TenantMarks } from '../../dataprotection/tenant.ts';
import { describeFailure } from '../../describe-failure.ts';
import { type FormErrors, foundErrors } from '../../slack/ui/form.ts';
import { stripMarkup } from '../../slack/ui/mrkdwn.ts';
import type { WorkspaceStore } from '../../workspace/store/workspace-store.ts';
import {
  type Connection,
  type ConnectionRef,
  type NewConnection,
  serviceConnection,
} from '../../workspace/workspace.ts';
import { checkOwner, deceptiveText, isDeceptive, type OwnerCheck } from './check-setup.ts';
import type { SetupContext } from './setup-context.ts';
import type { ConnectionEntries } from './setup-form.ts';
import { formatRefusedUnit } from './views/unit-field.ts';

type SetupResult =
  /** `units`: those that the token may use, if it was refused for another. */
  | { result: 'invalid'; errors: FormErrors; units: OrganizationalUnit[] }
  | ({ result: 'verified' } & VerifiedSetup);

export type VerifiedSetup = {
  region: Region;
  /** Undefined if nothing about it changes. */
  connection: NewConnection | undefined;
  /** Its id, also if the form has its name. */
  organizationalUnitId: string | undefined;
  /** Those to choose from, if the connection is new and names none. */
  units: OrganizationalUnit[];
  owner: OwnerCheck;
};

/** The connection that the form is about: the default one if undefined. */
type EditedConnection = ConnectionRef | 'new' | undefined;

type Verification = Pick<SetupContext, 'regions' | 'probe' | 'userExists'> & {
  store: Pick<WorkspaceStore, 'openConnection'>;
};

/** Tries the connection as typed. `otherErrors`: of the rest of its form. */
export async function verifySetup(
  {
    teamId,
    form,
    edited,
    otherErrors,
  }: {
    teamId: string;
    form: ConnectionEntries;
    edited: EditedConnection;
    otherErrors?: FormErrors;
  },
  context: Verification,
): Promise<SetupResult> {
  const { regions, userExists } = context;
  const region = regions.find(({ id }) => id === form.regionId);
  if (!region) {
    return { result: 'invalid', errors: { regionId: 'Choose a region.' }, units: [] };
  }

  const tried = await tryConnection({ teamId, edited }, region, form, context);
  const { tokenOwner } = form;
  const owner = 'errors' in tried ? tried : await checkOwner(tokenOwner, tried.opened, userExists);
  const errors = {
    ...checkTypedText(form),
    ...(typeof owner === 'object' ? owner.errors : {}),
    ...otherErrors,
  };
  if ('errors' in tried || typeof owner === 'object' || foundErrors(errors)) {
    return { result: 'invalid', errors, units: 'errors' in tried ? tried.units : [] };
  }

  const { connection, opened, units } = tried;
  const { organizationalUnitId } = opened;
  return { result: 'verified', region, connection, organizationalUnitId, units, owner };
}

function checkTypedText({ tokenOwner, organizationalUnitId }: ConnectionEntries): FormErrors {
  return {
    ...(isDeceptive(tokenOwner) && { tokenOwner: deceptiveText }),
    ...(isDeceptive(organizationalUnitId) && { organizationalUnitId: deceptiveText }),
  };
}

type TryResult =
  /** `opened` is the connection that was tried, or else the stored one. */
  | {
      connection: NewConnection | undefined;
      opened: ServiceConnection;
      units: OrganizationalUnit[];
    }
  | { errors: Record<string, string>; units: OrganizationalUnit[] };

/** The new connection if it works, undefined if nothing about it changes, or errors by field id. */
async function tryConnection(
  place: { teamId: string; edited: EditedConnection },
  region: Region,
  form: ConnectionEntries,
  context: Verification,
): Promise<TryResult> {
  const { store, probe } = context;
  const { organizationalUnitId } = form;
  // Read once: a token that another admin saves meanwhile must not be sent to this form's region.
  const current = await readableConnection(place, store);
  const isSameRegion = current?.regionId === region.id;
  if (!form.token && isSameRegion && current.organizationalUnitId === organizationalUnitId) {
    return { connection: undefined, opened: serviceConnection(region, current), units: [] };
  }
  // A stored token is never sent to another region: it would be disclosed to a third party.
  const token = form.token ?? (isSameRegion ? current.token : undefined);
  if (!token) {
    return refused({ token: `Enter an API token from ${region.portal}.` });
  }

  const opened = serviceConnection(region, { token, organizationalUnitId });
  const probed = await probe(opened);
  switch (probed.outcome) {
    case 'ok': {
      const { tenant, units } = probed;
      const isSameUnit = current?.organizationalUnitId === organizationalUnitId;
      const isTokenReplaced =
        isSameRegion && isSameUnit && (await seesTenantOf(current, tenant, region, probe));
      const id = isTokenReplaced ? current.id : randomUUID();
      return {
        connection: { id, regionId: region.id, organizationalUnitId, token, tenant },
        opened,
        units,
      };
    }
    case 'token-refused': {
      const error = 'The service refused this token: wrong, expired, or from another portal.';
      return refused({ regionId: error, token: error });
    }
    case 'unit-refused': {
      const named = findUnitByName(organizationalUnitId, probed.units);
      if (named) {
        const withId = { ...form, organizationalUnitId: named.id };
        return tryConnection(place, region, withId, context);
      }
      const error = formatRefusedUnit(probed.units);
      return refused({ organizationalUnitId: error }, probed.units);
    }
    case 'failed':
      return refused({ regionId: stripMarkup(describeFailure(probed.error)) });
  }
}

/**
 * Whether a new token sees the tenant of the connection: the one that the stored token sees or, if the
 * service refuses that token by now, the one that it saw when it was saved.
 */
export async function seesTenantOf(
  current: Pick<Connection, 'token' | 'organizationalUnitId' | 'tenant'>,
  seen: TenantMarks,
  region: Region,
  probe: SetupContext['probe'],
): Promise<boolean> {
  const probed = await probe(serviceConnection(region, current));
  const isSameMoment = probed.outcome === 'ok';
  const known = isSameMoment ? probed.tenant : current.tenant;
  return known !== undefined && isSameTenant(known, seen, { isSameMoment });
}

/** Also undefined if the token can't be decrypted: it must be entered again. */
async function readableConnection(
  { teamId, edited }: { teamId: string; edited: EditedConnection },
  store: Verification['store'],
): Promise<Connection | undefined> {
  if (edited === 'new') return undefined;
  const connection = await store.openConnection(teamId, edited);
  return connection === 'unreadable' ? undefined : connection;
}

/** The unit with this name, ignoring case; undefined if `text` is an id or matches several. */
function findUnitByName(
  text: string | undefined,
  units: OrganizationalUnit[],
): OrganizationalUnit | undefined {
  if (text === undefined || units.some(({ id }) => id === text)) return undefined;
  const named = units.filter(({ name }) => name?.toLowerCase() === text.toLowerCase());
  return named.length === 1 ? named[0] : undefined;
}

function refused(errors: Record<string, string>, units: OrganizationalUnit[] = []): TryResult {
  return { errors, units };
}
