import { approvableActions } from '../../src/features/actions/index.ts';
import { createLogger } from '../../src/logger.ts';
import { createActionBinder } from '../../src/requests/define-action.ts';
import type { RequestContext } from '../../src/requests/request-context.ts';
import { defaultTimings } from '../../src/requests/timings.ts';

/** The context of a test with these parts. What uses another one fails; there are no stand-ins. */
export function contextWith(
  parts: Partial<RequestContext> & Pick<RequestContext, 'store' | 'clock'>,
): RequestContext {
  const unused = () => {
    throw new Error('this test has no such part of the context');
  };
  return {
    actions: approvableActions,
    bind: createActionBinder(approvableActions),
    readSettings: unused,
    mayRead: unused,
    readPerson: unused,
    openPeople: unused,
    openService: unused,
    openSettings: unused,
    listMembers: unused,
    listStandIns: async () => [],
    adminDirectory: { read: unused },
    clients: { find: unused, clientFor: unused },
    log: createLogger('silent'),
    timings: defaultTimings,
    ...parts,
  };
}
