import type { SetupForm } from './setup-form.ts';
import { setupBlocks } from './views/ids.ts';
import type { WorkspaceSettings } from './workspace-store.ts';

type Range = { min: number; max: number };

export const deleteGraceRange: Range = { min: 0, max: 24 * 60 };
export const usersPerHourRange: Range = { min: 1, max: 1000 };

/** As typed. */
type TypedLimits = Pick<SetupForm, 'deleteGraceMinutes' | 'usersPerHour'>;

export type Limits = Pick<WorkspaceSettings, 'deleteGraceMinutes' | 'usersPerHour'>;

/** The numbers of the form, or what is wrong with them, by block id. */
export function readLimits(form: TypedLimits): Limits | { errors: Record<string, string> } {
  const deleteGraceMinutes = wholeNumber(form.deleteGraceMinutes, deleteGraceRange);
  const usersPerHour = wholeNumber(form.usersPerHour, usersPerHourRange);
  if (deleteGraceMinutes !== undefined && usersPerHour !== undefined) {
    return { deleteGraceMinutes, usersPerHour };
  }
  return {
    errors: {
      ...(deleteGraceMinutes === undefined
        ? { [setupBlocks.deleteGrace]: rangeText(deleteGraceRange) }
        : {}),
      ...(usersPerHour === undefined
        ? { [setupBlocks.usersPerHour]: rangeText(usersPerHourRange) }
        : {}),
    },
  };
}

function wholeNumber(text: string | undefined, { min, max }: Range): number | undefined {
  if (text === undefined || !/^\d{1,9}$/.test(text)) return undefined;
  const number = Number(text);
  return number >= min && number <= max ? number : undefined;
}

function rangeText({ min, max }: Range): string {
  return `Give a whole number from ${min} to ${max}.`;
}
