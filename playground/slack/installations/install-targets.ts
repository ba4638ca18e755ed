import type { WorkspacePerson } from '../workspace.ts';
import type { Directory } from './directory.ts';
import type { InstallTarget } from './installation.ts';

export type NamedTarget = {
  target: InstallTarget;
  /** `T…` or `E…`. */
  id: string;
  name: string;
  /** Who can install the app there: full members of a workspace, and admins for the organization. */
  installers: WorkspacePerson[];
};

/** Every workspace in which the app can be installed, and the organization. */
export const listInstallTargets = ({ states, organization }: Directory): NamedTarget[] => {
  const workspaces = [...states.values()].map(({ workspace, people }): NamedTarget => {
    const { teamId, name } = workspace;
    const installers = [...people.values()].filter(
      (one) => one.teamId === teamId && !one.isGuest && !one.isDeactivated,
    );
    return { target: { kind: 'workspace', teamId }, id: teamId, name, installers };
  });
  if (!organization) return workspaces;
  const { enterpriseId, teamIds, name } = organization;
  const installers = workspaces
    .filter(({ id }) => teamIds.includes(id))
    .flatMap((one) => one.installers.filter(({ isAdmin }) => isAdmin));
  const target: InstallTarget = { kind: 'organization', enterpriseId };
  return [...workspaces, { target, id: enterpriseId, name: `${name} (organization)`, installers }];
};
