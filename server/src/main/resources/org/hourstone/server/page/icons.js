// Pictures of buttons, drawn in the colour of their text.

const SVG = 'http://www.w3.org/2000/svg';
const PATHS = {
  copy: 'M6 2h7v8M3 5h7v9H3z',
  close: 'M4 4l8 8M12 4l-8 8',
  earlier: 'M10 3L5 8l5 5',
  later: 'M6 3l5 5-5 5',
  wider: 'M3 8h10',
  narrower: 'M3 8h10M8 3v10',
};

/** A picture by its name. */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  for (const [key, value] of Object.entries({ viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': true })) {
    svg.setAttribute(key, value);
  }
  for (const [key, value] of Object.entries({ d: PATHS[name], fill: 'none', stroke: 'currentColor',
    'stroke-width': 1.6, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' })) {
    path.setAttribute(key, value);
  }
  svg.append(path);
  return svg;
}
