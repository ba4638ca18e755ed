import type { WorkspacePerson } from '../workspace.ts';
import type { Directory } from './directory.ts';
import type { Place } from './installation.ts';

type NamedPlace = {
  place: Place;
  /** `T…` or `E…`. */
  id: string;
  name: string;
  /** Who can install the app there: full members of a workspace, and admins for the organization. */
  installers: WorkspacePerson[];
};

/** Every place where the app can be installed. */
export const listPlaces = ({ states, organization }: Directory): NamedPlace[] => {
  const workspaces = [...states.values()].map(({ workspace, people }): NamedPlace => {
    const { teamId, name } = workspace;
    const installers = [...people.values()].filter(
      (one) => one.teamId === teamId && !one.isGuest && !one.isDeactivated,
    );
    return { place: { kind: 'workspace', teamId }, id: teamId, name, installers };
  });
  if (!organization) return workspaces;
  const { enterpriseId, teamIds, name } = organization;
  const installers = workspaces
    .filter(({ id }) => teamIds.includes(id))
    .flatMap((one) => one.installers.filter(({ isAdmin }) => isAdmin));
  const place: Place = { kind: 'organization', enterpriseId };
  return [...workspaces, { place, id: enterpriseId, name: `${name} (organization)`, installers }];
};
