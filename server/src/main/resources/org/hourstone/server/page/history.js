// The queries that this browser has shown, the newest first.

import { element } from './dom.js';
import { timeText } from './times.js';

const KEY = 'hourstone.history';
const MOST = 30;

function read() {
  try {
    const known = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(known) ? known.filter(({ link, text }) => typeof link === 'string' && typeof text === 'string') : [];
  } catch {
    return []; // there is no storage, or something else in it
  }
}

/** Keeps a link, with a text for people. */
export function remember(link, text) {
  const others = read().filter((each) => each.link !== link);
  try {
    localStorage.setItem(KEY, JSON.stringify([{ link, text, at: Date.now() }, ...others].slice(0, MOST)));
  } catch {
    // no storage, no history
  }
}

/** A card that lists them when it is opened. */
export function historyCard() {
  const list = element('ul', { class: 'history' });
  const card = element('details', { class: 'card request' }, element('summary', { text: 'History' }), list);
  card.addEventListener('toggle', () => {
    const known = read();
    list.replaceChildren(...(known.length === 0 ? [element('li', { class: 'muted', text: 'No queries yet.' })]
      : known.map(({ link, text, at }) => element('li', {},
        element('a', { href: link, class: 'expression', text }),
        element('small', { class: 'muted', text: ` ${timeText(at, 'local')}` })))));
  });
  return card;
}
