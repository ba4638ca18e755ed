import { z } from 'zod';
import { mailboxOf } from '../../../mailbox.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import { type ProtectedUsers, protectedKinds, protectedUsers } from '../../workspaces/index.ts';
import { deceptiveText, isDeceptive } from '../check-setup.ts';

export const protectedMetadata = z.object({
  channelId: z.string().optional(),
  revision: z.int().min(0),
});
export type ProtectedMetadata = z.infer<typeof protectedMetadata>;

/** Slack's maximum for a text field. */
export const maxFieldLength = 3000;

/** As a field shows it: one on each line. */
export const toField = (texts: readonly string[]): string => texts.join('\n');

/** Whether the form can show all of it. */
export function fitsForm(users: ProtectedUsers): boolean {
  return protectedKinds.every((kind) => toField(users[kind]).length <= maxFieldLength);
}

/** What the form says, with errors by block id, which are the kinds. */
export function readProtectedForm(values: ViewValues): {
  users: ProtectedUsers;
  errors: Record<string, string>;
} {
  const users = {
    addresses: lines(values.text('addresses'), /[\n,;]/),
    domains: lines(values.text('domains'), /[\n,;\s]/).map((text) =>
      text.replace(/^(?:\*\.|@|\.)/, '').toLowerCase(),
    ),
    // A name can contain a comma.
    roles: lines(values.text('roles'), /\n/),
  };
  const wrong = {
    addresses: users.addresses.find((text) => !isAddress(text)),
    domains: users.domains.find((text) => !isDomain(text)),
    roles: undefined,
  };
  const errors: Record<string, string> = {};
  for (const kind of protectedKinds) {
    if (users[kind].some(isDeceptive)) errors[kind] = deceptiveText;
    else if (wrong[kind] !== undefined)
      errors[kind] = `Check ${wrong[kind].slice(0, 100)}. ${hints[kind]}`;
  }
  const parsed = protectedUsers.safeParse(users);
  for (const { path } of parsed.error?.issues ?? []) {
    errors[String(path[0])] ??= 'Enter fewer or shorter lines.';
  }
  return { users, errors };
}

const hints = {
  addresses: 'Enter one email address on each line.',
  domains: 'Enter one domain on each line, such as example.com.',
  roles: '',
};

function lines(text: string | undefined, separator: RegExp): string[] {
  const found = (text ?? '').split(separator).map((line) => line.trim());
  return [...new Set(found.filter((line) => line !== ''))];
}

export function isAddress(text: string): boolean {
  return mailboxOf(text) !== undefined && !/\s/.test(text);
}

/** Requires a dot, so that a typo such as "com" doesn't protect everybody. */
export function isDomain(text: string): boolean {
  return /^[^\s@.]+(?:\.[^\s@.]+)+$/.test(text) && mailboxOf(`x@${text}`) !== undefined;
}
