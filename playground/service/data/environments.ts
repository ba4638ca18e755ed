import { globalUnitId } from '../portal/portal-definitions.ts';
import type { Environment } from '../resources.ts';
import type { Owned } from './collection.ts';
import type { Random } from './random.ts';

type Blueprint = {
  account: string;
  region: string;
  zones: string;
  status?: string;
  services?: readonly string[];
};

/**
 * Two of them can't be the target of a restore: one is no longer connected, one is without EBS. No
 * source tells "installed" from "connected"; there is one of each, because a client meets both.
 */
const blueprints: readonly Blueprint[] = [
  { account: 'production', region: 'us-west-2', zones: 'abc', services: ['ebs', 'rds'] },
  { account: 'production', region: 'us-east-1', zones: 'abcd' },
  { account: 'finance', region: 'us-west-2', zones: 'ab' },
  { account: 'sandbox', region: 'eu-central-1', zones: 'abc', status: 'installed' },
  { account: 'sandbox', region: 'us-east-1', zones: 'ab', status: 'unlinked' },
  { account: 'production', region: 'eu-central-1', zones: 'abc', services: ['rds', 'dynamodb'] },
];

/** The environments of three accounts. That of the finance account belongs to the partial unit. */
export function createEnvironments(options: {
  random: Random;
  partialUnitId: string;
}): Owned<Environment>[] {
  const { random, partialUnitId } = options;
  const accountIds = new Map(
    ['production', 'finance', 'sandbox'].map((name) => [
      name,
      String(random.integer(100_000_000_000, 999_999_999_999)),
    ]),
  );
  return blueprints.map(({ account, region, zones, status, services }) => ({
    organizationalUnitId: account === 'finance' ? partialUnitId : globalUnitId,
    resource: {
      id: random.uuid(),
      account_name: account,
      account_native_id: accountIds.get(account) ?? '',
      aws_region: region,
      aws_az: [...zones].map((zone) => `${region}${zone}`),
      connection_status: status ?? 'connected',
      services_enabled: services ?? ['ebs'],
      kmsKeyIds: [random.uuid(), random.uuid()],
    },
  }));
}
