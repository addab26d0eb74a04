// The form of what is edited as text: a function of queries, or a formula over the queries above it.

import { element, iconButton } from './dom.js';
import { placeSelect } from './place.js';

/** The kinds of such texts: the field's name, what it is, and an example. */
export const FUNCTION = { name: 'function', label: 'Function of queries', example: 'scale(sum:1m-avg:sys.cpu{host=*},2)' };
export const FORMULA = { name: 'formula', label: 'Formula over the queries', example: 'a / b * 100' };

/** A text of nothing yet. */
export function emptyText(text = '') {
  return { text, place: 'left' };
}

/**
 * The controls of a text, which they change.
 *
 * @param listeners `onChange()` and `onRemove()`
 */
export function textForm(row, kind, listeners) {
  const input = element('input', {
    type: 'text', class: 'code', value: row.text, spellcheck: 'false', autocomplete: 'off', 'data-name': kind.name,
    'aria-label': kind.label, placeholder: kind.example,
    on: { change: () => { row.text = input.value.trim(); listeners.onChange(); } },
  });
  return element('fieldset', { class: 'card query' },
    element('div', { class: 'row' }, input, iconButton('close', `Remove this ${kind.name}`, listeners.onRemove)),
    element('div', { class: 'row' }, placeSelect(row, listeners.onChange)));
}
