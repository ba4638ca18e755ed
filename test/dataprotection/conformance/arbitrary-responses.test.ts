import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createServiceClient, type ServiceClient } from '../../../src/dataprotection/client.ts';
import { dialects } from '../../../src/dataprotection/dialects/dialect.ts';
import { ServiceError } from '../../../src/dataprotection/http/errors.ts';
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
import { deleteUser, listUsers, readUser } from '../../../src/dataprotection/resources/users.ts';
import { propertyRuns } from '../../support/sampling.ts';
import { serve } from '../../support/serve.ts';
import {
  answerJson,
  errorOf,
  fastRetries,
  openTransport,
  requestsPerSecond,
} from '../local-server.ts';
import { policyText } from '../policy-text.ts';

const knownNames = [
  ...['id', 'name', 'full_name', 'sla_sets', 'operations', 'slas', 'units', 'unit', 'type'],
  ...['access_control_configuration', 'role_id', 'organizational_unit_ids', 'assigned_role'],
  ...['status', 'task_id', 'read-role', 'progress_percentage', 'v1', 'read-task', 'tasks', 'roles'],
  ...['_links', '_embedded', '_next', 'items', 'href', 'templated', 'total_count', 'start'],
  ...['__proto__', 'constructor', 'toString', 'errors', 'error_message'],
];
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('/users', '/{a}/{b', '{?x}', '//x', 'get', '2026-11-21T12:00:00Z', 'completed'),
);
const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...knownNames) }, fc.string());
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    fc.jsonValue(),
    text,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 8 }),
  ),
}));
const definition = { name: 'n', slaSets: [] };

describe.each(dialects)('any JSON, %s dialect', (dialect) => {
  it('is parsed or rejected with a ServiceError by every call', { timeout: 60_000 }, async () => {
    let body = '';
    const baseUrl = await serve((_request, response) => response.end(body));
    const attempts: ((client: ServiceClient) => Promise<unknown>)[] = [
      (client) => readUser(client, '1'),
      (client) => deleteUser(client, '1'),
      (client) => listUsers(client, { filter: { name: 'a' } }).next(),
      (client) => readAlert(client, '1'),
      (client) => listNewestAlerts(client, { filter: { updatedSince: new Date() } }).next(),
      (client) => annotateAlert(client, '1', 'n'),
      (client) => clearAlert(client, '1'),
      (client) => readPolicy(client, '1'),
      (client) => listPolicies(client).next(),
      (client) => createPolicy(client, policyText(client, definition)),
      (client) =>
        replacePolicy(client, '1', policyText(client, definition), { everyMs: 1, timeoutMs: 5 }),
      (client) => readEbsCompliance(client, '1'),
      (client) => listRoles(client).next(),
      (client) => listOrganizationalUnits(client).next(),
      (client) => readTask(client, '1'),
    ];
    const connection = { baseUrl, dialect, token: 'a.b.c', requestsPerSecond: 10_000 };
    const client = createServiceClient(connection, openTransport(), fastRetries);
    await fc.assert(
      fc.asyncProperty(json, fc.boolean(), async (value, hasId) => {
        const isObject = typeof value === 'object' && !Array.isArray(value);
        body = JSON.stringify(isObject && hasId ? { ...value, id: '1' } : value);
        for (const attempt of attempts) {
          try {
            await attempt(client);
          } catch (error) {
            expect(error).toBeInstanceOf(ServiceError);
          }
        }
      }),
      propertyRuns(300, 60),
    );
  });

  it('of a list can have ids without a string representation', async () => {
    const items = [{ id: { toString: null } }];
    const baseUrl = await serve((_request, response) =>
      answerJson(response, { _embedded: { items } }),
    );
    const connection = { baseUrl, dialect, token: 'a.b.c', requestsPerSecond };
    const client = createServiceClient(connection, openTransport(), fastRetries);
    const error = await errorOf(listUsers(client).next());
    expect(error).toMatchObject({ message: expect.stringContaining('_embedded.items.0.id') });
  });
});
