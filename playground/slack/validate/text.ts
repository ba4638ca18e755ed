import { z } from 'zod';

export const identifier = z.string().min(1).max(255);

export const plainText = (max: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(max),
    emoji: z.boolean().optional(),
  });

const mrkdwn = (max: number) =>
  z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(max),
    verbatim: z.boolean().optional(),
  });

export const anyText = (max: number) => z.discriminatedUnion('type', [plainText(max), mrkdwn(max)]);

export const webUrl = z
  .string()
  .max(3000)
  .regex(/^https?:\/\/\S+$/, 'must be a http or https URL');

export const confirmDialog = z.strictObject({
  title: plainText(100),
  text: anyText(300),
  confirm: plainText(30),
  deny: plainText(30),
  style: z.enum(['primary', 'danger']).optional(),
});
