/** What a form says below the field of the reason. */
export const reasonHint = 'Visible to everyone who can see the request.';
