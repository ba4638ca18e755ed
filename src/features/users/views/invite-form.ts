import { z } from 'zod';
import { requestFields, requestInputs } from '../../../requests/views/request-fields.ts';
import { type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { defineForm, type Entered, type FormErrors } from '../../../slack/ui/form.ts';
import { multiSelectField, selectField, textField } from '../../../slack/ui/form-fields.ts';
import { limits } from '../../../slack/ui/limits.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import { parseTypedName } from '../../../slack/ui/typed-name.ts';
import type { InvitationSource } from '../invite/stored-invitation.ts';
import { userMrkdwn } from './format-user.ts';

export const inviteTitle = 'Invite user';

const maxAddressLength = 100;

/**
 * `userId`: of the user who is invited again. `repeats`: the subject of the open request that the person
 * was asked about; the address can still be changed.
 */
const metadata = z.object({
  channelId: z.string().optional(),
  userId: z.string().optional(),
  repeats: z.string().optional(),
});

export const inviteForm = defineForm('users.invite', {
  metadata,
  fields: {
    ...requestFields,
    // Not shown for a user who is invited again.
    email: textField({
      label: 'Email address',
      hint: 'A work address. The service sends the invitation there.',
      maxLength: maxAddressLength,
    }),
    fullName: textField({ label: 'Name', maxLength: 255, missing: 'Enter a name.' }),
    role: selectField({ label: 'Role' }),
    units: multiSelectField({ label: 'Organizational units', placeholder: 'Choose units' }),
  },
});

/** What a command says, or what a user has who is invited again: fills the form. */
export type FilledInvitation = {
  email?: string | undefined;
  fullName?: string | undefined;
  /** The id or the name. */
  role?: string | undefined;
  unitIds?: string[] | undefined;
  reason?: string | undefined;
};

/** `roles`: those that the person may grant. `warning`: why the request would be refused, mrkdwn. */
export function inviteModal(
  filled: FilledInvitation,
  { roles, units, user }: Pick<InvitationSource, 'roles' | 'units' | 'user'>,
  {
    channelId,
    warning,
    mayBreakGlass,
    repeats,
  }: {
    channelId: string | undefined;
    warning?: string | undefined;
    mayBreakGlass?: boolean | undefined;
    repeats?: string | undefined;
  },
): ModalView {
  const { fields } = inviteForm;
  const roleChoices = choicesOf(roles);
  const unitChoices = choicesOf(units);
  const wanted = filled.role?.toLowerCase();
  const role = roleChoices.find(({ value, label }) =>
    [value, label].some((text) => text.toLowerCase() === wanted),
  );
  const [onlyUnit, ...otherUnits] = unitChoices.map(({ value }) => value);
  const { unitIds = onlyUnit && otherUnits.length === 0 ? [onlyUnit] : [] } = filled;
  const notes = [
    warning,
    wanted &&
      !role &&
      `You can't grant the role “${safe(filled.role ?? '', 100)}”. Choose another one.`,
    units.size > unitChoices.length && `Showing ${unitChoices.length} of ${units.size} units.`,
  ].filter((note) => typeof note === 'string' && note !== '');
  return inviteForm.modal({
    title: inviteTitle,
    submit: 'Request approval',
    metadata: { channelId, userId: user?.id, repeats },
    blocks: [
      ...(user ? [section(`${userMrkdwn(user)}\nThe earlier invitation will be deleted.`)] : []),
      ...notes.map((note): KnownBlock => section(`${note}`)),
      ...(user ? [] : [fields.email.block(filled.email?.slice(0, maxAddressLength))]),
      fields.fullName.block(filled.fullName?.slice(0, 255)),
      fields.role.block(role?.value, { choices: roleChoices }),
      fields.units.block(unitIds, { choices: unitChoices }),
      ...requestInputs(mayBreakGlass, filled.reason),
    ],
  });
}

/** As many as a menu holds, by name. */
function choicesOf(names: ReadonlyMap<string, string>) {
  return [...names]
    .filter(([id]) => id.length <= limits.optionValue)
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
    .slice(0, limits.optionsPerMenu);
}

const address = z.email();
/** Some of the domains that the service refuses, because they are for personal mail. */
const personalDomain = /@(?:gmail|googlemail|hotmail|icloud|outlook|yahoo)\.com$/i;

/** Errors that keep the form open. */
export function checkInvitation(
  { email, fullName, role, units }: Entered<typeof inviteForm.fields>,
  { userId }: z.infer<typeof metadata>,
): FormErrors {
  const name = parseTypedName(fullName);
  return {
    email: userId === undefined ? findAddressProblem(email) : undefined,
    fullName: 'problem' in name ? name.problem : undefined,
    role: role === undefined ? 'Choose a role.' : undefined,
    units: units.length === 0 ? 'Choose at least one organizational unit.' : undefined,
  };
}

function findAddressProblem(email: string): string | undefined {
  if (!address.safeParse(email).success) {
    return 'Enter an email address, such as kim@example.com.';
  }
  return personalDomain.test(email)
    ? 'Enter a work address: the service refuses personal ones.'
    : undefined;
}
