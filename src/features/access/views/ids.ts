export const openStandInActionId = 'stand-ins.open';
export const endStandInActionId = 'stand-ins.end';
export const standInCallbackId = 'stand-ins.save';

/** Blocks of the form; field errors are keyed by them. */
export const standInBlocks = { person: 'person', until: 'until' } as const;
