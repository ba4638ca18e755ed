import { answerJson, clientOf } from '../../dataprotection/local-server.ts';
import { textsOf } from '../message-parts.ts';
import { startDigests } from './start-digests.ts';

type Statistics = Record<string, number>;

/** The service's response to a request for a policy's statistics; a number is an HTTP status. */
type Answer = Statistics | number;

/** Counts for ten volumes. */
export const countsWith = (nonCompliant: number): Statistics => ({
  compliant_count: 10 - nonCompliant,
  non_compliant_count: nonCompliant,
  unprotected_count: 0,
  deactivated_count: 0,
  protected_count: 10,
});

/** In March 2026, in Berlin. */
export const nineOn = (date: number) => `2026-03-${String(date).padStart(2, '0')}T08:00:00Z`;
export const nightOf = (date: number) => `2026-03-${String(date).padStart(2, '0')}T03:00:00Z`;

/** Digests of a service with the policies p0, p1 …; tests set their statistics in `policies`. */
export async function startPolicies(count: number) {
  const stage = await startDigests();
  const ids = Array.from({ length: count }, (_, index) => `p${index}`);
  const policies = new Map<string, Answer>(ids.map((id) => [id, countsWith(0)]));
  const broken = { isBroken: false };
  const client = await clientOf(({ url = '' }, response) => {
    if (broken.isBroken) return answerJson(response, {}, 500);
    const asked = /\/(p\d+)\/stats\//.exec(url)?.[1];
    if (asked === undefined) {
      const items = [...policies.keys()].map((id) => ({ id, name: `Policy ${id.slice(1)}` }));
      return answerJson(response, { total_count: items.length, _embedded: { items } });
    }
    const answer = policies.get(asked) ?? 404;
    return typeof answer === 'number'
      ? answerJson(response, {}, answer)
      : answerJson(response, answer);
  });
  stage.world.service = { ...stage.connected, client };
  return {
    ...stage,
    policies,
    broken,
    /** Runs digests at that moment. The last line of the title and the other lines; none if silent. */
    async digestAt(at: string) {
      const before = stage.posted().length;
      stage.at(at);
      await stage.run();
      const message = stage.posted()[before];
      const [head = '', ...texts] = textsOf(message?.blocks).slice(0, -1);
      const last = head
        .split('\n')
        .at(-1)
        ?.replace(/<!date[^>]*>/, 'then');
      return message ? [last, ...texts.join('\n').split('\n')] : [];
    },
  };
}
