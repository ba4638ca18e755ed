import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { dialectRules } from '../dialects/dialect.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';
import { listPages } from '../paging/list-pages.ts';
import type { Page } from '../paging/page.ts';

const unitSchema = lenientObject({ id: idSchema, name: optional(z.string()) });

/** A part of a tenant in which requests can run, selected by its id (§5 Authentication). */
export type OrganizationalUnit = z.output<typeof unitSchema>;

/**
 * The units that the connection's token can see, page by page (§10 The live dialect).
 * @throws {OperationUnavailableError} if the service has no such list.
 */
export async function* listOrganizationalUnits(
  client: ServiceClient,
  options: CallOptions = {},
): AsyncGenerator<Page<OrganizationalUnit>> {
  const target = await findOperation(client, 'listOrganizationalUnits', [], options);
  const query = dialectRules[client.dialect].pageSize;
  yield* listPages(client, { target, query, itemSchema: unitSchema }, options);
}
