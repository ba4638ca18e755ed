import { z } from 'zod';
import type { ReceivedRequest } from '../../playground/service/portal/portal-server.ts';
import type { User } from '../../playground/service/resources.ts';
import type { ReferenceService } from '../../playground/service/start-service.ts';
import type { ReadApproval } from './read-approvals.ts';
import { newNameOf } from './send-interactions.ts';

/** The kind of a change sent to the service. */
export type Write = 'disable' | 'enable' | 'rename' | 'delete';

const patch = z.object({ is_enabled: z.boolean().optional(), full_name: z.string().optional() });

/** Collects the requests that change something, because the service's log drops the oldest. */
export function watchWrites({ requests }: ReferenceService) {
  const writes = new Set<ReceivedRequest>();
  const collect = () => {
    for (const request of requests) if (request.method !== 'GET') writes.add(request);
  };
  const timer = setInterval(collect, 1000);
  return {
    /** Until now. */
    read(): Set<ReceivedRequest> {
      collect();
      return writes;
    },
    stop(): Set<ReceivedRequest> {
      clearInterval(timer);
      collect();
      return writes;
    },
  };
}

/** The changes sent for each user, in order. */
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

/** Removes immediate repeats, which change nothing. */
export function effectsOf(writes: Write[]): Write[] {
  return writes.filter((write, index) => write !== writes[index - 1]);
}

type Facts = { writes: Write[]; before: User; now: User | undefined };

/** Whether the service matches the row, and whether anything ran twice. */
export function checkEffect(approval: ReadApproval, { writes, before, now }: Facts): string[] {
  const effects = effectsOf(writes).join(', ');
  const allowed = allowedEffects(approval);
  return [
    ...(allowed.includes(effects)
      ? []
      : [`${approval.state}, but was sent: ${effects || 'nothing'}`]),
    ...(matchesEnd(approval, before, now)
      ? []
      : [
          `says ${approval.state}, but the service does not: ${approval.action}, sent ${effects}, ${approval.outcome}`,
        ]),
  ];
}

/** If a step failed or was voided, at most a failed attempt may have been sent. */
function allowedEffects({
  action,
  state,
  step = '',
  decidedBy,
  canceledBy,
}: ReadApproval): string[] {
  const verb = action.replace('users.', '');
  const isStepwise = verb === 'delete' && step !== 'delete';
  if (!decidedBy || state === 'denied' || state === 'withdrawn') return [''];
  // One of several is ended without any step if nothing was sent for it when the others were canceled.
  if (state === 'canceled') return [step === 'disable' ? '' : 'disable, enable'];
  if (state === 'completed') return verb === 'delete' ? ['delete', 'disable, delete'] : [verb];
  if (canceledBy) return ['disable', 'disable, enable'];
  return isStepwise ? ['', 'disable'] : ['', verb, 'disable', 'disable, delete'];
}

/** Whether the user's state matches the outcome of the request. */
function matchesEnd({ action, state }: ReadApproval, before: User, now: User | undefined): boolean {
  if (state === 'completed') {
    if (action === 'users.delete') return now === undefined;
    if (action === 'users.rename') return now?.full_name === newNameOf(before.id);
    return now?.is_enabled === (action === 'users.enable');
  }
  if (state === 'outcome_unknown' || state === 'canceled') {
    return state === 'canceled' ? now?.is_enabled === before.is_enabled : true;
  }
  const isDisabledByFirstStep = action === 'users.delete' && now?.is_enabled === false;
  return (
    now?.full_name === before.full_name &&
    (now.is_enabled === before.is_enabled || isDisabledByFirstStep)
  );
}
