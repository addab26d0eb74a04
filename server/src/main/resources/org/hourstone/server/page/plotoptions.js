// How the plot is drawn: the unit of its values, stacking, a logarithmic scale; and what it can be saved as.

import { checkbox, element, select } from './dom.js';
import { UNITS } from './format.js';

/** @param listeners `onChange()`, `onCsv()` and `onPicture()` */
export function plotOptions(state, listeners) {
  const unit = select({ 'data-name': 'unit', 'aria-label': 'Unit of the values' }, UNITS, state.unit);
  unit.addEventListener('change', () => { state.unit = unit.value; listeners.onChange(); });
  const button = (text, title, click) => element('button', { type: 'button', text, title, on: { click } });
  return element('div', { class: 'row options' }, unit,
    checkbox('Stacked', state.stacked, (on) => { state.stacked = on; listeners.onChange(); }, { 'data-name': 'stacked' }),
    checkbox('Logarithmic', state.logarithmic, (on) => { state.logarithmic = on; listeners.onChange(); },
      { 'data-name': 'logarithmic' }),
    button('CSV', 'Saves the points as a file', listeners.onCsv),
    button('PNG', 'Saves the plot as a picture', listeners.onPicture));
}
