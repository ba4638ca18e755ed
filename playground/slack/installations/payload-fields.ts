import type { LocalState } from '../state.ts';

/** `enterprise` of interactions and answers; null outside of organizations. */
export const enterpriseObject = ({ organization }: LocalState) =>
  organization ? { id: organization.enterpriseId, name: organization.name } : null;

export const isInstalledInOrganization = ({ installation }: LocalState): boolean =>
  installation?.target.kind === 'organization';

/** `team` of interactions. With an organization's installation Slack sends null there. */
export const teamObject = (state: LocalState) => {
  if (isInstalledInOrganization(state)) return null;
  const { workspace, organization } = state;
  const enterprise = organization
    ? { enterprise_id: organization.enterpriseId, enterprise_name: organization.name }
    : {};
  return { id: workspace.teamId, domain: workspace.domain, ...enterprise };
};

/** The form fields of a slash command about the organization. */
export const commandEnterpriseFields = (state: LocalState) => {
  const { organization } = state;
  return {
    ...(organization
      ? { enterprise_id: organization.enterpriseId, enterprise_name: organization.name }
      : {}),
    is_enterprise_install: String(isInstalledInOrganization(state)),
  };
};
