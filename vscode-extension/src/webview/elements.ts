// Makes elements in few words; text never becomes markup.

type Child = Node | string | undefined | false;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return made;
}

/** A part of the page under a heading; nothing if there is nothing in it. */
export function section(title: string, ...children: Child[]): HTMLElement | undefined {
  return children.some(Boolean) ? element('section', {}, element('h2', {}, title), ...children) : undefined;
}

/** A row for each bar: its name, its length in proportion to the longest, and its number in words. */
export function bars(rows: readonly { name: string; size: number; words: string; kind?: string }[]): HTMLElement {
  const longest = Math.max(...rows.map((row) => row.size), Number.MIN_VALUE);
  const lines = rows.map(({ name, size, words, kind = '' }) => {
    const bar = element('span', { className: `bar ${kind}` });
    bar.style.width = `${Math.max((size / longest) * 100, 0.5)}%`;
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, name),
      element('td', { className: 'track' }, bar),
      element('td', { className: 'number' }, words),
    );
  });
  return element('table', { className: 'bars' }, element('tbody', {}, ...lines));
}
