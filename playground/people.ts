/** The ids of the people in the playground's workspace. */
export const people = {
  ana: 'U0ANA00001',
  ben: 'U0BEN00002',
  cleo: 'U0CLEO0003',
  gus: 'U0GUS00004',
  dee: 'U0DEE00005',
  sam: 'U0SAM00006',
} as const;
