// Completes a text field from a list: the ARIA pattern of a combobox.

import { element } from './dom.js';

const PAUSE = 120; // ms without a key before the server is asked
let lists = 0;

/**
 * Makes a field that completes its text.
 *
 * @param source returns (a promise of) texts, or objects with `value` and `note`, for a text and an AbortSignal
 * @param settings `label` for screen readers, `value`, `placeholder`, `id`, `several`: values are separated by
 *     bars, and the last is completed; `onChoose` is called when a value was chosen or typed and left
 */
export function completing(source, settings) {
  const id = `completion-${++lists}`;
  const list = element('ul', { id, class: 'completion', role: 'listbox', hidden: true, 'aria-label': settings.label });
  const input = element('input', {
    type: 'text', role: 'combobox', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false',
    'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': id, 'aria-label': settings.label,
    placeholder: settings.placeholder, value: settings.value ?? '', 'data-name': settings.name,
  });
  let active = -1;
  let asked = null;
  let timer = 0;
  let reported = input.value;

  const close = () => {
    clearTimeout(timer);
    asked?.abort();
    list.hidden = true;
    active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };

  const report = () => {
    if (input.value !== reported) {
      reported = input.value;
      settings.onChoose(input.value);
    }
  };

  const choose = (option) => {
    const kept = settings.several ? input.value.slice(0, input.value.lastIndexOf('|') + 1) : '';
    input.value = kept + option.dataset.value;
    close();
    report();
  };

  const activate = (index) => {
    const options = list.children;
    options[active]?.setAttribute('aria-selected', 'false');
    active = (index + options.length) % options.length;
    options[active].setAttribute('aria-selected', 'true');
    options[active].scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', options[active].id);
  };

  const show = (names) => {
    list.replaceChildren(...names.map((name, i) => {
      const { value, note = '' } = typeof name === 'string' ? { value: name } : name;
      return element('li', {
        id: `${id}-${i}`, role: 'option', 'aria-selected': 'false', 'data-value': value,
        on: { mousedown: (event) => { event.preventDefault(); choose(event.currentTarget); } },
      }, element('span', { text: value }), note === '' ? null : element('small', { text: note }));
    }));
    active = -1;
    list.hidden = names.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
  };

  const ask = async () => {
    asked?.abort();
    const asking = new AbortController();
    asked = asking;
    const text = settings.several ? input.value.slice(input.value.lastIndexOf('|') + 1) : input.value;
    try {
      const names = await source(text.trim(), asking.signal);
      if (!asking.signal.aborted && document.activeElement === input) show(names);
    } catch {
      if (!asking.signal.aborted) close(); // the field works without
    }
  };

  const askSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  };

  input.addEventListener('input', askSoon);
  input.addEventListener('focus', askSoon);
  input.addEventListener('click', () => { if (list.hidden) askSoon(); });
  input.addEventListener('blur', () => { close(); report(); });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) {
        ask();
      } else {
        activate(event.key === 'ArrowDown' ? active + 1 : (active < 0 ? 0 : active) - 1);
      }
    } else if (event.key === 'Enter') {
      if (!list.hidden && active >= 0) {
        event.preventDefault();
        choose(list.children[active]);
      } else {
        close();
        report();
      }
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });
  return {
    root: element('div', { class: 'combo' }, input, list),
    input,
    /** Sets the text without reporting it. */
    set(text) {
      input.value = text;
      reported = text;
    },
  };
}
