import { errorResponse, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';

/** Whether `embed` asks for the only thing that the endpoint can embed; a rejection for others. */
export function readEmbed(
  { query }: RequestContext,
  known: string,
): { ok: true; isEmbedded: boolean } | { ok: false; rejection: ServiceResponse } {
  const embed = query.get('embed');
  if (embed === null || embed === known) return { ok: true, isEmbedded: embed !== null };
  return { ok: false, rejection: errorResponse(400, `Only "${known}" can be embedded here.`) };
}
