import { addDays } from 'date-fns/addDays';
import { offersChange } from '../alerts/index.ts';
import type { Service } from '../workspaces/index.ts';
import { collectClearedAlerts, collectOpenAlerts, splitBySince } from './collect-alerts.ts';
import { type ComplianceBaseline, collectCompliance } from './collect-compliance.ts';
import type { ComplianceSamples } from './compliance-samples.ts';
import type { DigestPart } from './digest.ts';
import type { DigestContents } from './digest-contents.ts';
import type { DigestStore } from './digest-store.ts';

/** So long before its end a token is worth a warning. */
const warnedDays = 14;

export type CollectDependencies = {
  store: Pick<DigestStore, 'countWaiting' | 'toldNoPolicies'>;
  samples: Pick<ComplianceSamples, 'canCancel' | 'readAsOf'>;
};

type Wish = {
  teamId: string;
  /** Undefined before there is one. */
  digestId: string | undefined;
  parts: readonly DigestPart[];
  since: Date;
  now: Date;
  signal: AbortSignal;
};

export type CollectedDigest = {
  contents: DigestContents;
  /** Undefined when compliance was not wished for. */
  baseline: ComplianceBaseline | undefined;
};

/** Reads what a digest tells, and nothing that it does not. Throws `ServiceError`. */
export async function collectDigest(
  service: Service,
  { teamId, digestId, parts, since, now, signal }: Wish,
  { store, samples }: CollectDependencies,
): Promise<CollectedDigest> {
  const { client, connectionId, tokenExpiresAt } = service;
  const wants = (part: DigestPart) => parts.includes(part);
  const span = { since, now, signal };
  const [alerts, cleared, compliance, waitingCount] = await Promise.all([
    wants('new') || wants('open') ? collectOpenAlerts(client, { now, signal }) : undefined,
    wants('cleared') ? collectClearedAlerts(client, span) : undefined,
    wants('compliance') ? compareCompliance() : undefined,
    wants('approvals') ? store.countWaiting(teamId) : undefined,
  ]);
  // Where the new ones are not told by themselves, they are open like the others.
  const { fresh, open } =
    alerts && wants('new') ? splitBySince(alerts, span) : { fresh: undefined, open: alerts };
  const isShown = [fresh, wants('open') ? open : undefined].some((group) => group?.alerts.length);
  const isEndNear = tokenExpiresAt !== undefined && tokenExpiresAt <= addDays(now, warnedDays);
  const contents = {
    ...{ fresh, open: wants('open') ? open : undefined },
    canClear: isShown && (await offersChange(client, { signal })),
    ...{ cleared, compliance: compliance?.news, waitingCount },
    tokenExpiresAt: wants('token') && isEndNear ? tokenExpiresAt : undefined,
  };
  return { contents, baseline: compliance?.baseline };

  async function compareCompliance() {
    const told = { connectionId, at: since };
    const [before, toldNone] = await Promise.all([
      samples.readAsOf(connectionId, since),
      digestId !== undefined && store.toldNoPolicies({ digestId, ...told }),
    ]);
    const { canCancel } = samples;
    return collectCompliance(client, { before, toldNone, connectionId, canCancel, signal });
  }
}
