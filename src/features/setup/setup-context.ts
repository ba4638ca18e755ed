import type { Clock } from '../../clock.ts';
import type { ServiceConnection } from '../../dataprotection/connection.ts';
import type { Region } from '../../dataprotection/region.ts';
import type { OrganizationalUnit } from '../../dataprotection/resources/organizational-units.ts';
import type { AdminDirectory } from '../../slack/api/list-admins.ts';
import type { Access, StandInStore } from '../access/index.ts';
import type { Approvals } from '../approvals/index.ts';
import type { OpenSettings, WorkspaceStore } from '../workspaces/index.ts';
import type { TokenPages } from './token-page/serve-token-page.ts';
import type { SetupDependencies } from './verify-setup.ts';

/** What the forms and commands of the setup work with. */
export type SetupContext = Pick<SetupDependencies, 'probe' | 'userExists'> & {
  store: WorkspaceStore;
  regions: Region[];
  tokenPages: TokenPages;
  listUnits: (connection: ServiceConnection) => Promise<OrganizationalUnit[] | undefined>;
  listStandIns: StandInStore['list'];
  openSettings: OpenSettings;
  approvals: Approvals;
  access: Access;
  adminDirectory: AdminDirectory;
  clock: Clock;
};
