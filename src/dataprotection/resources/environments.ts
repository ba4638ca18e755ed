import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { dialectRules } from '../dialects/dialect.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';
import { listPages } from '../paging/list-pages.ts';

const text = optional(z.string());
const texts = optional(z.array(z.string()));

const environmentSchema = lenientObject({
  id: idSchema,
  accountName: text,
  accountNativeId: text,
  awsRegion: text,
  awsAz: texts,
  connectionStatus: text,
  servicesEnabled: texts,
});

/** One AWS account in one region, as it is connected to the service (§10 The live dialect). */
export type Environment = z.output<typeof environmentSchema>;

/** @throws {OperationUnavailableError} if the service has no such list. */
export async function readEnvironments(
  client: ServiceClient,
  options: CallOptions = {},
): Promise<Environment[]> {
  const target = await findOperation(client, 'listEnvironments', [], options);
  const query = dialectRules[client.dialect].pageSize;
  const pages = listPages(client, { target, query, itemSchema: environmentSchema }, options);
  const environments: Environment[] = [];
  for await (const { items } of pages) environments.push(...items);
  return environments;
}

/** No field says so: it must be connected, with EBS enabled and zones to choose from. */
export function isRestoreTarget({
  connectionStatus = '',
  servicesEnabled = [],
  awsAz = [],
}: Environment): boolean {
  const isConnected = ['connected', 'installed'].includes(connectionStatus);
  return isConnected && servicesEnabled.includes('ebs') && awsAz.length > 0;
}
