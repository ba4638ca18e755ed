import type { Selectable } from 'kysely';
import type { Digest, DigestSettings } from '../digest.ts';
import type { DigestTable } from './tables.ts';

export function settingsColumns(settings: DigestSettings) {
  return {
    time: settings.time,
    weekdays: JSON.stringify(settings.weekdays),
    time_zone: settings.timeZone,
    parts: JSON.stringify(settings.parts),
    when_empty: settings.whenEmpty,
  };
}

export function toDigest(row: Selectable<DigestTable>): Digest {
  return {
    id: row.id,
    teamId: row.team_id,
    enterpriseId: row.enterprise_id ?? undefined,
    channelId: row.channel_id,
    settings: {
      time: row.time,
      weekdays: row.weekdays,
      timeZone: row.time_zone,
      parts: row.parts,
      whenEmpty: row.when_empty,
    },
    createdBy: row.created_by,
    changedBy: row.changed_by ?? undefined,
    version: row.version,
    nextRunAt: row.next_run_at,
    dueAt: row.postponed_from ?? row.next_run_at,
    coveredUntil: row.covered_until,
    pausedReason: row.paused_reason ?? undefined,
  };
}
