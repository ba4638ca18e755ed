export const showActionId = 'users.show';
export const chooseActionId = 'users.choose';
export const requestCallbackId = 'users.request';

export const verbs = ['disable', 'enable', 'rename', 'delete'] as const;
/** What one can ask to be done to a user of the service. */
export type Verb = (typeof verbs)[number];

/** The buttons that open a request form; also the names of the approvable actions. */
export const askActionIds = {
  disable: 'users.disable',
  enable: 'users.enable',
  rename: 'users.rename',
  delete: 'users.delete',
} as const satisfies Record<Verb, string>;

export const reasonBlockId = 'reason';
export const emailBlockId = 'email';
export const fullNameBlockId = 'full-name';
