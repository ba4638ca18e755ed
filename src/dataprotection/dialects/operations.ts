/** Operations that not every dialect has. */
export type OperationName = 'updateAlert' | 'listRoles' | 'listOrganizationalUnits' | 'readTask';

/** How discovery calls an operation, and where it is when discovery does not say. */
export type Operation = {
  resource: string;
  id: string;
  type: 'get' | 'patch';
  /** Templated by RFC 6570. */
  href: string;
};

export const liveOperations: Record<OperationName, Operation> = {
  updateAlert: {
    resource: 'individual-alerts',
    id: 'update-individual-alert',
    type: 'patch',
    href: '/alerts/individual/{individual_alert_id}',
  },
  listRoles: { resource: 'roles', id: 'list-roles', type: 'get', href: '/roles' },
  listOrganizationalUnits: {
    resource: 'organizational-units',
    id: 'list-organizational-units',
    type: 'get',
    href: '/organizational-units',
  },
  readTask: { resource: 'tasks', id: 'read-task', type: 'get', href: '/tasks/{task_id}' },
};
