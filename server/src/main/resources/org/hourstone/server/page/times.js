// Times as OpenTSDB writes them in requests: "1h-ago", "2017/07/14-03:00", seconds, milliseconds.

const UNITS = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5, w: 6048e5, n: 2592e6, y: 31536e6 };
const RELATIVE = /^(\d+)(ms|[smhdwny])-ago$/;
const DATE = /^(\d{4})[/-](\d\d?)[/-](\d\d?)(?:[-T ](\d\d?):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?)?$/;

export const LOCAL = 'local';
export const UTC = 'UTC';

/** Whether a time counts from now. */
export function isRelative(text) {
  return text === '' || text === 'now' || RELATIVE.test(text);
}

/**
 * A time in milliseconds since 1970; NaN if it can't be read.
 *
 * @param zone of a date without one: UTC, or the browser's
 */
export function millis(text, zone, now = Date.now()) {
  if (text === '' || text === 'now') return now;
  const relative = RELATIVE.exec(text);
  if (relative) return now - Number(relative[1]) * UNITS[relative[2]];
  if (/^\d+$/.test(text)) return text.length <= 10 ? Number(text) * 1000 : Number(text);
  const exact = /^(?:(\d+)ms|(\d{1,10})\.(\d{1,3})\d*)$/.exec(text);
  if (exact) return Number(exact[1] ?? exact[2] + exact[3].padEnd(3, '0'));
  const date = DATE.exec(text);
  if (!date) return Date.parse(text);
  const [year, month, day, hour = 0, minute = 0, second = 0, fraction = '0'] = date.slice(1);
  const fields = [year, month - 1, day, hour, minute, second, Number(fraction.padEnd(3, '0'))].map(Number);
  return zone === UTC ? Date.UTC(...fields) : new Date(...fields).getTime();
}

/** A length of time, such as 5m, in milliseconds; NaN for other texts. */
export function duration(text) {
  const found = /^(\d+)(ms|[smhdwny])c?$/.exec(text);
  return found ? Number(found[1]) * UNITS[found[2]] : NaN;
}

/** A time as `2017-07-14 03:00:05`, with milliseconds if it has any. */
export function timeText(time, zone) {
  if (!Number.isFinite(time)) return '';
  return fieldValue(time, zone).replace('T', ' ');
}

/** A time as the value of a datetime-local field. */
export function fieldValue(time, zone) {
  const shifted = zone === UTC ? time : time - new Date(time).getTimezoneOffset() * 6e4;
  const text = new Date(shifted).toISOString().slice(0, -1);
  return text.endsWith('.000') ? text.slice(0, -4) : text;
}

/** How long ago a time is, or how long a time lasts, in the largest unit that fits. */
export function span(milliseconds) {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  const hours = Math.floor(seconds / 3600);
  return hours < 48 ? `${hours} h ${Math.floor((seconds % 3600) / 60)} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
