import { z } from 'zod';
import { defineForm } from '../../../slack/ui/form.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import type { WorkspaceSettings } from '../../../workspace/settings/document.ts';
import { allSettings } from '../../../workspace/settings/settings.ts';
import { setupOrigin } from '../setup-form.ts';
import { setupTitle } from './setup-modal.ts';

const settingMetadata = setupOrigin.extend({
  /** How often the setup had been saved when it filled the form. */
  revision: z.int().min(0),
});
type SettingMetadata = z.infer<typeof settingMetadata>;

/** The forms of one field each. */
export const settingForms = allSettings.flatMap(({ name, field }) => {
  if (!field) return [];
  const form = defineForm(`setup.${name}`, {
    metadata: settingMetadata,
    fields: { [name]: field.declare },
  });
  return [{ name, form, block: field.block, set: field.set }];
});
export type SettingForm = (typeof settingForms)[number];

export function settingModal(
  { form, block }: SettingForm,
  { settings, metadata }: { settings: WorkspaceSettings; metadata: SettingMetadata },
): ModalView {
  return form.modal({ title: setupTitle, submit: 'Save', metadata, blocks: [block(settings)] });
}

export const settingValue = setupOrigin.extend({
  setting: z.enum(settingForms.map(({ name }) => name)),
});
