import { type Client, type LocalState, nextId, type Trigger, unguessable } from './state.ts';
import { startTiming } from './time-limit.ts';

const TRIGGER_LIFE_MS = 3000;

/** Issues a trigger: it opens one modal in this client within three seconds. */
export const issueTrigger = (state: LocalState, client: Client, inView: boolean): string => {
  const triggerId = `${nextId(state, '')}.${unguessable()}`;
  const ageMs = startTiming(state.clock, state.starvedMs);
  state.triggers.set(triggerId, { client, ageMs, isUsed: false, inView });
  return triggerId;
};

type TriggerResult =
  | { ok: true; trigger: Trigger }
  | { ok: false; error: 'invalid_trigger_id' | 'exchanged_trigger_id' | 'expired_trigger_id' };

/** Exchanges a trigger. Fails if it was used before or has expired. */
export const consumeTrigger = (state: LocalState, triggerId: string): TriggerResult => {
  const trigger = state.triggers.get(triggerId);
  if (!trigger) return { ok: false, error: 'invalid_trigger_id' };
  if (trigger.isUsed) return { ok: false, error: 'exchanged_trigger_id' };
  if (trigger.ageMs() > TRIGGER_LIFE_MS) return { ok: false, error: 'expired_trigger_id' };
  trigger.isUsed = true;
  return { ok: true, trigger };
};
