import { mailboxOf } from '../../../mailbox.ts';
import { section } from '../../../slack/ui/blocks.ts';
import { defineForm, type Entered } from '../../../slack/ui/form.ts';
import { textField } from '../../../slack/ui/form-fields.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';
import { protectedKinds } from '../../../workspace/compare-rules.ts';
import { type ProtectedUsers, protectedUsers } from '../../../workspace/rules.ts';
import { deceptiveText, isDeceptive } from '../check-setup.ts';
import { type ShownSetup, shownSetup } from '../setup-form.ts';
import { protectedLabels } from './format-setup-change.ts';

/** Slack's maximum for a text field. */
export const maxFieldLength = 3000;

const list = { maxLength: maxFieldLength, isMultiline: true, isOptional: true };

export const protectedForm = defineForm('access.save-protected', {
  metadata: shownSetup,
  fields: {
    addresses: textField({
      label: protectedLabels.addresses,
      hint: 'One on each line. Aliases of the same mailbox are protected, too.',
      ...list,
    }),
    domains: textField({
      label: protectedLabels.domains,
      hint: 'One on each line, such as example.com. Subdomains are protected, too.',
      ...list,
    }),
    roles: textField({
      label: protectedLabels.roles,
      hint: "Names or IDs of the service's roles, one on each line.",
      ...list,
    }),
  },
});

/** As a field shows it: one on each line. */
const toField = (texts: readonly string[]): string => texts.join('\n');

/** Whether the form can show all of it. */
export function fitsForm(users: ProtectedUsers): boolean {
  return protectedKinds.every((kind) => toField(users[kind]).length <= maxFieldLength);
}

/** What the form says, with errors by field id, which are the kinds. */
export function readProtectedForm(entered: Entered<typeof protectedForm.fields>): {
  users: ProtectedUsers;
  errors: Record<string, string>;
} {
  const users = {
    addresses: lines(entered.addresses, /[\n,;]/),
    domains: lines(entered.domains, /[\n,;\s]/).map((text) =>
      text.replace(/^(?:\*\.|@|\.)/, '').toLowerCase(),
    ),
    // A name can contain a comma.
    roles: lines(entered.roles, /\n/),
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

function lines(text: string, separator: RegExp): string[] {
  const found = text.split(separator).map((line) => line.trim());
  return [...new Set(found.filter((line) => line !== ''))];
}

export function isAddress(text: string): boolean {
  return mailboxOf(text) !== undefined && !/\s/.test(text);
}

/** Requires a dot, so that a typo such as "com" doesn't protect everybody. */
export function isDomain(text: string): boolean {
  return /^[^\s@.]+(?:\.[^\s@.]+)+$/.test(text) && mailboxOf(`x@${text}`) !== undefined;
}

export const protectedTitle = 'Protected users';

/** Who is never disabled or deleted through Belay, to be changed. */
export function protectedModal(users: ProtectedUsers, metadata: ShownSetup): ModalView {
  return protectedForm.modal({
    title: protectedTitle,
    submit: 'Review changes',
    metadata,
    blocks: [
      section(
        'Belay never disables or deletes these users of the service. Renaming and re-enabling are allowed.',
      ),
      ...protectedKinds.map((kind) => protectedForm.fields[kind].block(toField(users[kind]))),
    ],
  });
}

export const protectedNotice = (text: string): ModalView => noticeModal(protectedTitle, text);

export const tooLongForForm = protectedNotice(
  `These lists are too long for a form in Slack. Ask your Belay administrator to change them with ${code('config apply')}.`,
);
