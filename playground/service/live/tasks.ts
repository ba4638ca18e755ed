import { z } from 'zod';
import type { Owned } from '../data/collection.ts';
import { etagOf, renderOnce } from '../http/render-page.ts';
import {
  errorResponse,
  invalidBody,
  json,
  type Links,
  link,
  type ServiceResponse,
} from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { Task } from '../resources.ts';
import { type FilterTable, parseFilter } from './filter.ts';
import { listByNumber } from './list-page.ts';

const filterTable: FilterTable<Owned<Task>> = {
  id: { conditions: ['$in'], of: ({ resource }) => resource.id },
  type: { conditions: ['$in'], of: ({ resource }) => resource.type },
  category: { conditions: ['$in'], of: ({ resource }) => resource.category },
  genre: { conditions: ['$in'], of: ({ resource }) => resource.genre },
  status: { conditions: ['$in'], of: ({ resource }) => resource.status },
  created_timestamp: {
    conditions: ['$lte', '$gte'],
    of: ({ resource }) => resource.created_timestamp,
  },
  'primary_entity.id': {
    conditions: ['$contains'],
    of: ({ resource }) => resource.primary_entity.id,
  },
  'primary_entity.value': {
    conditions: ['$contains'],
    of: ({ resource }) => resource.primary_entity.value,
  },
};

const taskChanges = z.strictObject({ status: z.literal('aborting') });

/** Newest first. */
export function listTasks(context: RequestContext): ServiceResponse {
  const filter = parseFilter(context.query.get('filter'), filterTable);
  if (!filter.ok) return filter.rejection;
  const tasks = filter.apply(context.store.tasks.visibleIn(context.unit.id));
  return listByNumber(context, tasks, taskText, { filter_applied: filter.applied });
}

export function readTask(context: RequestContext): ServiceResponse {
  context.tasks.countRead(context.resourceId);
  context.tasks.settle();
  const task = findTask(context);
  return task ? json(200, renderTask(task)) : unknownTask(context);
}

/** Aborts the task, the only possible change. */
export function changeTask(context: RequestContext): ServiceResponse {
  const found = findTask(context);
  if (!found) return unknownTask(context);
  const changes = taskChanges.safeParse(context.body);
  if (!changes.success) return invalidBody(changes.error);
  const { status, is_abortable } = found.resource;
  if (!is_abortable) return errorResponse(409, `A task that is ${status} cannot be aborted.`);
  return json(200, renderTask({ ...found, resource: context.tasks.abort(found.resource) }));
}

function findTask({ store, resourceId, unit }: RequestContext): Owned<Task> | undefined {
  return store.tasks.find(resourceId, unit.id);
}

function unknownTask({ resourceId }: RequestContext): ServiceResponse {
  return errorResponse(404, `There is no task "${resourceId}".`);
}

const taskText = renderOnce(renderTask);

export function linkToTask({ id }: Task): Links {
  return { 'read-task': link(`/tasks/${id}`) };
}

export function renderTask({ resource, organizationalUnitId }: Owned<Task>) {
  const path = `/tasks/${resource.id}`;
  return {
    ...resource,
    _etag: etagOf(resource),
    _links: {
      _self: link(path),
      'update-task': link(path, 'patch'),
      'read-organizational-unit': link(`/organizational-units/${organizationalUnitId}`),
    },
  };
}
