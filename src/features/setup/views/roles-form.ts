import { defineForm } from '../../../slack/ui/form.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import type { Roles, WorkspaceSettings } from '../../../workspace/settings/document.ts';
import { definedSettings } from '../../../workspace/settings/settings.ts';
import type { GroupChoice } from '../roles/list-choices.ts';
import type { ShownSetup } from '../setup-form.ts';
import {
  groupNotice,
  hasGroupMenus,
  memberInputs,
  readMembers,
  shownMembers,
} from './member-inputs.ts';

/** As the form lists them. */
export const roleNames = ['viewers', 'operators', 'approvers', 'auditors', 'admins'] as const;
type RoleName = (typeof roleNames)[number];

/** Ids of people and user groups by role. */
type NamedByRole = Record<RoleName, string[]>;

/** `readMembers` reads its menus. */
export const rolesForm = defineForm('access.save', { metadata: shownMembers, fields: {} });

export function namedByRole({ approvers, access }: WorkspaceSettings): NamedByRole {
  return { approvers, ...access.roles };
}

/** What the form says, with the groups that it has no menu for. */
export function readRolesForm(
  values: ViewValues,
  settings: WorkspaceSettings,
  { hasGroups }: { hasGroups: boolean },
): NamedByRole {
  const before = namedByRole(settings);
  const read = (role: RoleName) => readMembers(values, role, { hasGroups, before: before[role] });
  return {
    viewers: read('viewers'),
    operators: read('operators'),
    approvers: read('approvers'),
    auditors: read('auditors'),
    admins: read('admins'),
  };
}

export function toSettings(
  settings: WorkspaceSettings,
  { approvers, ...named }: NamedByRole,
): WorkspaceSettings {
  const roles: Roles = { ...settings.access.roles, ...named };
  return { ...settings, approvers, access: { ...settings.access, roles } };
}

export const rolesTitle = 'Access';
const changeTitle = 'Change roles';

const hints: Record<RoleName, string> = {
  viewers:
    'People who can use Belay. Anyone with another role can too. Leave empty to include every full member.',
  operators: 'People who can request changes. Leave empty to include every viewer.',
  approvers: 'People who can approve or deny requests. Leave empty to use the admins.',
  auditors:
    'People who can read the audit log and see all open requests. Admins always can. Leave empty to use the approvers.',
  admins: 'People who can set up Belay, in addition to the admins of this Slack workspace.',
};

type RolesModalInput = {
  named: NamedByRole;
  choice: GroupChoice;
  metadata: ShownSetup;
};

/** Who has which role, to be changed. */
export function rolesModal({ named, choice, metadata }: RolesModalInput): ModalView {
  return rolesForm.modal({
    title: changeTitle,
    submit: 'Review changes',
    metadata: { ...metadata, hasGroups: hasGroupMenus(choice) },
    blocks: [
      ...roleNames.flatMap((role) =>
        memberInputs(
          { id: role, label: definedSettings[role].label, hint: hints[role], ids: named[role] },
          choice,
        ),
      ),
      ...groupNotice(choice),
    ],
  });
}

export const rolesNotice = (text: string): ModalView => noticeModal(changeTitle, text);
