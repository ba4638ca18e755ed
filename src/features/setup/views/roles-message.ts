import {
  actions,
  button,
  context,
  header,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { mention } from '../../../slack/ui/mrkdwn.ts';
import { type NamedByRole, type RoleName, roleNames } from '../roles/roles-form.ts';
import { editRolesActionId } from './ids.ts';
import { roleLabels, rolesTitle } from './roles-modal.ts';

/** Who has a role that names nobody. */
const defaults: Record<RoleName, string> = {
  viewers: 'every full member of this workspace',
  operators: 'every viewer',
  approvers: 'the admins',
  auditors: 'approvers and admins',
  admins: 'the admins of this Slack workspace',
};

/** Who can do what in Belay, for admins. */
export function rolesMessage(named: NamedByRole): Message {
  const lines = roleNames.map((role) => `*${roleLabels[role]}*: ${formatNamed(role, named[role])}`);
  return message([rolesTitle, ...lines].join('\n'), [
    header(rolesTitle),
    ...lines.map((line) => section(line)),
    actions([
      button({
        ...{ text: 'Change roles…', actionId: editRolesActionId, value: encodeValue({}) },
        accessibilityLabel: 'Change roles: who can do what in Belay',
      }),
    ]),
    context("Role changes require a second person's approval."),
  ]);
}

/** Ids of people and user groups, or who has the role by default. */
export function formatNamed(role: RoleName, ids: readonly string[]): string {
  if (ids.length === 0) return defaults[role];
  const people = ids.map(mention).join(', ');
  if (role === 'auditors') return `${people} and the admins`;
  return role === 'admins' ? `${people} and the admins of this Slack workspace` : people;
}
