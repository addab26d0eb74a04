// The page: one view of four is shown, as its address says.

import { element } from './dom.js';
import { GraphView } from './graphview.js';
import { readLink, VIEWS, writeLink } from './link.js';
import { MetricsView } from './metricsview.js';
import { get } from './request.js';
import { RunningView } from './runningview.js';
import { StatusView } from './statusview.js';

const main = document.querySelector('main');
const links = new Map([...document.querySelectorAll('nav a')].map((link) => [link.hash.slice(1), link]));
const views = new Map();
let state = readLink(location.hash);

function view(name) {
  if (!views.has(name)) {
    const made = { graph: () => new GraphView(state, linkChanged), metrics: () => new MetricsView(),
      queries: () => new RunningView(), status: () => new StatusView() }[name]();
    made.root.hidden = true;
    views.set(name, made);
    main.append(made.root);
  }
  return views.get(name);
}

/** The plot has changed: the address and the tab that leads back to it follow. */
function linkChanged() {
  const link = writeLink(state);
  history.replaceState(null, '', link);
  links.get('graph').href = link;
  const metrics = state.queries.map(({ metric }) => metric).filter((metric) => metric !== '');
  document.title = metrics.length === 0 ? 'Hourstone' : `${metrics.join(', ')} – Hourstone`;
}

function show() {
  const asked = readLink(location.hash);
  if (asked.view === 'graph' && writeLink(asked) !== writeLink(state) && asked.queries.length + asked.functions.length + asked.formulas.length > 0) {
    views.get('graph')?.remove();
    views.delete('graph');
    state = asked;
  }
  if (asked.view === 'graph') linkChanged();
  for (const name of VIEWS) {
    const isShown = name === asked.view;
    if (isShown) view(name).root.hidden = false;
    if (views.has(name) && !isShown) views.get(name).root.hidden = true;
    if (views.has(name)) views.get(name).setVisible(isShown);
    if (isShown) {
      links.get(name).setAttribute('aria-current', 'page');
    } else {
      links.get(name).removeAttribute('aria-current');
    }
  }
}

addEventListener('hashchange', show);
if (state.view !== 'graph') state = { ...state, view: 'graph' };
show();
get('api/version')
  .then(({ version }) => document.querySelector('footer').prepend(
    element('span', { text: version ? `Hourstone ${version}` : 'Hourstone' })))
  .catch(() => {}); // the views tell what is wrong
