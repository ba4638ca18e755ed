import type { Selectable } from 'kysely';
import { z } from 'zod';
import { parseRow } from '../../../database/parse-rows.ts';
import { alertSearchSchema } from '../../alerts/index.ts';
import {
  type Digest,
  type DigestPart,
  type DigestRef,
  type DigestSettings,
  digestParts,
} from '../digest.ts';
import type { DigestTable } from './tables.ts';

export type DigestRow = Selectable<DigestTable>;

const weekdaysColumn = z.array(z.int().min(1).max(7));

/** A part that only another version knows is left out: the others are still worth reporting. */
const partsColumn = z.array(z.string()).transform((parts) => parts.filter(isDigestPart));

function isDigestPart(part: string): part is DigestPart {
  return digestParts.some((known) => known === part);
}

export function settingsColumns(settings: DigestSettings) {
  return {
    time: settings.time,
    weekdays: JSON.stringify(settings.weekdays),
    time_zone: settings.timeZone,
    parts: JSON.stringify(settings.parts),
    when_empty: settings.whenEmpty,
    search: JSON.stringify(settings.search),
  };
}

export function refColumns({ teamId, channelId, id }: DigestRef) {
  return { team_id: teamId, channel_id: channelId, id };
}

/** @throws {UnreadableRowError} */
export function toDigest(row: DigestRow): Digest {
  return parseRow({ table: 'digest', id: row.id, teamId: row.team_id }, () => parse(row));
}

function parse(row: DigestRow): Digest {
  return {
    id: row.id,
    teamId: row.team_id,
    enterpriseId: row.enterprise_id ?? undefined,
    originId: row.connection_origin_id ?? undefined,
    channelId: row.channel_id,
    settings: {
      time: row.time,
      weekdays: weekdaysColumn.parse(row.weekdays),
      timeZone: row.time_zone,
      parts: partsColumn.parse(row.parts),
      whenEmpty: row.when_empty,
      search: alertSearchSchema.parse(row.search),
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
