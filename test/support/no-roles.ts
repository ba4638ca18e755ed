import { createAccess } from '../../src/workspace/access/access.ts';
import { defaultAccess } from '../../src/workspace/settings/document.ts';

/** What the roles say in a workspace that has named none. */
export const noRoles = createAccess({
  readSettings: async () => ({ approvers: [], access: defaultAccess }),
  directory: {
    read: async () => {
      throw new Error('no group has a role');
    },
  },
  readStandIns: async () => [],
});
