export const homeHelpActionId = 'home.help';
