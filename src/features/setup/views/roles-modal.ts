import { context, input, type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { code, safe } from '../../../slack/ui/mrkdwn.ts';
import { multiSelectElement, peopleElement } from '../../../slack/ui/view-values.ts';
import { isUserGroup } from '../../workspaces/index.ts';
import {
  type GroupChoice,
  groupsBlockId,
  maxListedGroups,
  type NamedByRole,
  type RoleName,
  type RolesMetadata,
  roleNames,
} from '../roles/roles-form.ts';
import { rolesCallbackId } from './ids.ts';

export const rolesTitle = 'Access';

export const roleLabels: Record<RoleName, string> = {
  viewers: 'Viewers',
  operators: 'Operators',
  approvers: 'Approvers',
  auditors: 'Auditors',
  admins: 'Admins',
};

const hints: Record<RoleName, string> = {
  viewers:
    'Who can use Belay at all, besides everybody with another role. Leave empty for every full member.',
  operators: 'Who can request changes. Leave empty for every viewer.',
  approvers: 'Who approves requests. Leave empty for the admins.',
  auditors: 'Who can read the audit log, besides admins. Leave empty for the approvers.',
  admins: 'Who can set up Belay, besides the admins of this Slack workspace.',
};

type RolesModalInput = {
  named: NamedByRole;
  choice: GroupChoice;
  metadata: Omit<RolesMetadata, 'hasGroups'>;
  /** Errors by block id, for when it is too late to mark the fields. */
  errors?: Record<string, string> | undefined;
};

/** Who has which role, to be changed. */
export function rolesModal({ named, choice, metadata, errors = {} }: RolesModalInput): ModalView {
  const { groups = [] } = choice;
  const hasGroups = groups.length > 0;
  return formModal({
    title: rolesTitle,
    callbackId: rolesCallbackId,
    submit: 'Review changes',
    metadata: encodeValue({ ...metadata, hasGroups }),
    blocks: [
      ...Object.entries(errors).map(([, error]) =>
        section(`:warning: *Nothing was saved.* ${safe(error, 500)}`),
      ),
      ...roleNames.flatMap((role): KnownBlock[] => [
        input({
          blockId: role,
          label: roleLabels[role],
          hint: hints[role],
          element: peopleElement(named[role].filter((id) => !isUserGroup(id))),
          isOptional: true,
        }),
        ...(hasGroups ? [groupInput(role, named, groups)] : []),
      ]),
      ...groupNotice(choice),
    ],
  });
}

function groupInput(
  role: RoleName,
  named: NamedByRole,
  groups: NonNullable<GroupChoice['groups']>,
): KnownBlock {
  const choices = groups.map(({ id, name, handle }) => ({
    value: id,
    label: handle && handle !== name ? `${name} (@${handle})` : name,
  }));
  return input({
    blockId: groupsBlockId(role),
    label: `${roleLabels[role]}: user groups`,
    hint: 'Everybody who is in one of these groups, at any time.',
    element: multiSelectElement(choices, named[role]),
    isOptional: true,
  });
}

function groupNotice(choice: GroupChoice): KnownBlock[] {
  if (choice.groups) {
    return choice.isCut
      ? [context(`Only ${maxListedGroups} user groups are listed, in the order of their names.`)]
      : [];
  }
  return [
    context(
      choice.isScopeMissing
        ? `User groups can't be changed: Belay lacks the Slack permission ${code('usergroups:read')}. Ask your Belay administrator to install the app again from ${code('manifest.yml')}.`
        : "User groups can't be changed right now, because Slack didn't list them. Groups that have a role keep it.",
    ),
  ];
}

export const rolesNotice = (text: string): ModalView => noticeModal(rolesTitle, [section(text)]);
