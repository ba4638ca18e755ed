import { createContext } from 'react';

/** How the input block around an element labels it; absent where an element stands by itself. */
export type Field = {
  id: string;
  labelledBy: string;
  describedBy: string | undefined;
  isInvalid: boolean;
  isRequired: boolean;
  isDispatching: boolean;
};

export const FieldContext = createContext<Field | undefined>(undefined);
