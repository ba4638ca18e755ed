import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';
import { listPages } from '../paging/list-pages.ts';
import type { Page } from '../paging/page.ts';

const roleSchema = lenientObject({
  id: idSchema,
  name: optional(z.string()),
  description: optional(z.string()),
});

/** A named set of permissions (§10 The live dialect). */
type Role = z.output<typeof roleSchema>;

/**
 * All roles, page by page.
 * @throws {OperationUnavailableError} if the service has no such list.
 */
export async function* listRoles(
  client: ServiceClient,
  options: CallOptions = {},
): AsyncGenerator<Page<Role>> {
  const target = await findOperation(client, 'listRoles', [], options);
  yield* listPages(client, { target, itemSchema: roleSchema }, options);
}
