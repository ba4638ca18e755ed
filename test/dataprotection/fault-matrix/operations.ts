import type { Portal, ReferenceService } from '../../../playground/service/start-service.ts';
import type { ServiceClient } from '../../../src/dataprotection/client.ts';
import { discover } from '../../../src/dataprotection/dialects/find-operation.ts';
import { listNewestAlerts, readAlert } from '../../../src/dataprotection/resources/alerts.ts';
import { annotateAlert, clearAlert } from '../../../src/dataprotection/resources/change-alert.ts';
import { readEbsCompliance } from '../../../src/dataprotection/resources/compliance.ts';
import { listOrganizationalUnits } from '../../../src/dataprotection/resources/organizational-units.ts';
import {
  createPolicy,
  listPolicies,
  readPolicy,
  replacePolicy,
} from '../../../src/dataprotection/resources/policies.ts';
import { listRoles } from '../../../src/dataprotection/resources/roles.ts';
import { readTask } from '../../../src/dataprotection/resources/tasks.ts';
import {
  deleteUser,
  listUsers,
  readUser,
  searchUsers,
  updateUser,
} from '../../../src/dataprotection/resources/users.ts';
import { listAlerts } from '../list-alerts.ts';
import { collect } from '../local-server.ts';
import { policyText } from '../policy-text.ts';

export type Ids = { user: string; policy: string; alert: string; task: string };

export type Operation = {
  kind: 'list' | 'read' | 'write';
  /**
   * The method of the request that gets the fault; requests before it, such as discovery, succeed.
   */
  method?: string;
  /** The call succeeds without the response that the service refuses. */
  toleratesRefusal?: boolean;
  run: (client: ServiceClient, ids: Ids, signal: AbortSignal) => Promise<unknown>;
};

const sla = {
  rpoFrequency: { units: 'days', value: 1 },
  retentionDuration: { units: 'days', value: 30 },
};
const definition = {
  name: 'Nightly',
  slaSets: [{ operation: 'aws_ebs_volume_backup', seedSetting: 'immediate', slas: [sla] }],
};

/** Every call of the client, by a name that fits a column header. */
export const operations: Record<string, Operation> = {
  'list users': { kind: 'list', run: (c, _, signal) => collect(listUsers(c, { signal })) },
  'search users': { kind: 'list', run: (c, _, signal) => collect(searchUsers(c, 'a', { signal })) },
  'list alerts': { kind: 'list', run: (c, _, signal) => collect(listAlerts(c, { signal })) },
  'newest alerts': {
    kind: 'list',
    run: (c, _, signal) => collect(listNewestAlerts(c, { signal })),
  },
  'list policies': { kind: 'list', run: (c, _, signal) => collect(listPolicies(c, { signal })) },
  'list units': {
    kind: 'list',
    run: (c, _, signal) => collect(listOrganizationalUnits(c, { signal })),
  },
  'list roles': {
    kind: 'list',
    run: (c, _, signal) => collect(listRoles(c, { signal })),
  },
  discover: {
    kind: 'read',
    toleratesRefusal: true,
    run: (c, _, signal) => discover(c, { signal }),
  },
  'read user': { kind: 'read', run: (c, { user }, signal) => readUser(c, user, { signal }) },
  'read alert': { kind: 'read', run: (c, { alert }, signal) => readAlert(c, alert, { signal }) },
  'read policy': {
    kind: 'read',
    run: (c, { policy }, signal) => readPolicy(c, policy, { signal }),
  },
  'read task': {
    kind: 'read',
    run: (c, { task }, signal) => readTask(c, task, { signal }),
  },
  compliance: {
    kind: 'read',
    run: (c, { policy }, signal) => readEbsCompliance(c, policy, { signal }),
  },
  'update user': {
    kind: 'write',
    method: 'PATCH',
    run: (c, { user }, signal) => updateUser(c, user, { fullName: 'New Name' }, { signal }),
  },
  'delete user': {
    kind: 'write',
    method: 'DELETE',
    run: (c, { user }, signal) => deleteUser(c, user, { signal }),
  },
  'create policy': {
    kind: 'write',
    method: 'POST',
    run: (c, _, signal) => createPolicy(c, policyText(c, definition), { signal }),
  },
  'replace policy': {
    kind: 'write',
    method: 'PUT',
    run: (c, { policy }, signal) =>
      replacePolicy(c, policy, policyText(c, definition), { signal, everyMs: 5, timeoutMs: 200 }),
  },
  'clear alert': {
    kind: 'write',
    method: 'PATCH',
    run: (c, { alert }, signal) => clearAlert(c, alert, { signal }),
  },
  'annotate alert': {
    kind: 'write',
    method: 'PATCH',
    run: (c, { alert }, signal) => annotateAlert(c, alert, 'seen', { signal }),
  },
};

/** Resources of the portal that the operations use. */
export function findIds(service: ReferenceService, portal: Portal): Ids {
  return {
    user: service.users(portal.id)[20]?.id ?? '',
    policy: service.policies(portal.id)[0]?.id ?? '',
    alert: service.alerts(portal.id).find(({ status }) => status === 'active')?.id ?? '',
    task: service.tasks(portal.id)[0]?.id ?? '',
  };
}
