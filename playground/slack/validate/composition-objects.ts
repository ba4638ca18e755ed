import { isDeepStrictEqual } from 'node:util';
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

const value = z.string().min(1).max(75);

/** An option of a select menu. */
export const plainOption = z.strictObject({
  text: plainText(75),
  value,
  description: plainText(75).optional(),
});

/** An option of checkboxes and radio buttons, where Slack allows mrkdwn. */
export const richOption = z.strictObject({
  text: anyText(75),
  value,
  description: anyText(75).optional(),
});

/** An option of an overflow menu, which can also be a link. */
export const overflowOption = z.strictObject({
  text: plainText(75),
  value,
  description: plainText(75).optional(),
  url: webUrl.optional(),
});

const optionGroup = z.strictObject({
  label: plainText(75),
  options: z.array(plainOption).min(1).max(100),
});

export const menuChoices = {
  options: z.array(plainOption).min(1).max(100).optional(),
  option_groups: z.array(optionGroup).min(1).max(100).optional(),
};

type Choices = {
  options?: unknown[] | undefined;
  option_groups?: { options: unknown[] }[] | undefined;
};

/** A menu must have either options or option_groups. */
export const listsChoicesOnce = (menu: Choices): boolean =>
  (menu.options === undefined) !== (menu.option_groups === undefined);

export const ONE_LIST = 'must have either options or option_groups';

/** Initial options must deeply equal options of the menu, text included. */
export const offers = (menu: Choices, initial: unknown[]): boolean => {
  const offered = menu.options ?? menu.option_groups?.flatMap((group) => group.options) ?? [];
  return initial.every((one) => offered.some((option) => isDeepStrictEqual(option, one)));
};

export const NOT_OFFERED = 'initial option must be one of the options';
