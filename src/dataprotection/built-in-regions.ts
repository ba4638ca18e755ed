import { type Region, regionsSchema } from './region.ts';

/**
 * The portals of the live service. Two of them have two names. The addresses follow no rule, so
 * they are written out.
 */
export const builtInRegions: Region[] = regionsSchema.parse([
  {
    id: 'us-west-2',
    label: 'US West',
    portal: 'west.portal.clumio.com (or portal.clumio.com)',
    baseUrl: 'https://us-west-2.api.clumio.com',
    dialect: 'live',
  },
  {
    id: 'us-east-1',
    label: 'US East',
    portal: 'east.portal.clumio.com (or us2.portal.clumio.com)',
    baseUrl: 'https://us-east-1.api.clumio.com',
    dialect: 'live',
  },
  {
    id: 'ca-central-1',
    label: 'Canada',
    portal: 'canada.portal.clumio.com',
    baseUrl: 'https://ca-central-1.ca.api.clumio.com',
    dialect: 'live',
  },
  {
    id: 'eu-central-1',
    label: 'Europe',
    portal: 'eu1.portal.clumio.com',
    baseUrl: 'https://eu-central-1.de.api.clumio.com',
    dialect: 'live',
  },
  {
    id: 'ap-southeast-2',
    label: 'Australia',
    portal: 'au.portal.clumio.com',
    baseUrl: 'https://ap-southeast-2.au.api.clumio.com',
    dialect: 'live',
  },
]);
