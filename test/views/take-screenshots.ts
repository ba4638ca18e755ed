import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListedView } from './list-views.ts';
import { createViewStage } from './view-stage.ts';

const widths = { desktop: 1200, phone: 375 };
const colorSchemes = ['light', 'dark'] as const;

/** Draws each view in the playground's page: `FOLDER/phone-dark/users-userCard-1.png`. */
export async function takeScreenshots(views: ListedView[], folder: string): Promise<void> {
  const stage = await createViewStage();
  try {
    for (const [size, width] of Object.entries(widths)) {
      for (const colorScheme of colorSchemes) {
        const into = join(folder, `${size}-${colorScheme}`);
        await mkdir(into, { recursive: true });
        const { page, draw } = await stage.open({ width, colorScheme });
        for (const [index, view] of views.entries()) {
          await draw(view);
          const number = index - views.findIndex(({ name }) => name === view.name) + 1;
          const file = `${view.folder}-${view.name}-${number}.png`;
          await page.screenshot({ path: join(into, file) });
        }
      }
    }
  } finally {
    await stage.close();
  }
}
