import {
  type Portal,
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';

/** The tenant of one workspace. Everything in it that a person could read contains `word`. */
export type Tenant = {
  word: string;
  service: ReferenceService;
  portal: Portal;
  /** The id under which Belay is configured with the portal. */
  regionId: string;
};

const usersPerTenant = 40;

/** One tenant for each word. The words are in names, addresses and texts. */
export async function openTenants(
  words: readonly string[],
): Promise<{ tenants: Tenant[]; close: () => Promise<void> }> {
  const perService = 4;
  const services = await Promise.all(
    Array.from({ length: Math.ceil(words.length / perService) }, () =>
      startReferenceService({ users: usersPerTenant }),
    ),
  );
  const portals = services.flatMap((service) =>
    service.portals.map((portal) => ({ service, portal })),
  );
  const tenants = words.flatMap((word, index) => {
    const at = portals[index];
    return at ? [{ ...at, word, regionId: `region-${index + 1}` }] : [];
  });
  for (const tenant of tenants) plantWord(tenant);
  return {
    tenants,
    async close() {
      await Promise.all(services.map((service) => service.close()));
    },
  };
}

function plantWord({ word, service, portal }: Tenant): void {
  const domain = `${word.toLowerCase()}.example`;
  for (const { id, full_name: name } of service.users(portal.id)) {
    const email = `user-${id}@${domain}`;
    service.changeUser(portal.id, id, { full_name: `${name} ${word}`, email });
  }
  for (const { id, name } of service.policies(portal.id)) {
    service.changePolicy(portal.id, id, { name: `${name} ${word}` });
  }
  for (const alert of service.alerts(portal.id)) {
    const { primary_entity: entity, parent_entity: parent } = alert;
    service.putAlert(portal.id, {
      ...alert,
      notes: `Seen by ${word}`,
      ...(entity ? { primary_entity: { ...entity, value: `${entity.value} ${word}` } } : {}),
      ...(parent ? { parent_entity: { ...parent, value: `${parent.value} ${word}` } } : {}),
    });
  }
}

/** Raises an alert, which the watches and digests of the workspace report. */
export function raiseAlert({ word, service, portal }: Tenant, id: string): void {
  const now = new Date().toISOString();
  service.putAlert(portal.id, {
    id,
    type: 'backup_failed',
    cause: 'snapshot_not_created',
    severity: 'error',
    status: 'active',
    notes: '',
    raised_count: 1,
    cleared_timestamp: null,
    tags: [],
    raised_timestamp: now,
    updated_timestamp: now,
    consolidated_alert_id: id,
    primary_entity: { id, type: 'vmware_vm', value: `vm-${id.slice(0, 6)} ${word}` },
  });
}
