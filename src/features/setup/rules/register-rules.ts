import { z } from 'zod';
import type { ActionInteraction, SubmissionOf } from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import type { VerificationResult } from '../../../slack/interactions/verified-submission.ts';
import { foundErrors } from '../../../slack/ui/form.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { notConnected } from '../../../workspace/open-service.ts';
import { ruleOf } from '../../../workspace/rules.ts';
import { ruledActionNames } from '../../../workspace/views/format-rule.ts';
import { reviewSettings } from '../review-settings.ts';
import { listChoices } from '../roles/list-choices.ts';
import type { SetupContext } from '../setup-context.ts';
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
import {
  readRuleForm,
  ruleForm,
  ruleModal,
  ruleNotice,
  ruleTitle,
  ruleValue,
  withRule,
} from '../views/rule-form.ts';
import { changedMeanwhileModal } from '../views/saved-modal.ts';
import { checkRule } from './check-rule.ts';

/** The forms that change the rule of an action and the protected users. */
export function registerRules(listeners: Listeners, context: SetupContext): void {
  const { store } = context;

  listeners.opens(editRuleActionId, ruleValue, {
    needs,
    title: ruleTitle,
    waiting: 'Loading the rule…',
    fill: fillRule,
  });

  listeners.opens(editProtectedActionId, z.object({}), {
    needs,
    title: protectedTitle,
    waiting: 'Loading protected users…',
    fill: fillProtected,
  });

  async function fillRule({
    teamId,
    slack,
    log,
    channelId,
    value: { action },
  }: ActionInteraction<z.infer<typeof ruleValue>>): Promise<ModalView> {
    const { revision, settings, connection } = await store.readSetup(teamId);
    if (!connection) return ruleNotice(notConnected.text);
    const { rules } = settings.access;
    const rule = ruleOf(rules, action);
    const named = [...rule.requesters, ...rule.approvals.flatMap(({ from }) => from)];
    const choice = await listChoices([...named, ...rule.breakGlass], slack, log);
    const isRuled = rules[action] !== undefined;
    return ruleModal({ rule, isRuled, choice, metadata: { channelId, revision, action } });
  }

  async function fillProtected({
    teamId,
    channelId,
  }: ActionInteraction<unknown>): Promise<ModalView> {
    const { revision, settings, connection } = await store.readSetup(teamId);
    if (!connection) return protectedNotice(notConnected.text);
    const users = settings.access.protectedUsers;
    return fitsForm(users) ? protectedModal(users, { channelId, revision }) : tooLongForForm;
  }

  async function submitProtected(
    call: SubmissionOf<typeof protectedForm>,
  ): Promise<VerificationResult> {
    const { teamId, entered, metadata } = call;
    const current = await store.readSetup(teamId);
    const { settings, connection, revision } = current;
    if (revision !== metadata.revision || !connection) return { done: changedMeanwhileModal };
    const { users, errors } = readProtectedForm(entered);
    if (foundErrors(errors)) return { errors, retry: protectedModal(users, metadata) };
    const access = { ...settings.access, protectedUsers: users };
    const changed = { current, settings: { ...settings, access } };
    const review = await reviewSettings(call, changed, context);
    return review ?? { done: protectedNotice('The protected users are unchanged.') };
  }

  listeners.form(ruleForm, {
    needs,
    pending: ruleNotice('Checking people and groups… Nothing has been saved yet.'),
    verify: (call) => submitRule(call, context),
  });

  listeners.form(protectedForm, {
    needs,
    pending: protectedNotice('Checking protected users… Nothing has been saved yet.'),
    verify: submitProtected,
  });
}

/** Checks the form and shows the change of the rule to the admin, who confirms it. */
async function submitRule(
  call: SubmissionOf<typeof ruleForm>,
  context: SetupContext,
): Promise<VerificationResult> {
  const { teamId, slack, log, metadata } = call;
  const { store, access } = context;
  const current = await store.readSetup(teamId);
  const { revision, settings, connection } = current;
  if (revision !== metadata.revision || !connection) return { done: changedMeanwhileModal };
  const { action } = metadata;
  const { rules } = settings.access;
  const before = ruleOf(rules, action);
  const form = readRuleForm(call, before);
  const rule = 'rule' in form ? form.rule : before;
  const after = withRule(settings, action, rule);
  const errors = 'rule' in form ? await checkRule(form, after, { slack, ...access }) : form.errors;
  if (Object.keys(errors).length > 0) {
    const named = [...rule.requesters, ...rule.approvals.flatMap(({ from }) => from)];
    const choice = await listChoices([...named, ...rule.breakGlass], slack, log);
    const isRuled = rules[action] !== undefined;
    return { errors, retry: ruleModal({ rule, isRuled, choice, metadata }) };
  }
  const review = await reviewSettings(call, { current, settings: after }, context);
  return review ?? { done: ruleNotice(`The rule for “${ruledActionNames[action]}” is unchanged.`) };
}
