import type { ActionInteraction, SubmissionOf } from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { VerificationResult } from '../../slack/interactions/verified-submission.ts';
import { foundErrors } from '../../slack/ui/form.ts';
import { type ModalView, noticeModal } from '../../slack/ui/modal.ts';
import { checkSlackChoices } from './check-setup.ts';
import type { SetupContext } from './setup-context.ts';
import { savedOverview, showSetup } from './show-setup.ts';
import { submitSettings } from './submit-change.ts';
import { needs } from './submit-setup.ts';
import { changeSettingActionId } from './views/ids.ts';
import {
  type SettingForm,
  settingForms,
  settingModal,
  settingValue,
  setupTitle,
} from './views/setup-modal.ts';

/** The forms that change one setting. */
export function registerSettings(listeners: Listeners, context: SetupContext): void {
  listeners.opens(changeSettingActionId, settingValue, {
    needs,
    title: setupTitle,
    waiting: 'Loading the setting…',
    fill: (call) => fillForm(call, context),
  });

  for (const setting of settingForms) {
    listeners.form(setting.form, {
      needs,
      pending: noticeModal(setupTitle, 'Checking… Nothing has been saved yet.'),
      verify: (call) => submitSetting(call, setting, context),
    });
  }
}

async function fillForm(
  call: ActionInteraction<{ setting: string; channelId?: string | undefined }>,
  context: SetupContext,
): Promise<ModalView> {
  const { setting, channelId = call.channelId } = call.value;
  const { connection, settings, revision } = await context.store.readSetup(call.teamId);
  const form = settingForms.find(({ name }) => name === setting);
  if (!connection || !form) return showSetup(call, { channelId }, context);
  return settingModal(form, { settings, metadata: { channelId, revision } });
}

async function submitSetting(
  call: SubmissionOf<SettingForm['form']>,
  setting: SettingForm,
  context: SetupContext,
): Promise<VerificationResult> {
  const { metadata, values, slack } = call;
  return submitSettings(
    call,
    {
      async read(before) {
        const settings = setting.set(before, values);
        const errors = await checkSlackChoices({ before, after: settings }, slack);
        if (!foundErrors(errors)) return { settings };
        return { errors, retry: settingModal(setting, { settings, metadata }) };
      },
      showUnchanged: () => savedOverview(call, 'nothing', context),
    },
    context,
  );
}
