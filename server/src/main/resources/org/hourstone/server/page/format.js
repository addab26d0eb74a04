// Numbers as people read them.

const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 });
const PLAIN = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A value of a series. */
export function value(number) {
  if (number === null || number === undefined) return '–';
  if (!Number.isFinite(number)) return String(number);
  const size = Math.abs(number);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return number.toExponential(4);
  return size >= 1e9 ? COMPACT.format(number) : PLAIN.format(number);
}

/** A label of an axis whose labels are so far apart. */
export function axis(number, step) {
  if (number === null) return '';
  if (Math.abs(number) >= 1e4) return COMPACT.format(number);
  return step !== 0 && Math.abs(step) < 1e-4 ? number.toExponential(2) : PLAIN.format(number);
}

/** A number of things, with commas. */
export function count(number) {
  return WHOLE.format(number);
}

/** `1 series`, `2 queries`: a number with what is counted. */
export function counted(number, one, several = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : several}`;
}

/** A number of bytes. */
export function bytes(number) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];
  let unit = 0;
  let left = number;
  while (left >= 1024 && unit < units.length - 1) {
    left /= 1024;
    unit++;
  }
  return `${unit === 0 ? left : left.toFixed(left < 10 ? 1 : 0)} ${units[unit]}`;
}
