import type { Database } from '../../../database/tables.ts';
import { moment } from '../../../slack/ui/mrkdwn.ts';
import { readPolicyHealth } from '../../policy-watches/index.ts';
import type { OriginRef } from '../../workspaces/index.ts';
import { type Finding, problem, warning } from '../finding.ts';

/** Longer than a few attempts take. */
const maxLateMs = 15 * 60_000;

/** Whether the policies of a connection can be read that a channel watches or a digest includes. */
export async function checkPolicies(
  db: Database,
  of: OriginRef,
  /** `on` follows what is read: the connection, or nothing in a workspace with one. */
  { area, on, now }: { area: string; on: string; now: Date },
): Promise<Finding[]> {
  const health = await readPolicyHealth(db, of);
  if (!health) return [];
  const { readAt, nextAt, failing, unlistedSince } = health;
  const isLate = (since: Date) => +now - +since > maxLateMs;
  const last = readAt ? ` Last read: ${moment(readAt)}.` : '';
  if (failing && isLate(failing.since)) {
    return [
      problem(
        area,
        `Belay hasn't been able to read the policies${on} since ${moment(failing.since)}, so changes made outside Belay aren't reported. ${failing.reason}${last}`,
        'Belay keeps trying and reports these changes when the service answers again.',
      ),
    ];
  }
  if (isLate(nextAt)) {
    return [
      problem(
        area,
        `Belay hasn't read the policies${on} on time: the reading was due ${moment(nextAt)}.${last}`,
        'Check that Belay is running and can reach the database. Then search the log for `policies could not be observed`.',
      ),
    ];
  }
  if (!unlistedSince) return [];
  return [
    warning(
      area,
      `The service hasn't listed the policies${on} since ${moment(unlistedSince)}, so Belay can't report changes made outside Belay.`,
      'End the policy watches with `/belay watch`, and remove *Policy changes* from the digests with `/belay digest`.',
    ),
  ];
}
