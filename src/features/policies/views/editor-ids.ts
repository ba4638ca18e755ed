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

export const overviewCallbackId = 'policies.draft';
export const setCallbackId = 'policies.draft_set';
export const requestCallbackId = 'policies.draft_request';

/** One for each revision, so that a page shows the draft and not what was typed before. */
export function nameBlockId(revision: number): string {
  return `name-${revision}`;
}

/** Blocks of the form of one SLA set; field errors are keyed by them. */
export const setBlocks = {
  operation: 'operation',
  firstBackup: 'first-backup',
  windowStart: 'window-start',
  windowEnd: 'window-end',
} as const;

export function slaBlocks(index: number) {
  return {
    frequency: `frequency-${index}`,
    frequencyUnit: `frequency-unit-${index}`,
    retention: `retention-${index}`,
    retentionUnit: `retention-unit-${index}`,
  };
}

/** The block of a value that is chosen from a menu or, in the other form, typed. */
export function choiceBlockId(id: string, isTyped: boolean | undefined): string {
  return isTyped ? `${id}-typed` : id;
}
