export const newActionId = 'digests.new';
export const editActionId = 'digests.edit';
export const endActionId = 'digests.end';
export const backActionId = 'digests.back';

export const formCallbackId = 'digests.form';
export const saveCallbackId = 'digests.save';

/** Blocks of the form; field errors are keyed by them. */
export const formBlocks = {
  time: 'time',
  weekdays: 'weekdays',
  timeZone: 'time-zone',
  parts: 'parts',
  whenEmpty: 'when-empty',
} as const;
