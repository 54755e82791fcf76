// The picture of the graph: drawn by the server, here made to fit the theme, to zoom, and to lead to the source.
// Everything in it that names a line can be clicked, and reached by the arrow keys.
import { element } from './elements';

const STEP = 1.25;
/** The scale below which its words are too small to read. */
const READABLE = 0.75;
/** The part of the window that it may take up; the style sheet says so, too. */
const TALLEST = 0.72;
/** A scrollbar that comes or goes changes the width by less. */
const SCROLLBAR = 24;
const SMALLEST = 0.1;
const LARGEST = 8;

interface Linked {
  readonly shape: SVGElement;
  readonly file: string;
  readonly line: number;
}

export function picture(
  svg: string,
  file: string,
  reveal: (file: string, line: number) => void,
  save: () => void,
): HTMLElement | undefined {
  const drawing = parsed(svg);
  if (drawing === undefined) {
    return undefined;
  }
  const size = sizeOf(drawing);
  const view = element('div', { className: 'view' }, drawing);
  const linked = [...drawing.querySelectorAll<SVGElement>('[data-line]')].map((shape) => link(shape, file));
  let scale = 1;
  const zoom = (wanted: number, x = view.clientWidth / 2, y = view.clientHeight / 2): void => {
    const next = Math.min(Math.max(wanted, SMALLEST), LARGEST);
    const [left, top] = [(view.scrollLeft + x) / scale, (view.scrollTop + y) / scale];
    scale = next;
    drawing.setAttribute('width', String(size.width * scale));
    drawing.setAttribute('height', String(size.height * scale));
    view.scrollTo(left * scale - x, top * scale - y);
  };
  const whole = (): number =>
    Math.min(1, (view.clientWidth - 2) / size.width, Math.max(0.25, (TALLEST * window.innerHeight) / size.height));
  let width = 0;
  const begin = (): void => {
    if (Math.abs(view.clientWidth - width) > SCROLLBAR) {
      width = view.clientWidth;
      zoom(Math.max(READABLE, whole()));
      const entry = (size.width * scale) / 2;
      view.scrollTo(entry < width ? 0 : entry - width / 2, 0);
    }
  };
  const observer = new ResizeObserver(begin); // a panel that grows shows more of it
  observer.observe(view);
  const byHand = (wanted: number, x?: number, y?: number): void => {
    observer.disconnect();
    zoom(wanted, x, y);
  };
  const closer = (): void => byHand(scale * STEP);
  const farther = (): void => byHand(scale / STEP);
  const fit = (): void => byHand(whole());
  followKeys(view, linked, reveal, { in: closer, out: farther, fit });
  followPointer(view, linked, reveal, (factor, x, y) => byHand(scale * factor, x, y));
  return element('div', { className: 'picture' }, tools(zoomButtons(farther, fit, closer), save), view);
}

const NONCE = (document.currentScript as HTMLScriptElement | null)?.nonce ?? '';

/** The drawing as elements of this page, without anything that could act, and with its styles as the policy allows them. */
function parsed(svg: string): SVGSVGElement | undefined {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  if (!(root instanceof SVGSVGElement)) {
    return undefined;
  }
  const styles = [...root.querySelectorAll('style')].map((style) => style.textContent ?? '');
  document.getElementById('picture-style')?.remove();
  document.head.append(element('style', { id: 'picture-style', nonce: NONCE, textContent: styles.join('\n') }));
  for (const unwanted of root.querySelectorAll('script, foreignObject, style, image, use')) {
    unwanted.remove();
  }
  for (const each of [root, ...root.querySelectorAll<SVGElement>('*')]) {
    for (const { name, value } of [...each.attributes]) {
      if (name.startsWith('on') || name.endsWith('href')) {
        each.removeAttribute(name);
      } else if (name === 'style') {
        each.removeAttribute(name);
        each.style.cssText = value;
      }
    }
  }
  root.classList.add('drawing');
  return document.importNode(root, true);
}

function sizeOf(drawing: SVGSVGElement): { width: number; height: number } {
  const box = drawing.viewBox.baseVal;
  const width = box?.width || Number.parseFloat(drawing.getAttribute('width') ?? '') || 800;
  const height = box?.height || Number.parseFloat(drawing.getAttribute('height') ?? '') || 600;
  if (!drawing.hasAttribute('viewBox')) {
    drawing.setAttribute('viewBox', `0 0 ${width} ${height}`);
  }
  return { width, height };
}

function link(shape: SVGElement, file: string): Linked {
  const line = Number(shape.dataset.line);
  shape.setAttribute('tabindex', '-1');
  if (!shape.hasAttribute('role')) {
    shape.setAttribute('role', 'link');
  }
  if (!shape.hasAttribute('aria-label')) {
    const title = shape.querySelector(':scope > title')?.textContent ?? shape.querySelector('text')?.textContent ?? '';
    shape.setAttribute('aria-label', `line ${line + 1}: ${title.trim()}`);
  }
  return { shape, file: shape.dataset.file ?? file, line };
}

interface Zoom {
  readonly in: () => void;
  readonly out: () => void;
  readonly fit: () => void;
}

function followKeys(
  view: HTMLElement,
  linked: readonly Linked[],
  reveal: (file: string, line: number) => void,
  zoom: Zoom,
): void {
  view.tabIndex = linked.length === 0 ? 0 : -1;
  view.setAttribute('role', 'group');
  view.setAttribute(
    'aria-label',
    'The graph. Arrow keys go from part to part, Enter goes to the source line, plus and minus zoom.',
  );
  linked[0]?.shape.setAttribute('tabindex', '0');
  const focus = (next: Linked | undefined): void => {
    if (next !== undefined) {
      linked.forEach(({ shape }) => shape.setAttribute('tabindex', shape === next.shape ? '0' : '-1'));
      next.shape.focus();
      next.shape.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
  };
  view.addEventListener('keydown', (event) => {
    const current = linked.find(({ shape }) => shape === document.activeElement);
    const actions: Record<string, () => void> = {
      '+': zoom.in,
      '=': zoom.in,
      '-': zoom.out,
      '0': zoom.fit,
      Home: () => focus(linked[0]),
      End: () => focus(linked.at(-1)),
      Enter: () => current && reveal(current.file, current.line),
      ' ': () => current && reveal(current.file, current.line),
      ArrowDown: () => focus(nearest(linked, current, 0, 1)),
      ArrowUp: () => focus(nearest(linked, current, 0, -1)),
      ArrowRight: () => focus(nearest(linked, current, 1, 0)),
      ArrowLeft: () => focus(nearest(linked, current, -1, 0)),
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (action !== undefined) {
      event.preventDefault();
      action();
    }
  });
}

/** The part that lies in a direction from this one, by distance, where being beside it counts for more than being far. */
function nearest(
  linked: readonly Linked[],
  current: Linked | undefined,
  right: number,
  down: number,
): Linked | undefined {
  if (current === undefined) {
    return linked[0];
  }
  const from = middle(current.shape);
  let best: Linked | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const other of linked) {
    const to = middle(other.shape);
    const [x, y] = [to.x - from.x, to.y - from.y];
    const ahead = x * right + y * down;
    const distance = ahead + 3 * Math.abs(right !== 0 ? y : x);
    if (other !== current && ahead > 1 && distance < least) {
      [best, least] = [other, distance];
    }
  }
  return best;
}

function middle(shape: SVGElement): { x: number; y: number } {
  const box = shape.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 12) }; // a box's head counts, not what is in it
}

function followPointer(
  view: HTMLElement,
  linked: readonly Linked[],
  reveal: (file: string, line: number) => void,
  zoom: (factor: number, x: number, y: number) => void,
): void {
  let grabbed: { x: number; y: number; moved: boolean } | undefined;
  view.addEventListener(
    'wheel',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) {
        event.preventDefault();
        const box = view.getBoundingClientRect();
        zoom(Math.exp(-event.deltaY / 300), event.clientX - box.x, event.clientY - box.y);
      }
    },
    { passive: false },
  );
  view.addEventListener('pointerdown', (event) => {
    grabbed = event.button === 0 ? { x: event.clientX, y: event.clientY, moved: false } : undefined;
  });
  view.addEventListener('pointermove', (event) => {
    if (grabbed === undefined || event.buttons !== 1) {
      return;
    }
    if (grabbed.moved || Math.hypot(event.clientX - grabbed.x, event.clientY - grabbed.y) > 4) {
      view.classList.add('grabbed');
      view.scrollBy(grabbed.x - event.clientX, grabbed.y - event.clientY);
      grabbed = { x: event.clientX, y: event.clientY, moved: true };
    }
  });
  const letGo = (): void => view.classList.remove('grabbed');
  view.addEventListener('pointerup', letGo);
  view.addEventListener('pointerleave', letGo);
  view.addEventListener('click', (event) => {
    const shape = (event.target as Element).closest('[data-line]');
    const found = grabbed?.moved ? undefined : linked.find((each) => each.shape === shape);
    if (found !== undefined) {
      reveal(found.file, found.line);
    }
  });
}

function zoomButtons(out: () => void, fit: () => void, closer: () => void): HTMLElement[] {
  return [
    element('button', { className: 'tool', title: 'Zoom out (-)', ariaLabel: 'Zoom out', onclick: out }, '−'),
    element('button', { className: 'tool', title: 'Fit (0)', ariaLabel: 'Fit to the window', onclick: fit }, 'Fit'),
    element('button', { className: 'tool', title: 'Zoom in (+)', ariaLabel: 'Zoom in', onclick: closer }, '+'),
  ];
}

function tools(zooming: HTMLElement[], save: () => void): HTMLElement {
  const saving = element(
    'button',
    { className: 'tool', title: 'Save the picture as a file', onclick: save },
    'Save as SVG',
  );
  return element('div', { className: 'tools' }, ...zooming, saving);
}
