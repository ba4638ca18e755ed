import type { Policy } from '../resources.ts';

/** 2024-01-01, as a Unix time. */
const created_time = 1_704_067_200;

/** What only the live dialect tells of the initial policies, by name; some of it no client knows. */
const liveFacts: Readonly<Record<string, Partial<Policy>>> = {
  Sandbox: { activation_status: 'deactivated' },
  Bronze: { liveFields: { timezone: 'Europe/Lisbon' } },
  'Legal hold': { liveFields: { retention_lock: { mode: 'strict', until: '2031-01-01' } } },
};

export function seedLivePolicy(policy: Policy): Policy {
  const sla_sets = policy.name === 'Gold' ? policy.sla_sets.map(withSettings) : policy.sla_sets;
  return { ...policy, sla_sets, created_time, lock_status: 'unlocked', ...liveFacts[policy.name] };
}

function withSettings(slaSet: Policy['sla_sets'][number]): Policy['sla_sets'][number] {
  const liveFields = {
    backup_window_tz: { start_time: '22:00', end_time: '04:00' },
    advanced_settings: { [slaSet.operation]: { backup_tier: 'standard' } },
    parallel_streams: 4,
  };
  return { ...slaSet, liveFields };
}
