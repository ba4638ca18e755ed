import type { Task } from '../resources.ts';
import type { NonEmpty, Random } from './random.ts';

const taskCount = 64;
const oneHour = 60 * 60 * 1000;
const thirtyDays = 30 * 24 * oneHour;

const kinds: NonEmpty<Pick<Task, 'type' | 'category' | 'genre'>> = [
  { type: 'aws_ebs_volume_backup', category: 'backup', genre: 'operational' },
  { type: 'aws_ebs_volume_restore', category: 'restore', genre: 'operational' },
  { type: 'aws_ebs_volume_snapshot', category: 'snapshot', genre: 'operational' },
  { type: 'compliance_report', category: 'report_generation', genre: 'administrative' },
];
const volumes: NonEmpty<string> = ['billing-volume', 'orders-volume', 'search-volume'];

/** 64 tasks over thirty days, newest first; some failed, and three never end. */
export function createTasks({ now, random }: { now: Date; random: Random }): Task[] {
  const ages = Array.from({ length: taskCount }, () => random.integer(oneHour, thirtyDays));
  return ages
    .toSorted((a, b) => a - b)
    .map((age, index) => createTask(String(taskCount - index), index, now.getTime() - age, random));
}

function createTask(id: string, index: number, created: number, random: Random): Task {
  const isRunning = index < 3;
  const minutes = (count: number) => new Date(created + count * 60_000).toISOString();
  const failed = random.chance(0.15);
  return {
    id,
    ...random.pick(kinds),
    status: isRunning ? 'in_progress' : failed ? 'failed' : 'completed',
    progress_percentage: isRunning ? 40 : failed ? random.integer(1, 99) : 100,
    is_abortable: isRunning,
    created_timestamp: minutes(0),
    start_timestamp: minutes(1),
    end_timestamp: isRunning ? null : minutes(random.integer(2, 50)),
    primary_entity: { id: random.uuid(), type: 'aws_ebs_volume', value: random.pick(volumes) },
    parent_entity: null,
  };
}
