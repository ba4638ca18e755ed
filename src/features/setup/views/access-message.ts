import {
  actions,
  button,
  context,
  divider,
  header,
  type Message,
  menu,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import type { StandIn } from '../../../workspace/access/store/stand-in-store.ts';
import { protectedKinds, type RulePart } from '../../../workspace/compare-rules.ts';
import {
  type ActionRule,
  defaultRule,
  type ProtectedUsers,
  type RuledAction,
  ruledActions,
} from '../../../workspace/rules.ts';
import type { WorkspaceSettings } from '../../../workspace/settings/document.ts';
import { definedSettings } from '../../../workspace/settings/settings.ts';
import {
  formatRulePart,
  ruledActionNames,
  rulePartLabels,
} from '../../../workspace/views/format-rule.ts';
import { standInBlocks } from '../../access/index.ts';
import { formatProtected } from './format-setup-change.ts';
import { editProtectedActionId, editRolesActionId, editRuleActionId } from './ids.ts';
import { roleNames, rolesTitle } from './roles-form.ts';

/** Roles, stand-ins, rules and protected users, for admins. */
export function accessMessage(settings: WorkspaceSettings, standIns: StandIn[]): Message {
  const { rules, protectedUsers } = settings.access;
  const roles = roleNames.map((role) => {
    const { label, format } = definedSettings[role];
    return `*${label}*: ${format(settings)}`;
  });
  const ruled = ruledActions.flatMap((action) => {
    const rule = rules[action];
    return rule ? [formatRule(action, rule)] : [];
  });
  return message([
    header(rolesTitle),
    ...roles.map((line) => section(line)),
    actions([editButton('Change roles…', editRolesActionId, 'who can do what in Belay')]),
    ...standInBlocks(standIns),
    divider(),
    section('*Rules*'),
    ...(ruled.length > 0 ? ruled : [noRules]).map((text) => section(text)),
    actions([
      menu({
        actionId: editRuleActionId,
        placeholder: 'Edit rule…',
        options: ruledActions.map((action) => ({
          value: encodeValue({ action }),
          text: ruledActionNames[action],
        })),
      }),
    ]),
    divider(),
    section(formatProtection(protectedUsers)),
    actions([
      editButton(
        'Edit protected users…',
        editProtectedActionId,
        'who is never disabled or deleted through Belay',
      ),
    ]),
    context(
      "Changes that could weaken a check, and all changes of roles and protected users, require a second person's approval.",
    ),
  ]);
}

const noRules =
  'No rules: operators request, approvers approve. Choose an action to limit who can request or approve it.';

function editButton(text: string, actionId: string, about: string): ReturnType<typeof button> {
  const accessibilityLabel = `${text.replace('…', '')}: ${about}`;
  return button({ text, actionId, value: encodeValue({}), accessibilityLabel });
}

/** Always shown; the other parts only if the rule sets them. */
const mainParts: RulePart[] = ['requesters', 'approvals'];
const furtherParts: RulePart[] = [
  'hoursToDecide',
  'hoursToRun',
  'remindAfterMinutes',
  'breakGlass',
];

function formatRule(action: RuledAction, rule: ActionRule): string {
  const format = (part: RulePart) => `${rulePartLabels[part]}: ${formatRulePart[part](rule)}`;
  const isSet = (part: RulePart) =>
    formatRulePart[part](rule) !== formatRulePart[part](defaultRule);
  return [
    `*${ruledActionNames[action]}*`,
    ...mainParts.map(format),
    furtherParts
      .filter((part) => part === 'hoursToDecide' || isSet(part))
      .map(format)
      .join(' · '),
  ].join('\n');
}

const maxListed = 15;
const kindLabels = { addresses: 'Addresses', domains: 'Domains', roles: 'Roles' } as const;

function formatProtection(users: ProtectedUsers): string {
  const title = '*Protected users*';
  const lines = protectedKinds
    .filter((kind) => users[kind].length > 0)
    .map((kind) => {
      const listed = users[kind].slice(0, maxListed);
      const more = users[kind].length - listed.length;
      return `${kindLabels[kind]}: ${formatProtected(listed)}${more > 0 ? ` and ${more} more` : ''}`;
    });
  if (lines.length > 0) return [title, ...lines].join('\n');
  return `${title}\nNo protected users. Protected users are never disabled or deleted through Belay.`;
}
