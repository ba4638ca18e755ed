import { randomBytes } from 'node:crypto';
import { inject, onTestFinished } from 'vitest';
import { people } from '../../../playground/people.ts';
import type { Alert } from '../../../playground/service/resources.ts';
import type { ReferenceServiceOptions } from '../../../playground/service/start-service.ts';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import { type Clock, systemClock } from '../../../src/clock.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import {
  createAlertStore,
  createClearings,
  createSavedFilters,
} from '../../../src/features/alerts/index.ts';
import { createKnownValues } from '../../../src/features/alerts/known-values.ts';
import { registerAlerts } from '../../../src/features/alerts/register.ts';
import { createAuditStore } from '../../../src/features/audit/store/audit-store.ts';
import { isCommandWord } from '../../../src/features/help/index.ts';
import { registerHelp } from '../../../src/features/help/register.ts';
import { createPollStore } from '../../../src/features/watches/store/poll-store.ts';
import { readPerson } from '../../../src/slack/api/person.ts';
import { enqueueNamed as enqueueMessages } from '../../../src/workspace/enqueue-named.ts';
import { openReference, serviceWith } from '../../dataprotection/reference-service.ts';
import { listen } from '../../slack/interactions/listening.ts';
import { openFromTemplate } from '../../support/database-template.ts';

const teamId = 'T0HARBOR01';

/** The alerts feature alone, with its own service and audit log. Ben is an approver, Cleo an admin. */
export async function startAlerts(
  options: ReferenceServiceOptions & { clock?: Clock | undefined } = {},
) {
  const { clock = systemClock } = options;
  const stage = await listen();
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(close);
  const reference = await openReference(options);
  const { client, portal, service } = reference;
  const approvers: string[] = [people.ben];
  const key = randomBytes(32);
  const reported: { connectionId: string; alert: { id: string } }[] = [];
  stage.provide({
    openService: async () => serviceWith(client),
    settings: { approvers },
  });
  const append = createAppendEntry([key]);
  const polls = createPollStore(db, { enqueueMessages, append, isServed: serveAll });
  const savedFilters = createSavedFilters(db);
  const commands = registerAlerts(stage.listeners, {
    store: createAlertStore(db, { append, appendRefusal: append }),
    clearings: createClearings(db, { append, enqueueMessages, isServed: serveAll }),
    changeState: polls.changeState,
    showState: polls.showState,
    access: { readPerson },
    knownValues: createKnownValues(),
    clock,
    savedFilters,
    isCommandWord,
    reportAlert: (observed) => void reported.push(observed),
  });
  registerHelp(stage.listeners, commands);
  const store = createAuditStore(db, serveAll);

  return {
    ...reference,
    slack: stage.slack,
    /** Posts in #ops as Belay. */
    post: stage.post,
    approvers,
    savedFilters,
    /** The alerts reported to other features. */
    reported,
    ana: stage.person(people.ana),
    ben: stage.person(people.ben),
    cleo: stage.person(people.cleo),
    /** The audit log, oldest first. */
    readLog: async () => (await store.list({ teamId, limit: 100 })).toReversed(),
    /** The alert as the service has it. */
    alert(id: string): Alert {
      const found = service.alerts(portal.id).find((one) => one.id === id);
      if (!found) throw new Error(`There is no alert "${id}".`);
      return found;
    },
    /** The newest active alert with a name, and the words that find only it. */
    pickAlert(): Alert & { words: string } {
      const [newest] = service
        .alerts(portal.id)
        .filter(({ status, primary_entity }) => status === 'active' && primary_entity)
        .toSorted((one, other) => (one.updated_timestamp < other.updated_timestamp ? 1 : -1));
      if (!newest) throw new Error('The service has no active alert.');
      return { ...newest, words: newest.id };
    },
  };
}
