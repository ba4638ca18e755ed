import type { SubmissionInteraction } from '../../../slack/listeners/interaction.ts';
import type { VerificationResult } from '../../../slack/listeners/verified-submission.ts';
import { isAdmin, ruledActionNames, ruleOf } from '../../workspaces/index.ts';
import { reviewSettings } from '../review-settings.ts';
import { listChoices } from '../roles/list-choices.ts';
import { adminsOnly, type SubmitDependencies } from '../submit-setup.ts';
import { ruleModal, ruleNotice } from '../views/rule-modal.ts';
import { changedMeanwhileModal } from '../views/saved-modal.ts';
import { checkRule } from './check-rule.ts';
import { type RuleMetadata, readRuleForm, withRule } from './rule-form.ts';

/** Checks the form and shows the change of the rule to the admin, who confirms it. */
export async function submitRule(
  call: SubmissionInteraction<RuleMetadata>,
  dependencies: SubmitDependencies,
): Promise<VerificationResult> {
  const { person, teamId, slack, log, values, metadata } = call;
  if (!isAdmin(person)) return { done: ruleNotice(adminsOnly) };
  const { store, access } = dependencies;
  const current = await store.readSetup(teamId);
  const { revision, settings, connection } = current;
  if (revision !== metadata.revision || !connection) return { done: changedMeanwhileModal };
  const { action } = metadata;
  const { rules } = settings.access;
  const before = ruleOf(rules, action);
  const form = readRuleForm(values, before, metadata);
  const rule = 'rule' in form ? form.rule : before;
  const after = withRule(settings, action, rule);
  const errors = 'rule' in form ? await checkRule(form, after, { slack, ...access }) : form.errors;
  if (Object.keys(errors).length > 0) {
    const named = [...rule.requesters, ...rule.approvals.flatMap(({ from }) => from)];
    const choice = await listChoices([...named, ...rule.breakGlass], slack, log);
    const isRuled = rules[action] !== undefined;
    return { errors, retry: ruleModal({ rule, isRuled, choice, metadata, errors }) };
  }
  const review = await reviewSettings(call, { current, settings: after }, dependencies);
  return review ?? { done: ruleNotice(`The rule for “${ruledActionNames[action]}” is unchanged.`) };
}
