export const showActionId = 'compliance.show';
