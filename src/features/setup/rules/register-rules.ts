import { z } from 'zod';
import { findShortfall } from '../../../requests/rules/find-shortfall.ts';
import type { Interaction, SubmissionOf } from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import { foundErrors } from '../../../slack/ui/form.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import type { Access } from '../../../workspace/access/access.ts';
import { notConnected } from '../../../workspace/open-service.ts';
import type { NamedPeople } from '../../../workspace/permissions.ts';
import { type ActionRule, ruleOf } from '../../../workspace/rules.ts';
import type { WorkspaceSettings } from '../../../workspace/settings/document.ts';
import { ruledActionNames } from '../../../workspace/views/format-rule.ts';
import {
  checkNamed,
  formatShortfall,
  type MemberChecks,
  memberField,
} from '../roles/check-members.ts';
import { listChoices } from '../roles/list-choices.ts';
import type { SetupContext } from '../setup-context.ts';
import { submitSettings } from '../submit-change.ts';
import { needs } from '../submit-setup.ts';
import { editProtectedActionId, editRuleActionId } from '../views/ids.ts';
import {
  fitsForm,
  protectedForm,
  protectedModal,
  protectedNotice,
  protectedTitle,
  readProtectedForm,
  tooLongForForm,
} from '../views/protected-form.ts';
import type { RuleForm } from '../views/rule-form.ts';
import {
  type RuleRef,
  readRuleForm,
  ruleForm,
  ruleModal,
  ruleNotice,
  ruleTitle,
  ruleValue,
  withRule,
} from '../views/rule-form.ts';

/** The forms that change the rule of an action and the protected users. */
export function registerRules(listeners: Listeners, context: SetupContext): void {
  const { store } = context;

  listeners.opens(editRuleActionId, ruleValue, {
    needs,
    title: ruleTitle,
    waiting: 'Loading the rule…',
    async fill(call) {
      const { revision, settings, connection } = await store.readSetup(call.teamId);
      if (!connection) return ruleNotice(notConnected.text);
      const { action } = call.value;
      const rule = ruleOf(settings.access.rules, action);
      return showRule(call, rule, settings, { channelId: call.channelId, revision, action });
    },
  });

  listeners.form(ruleForm, {
    needs,
    pending: ruleNotice('Checking people and groups… Nothing has been saved yet.'),
    verify(call) {
      const name = ruledActionNames[call.metadata.action];
      return submitSettings(
        call,
        {
          read: (before) => readRule(call, before, context),
          showUnchanged: () => ruleNotice(`The rule for “${name}” is unchanged.`),
        },
        context,
      );
    },
  });

  listeners.opens(editProtectedActionId, z.object({}), {
    needs,
    title: protectedTitle,
    waiting: 'Loading protected users…',
    async fill({ teamId, channelId }) {
      const { revision, settings, connection } = await store.readSetup(teamId);
      if (!connection) return protectedNotice(notConnected.text);
      const users = settings.access.protectedUsers;
      return fitsForm(users) ? protectedModal(users, { channelId, revision }) : tooLongForForm;
    },
  });

  listeners.form(protectedForm, {
    needs,
    pending: protectedNotice('Checking protected users… Nothing has been saved yet.'),
    verify: (call) =>
      submitSettings(
        call,
        {
          async read(before) {
            const { users, errors } = readProtectedForm(call.entered);
            if (foundErrors(errors)) return { errors, retry: protectedModal(users, call.metadata) };
            const access = { ...before.access, protectedUsers: users };
            return { settings: { ...before, access } };
          },
          showUnchanged: () => protectedNotice('The protected users are unchanged.'),
        },
        context,
      ),
  });
}

/** The form of a rule, with the groups to choose from. `settings`: those in force. */
async function showRule(
  { slack, log }: Pick<Interaction, 'slack' | 'log'>,
  rule: ActionRule,
  settings: WorkspaceSettings,
  metadata: RuleRef,
): Promise<ModalView> {
  const named = [...rule.requesters, ...rule.approvals.flatMap(({ from }) => from)];
  const choice = await listChoices([...named, ...rule.breakGlass], slack, log);
  const isRuled = settings.access.rules[metadata.action] !== undefined;
  return ruleModal({ rule, isRuled, choice, metadata });
}

/** The settings with the rule of the form, or the form again. */
async function readRule(
  call: SubmissionOf<typeof ruleForm>,
  settings: WorkspaceSettings,
  { access }: SetupContext,
) {
  const { slack, metadata } = call;
  const before = ruleOf(settings.access.rules, metadata.action);
  const form = readRuleForm(call, before);
  const rule = 'rule' in form ? form.rule : before;
  const after = withRule(settings, metadata.action, rule);
  const shown = { after, hasGroups: metadata.hasGroups };
  const errors = 'rule' in form ? await checkRule(form, shown, { slack, ...access }) : form.errors;
  if (!foundErrors(errors)) return { settings: after };
  return { errors, retry: await showRule(call, rule, settings, metadata) };
}

/** Errors by field id: as `checkNamed`, and approvals that could never be met. */
async function checkRule(
  { rule, approvalIds }: Extract<RuleForm, { rule: unknown }>,
  { after, hasGroups }: { after: NamedPeople; hasGroups: boolean },
  checks: MemberChecks & Pick<Access, 'readPerson'>,
): Promise<Record<string, string>> {
  const { requesters, approvals, breakGlass } = rule;
  const fieldOf = (index: number) => approvalIds[index] ?? 'requesters';
  const errors = await checkNamed(
    [
      ['requesters', requesters],
      ...approvals.map(({ from }, index): [string, string[]] => [fieldOf(index), from]),
      ['breakGlass', breakGlass],
    ],
    { after, first: 'requesters', hasGroups },
    checks,
  );
  if (Object.keys(errors).length > 0) return errors;
  const shortfall = await findShortfall({
    needed: approvals,
    listMembers: (ids) => checks.listMembers(checks.slack, ids),
    readPerson: (slackUserId) => checks.readPerson(checks.slack, slackUserId),
  });
  for (const one of shortfall) {
    errors[memberField(fieldOf(one.index), one.from, hasGroups)] = formatShortfall(one);
  }
  return errors;
}
