import type { IncomingHttpHeaders } from 'node:http';
import { readCompliance } from '../compliance.ts';
import { seedLivePolicy } from '../data/policies.ts';
import type { ServedDialect } from '../dialect.ts';
import { json, type ServiceResponse } from '../http/response.ts';
import { matchRoute } from '../http/route.ts';
import { rejectCredentials as unauthorized } from '../portal/authorize.ts';
import { changeAlert, listAlerts, readAlert } from './alerts.ts';
import { readAutoUserProvisioning } from './auto-user-provisioning.ts';
import { listBackups, readBackup } from './backups.ts';
import { deletePolicy, replacePolicy } from './change-policy.ts';
import { createDiscovery } from './discovery.ts';
import { listEnvironments, readEnvironment } from './environments.ts';
import { inviteUser } from './invite-user.ts';
import { type LiveRoute, route } from './live-route.ts';
import { negotiateVersion } from './negotiate-version.ts';
import { listUnits, readUnit } from './organizational-units.ts';
import { createPolicy, listPolicies, readPolicy } from './policies.ts';
import { restoreVolume } from './restore-volume.ts';
import { listPermissions, listRoles, readRole } from './roles.ts';
import { changeTask, listTasks, readTask } from './tasks.ts';
import { deleteUser, listUsers, patchUser, readUser } from './users.ts';
import { listVolumes, readVolume } from './volumes.ts';

const users = { resource: 'users', versions: [1, 2] };
const policies = { resource: 'policy-definitions', versions: [1] };
const alerts = { resource: 'individual-alerts', versions: [1] };
const tasks = { resource: 'tasks', versions: [1] };
const units = { resource: 'organizational-units', versions: [1, 2] };
const roles = { resource: 'roles', versions: [1] };
const provisioning = { resource: 'auto-user-provisioning-settings', versions: [1] };
const environments = { resource: 'aws-environments', versions: [1] };
const volumes = { resource: 'aws-ebs-volumes', versions: [1] };
const backups = { resource: 'backup-aws-ebs-volumes', versions: [1, 2] };
const restores = { resource: 'restored-aws-ebs-volumes', versions: [1, 2] };
const discovery = { resource: 'discovery', versions: [1] };

const userPath = '/users/{user_id}';
const policyPath = '/policies/definitions/{policy_id}';
const alertPath = '/alerts/individual/{individual_alert_id}';
const taskPath = '/tasks/{task_id}';
const environmentPath = '/datasources/aws/environments/{environment_id}';
const volumePath = '/datasources/aws/ebs-volumes/{volume_id}';
const backupPath = '/backups/aws/ebs-volumes/{backup_id}';
const paged = ['limit', 'start', 'filter'];

const endpoints: readonly LiveRoute[] = [
  route(users, 'GET', '/users', { id: 'list-users', handle: listUsers, parameters: paged }),
  route(users, 'POST', '/users', { id: 'create-user', handle: inviteUser }),
  route(users, 'GET', userPath, { id: 'read-user', handle: readUser }),
  route(users, 'PATCH', userPath, { id: 'update-user', handle: patchUser }),
  route(users, 'DELETE', userPath, { id: 'delete-user', handle: deleteUser }),
  route(policies, 'GET', '/policies/definitions', {
    id: 'list-policy-definitions',
    handle: listPolicies,
    // `start` is the page token of links; there is no `limit`.
    parameters: ['start', 'filter'],
  }),
  route(policies, 'POST', '/policies/definitions', {
    id: 'create-policy-definition',
    handle: createPolicy,
  }),
  route(policies, 'GET', policyPath, { id: 'read-policy-definition', handle: readPolicy }),
  route(policies, 'PUT', policyPath, { id: 'update-policy-definition', handle: replacePolicy }),
  route(policies, 'DELETE', policyPath, { id: 'delete-policy-definition', handle: deletePolicy }),
  route(policies, 'GET', `${policyPath}/stats/compliance/aws/ebs-volumes`, {
    id: 'read-policy-aws-ebs-volumes-compliance-stats',
    handle: readCompliance,
  }),
  route(alerts, 'GET', '/alerts/individual', {
    id: 'list-individual-alerts',
    handle: listAlerts,
    parameters: [...paged, 'sort'],
  }),
  route(alerts, 'GET', alertPath, { id: 'read-individual-alert', handle: readAlert }),
  route(alerts, 'PATCH', alertPath, { id: 'update-individual-alert', handle: changeAlert }),
  route(tasks, 'GET', '/tasks', { id: 'list-tasks', handle: listTasks, parameters: paged }),
  route(tasks, 'GET', taskPath, { id: 'read-task', handle: readTask }),
  route(tasks, 'PATCH', taskPath, { id: 'update-task', handle: changeTask }),
  route(units, 'GET', '/organizational-units', {
    id: 'list-organizational-units',
    handle: listUnits,
    parameters: paged,
  }),
  route(units, 'GET', '/organizational-units/{id}', {
    id: 'read-organizational-unit',
    handle: readUnit,
  }),
  route(roles, 'GET', '/roles', { id: 'list-roles', handle: listRoles }),
  route(roles, 'GET', '/roles/permissions', { id: 'list-permissions', handle: listPermissions }),
  route(roles, 'GET', '/roles/{role_id}', { id: 'read-role', handle: readRole }),
  route(provisioning, 'GET', '/settings/auto-user-provisioning', {
    id: 'read-auto-user-provisioning-setting',
    handle: readAutoUserProvisioning,
  }),
  route(environments, 'GET', '/datasources/aws/environments', {
    id: 'list-aws-environments',
    handle: listEnvironments,
    parameters: paged,
  }),
  route(environments, 'GET', environmentPath, {
    id: 'read-aws-environment',
    handle: readEnvironment,
  }),
  route(volumes, 'GET', '/datasources/aws/ebs-volumes', {
    id: 'list-aws-ebs-volumes',
    handle: listVolumes,
    parameters: [...paged, 'embed', 'lookback_days'],
  }),
  route(volumes, 'GET', volumePath, {
    id: 'read-aws-ebs-volume',
    handle: readVolume,
    parameters: ['embed', 'lookback_days'],
  }),
  route(backups, 'GET', '/backups/aws/ebs-volumes', {
    id: 'list-backup-aws-ebs-volumes',
    handle: listBackups,
    parameters: [...paged, 'sort'],
  }),
  route(backups, 'GET', backupPath, { id: 'read-backup-aws-ebs-volume', handle: readBackup }),
  route(restores, 'POST', '/restores/aws/ebs-volumes', {
    id: 'restore-aws-ebs-volume',
    handle: restoreVolume,
    parameters: ['embed'],
  }),
];

/** The interface of the public service, without the operations in `without`. */
export function createLiveDialect(without: readonly string[]): ServedDialect {
  const ids = [...endpoints.map(({ operationId }) => operationId), 'discover'];
  const unknown = without.find((id) => !ids.includes(id));
  if (unknown !== undefined) throw new Error(`There is no operation "${unknown}".`);
  const available = endpoints.filter(({ operationId }) => !without.includes(operationId));
  const discover = route(discovery, 'GET', '/', {
    id: 'discover',
    handle: createDiscovery(available),
  });
  const routes = without.includes('discover') ? available : [...available, discover];
  return {
    name: 'live',
    unitHeader: 'x-clumio-organizationalunit-context',
    find(method, path) {
      const match = matchRoute(routes, method, path);
      if (match.kind !== 'found') return match;
      return { ...match, negotiate: (accept) => negotiateVersion(accept, match.route) };
    },
    rejectCredentials,
    seedPolicy: seedLivePolicy,
  };
}

const missingTokenCode = 359;

/** 403 without a token, as observed in public; 401 for an invalid one. */
function rejectCredentials(headers: IncomingHttpHeaders): ServiceResponse {
  if (headers.authorization) return unauthorized();
  const error = { error_code: missingTokenCode, error_message: 'No token was given.' };
  return json(403, { errors: [error] });
}
