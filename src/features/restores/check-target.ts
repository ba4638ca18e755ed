import type { Backup } from '../../dataprotection/resources/backups.ts';
import type { Environment } from '../../dataprotection/resources/environments.ts';
import type { FormErrors } from '../../slack/ui/form.ts';

/**
 * The types of EBS volumes, and AWS's minimum IOPS for those that take a number. AWS raises its
 * maximum from time to time, and any existing volume must be restorable.
 */
export const volumeTypes: Readonly<
  Record<string, { min: number; isRequired: boolean } | undefined>
> = {
  gp3: { min: 3000, isRequired: false },
  gp2: undefined,
  io1: { min: 100, isRequired: true },
  io2: { min: 100, isRequired: true },
  st1: undefined,
  sc1: undefined,
  standard: undefined,
};

export type Tag = { key: string; value: string };

/** The tag by which Belay finds the volume of a request: the service returns no id of it. */
export const requestTagKey = 'belay-request';

/** AWS's limits for the tags of one resource, of which Belay needs one. */
const maxTags = 49;
const maxKeyLength = 128;
const maxValueLength = 256;

/** One `key=value` on each line; the value may be empty. */
export function parseTags(text: string): { tags: Tag[] } | { problem: string } {
  const tags: Tag[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    const [, key = line.trim(), value = ''] = /^([^=]*)=(.*)$/.exec(line.trim()) ?? [];
    tags.push({ key: key.trim(), value: value.trim() });
  }
  const problem = findTagProblem(tags);
  return problem ? { problem } : { tags };
}

function findTagProblem(tags: Tag[]): string | undefined {
  if (tags.length > maxTags) return `Enter at most ${maxTags} tags. You entered ${tags.length}.`;
  const seen = new Set<string>();
  for (const { key, value } of tags) {
    const shown = key.slice(0, 40);
    if (key === '') return 'Every tag needs a key: write key=value.';
    if (key.length > maxKeyLength) {
      return `The key “${shown}…” is longer than ${maxKeyLength} characters.`;
    }
    if (value.length > maxValueLength) {
      return `The value of “${shown}” is longer than ${maxValueLength} characters.`;
    }
    if (/^aws:/i.test(key)) return `AWS doesn't allow the key “${shown}”: remove “aws:”.`;
    if (key === requestTagKey) return `Belay sets the tag ${requestTagKey}. Remove this line.`;
    if (seen.has(key)) return `The key “${shown}” appears twice.`;
    seen.add(key);
  }
  return undefined;
}

type TargetInput = {
  zone: string;
  type: string | undefined;
  iops: number | undefined;
  kmsKey: string;
  tags: string;
};

/** The environment that was chosen, and how it relates to the backup's. */
export type ChosenEnvironment = {
  region: string;
  zones: readonly string[];
  isSameAccount: boolean;
  isSameRegion: boolean;
};

/** What the form needs to know of the backup. */
type SourceFacts = { isEncrypted: boolean; key?: string | undefined };

/** What the service or AWS would refuse, by the field of the form: plain text. */
export function checkTarget(
  { zone, type, iops, kmsKey, tags }: TargetInput,
  environment: ChosenEnvironment,
  source: SourceFacts,
): FormErrors {
  const parsed = parseTags(tags);
  return {
    zone: environment.zones.includes(zone)
      ? undefined
      : `Enter a zone of ${environment.region}: ${environment.zones.join(', ')}.`,
    iops: findIopsProblem(type ?? '', iops),
    kmsKey: findKeyProblem(kmsKey, environment, source),
    tags: 'problem' in parsed ? parsed.problem : undefined,
  };
}

/** The first of these for what the service shows now: plain text. */
export function findTargetProblem(
  input: TargetInput,
  environment: Environment,
  backup: Backup,
): string | undefined {
  const { awsRegion: region = '', awsAz: zones = [] } = environment;
  const chosen = { region, zones, ...compareOrigin(environment, backup) };
  const source = { isEncrypted: backup.isEncrypted ?? false, key: backup.kmsKeyNativeId };
  return Object.values(checkTarget(input, chosen, source)).find((error) => error !== undefined);
}

/** Whether the backup was made in this environment's account, and in its region. */
export function compareOrigin({ accountNativeId, awsRegion }: Environment, backup: Backup) {
  return {
    isSameAccount: accountNativeId === backup.accountNativeId,
    isSameRegion: awsRegion === backup.awsRegion,
  };
}

/** Whether the backup was made in this environment. */
export function isOriginOf(environment: Environment, backup: Backup): boolean {
  const { isSameAccount, isSameRegion } = compareOrigin(environment, backup);
  return isSameAccount && isSameRegion;
}

function findIopsProblem(type: string, iops: number | undefined): string | undefined {
  const allowed = volumeTypes[type];
  if (!allowed) {
    return iops === undefined ? undefined : `Leave this empty: ${type} doesn't take IOPS.`;
  }
  const { min, isRequired } = allowed;
  const isValid = iops === undefined ? !isRequired : iops >= min;
  return isValid ? undefined : `For ${type}, enter at least ${min.toLocaleString('en-US')} IOPS.`;
}

/** A bare id, as all public examples have it. */
const keyId = /^(?:mrk-[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

function findKeyProblem(
  key: string,
  { region, isSameAccount, isSameRegion }: ChosenEnvironment,
  { isEncrypted, key: sourceKey }: SourceFacts,
): string | undefined {
  const isHome = isSameAccount && isSameRegion;
  if (key === '') {
    if (!isSameAccount) return `Enter a KMS key ID of ${region}: another account requires one.`;
    return isEncrypted ? `Enter a KMS key ID of ${region}: the backup is encrypted.` : undefined;
  }
  if (key === sourceKey) {
    const isElsewhere = !isHome && !key.startsWith('mrk-');
    return isElsewhere
      ? `This is the backup's own key. Enter a key of the target account in ${region}.`
      : undefined;
  }
  return keyId.test(key)
    ? undefined
    : 'Enter only the ID of the key, such as 1234abcd-12ab-34cd-56ef-1234567890ab: the last part of its ARN.';
}
