/** Re-exports the date-fns functions that Belay uses: Node parses the large package.json at each import. */
export { addDays } from 'date-fns/addDays';
export { addHours } from 'date-fns/addHours';
export { addMilliseconds } from 'date-fns/addMilliseconds';
export { addMinutes } from 'date-fns/addMinutes';
export { addSeconds } from 'date-fns/addSeconds';
export { millisecondsInDay } from 'date-fns/constants';
export { isSameMinute } from 'date-fns/isSameMinute';
export { lightFormat } from 'date-fns/lightFormat';
export { max } from 'date-fns/max';
export { min } from 'date-fns/min';
export { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
export { startOfDay } from 'date-fns/startOfDay';
export { subDays } from 'date-fns/subDays';
export { subHours } from 'date-fns/subHours';
export { subMilliseconds } from 'date-fns/subMilliseconds';
export { subMinutes } from 'date-fns/subMinutes';
export { subWeeks } from 'date-fns/subWeeks';
