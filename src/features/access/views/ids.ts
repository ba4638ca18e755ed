export const openStandInActionId = 'stand-ins.open';
export const endStandInActionId = 'stand-ins.end';
