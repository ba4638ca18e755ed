import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { wireFormat } from '../dialects/wire-format.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';
import type { Page } from '../paging/page.ts';
import { listPages } from '../paging/paging.ts';

/** A part of a tenant that requests can run in: the connection names it by its id. */
export type OrganizationalUnit = {
  id: string;
  name?: string | undefined;
  otherFields: Record<string, unknown>;
};

const unitSchema = lenientObject(
  { id: idSchema, name: optional(z.string()) },
  ({ fields, otherFields }): OrganizationalUnit => ({ ...fields, otherFields }),
);

/**
 * The units that this connection may see, page by page. Throws `OperationUnavailableError` where a
 * service has no such list.
 */
export async function* listOrganizationalUnits(
  client: ServiceClient,
  options: CallOptions = {},
): AsyncGenerator<Page<OrganizationalUnit>> {
  const target = await findOperation(client, 'listOrganizationalUnits', [], options);
  const query = wireFormat(client.dialect).pageSize;
  yield* listPages(client, { target, query, itemSchema: unitSchema }, options);
}
