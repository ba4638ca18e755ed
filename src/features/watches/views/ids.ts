export const editActionId = 'watches.edit';
export const endActionId = 'watches.end';
export const editCallbackId = 'watches.edit';
