export { createHomeRenderer } from './home-parts.ts';
