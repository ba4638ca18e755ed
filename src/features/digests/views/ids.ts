export const newActionId = 'digests.new';
export const editActionId = 'digests.edit';
export const endActionId = 'digests.end';
export const backActionId = 'digests.back';
