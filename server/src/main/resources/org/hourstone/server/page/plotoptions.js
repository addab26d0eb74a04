// How the plot is drawn: the units of its values, stacking, a logarithmic scale; and what it can be saved as.

import { checkbox, element, labelled, select } from './dom.js';
import { UNITS } from './format.js';

/** @param listeners `onChange()`, `onCsv()` and `onPicture()` */
export function plotOptions(state, listeners) {
  const unit = (name, label) => {
    const made = select({ 'data-name': name, 'aria-label': label }, UNITS, state[name]);
    made.addEventListener('change', () => { state[name] = made.value; listeners.onChange(); });
    return made;
  };
  const button = (name, text, title, click) =>
    element('button', { type: 'button', 'data-name': name, text, title, on: { click } });
  return element('div', { class: 'row options' }, unit('unit', 'Unit of the values'),
    labelled('Right axis', unit('unitRight', 'Unit of the right axis'), { class: 'field of-right' }),
    checkbox('Stacked', state.stacked, (on) => { state.stacked = on; listeners.onChange(); }, { 'data-name': 'stacked' }),
    checkbox('Logarithmic', state.logarithmic, (on) => { state.logarithmic = on; listeners.onChange(); },
      { 'data-name': 'logarithmic', title: 'Leaves out values of 0 and below' }),
    button('csv', 'CSV', '', listeners.onCsv), // its title is that of the series
    button('png', 'PNG', 'Saves the plot as a picture', listeners.onPicture));
}
