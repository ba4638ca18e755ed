import { z } from 'zod';

const tag = z.strictObject({
  key: z
    .string()
    .min(1)
    .max(128)
    .refine((key) => !key.toLowerCase().startsWith('aws:'), 'must not begin with aws:'),
  value: z.string().max(256).nullish(),
});

/** The limits of AWS for the tags of one resource. */
const tags = z
  .array(tag)
  .max(50)
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'has a key twice');

const targetFields = {
  environment_id: z.string().min(1),
  aws_az: z.string().min(1),
  kms_key_native_id: z.string().min(1).nullish(),
  tags: tags.nullish(),
};

const source = z.strictObject({ backup_id: z.string().min(1) });

const firstVersion = z.strictObject({
  source,
  target: z.strictObject({
    ...targetFields,
    type: z.null().optional(),
    iops: z.null().optional(),
    volume_initialization_rate: z.null().optional(),
  }),
});

const secondVersion = z.strictObject({
  source,
  target: z.strictObject({
    ...targetFields,
    type: z.enum(['gp2', 'gp3', 'io1', 'io2', 'sc1', 'st1', 'standard']).nullish(),
    iops: z.int().nullish(),
    volume_initialization_rate: z.int().min(100).max(300).nullish(),
  }),
});

/** The body of a restore. Clients send null for fields that they leave out. */
export function restoreBody(version: number) {
  return version === 1 ? firstVersion : secondVersion;
}

export type RestoreTarget = z.infer<typeof secondVersion>['target'];
