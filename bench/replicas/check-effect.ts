import { z } from 'zod';
import type { ReceivedRequest } from '../../playground/service/portal/portal-server.ts';
import type { User } from '../../playground/service/resources.ts';
import type { Approval } from '../../src/features/approvals/approval.ts';
import { newNameOf } from './gestures.ts';

/** What one request asks the service to change. */
export type Write = 'disable' | 'enable' | 'rename' | 'delete';

const patch = z.object({ is_enabled: z.boolean().optional(), full_name: z.string().optional() });

/** What was sent about each user, in order; reading changes nothing and is left out. */
export function writesByUser(requests: Iterable<ReceivedRequest>): Map<string, Write[]> {
  const writes = new Map<string, Write[]>();
  for (const { method, path, body } of requests) {
    const [, id] = /\/users\/([^/?]+)/.exec(path) ?? [];
    if (!id || method === 'GET') continue;
    writes.set(id, [...(writes.get(id) ?? []), writeOf(method, body)]);
  }
  return writes;
}

function writeOf(method: string, body: string): Write {
  if (method === 'DELETE') return 'delete';
  const { is_enabled, full_name } = patch.parse(JSON.parse(body));
  if (full_name !== undefined) return 'rename';
  return is_enabled ? 'enable' : 'disable';
}

/** Without repeats: the same again, straight after, changes nothing. */
export function effectsOf(writes: Write[]): Write[] {
  return writes.filter((write, index) => write !== writes[index - 1]);
}

type Facts = { writes: Write[]; before: User; now: User | undefined };

/** In what the service differs from what the row says, and whether anything acted twice. */
export function checkEffect(approval: Approval, { writes, before, now }: Facts): string[] {
  const effects = effectsOf(writes).join(', ');
  const allowed = allowedEffects(approval);
  return [
    ...(allowed.includes(effects)
      ? []
      : [`${approval.state}, but was sent: ${effects || 'nothing'}`]),
    ...(isTrue(approval, before, now) ? [] : [`says ${approval.state}, but the service does not`]),
  ];
}

/** Of a step that failed or was voided nothing, or an attempt in vain, may have been sent. */
function allowedEffects({ action, state, step = '', decidedBy, canceledBy }: Approval): string[] {
  const verb = action.replace('users.', '');
  const isStepwise = verb === 'delete' && step !== 'delete';
  if (!decidedBy || state === 'denied' || state === 'withdrawn') return [''];
  if (state === 'kept') return ['disable, enable'];
  if (state === 'succeeded') return verb === 'delete' ? ['delete', 'disable, delete'] : [verb];
  if (canceledBy) return ['disable', 'disable, enable'];
  return isStepwise ? ['', 'disable'] : ['', verb, 'disable', 'disable, delete'];
}

/** What the end of a request claims about the user. */
function isTrue({ action, state }: Approval, before: User, now: User | undefined): boolean {
  if (state === 'succeeded') {
    if (action === 'users.delete') return now === undefined;
    if (action === 'users.rename') return now?.full_name === newNameOf(before.id);
    return now?.is_enabled === (action === 'users.enable');
  }
  if (state === 'outcome_unknown' || state === 'kept') {
    return state === 'kept' ? now?.is_enabled === before.is_enabled : true;
  }
  const isDisabledOnTheWay = action === 'users.delete' && now?.is_enabled === false;
  return (
    now?.full_name === before.full_name &&
    (now.is_enabled === before.is_enabled || isDisabledOnTheWay)
  );
}
