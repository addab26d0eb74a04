// The page's state in its address: a link shows the same plot. The names are those of links to OpenTSDB's
// page, which therefore work here: #start=1h-ago&m=sum:rate:sys.cpu{host=*}&autoreload=15
// A letter (id) and options (o) are those of the query, function or formula before them.

import { Choice } from './choice.js';
import { format, parse } from './expression.js';
import { areInOrder, giveLetters } from './letters.js';
import { readPlace, writePlace } from './place.js';
import { emptyText } from './textform.js';

export const VIEWS = ['graph', 'metrics', 'queries', 'status'];

/** The state of a page that was opened without a link. */
export function initialState() {
  return { view: 'graph', start: '1h-ago', end: '', zone: 'local', refresh: 0, queries: [], functions: [], formulas: [],
    unit: '', unitRight: '', stacked: false, logarithmic: false, choice: new Choice() };
}

/** Reads what is behind the number sign. */
export function readLink(hash) {
  const state = initialState();
  const text = hash.replace(/^#/, '');
  if (VIEWS.includes(text)) return { ...state, view: text };
  let row = {};
  const add = (rows, added) => { rows.push(added); row = added; };
  for (const part of text.split('&')) {
    const equals = part.indexOf('=');
    const value = equals < 0 ? '' : decoded(part.slice(equals + 1));
    switch (equals < 0 ? part : part.slice(0, equals)) {
      case 'start': state.start = value; break;
      case 'end': state.end = value; break;
      case 'tz': state.zone = value === 'UTC' ? 'UTC' : 'local'; break;
      case 'autoreload': state.refresh = Math.max(0, parseInt(value, 10) || 0); break;
      case 'exp': if (value !== '') add(state.functions, emptyText(value)); break;
      case 'formula': if (value !== '') add(state.formulas, emptyText(value)); break;
      case 'id': if (/^[a-z]\d*$/.test(value)) row.letter = value; break;
      case 'o': row.place = readPlace(value); break;
      case 'unit': state.unit = value; break;
      case 'unit2': state.unitRight = value; break;
      case 'stacked': state.stacked = true; break;
      case 'ylog': state.logarithmic = true; break;
      case 'hide': state.choice.names.add(value); break;
      case 'only': state.choice.only = true; if (value !== '') state.choice.names.add(value); break;
      case 'm': if (value !== '') add(state.queries, parse(value)); break;
      default: // of another page, such as OpenTSDB's options of Gnuplot
    }
  }
  giveLetters(state.queries);
  return state;
}

/** Writes a state, so that {@link readLink} reads it. */
export function writeLink(state) {
  if (state.view !== 'graph') return `#${state.view}`;
  const parts = [['start', state.start]];
  if (state.end !== '') parts.push(['end', state.end]);
  if (state.zone === 'UTC') parts.push(['tz', 'UTC']);
  if (state.refresh > 0) parts.push(['autoreload', String(state.refresh)]);
  const queries = state.queries.filter(({ metric }) => metric !== '');
  const hasLetters = !areInOrder(queries);
  const options = ({ place }) => (writePlace(place) === '' ? [] : [['o', writePlace(place)]]);
  for (const query of queries) {
    parts.push(['m', format(query)], ...(hasLetters ? [['id', query.letter]] : []), ...options(query));
  }
  for (const [name, rows] of [['exp', state.functions], ['formula', state.formulas]]) {
    for (const row of rows) {
      if (row.text !== '') parts.push([name, row.text], ...options(row));
    }
  }
  if (state.unit !== '') parts.push(['unit', state.unit]);
  if (state.unitRight !== '') parts.push(['unit2', state.unitRight]);
  if (state.stacked) parts.push(['stacked', '']);
  if (state.logarithmic) parts.push(['ylog', '']);
  const { only, names } = state.choice;
  if (only && names.size === 0) parts.push(['only', '']);
  for (const name of names) parts.push([only ? 'only' : 'hide', name]);
  return `#${parts.map(([name, value]) => (value === '' ? name : `${name}=${encoded(value)}`)).join('&')}`;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** As little as possible is encoded, so that links can be read. */
function encoded(text) {
  return encodeURIComponent(text).replace(/%(3A|2C|2F|3D)/g, decodeURIComponent);
}
