/** JSON, or undefined for text that is none: what to say about that is the reader's business. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
