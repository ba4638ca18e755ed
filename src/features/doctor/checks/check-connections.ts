import type { ServiceTransport } from '../../../dataprotection/client.ts';
import { tokenExpiry } from '../../../dataprotection/connection.ts';
import { probeConnection } from '../../../dataprotection/probe-connection.ts';
import type { Region } from '../../../dataprotection/region.ts';
import { bold, code, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { WorkspaceStore } from '../../../workspace/store/workspace-store.ts';
import { type Connection, serviceConnection } from '../../../workspace/workspace.ts';
import { type Found, ok, problem, warning } from '../finding.ts';

type ConnectionsCheck = Omit<ServiceCheck, 'command' | 'connection'> & {
  store: Pick<WorkspaceStore, 'listConnections' | 'openConnection'>;
};

/** Checks every connection of the workspace. If there are several, each finding names its own. */
export async function checkConnections(
  teamId: string,
  { store, ...check }: ConnectionsCheck,
  signal: AbortSignal,
): Promise<Found[]> {
  const connections = await store.listConnections(teamId);
  const isOnly = connections.length < 2;
  const command = isOnly ? '/belay setup' : '/belay connection';
  if (connections.length === 0) {
    return checkService({ ...check, command, connection: undefined }, signal);
  }
  const found = await Promise.all(
    connections.map(async ({ originId, name }) => {
      const connection = await store.openConnection(teamId, { originId });
      const findings = await checkService({ ...check, command, connection }, signal);
      if (isOnly) return findings;
      return findings.map((one) => ({ ...one, text: `${bold(name)} · ${one.text}` }));
    }),
  );
  return found.flat();
}

const ownerNotNamed =
  "No token owner is set, so Belay can't refuse to disable or delete that user.";

const expiryWarningMs = 14 * 24 * 3600_000;
/** Shorter than the check, whose own time would only say that nothing was checked. */
const callTimeoutMs = 3000;

/** A date in a response has whole seconds, and the way here takes time. */
const maxSkewSeconds = 5;

type ServiceCheck = {
  /** Where an admin changes this connection. */
  command: '/belay setup' | '/belay connection';
  connection: Connection | 'unreadable' | undefined;
  regions: Region[];
  transport: ServiceTransport;
  describeCause: (error: unknown) => string;
  clock: () => Date;
};

/** Tries the connection, its token and its unit with one read, and compares the clocks. */
async function checkService(
  { command, connection, regions, transport, describeCause, clock }: ServiceCheck,
  signal: AbortSignal,
): Promise<Found[]> {
  const setUpAgain = `Enter a new API token with ${code(command)}.`;
  if (!connection) {
    const remedy = 'Connect Belay with `/belay setup`.';
    return [warning("This workspace isn't connected to a service.", remedy)];
  }
  if (connection === 'unreadable') {
    return [problem('No configured key decrypts the stored API token.', setUpAgain)];
  }
  const region = regions.find(({ id }) => id === connection.regionId);
  if (!region) {
    const text = `The region ${code(connection.regionId)} isn't configured.`;
    return [
      problem(
        text,
        `Add the region to ${code('BELAY_CONFIG')}, or choose another one in ${code(command)}.`,
      ),
    ];
  }
  let skewMs = 0;
  const probed = await probeConnection(
    serviceConnection(region, connection),
    {
      ...transport,
      onExchange(report) {
        transport.onExchange?.(report);
        if (report.serverDate) skewMs = +report.serverDate - +clock();
      },
    },
    { signal: AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]) },
  );
  const skew = skewFindings(Math.round(skewMs / 1000));
  switch (probed.outcome) {
    case 'ok':
      return [
        ...expiryFindings(tokenExpiry(connection.token), clock(), setUpAgain),
        ...(connection.tokenOwner === undefined
          ? [warning(ownerNotNamed, `Enter the token owner in ${code(command)}.`)]
          : []),
        ...skew,
      ];
    case 'token-refused':
      return [problem(formatRefusal(tokenExpiry(connection.token), clock()), setUpAgain), ...skew];
    case 'unit-refused': {
      const text = `The API token has no access to the organizational unit ${code(connection.organizationalUnitId ?? '')}.`;
      return [problem(text, `Choose another unit in ${code(command)}.`), ...skew];
    }
    case 'failed': {
      const remedy = `Check the network of Belay and the status page of ${safe(region.portal)}.`;
      return [problem(describeCause(probed.error), remedy), ...skew];
    }
  }
}

function formatRefusal(expiry: Date | undefined, now: Date): string {
  const isExpired = expiry !== undefined && expiry <= now;
  return `The service refuses the API token${isExpired ? `, which expired ${moment(expiry)}` : ''}.`;
}

function expiryFindings(expiry: Date | undefined, now: Date, setUpAgain: string): Found[] {
  if (!expiry) return [ok('The service accepts the API token, which has no expiration date.')];
  const text = `The service accepts the API token, which expires ${moment(expiry)}.`;
  return +expiry - +now < expiryWarningMs ? [warning(text, setUpAgain)] : [ok(text)];
}

function skewFindings(seconds: number): Found[] {
  if (Math.abs(seconds) <= maxSkewSeconds) return [];
  const direction = seconds > 0 ? 'ahead of' : 'behind';
  const found = warning(
    `The service's clock is ${plural(Math.abs(seconds), 'second')} ${direction} Belay's clock.`,
    'Synchronize the clocks of the machines that run Belay. Leases and signatures depend on these clocks.',
  );
  return [{ ...found, area: 'Clock' }];
}
