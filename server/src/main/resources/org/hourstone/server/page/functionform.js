// The form of a function of queries, such as scale(sum:1m-avg:sys.cpu,2), which is edited as text.

import { element, iconButton } from './dom.js';

/** @param listeners `onChange(text)` and `onRemove()` */
export function functionForm(text, listeners) {
  const input = element('input', {
    type: 'text', class: 'code', value: text, spellcheck: 'false', autocomplete: 'off', 'data-name': 'function',
    'aria-label': 'Function of queries', placeholder: 'scale(sum:1m-avg:sys.cpu{host=*},2)',
    on: { change: () => listeners.onChange(input.value.trim()) },
  });
  return element('fieldset', { class: 'card query' },
    element('div', { class: 'row' }, input, iconButton('close', 'Remove this function', listeners.onRemove)));
}
