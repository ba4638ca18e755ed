import type { Clock } from '../../clock.ts';
import type { ServiceConnection } from '../../dataprotection/connection.ts';
import type { ProbeResult } from '../../dataprotection/probe-connection.ts';
import type { Region } from '../../dataprotection/region.ts';
import type { OrganizationalUnit } from '../../dataprotection/resources/organizational-units.ts';
import type { Approvals } from '../../requests/approvals.ts';
import type { AdminDirectory } from '../../slack/api/list-admins.ts';
import type { Access } from '../../workspace/access/access.ts';
import type { StandInStore } from '../../workspace/access/store/stand-in-store.ts';
import type { OpenSettings } from '../../workspace/open-settings.ts';
import type { WorkspaceStore } from '../../workspace/store/workspace-store.ts';
import type { UserExists } from './check-setup.ts';
import type { TokenPages } from './token-page/serve-token-page.ts';

/** What the forms and commands of the setup work with. */
export type SetupContext = {
  store: WorkspaceStore;
  regions: Region[];
  probe: (connection: ServiceConnection) => Promise<ProbeResult>;
  userExists: UserExists;
  tokenPages: TokenPages;
  listUnits: (connection: ServiceConnection) => Promise<OrganizationalUnit[] | undefined>;
  listStandIns: StandInStore['list'];
  openSettings: OpenSettings;
  approvals: Approvals;
  access: Access;
  adminDirectory: AdminDirectory;
  clock: Clock;
};
