// Where a query, a function or a formula is plotted: on the left axis, on the right one, or nowhere.

import { select } from './dom.js';

/** The axes, in the order in which their series are listed. */
export const AXES = ['left', 'right'];

const TEXTS = [['left', 'Left axis'], ['right', 'Right axis'], ['hidden', 'Hidden']];

/** The control for the place of a row, which it changes. */
export function placeSelect(row, onChange) {
  const made = select({ 'data-name': 'place', 'aria-label': 'Where it is plotted', class: 'place' }, TEXTS, row.place);
  made.addEventListener('change', () => { row.place = made.value; onChange(); });
  return made;
}

/** The place in the options of a link: `axis x1y2` is OpenTSDB's right axis, `hidden` is our own. */
export function readPlace(options) {
  if (/\bhidden\b/.test(options)) return 'hidden';
  return /\bx1y2\b/.test(options) ? 'right' : 'left';
}

/** The options for {@link readPlace}; empty for the left axis. */
export function writePlace(place) {
  return { left: '', right: 'axis x1y2', hidden: 'hidden' }[place];
}
