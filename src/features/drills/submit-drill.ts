import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Backup } from '../../dataprotection/resources/backups.ts';
import { type Environment, readEnvironments } from '../../dataprotection/resources/environments.ts';
import type { Volume } from '../../dataprotection/resources/volumes.ts';
import type { Approvals } from '../../requests/approvals.ts';
import { canPost } from '../../slack/api/channel.ts';
import { Refusal, type SubmissionOf } from '../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import type { FormErrors } from '../../slack/ui/form.ts';
import { bold, safe } from '../../slack/ui/mrkdwn.ts';
import { findPolicy, listAllPolicies } from '../compliance/index.ts';
import { readTimeZone, zoneError } from '../digests/index.ts';
import { findVolumes, snapshotTarget } from '../restores/index.ts';
import { leaves, listProtected, readNewest, toDrilled } from './choose-backup.ts';
import { type DrillPlan, drillPlan, maxVolumes } from './drill.ts';
import { drillActions } from './drill-action.ts';
import type { drillForm } from './views/drill-form.ts';

type Submission = SubmissionOf<typeof drillForm>;
type Entered = Submission['entered'];

const tooMany = `A drill can restore at most ${maxVolumes} volumes.`;

/** Errors that keep the form open. */
export function checkDrill({ volumes, policy, timeZone }: Entered): FormErrors {
  const zone = readTimeZone(timeZone);
  const hasOneSource = (volumes === '') !== (policy === '');
  return {
    ...(!hasOneSource && { volumes: 'Enter either volumes or a policy.' }),
    ...(splitLines(volumes).length > maxVolumes && { volumes: tooMany }),
    ...(!('timeZone' in zone) && { timeZone: zoneError(zone) }),
  };
}

/** `why`: mrkdwn. @throws Refusal with it */
function refuse(why: string): never {
  throw new Refusal(notice(`${why} No request was sent.`));
}

/** Finds what was named, checks it with the newest backups as they are, and requests approval. */
export async function submitDrill(
  call: Submission,
  { approvals, clock }: { approvals: Approvals; clock: Clock },
): Promise<Message> {
  const { person, metadata, entered, slack } = call;
  const { channelId } = metadata;
  const { reason } = entered;
  if (channelId === undefined) refuse('Run `/belay drill` in a channel.');
  if (!(await canPost({ slack, channelId, person })))
    refuse("Belay can't post here. Invite Belay with `/invite @Belay`.");
  const service = await call.service();
  const { plan, environment } = await readPlan(service.client, entered, clock());
  const client = {
    service: service.client,
    add: () => Promise.reject(new Error('a drill is added only after approval')),
  };
  const subject = { target: snapshotTarget(environment, plan.target.awsAz) };
  const payload = { drillId: randomUUID(), channelId, plan };
  return approvals.request(call, {
    prepared: drillActions['drills.add'].prepare(payload, subject, { ...service, client }),
    reason,
    channelId,
  });
}

/** @throws {Refusal} @throws {ServiceError} */
async function readPlan(
  client: ServiceClient,
  entered: Entered,
  now: Date,
): Promise<{ plan: DrillPlan; environment: Environment }> {
  const { zone: awsAz, type = 'gp3', kmsKey, every, weekday, time } = entered;
  const [environments, { source, volumes }] = await Promise.all([
    readEnvironments(client),
    readSource(client, entered),
  ]);
  const environment = environments.find(({ id }) => id === entered.environment);
  if (!environment) return refuse('Choose an environment.');
  const { id, accountNativeId: account = '', accountName, awsRegion: region = '' } = environment;
  const kmsKeyNativeId = kmsKey === '' ? undefined : kmsKey;
  const target = { environmentId: id, account, accountName, region, awsAz, type, kmsKeyNativeId };
  const backups: Backup[] = [];
  const problems: string[] = [];
  await Promise.all(
    volumes.map(async (volume) => {
      const plan = { target, mayLeave: true };
      const newest = await readNewest(client, volume.id, plan, { environments, now });
      if ('backup' in newest) backups.push(newest.backup);
      else problems.push(`${bold(volume.name ?? volume.id, 120)}: ${newest.problem}`);
    }),
  );
  // Of a policy, other volumes may have what one lacks.
  const [problem] = problems;
  if (problem && ('volumes' in source || backups.length === 0)) refuse(problem);
  const plan = drillPlan.safeParse({
    source,
    target,
    mayLeave: backups.some((backup) => leaves(backup, target)),
    schedule: { every, weekday: Number(weekday), time, ...readTimeZone(entered.timeZone) },
  });
  if (!plan.success) return refuse('Fill in every field.');
  return { plan: plan.data, environment };
}

type Source = { source: DrillPlan['source']; volumes: Volume[] };

/** The volumes that are named, or some of those of the policy. */
async function readSource(client: ServiceClient, entered: Entered): Promise<Source> {
  const { volumes, policy } = entered;
  return volumes === '' ? readPolicySource(client, policy) : readVolumeSource(client, volumes);
}

async function readPolicySource(client: ServiceClient, typed: string): Promise<Source> {
  const policies = (await listAllPolicies(client, AbortSignal.timeout(8000))) ?? [];
  const named = policies.map(({ id, name }) => ({ id, name: name ?? id }));
  const found = findPolicy(named, typed);
  if (found.result !== 'found') {
    const which = found.result === 'several' ? 'Several policies match' : 'No policy matches';
    return refuse(`${which} “${safe(typed, 100)}”.`);
  }
  const { policy } = found;
  const volumes = await listProtected(client, policy.id);
  if (volumes.length === 0) {
    refuse(`The policy ${bold(policy.name, 120)} protects no volume.`);
  }
  return { source: { policy }, volumes: volumes.slice(0, maxVolumes) };
}

async function readVolumeSource(client: ServiceClient, typed: string): Promise<Source> {
  const each = await Promise.all(
    splitLines(typed).map(async (line) => {
      const { volumes, isComplete } = await findVolumes(client, line);
      const shown = `“${safe(line, 100)}”`;
      if (volumes.length === 0) refuse(`No volume matches ${shown}.`);
      if (!isComplete) refuse(`Belay couldn't read all volumes for ${shown}.`);
      return volumes;
    }),
  );
  const volumes = [...new Map(each.flat().map((volume) => [volume.id, volume])).values()];
  if (volumes.length > maxVolumes) refuse(`${volumes.length} volumes match. ${tooMany}`);
  return { source: { volumes: volumes.map(toDrilled) }, volumes };
}

/** The lines with text, each once. */
function splitLines(text: string): string[] {
  return [...new Set(text.split(/\r?\n/).map((line) => line.trim()))].filter(Boolean);
}
