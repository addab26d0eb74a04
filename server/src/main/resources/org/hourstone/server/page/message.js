// What there is to say in place of a plot or a table.

import { element } from './dom.js';

/** A failure, with the server's words. */
export function failureMessage(error) {
  const status = error.status > 0 ? ` (status ${error.status})` : '';
  return element('div', { class: 'message failure', role: 'alert' },
    element('strong', { text: error.message + status }),
    error.details ? element('p', { text: error.details }) : null);
}

/** What is to be known of what is shown below it. */
export function hint(text) {
  return element('p', { class: 'hint', role: 'status', text });
}

/** Something that is no failure. */
export function note(text, ...more) {
  return element('div', { class: 'message' }, element('strong', { text }), ...more);
}
