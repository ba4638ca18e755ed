import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { dialectRules } from '../dialects/dialect.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';
import { listPages } from '../paging/list-pages.ts';
import type { Page } from '../paging/page.ts';

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

/**
 * All environments, page by page.
 * @throws {OperationUnavailableError} if the service has no such list.
 */
export async function* listEnvironments(
  client: ServiceClient,
  options: CallOptions = {},
): AsyncGenerator<Page<Environment>> {
  const target = await findOperation(client, 'listEnvironments', [], options);
  const query = dialectRules[client.dialect].pageSize;
  yield* listPages(client, { target, query, itemSchema: environmentSchema }, options);
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
