// Elements are made here, never from text with markup: no name can become an element or a script.

import { icon } from './icons.js';

/**
 * Makes an element. `on` holds listeners, `class`, `hidden`, `disabled`, `checked`, `value` and `text` are
 * properties, all else are attributes; what is null, undefined or false is left out.
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'on') {
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    } else if (name === 'class') {
      made.className = value;
    } else if (name === 'text') {
      made.textContent = value;
    } else if (['hidden', 'disabled', 'checked', 'value', 'selected'].includes(name)) {
      made[name] = value;
    } else {
      made.setAttribute(name, value === true ? '' : value);
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A select element with options: texts, or pairs of a value and its text. */
export function select(properties, options, value) {
  const made = element('select', properties);
  setOptions(made, options, value);
  return made;
}

/** Replaces the options of a select element; a value that is not among them is added. */
export function setOptions(target, options, value = target.value) {
  const pairs = options.map((option) => (Array.isArray(option) ? option : [option, option]));
  if (value !== '' && !pairs.some(([each]) => each === value)) pairs.push([value, value]);
  target.replaceChildren(...pairs.map(([each, text]) => element('option', { value: each, text })));
  target.value = value;
}

/** A control with its label before it. */
export function labelled(text, control, properties = {}) {
  return element('label', { class: 'field', ...properties }, element('span', { text }), control);
}

/** A button with a picture, whose title says what it does. */
export function iconButton(name, title, click) {
  return element('button', { type: 'button', class: 'icon', title, 'aria-label': title, on: { click } }, icon(name));
}

/** A checkbox with its label behind it. */
export function checkbox(text, checked, onChange, properties = {}) {
  const box = element('input', { type: 'checkbox', checked, on: { change: () => onChange(box.checked) } });
  return element('label', { class: 'check', ...properties }, box, element('span', { text }));
}
