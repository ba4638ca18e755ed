/** Whether the page belongs to a whole playground, which has a clock to move and things to try. */
export const isDemo = (): boolean => document.getElementById('root')?.dataset.demo !== undefined;
