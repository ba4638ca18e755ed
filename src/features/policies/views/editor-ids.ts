import type { PresetName } from '../editor/presets.ts';

/** Buttons of the editor's pages. Their values name the draft and the revision that was shown. */
export const continueActionId = 'policies.draft_continue';
export const startOverActionId = 'policies.draft_start_over';
export const overviewActionId = 'policies.draft_overview';
export const editSetActionId = 'policies.draft_edit_set';
export const typeValuesActionId = 'policies.draft_type_values';
export const moveUpActionId = 'policies.draft_move_up';
export const moveDownActionId = 'policies.draft_move_down';
export const removeSetActionId = 'policies.draft_remove_set';

/** One for each preset, because the ids within one block must differ. */
export function addSetActionId(preset: PresetName): string {
  return `policies.draft_add_${preset}`;
}
