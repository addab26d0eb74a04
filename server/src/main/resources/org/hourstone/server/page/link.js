// The page's state in its address: a link shows the same plot. The names are those of links to OpenTSDB's
// page, which therefore work here: #start=1h-ago&m=sum:rate:sys.cpu{host=*}&autoreload=15

import { format, parse } from './expression.js';

export const VIEWS = ['graph', 'metrics', 'queries', 'status'];

/** The state of a page that was opened without a link. */
export function initialState() {
  return { view: 'graph', start: '1h-ago', end: '', zone: 'local', refresh: 0, queries: [], functions: [],
    unit: '', stacked: false, logarithmic: false };
}

/** Reads what is behind the number sign. */
export function readLink(hash) {
  const state = initialState();
  const text = hash.replace(/^#/, '');
  if (VIEWS.includes(text)) return { ...state, view: text };
  for (const part of text.split('&')) {
    const equals = part.indexOf('=');
    const value = equals < 0 ? '' : decoded(part.slice(equals + 1));
    switch (equals < 0 ? part : part.slice(0, equals)) {
      case 'start': state.start = value; break;
      case 'end': state.end = value; break;
      case 'tz': state.zone = value === 'UTC' ? 'UTC' : 'local'; break;
      case 'autoreload': state.refresh = Math.max(0, parseInt(value, 10) || 0); break;
      case 'exp': if (value !== '') state.functions.push(value); break;
      case 'unit': state.unit = value; break;
      case 'stacked': state.stacked = true; break;
      case 'ylog': state.logarithmic = true; break;
      case 'm': if (value !== '') state.queries.push(parse(value)); break;
      default: // of another page, such as OpenTSDB's options of Gnuplot
    }
  }
  return state;
}

/** Writes a state, so that {@link readLink} reads it. */
export function writeLink(state) {
  if (state.view !== 'graph') return `#${state.view}`;
  const parts = [['start', state.start]];
  if (state.end !== '') parts.push(['end', state.end]);
  if (state.zone === 'UTC') parts.push(['tz', 'UTC']);
  if (state.refresh > 0) parts.push(['autoreload', String(state.refresh)]);
  for (const query of state.queries) {
    if (query.metric !== '') parts.push(['m', format(query)]);
  }
  for (const text of state.functions) {
    if (text !== '') parts.push(['exp', text]);
  }
  if (state.unit !== '') parts.push(['unit', state.unit]);
  if (state.stacked) parts.push(['stacked', '']);
  if (state.logarithmic) parts.push(['ylog', '']);
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
