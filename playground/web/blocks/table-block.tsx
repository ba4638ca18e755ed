import type { TableBlock } from '@slack/types';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Each } from '../each.tsx';
import { RichText } from './rich-text.tsx';

type Cell = TableBlock['rows'][number][number];

export function TableBlockBody({ block }: { block: TableBlock }) {
  const [head = [], ...rows] = block.rows;
  const align = (column: number) => block.column_settings?.[column]?.align ?? 'left';
  return (
    <ScrollBox>
      <table>
        <thead>
          <tr>
            <Each of={head}>
              {(cell, column) => (
                <th scope="col" data-align={align(column)}>
                  <CellBody cell={cell} />
                </th>
              )}
            </Each>
          </tr>
        </thead>
        <tbody>
          <Each of={rows}>
            {(row) => (
              <tr>
                <Each of={row}>
                  {(cell, column) => (
                    <td data-align={align(column)}>
                      <CellBody cell={cell} />
                    </td>
                  )}
                </Each>
              </tr>
            )}
          </Each>
        </tbody>
      </table>
    </ScrollBox>
  );
}

/** Says when a table is wider than its message, and lets the keyboard scroll it. */
function ScrollBox({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isTooWide, setTooWide] = useState(false);
  useEffect(() => {
    const scroller = box.current;
    if (!scroller) return;
    const observer = new ResizeObserver(() => {
      setTooWide(scroller.scrollWidth > scroller.clientWidth);
    });
    for (const part of [scroller, ...scroller.children]) observer.observe(part);
    return () => observer.disconnect();
  }, []);
  const reachable = { role: 'region', tabIndex: 0, 'aria-label': 'Table, scrolls sideways' };
  return (
    <>
      <div className="table-box" ref={box} {...(isTooWide && reachable)}>
        {children}
      </div>
      {isTooWide && <p className="quiet">Scroll the table sideways to see all columns.</p>}
    </>
  );
}

function CellBody({ cell }: { cell: Cell }) {
  return (
    <div className="cell">
      {cell.type === 'rich_text' ? <RichText block={cell} /> : drawText(cell.text)}
    </div>
  );
}

/** Lets a long address wrap before its `@`. */
function drawText(text: string): ReactNode {
  return (
    <Each of={text.split(/(?=@)/)}>
      {(part) => (
        <>
          <wbr />
          {part}
        </>
      )}
    </Each>
  );
}
