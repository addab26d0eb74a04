// A filter of a query: a tag, how its values are tested, and whether they make groups.

import { checkbox, element, iconButton, select, setOptions } from './dom.js';
import { completing } from './completion.js';
import { filterTypes, keysOf, valuesOf } from './names.js';

const TEXTS = {
  literal_or: 'is', iliteral_or: 'is, any case', not_literal_or: 'is not', not_iliteral_or: 'is not, any case',
  wildcard: 'matches *', iwildcard: 'matches *, any case', regexp: 'matches regexp', not_key: 'is absent',
};
const LISTS = ['literal_or', 'iliteral_or', 'not_literal_or', 'not_iliteral_or'];
const HINTS = { wildcard: 'web*', iwildcard: 'web*', regexp: 'web\\d+' };

/** A filter that has nothing filled in yet. */
export function emptyFilter(tagk = '') {
  return { tagk, type: 'wildcard', value: tagk === '' ? '' : '*', groupBy: true };
}

/**
 * The controls of a filter, which they change.
 *
 * @param metric returns the query's metric
 */
export function filterRow(filter, metric, onChange, onRemove) {
  const types = select({ 'aria-label': 'Filter type' }, [[filter.type, text(filter.type)]], filter.type);
  filterTypes()
    .then((names) => setOptions(types, names.map((name) => [name, text(name)])))
    .catch(() => {}); // the type it has remains

  const key = completing((prefix, signal) => keysOf(metric(), prefix, signal), {
    label: 'Tag', name: 'tagk', placeholder: 'tag', value: filter.tagk,
    onChoose: (tagk) => { filter.tagk = tagk.trim(); onChange(); },
  });
  let values;
  const makeValues = () => completing(
    (prefix, signal) => valuesOf(metric(), filter.tagk, prefix.replace(/\*.*/, ''), signal), {
      label: 'Value', name: 'tagv', placeholder: HINTS[filter.type] ?? 'value|value', value: filter.value,
      several: LISTS.includes(filter.type),
      onChoose: (value) => {
        filter.value = value.trim();
        if (filter.type === 'literal_or' && filter.value.includes('*')) {
          filter.type = 'wildcard'; // what a star means to everyone
          types.value = filter.type;
        } else if (filter.type === 'wildcard' && filter.value !== '' && !filter.value.includes('*')) {
          filter.type = 'literal_or';
          types.value = filter.type;
        }
        onChange();
      },
    });
  values = makeValues();
  values.root.hidden = filter.type === 'not_key';
  types.addEventListener('change', () => {
    filter.type = types.value;
    const replaced = makeValues();
    values.root.replaceWith(replaced.root);
    values = replaced;
    values.root.hidden = filter.type === 'not_key';
    onChange();
  });
  return element('div', { class: 'filter' }, key.root, types, values.root,
    checkbox('group by', filter.groupBy, (checked) => { filter.groupBy = checked; onChange(); }),
    iconButton('close', 'Remove this filter', onRemove));
}

function text(type) {
  return TEXTS[type] ?? type;
}
