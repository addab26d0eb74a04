// The view of the store's state, from the server's statistics: totals, and their changes per second.

import { element } from './dom.js';
import { bytes, count, value } from './format.js';
import { failureMessage } from './message.js';
import { Plot } from './plot.js';
import { Polling } from './polling.js';
import { get } from './request.js';

const PERIOD = 2000;
const KEPT = 150;

export class StatusView {
  constructor() {
    this.before = null;
    this.rates = [[], []];
    this.tiles = element('div', { class: 'tiles' });
    this.problem = element('div');
    this.host = element('div', { class: 'plot' });
    this.plot = new Plot(this.host, { onZoom() {}, onReset() {}, onCursor() {} });
    this.root = element('div', { class: 'status' }, this.problem, this.tiles,
      element('div', { class: 'card' }, element('h2', { text: 'Points written per second' }), this.host));
    this.polling = new Polling(() => this.refresh(), PERIOD);
  }

  setVisible(visible) {
    this.polling.set(visible);
  }

  async refresh() {
    try {
      this.show(new Map((await get('api/stats')).map(({ metric, value: text, tags }) => {
        const { host, ...own } = tags;
        return [[metric, ...Object.values(own)].join(' '), Number(text)];
      })), performance.now());
      this.problem.replaceChildren();
    } catch (e) {
      this.problem.replaceChildren(failureMessage(e));
    }
  }

  show(stats, now) {
    const at = (name) => stats.get(`tsd.${name}`);
    const rate = this.rate(at('datapoints.added all'), now);
    const kinds = ['metrics', 'tagk', 'tagv'];
    const tiles = [
      ['Points per second', rate === null ? '…' : value(rate)],
      ['Points written', count(at('datapoints.added all')), 'since the start'],
      ['Failed points', count(at('datapoints.failed')), '', at('datapoints.failed') > 0],
      ['Points waiting', count(at('writer.waiting')), 'for the writing threads'],
      ['Writing threads', `${at('writer.threads alive')} of ${at('writer.threads started')}`, 'alive',
        at('writer.threads alive') < at('writer.threads started')],
      ['Rows to compact', count(at('compaction.queue.size')), `${count(at('compaction.writes'))} compacted`],
      ['Compaction errors', count(at('compaction.errors')), '', at('compaction.errors') > 0],
      ['Disk', at('store.disk_bytes') === undefined ? 'not known' : bytes(at('store.disk_bytes')),
        at('store.disk_bytes') === undefined ? 'by this store' : `of the store’s files; ${bytes(at('store.disk_free_bytes'))} free`,
        at('store.disk_free_bytes') < at('store.disk_reserve_bytes')],
      ['Connections', count(at('connectionmgr.connections open')),
        `${count(at('rpc.received telnet'))} lines, ${count(at('rpc.received http'))} requests`],
      ['Queries', count(at('query.running')), `${bytes(at('query.memory_bytes'))} held`],
      ['Heap', bytes(at('jvm.ramused'))],
      ['Names', kinds.map((kind) => count(at(`uid.ids-used ${kind}`))).join(' / '), 'metrics / tags / values'],
    ];
    this.tiles.replaceChildren(...tiles.map(([name, text, more, alarming]) =>
      element('div', { class: alarming ? 'tile alarming' : 'tile' }, element('h3', { text: name }),
        element('p', { class: 'big', text }), element('p', { class: 'muted', text: more ?? '' }))));
    if (this.rates[0].length > 1) {
      const [times] = this.rates;
      this.plot.show(this.rates, { from: times[times.length - 1] - KEPT * PERIOD, to: times[times.length - 1] },
        'local', new Set());
    }
  }

  /** Points per second since the last time; null at first, and after the server was restarted. */
  rate(written, now) {
    const { before } = this;
    this.before = { written, now };
    if (before === null || written < before.written || now <= before.now) return null;
    const perSecond = (1000 * (written - before.written)) / (now - before.now);
    this.rates[0].push(Date.now());
    this.rates[1].push(perSecond);
    for (const each of this.rates) each.splice(0, each.length - KEPT);
    return perSecond;
  }
}
