import type { OpenView } from '../slack/protocol.ts';
import { Modal } from './modal.tsx';

/** Every view of the stack stays mounted, so that going back finds what was typed below. */
export function ViewStack({ views }: { views: OpenView[] }) {
  return views.map((view, index) => (
    <Modal key={view.viewId} view={view} isTop={index === views.length - 1} />
  ));
}
