import type { Database } from '../../src/database/tables.ts';
import { insertSamples } from '../../src/features/compliance/index.ts';
import { protectsEbsVolumes } from '../service/data/policies.ts';
import { createRandom, type Random } from '../service/data/random.ts';
import type { Policy } from '../service/resources.ts';
import type { Portal, ReferenceService } from '../service/start-service.ts';
import { dayMs, hourMs } from './story-times.ts';

const days = 60;
const seed = 5;

/** The policy that the service returns only one count of. */
const incompleteName = 'Build machines';
const nothing = {
  compliantCount: 0,
  nonCompliantCount: 0,
  deactivatedCount: 0,
  protectedCount: 0,
  unprotectedCount: 0,
};

type Counts = Partial<typeof nothing>;

type Parts = { db: Database; service: ReferenceService; portal: Portal; until: Date };

/**
 * Stores the readings of two months as Belay does once a day, and sets the counts of the service to
 * those that follow. Gold gets worse, the others vary.
 */
export async function storeComplianceHistory({ db, service, portal, until }: Parts): Promise<void> {
  const random = createRandom(seed);
  const series = service
    .policies(portal.id)
    .map((policy) => ({ policy, counts: countsOf(policy, random) }));
  for (const { policy, counts } of series) {
    if (!protectsEbsVolumes(policy) || policy.name === incompleteName) continue;
    const last = { ...nothing, ...counts.at(-1) };
    service.setCompliance(portal.id, policy.id, {
      compliant_count: last.compliantCount,
      non_compliant_count: last.nonCompliantCount,
      deactivated_count: last.deactivatedCount,
      protected_count: last.protectedCount,
      unprotected_count: last.unprotectedCount,
      has_seeding_entities: false,
    });
  }
  const { id: connectionId, teamId } = await db
    .selectFrom('connection')
    .select(['id', 'team_id as teamId'])
    .executeTakeFirstOrThrow();
  await db.transaction().execute(async (trx) => {
    for (let day = 0; day < days; day += 1) {
      const at = new Date(until.getTime() - (days - 1 - day) * dayMs - 2 * hourMs);
      const samples = series.map(({ policy, counts }) => ({
        policy: { id: policy.id, name: policy.name },
        statistics: { ...counts[day] },
      }));
      await insertSamples(trx, { teamId, connectionId }, at, samples);
    }
  });
}

/** One entry a day. The service has no counts of policies that don't protect EBS volumes. */
function countsOf(policy: Policy, random: Random): Counts[] {
  if (policy.name === incompleteName) return Array(days).fill({ compliantCount: 18 });
  if (!protectsEbsVolumes(policy)) return Array(days).fill(nothing);
  const volumes = random.integer(40, 120);
  const usual = random.integer(0, 2);
  return Array.from({ length: days }, (_, day) => {
    const week = Math.floor(day / 7);
    const growth = policy.name === 'Gold' ? Math.max(0, day - 45) : 0;
    const nonCompliantCount = usual + growth + random.integer(0, 1);
    const protectedCount = volumes + week;
    return {
      nonCompliantCount,
      compliantCount: protectedCount - nonCompliantCount,
      deactivatedCount: 0,
      protectedCount,
      unprotectedCount: Math.max(0, 8 - week - random.integer(0, 2)),
    };
  });
}
